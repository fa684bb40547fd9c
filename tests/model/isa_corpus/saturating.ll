; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_saturating(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca i64, align 8, addrspace(5)
  %5 = alloca i64, align 8, addrspace(5)
  %6 = alloca ptr addrspace(1), align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca ptr addrspace(1), align 8, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca i32, align 4, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca i32, align 4, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i64, align 8, addrspace(5)
  %19 = alloca ptr addrspace(1), align 8, addrspace(5)
  %20 = alloca ptr addrspace(1), align 8, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = addrspacecast ptr addrspace(5) %19 to ptr
  %23 = addrspacecast ptr addrspace(5) %20 to ptr
  %24 = addrspacecast ptr addrspace(5) %21 to ptr
  store ptr addrspace(1) %0, ptr %22, align 8
  store ptr addrspace(1) %1, ptr %23, align 8
  %25 = call i32 @llvm.amdgcn.workgroup.id.x()
  %26 = mul i32 %25, 64
  %27 = call i32 @llvm.amdgcn.workitem.id.x()
  %28 = add i32 %26, %27
  store i32 %28, ptr %24, align 4
  %29 = load ptr addrspace(1), ptr %22, align 8
  %30 = load i32, ptr %24, align 4
  %31 = mul i32 %30, 16
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspace(1) %29, i64 %32
  %34 = load ptr addrspace(1), ptr %23, align 8
  %35 = load i32, ptr %24, align 4
  %36 = mul i32 %35, 32
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw i32, ptr addrspace(1) %34, i64 %37
  %39 = load i32, ptr %24, align 4
  %40 = addrspacecast ptr addrspace(5) %9 to ptr
  %41 = addrspacecast ptr addrspace(5) %10 to ptr
  %42 = addrspacecast ptr addrspace(5) %11 to ptr
  %43 = addrspacecast ptr addrspace(5) %12 to ptr
  %44 = addrspacecast ptr addrspace(5) %13 to ptr
  %45 = addrspacecast ptr addrspace(5) %14 to ptr
  %46 = addrspacecast ptr addrspace(5) %15 to ptr
  %47 = addrspacecast ptr addrspace(5) %16 to ptr
  %48 = addrspacecast ptr addrspace(5) %17 to ptr
  %49 = addrspacecast ptr addrspace(5) %18 to ptr
  store ptr addrspace(1) %33, ptr %40, align 8
  store ptr addrspace(1) %38, ptr %41, align 8
  store i32 %39, ptr %42, align 4
  %50 = load ptr addrspace(1), ptr %40, align 8
  %51 = load i32, ptr addrspace(1) %50, align 4
  store i32 %51, ptr %43, align 4
  %52 = load ptr addrspace(1), ptr %40, align 8
  %53 = getelementptr inbounds i32, ptr addrspace(1) %52, i64 1
  %54 = load i32, ptr addrspace(1) %53, align 4
  store i32 %54, ptr %44, align 4
  %55 = load i32, ptr %43, align 4
  store i32 %55, ptr %45, align 4
  %56 = load i32, ptr %44, align 4
  store i32 %56, ptr %46, align 4
  %57 = load i32, ptr %45, align 4
  %58 = load i32, ptr %46, align 4
  %59 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %57, i32 %58)
  %60 = extractvalue { i32, i1 } %59, 1
  %61 = extractvalue { i32, i1 } %59, 0
  store i32 %61, ptr %47, align 4
  br i1 %60, label %62, label %67
62:                                               ; preds = %2
  %63 = load i32, ptr %45, align 4
  %64 = icmp slt i32 %63, 0
  %65 = zext i1 %64 to i64
  %66 = select i1 %64, i32 -2147483648, i32 2147483647
  br label %69
67:                                               ; preds = %2
  %68 = load i32, ptr %47, align 4
  br label %69
69:                                               ; preds = %67, %62
  %70 = phi i32 [ %66, %62 ], [ %68, %67 ]
  %71 = load ptr addrspace(1), ptr %41, align 8
  store i32 %70, ptr addrspace(1) %71, align 4
  %72 = load i32, ptr %45, align 4
  %73 = load i32, ptr %46, align 4
  %74 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %72, i32 %73)
  %75 = extractvalue { i32, i1 } %74, 1
  %76 = extractvalue { i32, i1 } %74, 0
  store i32 %76, ptr %47, align 4
  br i1 %75, label %77, label %82
77:                                               ; preds = %69
  %78 = load i32, ptr %45, align 4
  %79 = icmp slt i32 %78, 0
  %80 = zext i1 %79 to i64
  %81 = select i1 %79, i32 -2147483648, i32 2147483647
  br label %84
82:                                               ; preds = %69
  %83 = load i32, ptr %47, align 4
  br label %84
84:                                               ; preds = %82, %77
  %85 = phi i32 [ %81, %77 ], [ %83, %82 ]
  %86 = load ptr addrspace(1), ptr %41, align 8
  %87 = getelementptr inbounds i32, ptr addrspace(1) %86, i64 1
  store i32 %85, ptr addrspace(1) %87, align 4
  %88 = load i32, ptr %43, align 4
  %89 = load i32, ptr %44, align 4
  %90 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %88, i32 %89)
  %91 = extractvalue { i32, i1 } %90, 1
  %92 = extractvalue { i32, i1 } %90, 0
  store i32 %92, ptr %48, align 4
  br i1 %91, label %93, label %94
93:                                               ; preds = %84
  br label %96
94:                                               ; preds = %84
  %95 = load i32, ptr %48, align 4
  br label %96
96:                                               ; preds = %94, %93
  %97 = phi i32 [ -1, %93 ], [ %95, %94 ]
  %98 = load ptr addrspace(1), ptr %41, align 8
  %99 = getelementptr inbounds i32, ptr addrspace(1) %98, i64 2
  store i32 %97, ptr addrspace(1) %99, align 4
  %100 = load i32, ptr %43, align 4
  %101 = load i32, ptr %44, align 4
  %102 = icmp ugt i32 %100, %101
  br i1 %102, label %103, label %107
103:                                              ; preds = %96
  %104 = load i32, ptr %43, align 4
  %105 = load i32, ptr %44, align 4
  %106 = sub i32 %104, %105
  br label %108
107:                                              ; preds = %96
  br label %108
108:                                              ; preds = %107, %103
  %109 = phi i32 [ %106, %103 ], [ 0, %107 ]
  %110 = load ptr addrspace(1), ptr %41, align 8
  %111 = getelementptr inbounds i32, ptr addrspace(1) %110, i64 3
  store i32 %109, ptr addrspace(1) %111, align 4
  %112 = load i32, ptr %45, align 4
  %113 = load i32, ptr %46, align 4
  %114 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %112, i32 %113)
  %115 = extractvalue { i32, i1 } %114, 1
  %116 = extractvalue { i32, i1 } %114, 0
  store i32 %116, ptr %47, align 4
  %117 = zext i1 %115 to i32
  %118 = load ptr addrspace(1), ptr %41, align 8
  %119 = getelementptr inbounds i32, ptr addrspace(1) %118, i64 4
  store i32 %117, ptr addrspace(1) %119, align 4
  %120 = load i32, ptr %43, align 4
  %121 = load i32, ptr %44, align 4
  %122 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %120, i32 %121)
  %123 = extractvalue { i32, i1 } %122, 1
  %124 = extractvalue { i32, i1 } %122, 0
  store i32 %124, ptr %48, align 4
  %125 = zext i1 %123 to i32
  %126 = load ptr addrspace(1), ptr %41, align 8
  %127 = getelementptr inbounds i32, ptr addrspace(1) %126, i64 5
  store i32 %125, ptr addrspace(1) %127, align 4
  %128 = load i32, ptr %48, align 4
  %129 = load ptr addrspace(1), ptr %41, align 8
  %130 = getelementptr inbounds i32, ptr addrspace(1) %129, i64 6
  store i32 %128, ptr addrspace(1) %130, align 4
  %131 = load ptr addrspace(1), ptr %40, align 8
  %132 = addrspacecast ptr addrspace(5) %5 to ptr
  %133 = addrspacecast ptr addrspace(5) %6 to ptr
  store ptr addrspace(1) %131, ptr %133, align 8
  %134 = load ptr addrspace(1), ptr %133, align 8
  %135 = load i32, ptr addrspace(1) %134, align 4
  %136 = zext i32 %135 to i64
  %137 = load ptr addrspace(1), ptr %133, align 8
  %138 = getelementptr inbounds i32, ptr addrspace(1) %137, i64 1
  %139 = load i32, ptr addrspace(1) %138, align 4
  %140 = zext i32 %139 to i64
  %141 = shl i64 %140, 32
  %142 = or i64 %136, %141
  %143 = load ptr addrspace(1), ptr %40, align 8
  %144 = getelementptr inbounds i32, ptr addrspace(1) %143, i64 2
  %145 = addrspacecast ptr addrspace(5) %7 to ptr
  %146 = addrspacecast ptr addrspace(5) %8 to ptr
  store ptr addrspace(1) %144, ptr %146, align 8
  %147 = load ptr addrspace(1), ptr %146, align 8
  %148 = load i32, ptr addrspace(1) %147, align 4
  %149 = zext i32 %148 to i64
  %150 = load ptr addrspace(1), ptr %146, align 8
  %151 = getelementptr inbounds i32, ptr addrspace(1) %150, i64 1
  %152 = load i32, ptr addrspace(1) %151, align 4
  %153 = zext i32 %152 to i64
  %154 = shl i64 %153, 32
  %155 = or i64 %149, %154
  %156 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %142, i64 %155)
  %157 = extractvalue { i64, i1 } %156, 1
  %158 = extractvalue { i64, i1 } %156, 0
  store i64 %158, ptr %49, align 8
  %159 = zext i1 %157 to i32
  %160 = load ptr addrspace(1), ptr %41, align 8
  %161 = getelementptr inbounds i32, ptr addrspace(1) %160, i64 7
  store i32 %159, ptr addrspace(1) %161, align 4
  %162 = load ptr addrspace(1), ptr %41, align 8
  %163 = getelementptr inbounds i32, ptr addrspace(1) %162, i64 8
  %164 = load i64, ptr %49, align 8
  %165 = addrspacecast ptr addrspace(5) %3 to ptr
  %166 = addrspacecast ptr addrspace(5) %4 to ptr
  store ptr addrspace(1) %163, ptr %165, align 8
  store i64 %164, ptr %166, align 8
  %167 = load i64, ptr %166, align 8
  %168 = trunc i64 %167 to i32
  %169 = load ptr addrspace(1), ptr %165, align 8
  store i32 %168, ptr addrspace(1) %169, align 4
  %170 = load i64, ptr %166, align 8
  %171 = lshr i64 %170, 32
  %172 = trunc i64 %171 to i32
  %173 = load ptr addrspace(1), ptr %165, align 8
  %174 = getelementptr inbounds i32, ptr addrspace(1) %173, i64 1
  store i32 %172, ptr addrspace(1) %174, align 4
  %175 = load i32, ptr %45, align 4
  %176 = icmp slt i32 %175, -100
  br i1 %176, label %177, label %178
177:                                              ; preds = %108
  br label %186
178:                                              ; preds = %108
  %179 = load i32, ptr %45, align 4
  %180 = icmp sgt i32 %179, 100
  br i1 %180, label %181, label %182
181:                                              ; preds = %178
  br label %184
182:                                              ; preds = %178
  %183 = load i32, ptr %43, align 4
  br label %184
184:                                              ; preds = %182, %181
  %185 = phi i32 [ 100, %181 ], [ %183, %182 ]
  br label %186
186:                                              ; preds = %184, %177
  %187 = phi i32 [ -100, %177 ], [ %185, %184 ]
  %188 = load ptr addrspace(1), ptr %41, align 8
  %189 = getelementptr inbounds i32, ptr addrspace(1) %188, i64 10
  store i32 %187, ptr addrspace(1) %189, align 4
  %190 = load i32, ptr %43, align 4
  %191 = icmp ult i32 %190, 3
  br i1 %191, label %192, label %193
192:                                              ; preds = %186
  br label %201
193:                                              ; preds = %186
  %194 = load i32, ptr %43, align 4
  %195 = icmp ugt i32 %194, 900
  br i1 %195, label %196, label %197
196:                                              ; preds = %193
  br label %199
197:                                              ; preds = %193
  %198 = load i32, ptr %43, align 4
  br label %199
199:                                              ; preds = %197, %196
  %200 = phi i32 [ 900, %196 ], [ %198, %197 ]
  br label %201
201:                                              ; preds = %192, %199
  %202 = phi i32 [ 3, %192 ], [ %200, %199 ]
  %203 = load ptr addrspace(1), ptr %41, align 8
  %204 = getelementptr inbounds i32, ptr addrspace(1) %203, i64 11
  store i32 %202, ptr addrspace(1) %204, align 4
  %205 = load i32, ptr %42, align 4
  %206 = load ptr addrspace(1), ptr %41, align 8
  %207 = getelementptr inbounds i32, ptr addrspace(1) %206, i64 12
  store i32 %205, ptr addrspace(1) %207, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
