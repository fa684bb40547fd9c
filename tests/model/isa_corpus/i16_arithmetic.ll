; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_i16_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i16, align 2, addrspace(5)
  %7 = alloca i16, align 2, addrspace(5)
  %8 = alloca i16, align 2, addrspace(5)
  %9 = alloca i16, align 2, addrspace(5)
  %10 = alloca ptr addrspace(1), align 8, addrspace(5)
  %11 = alloca ptr addrspace(1), align 8, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = addrspacecast ptr addrspace(5) %10 to ptr
  %14 = addrspacecast ptr addrspace(5) %11 to ptr
  %15 = addrspacecast ptr addrspace(5) %12 to ptr
  store ptr addrspace(1) %0, ptr %13, align 8
  store ptr addrspace(1) %1, ptr %14, align 8
  %16 = call i32 @llvm.amdgcn.workgroup.id.x()
  %17 = mul i32 %16, 64
  %18 = call i32 @llvm.amdgcn.workitem.id.x()
  %19 = add i32 %17, %18
  store i32 %19, ptr %15, align 4
  %20 = load ptr addrspace(1), ptr %13, align 8
  %21 = load i32, ptr %15, align 4
  %22 = mul i32 %21, 16
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw i32, ptr addrspace(1) %20, i64 %23
  %25 = load ptr addrspace(1), ptr %14, align 8
  %26 = load i32, ptr %15, align 4
  %27 = mul i32 %26, 32
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds nuw i32, ptr addrspace(1) %25, i64 %28
  %30 = load i32, ptr %15, align 4
  %31 = addrspacecast ptr addrspace(5) %3 to ptr
  %32 = addrspacecast ptr addrspace(5) %4 to ptr
  %33 = addrspacecast ptr addrspace(5) %5 to ptr
  %34 = addrspacecast ptr addrspace(5) %6 to ptr
  %35 = addrspacecast ptr addrspace(5) %7 to ptr
  %36 = addrspacecast ptr addrspace(5) %8 to ptr
  %37 = addrspacecast ptr addrspace(5) %9 to ptr
  store ptr addrspace(1) %24, ptr %31, align 8
  store ptr addrspace(1) %29, ptr %32, align 8
  store i32 %30, ptr %33, align 4
  %38 = load ptr addrspace(1), ptr %31, align 8
  %39 = load i32, ptr addrspace(1) %38, align 4
  %40 = trunc i32 %39 to i16
  store i16 %40, ptr %34, align 2
  %41 = load ptr addrspace(1), ptr %31, align 8
  %42 = getelementptr inbounds i32, ptr addrspace(1) %41, i64 1
  %43 = load i32, ptr addrspace(1) %42, align 4
  %44 = or i32 %43, 1
  %45 = trunc i32 %44 to i16
  store i16 %45, ptr %35, align 2
  %46 = load i16, ptr %34, align 2
  store i16 %46, ptr %36, align 2
  %47 = load i16, ptr %35, align 2
  store i16 %47, ptr %37, align 2
  %48 = load i16, ptr %36, align 2
  %49 = zext i16 %48 to i32
  %50 = load i16, ptr %37, align 2
  %51 = zext i16 %50 to i32
  %52 = mul i32 %49, %51
  %53 = trunc i32 %52 to i16
  %54 = zext i16 %53 to i32
  %55 = load ptr addrspace(1), ptr %32, align 8
  store i32 %54, ptr addrspace(1) %55, align 4
  %56 = load i16, ptr %35, align 2
  %57 = sext i16 %56 to i32
  %58 = icmp eq i32 %57, -1
  br i1 %58, label %59, label %60
59:                                               ; preds = %2
  br label %66
60:                                               ; preds = %2
  %61 = load i16, ptr %34, align 2
  %62 = sext i16 %61 to i32
  %63 = load i16, ptr %35, align 2
  %64 = sext i16 %63 to i32
  %65 = sdiv i32 %62, %64
  br label %66
66:                                               ; preds = %60, %59
  %67 = phi i32 [ 3, %59 ], [ %65, %60 ]
  %68 = trunc i32 %67 to i16
  %69 = zext i16 %68 to i32
  %70 = load ptr addrspace(1), ptr %32, align 8
  %71 = getelementptr inbounds i32, ptr addrspace(1) %70, i64 1
  store i32 %69, ptr addrspace(1) %71, align 4
  %72 = load i16, ptr %35, align 2
  %73 = sext i16 %72 to i32
  %74 = icmp eq i32 %73, -1
  br i1 %74, label %75, label %76
75:                                               ; preds = %66
  br label %82
76:                                               ; preds = %66
  %77 = load i16, ptr %34, align 2
  %78 = sext i16 %77 to i32
  %79 = load i16, ptr %35, align 2
  %80 = sext i16 %79 to i32
  %81 = srem i32 %78, %80
  br label %82
82:                                               ; preds = %76, %75
  %83 = phi i32 [ 3, %75 ], [ %81, %76 ]
  %84 = trunc i32 %83 to i16
  %85 = zext i16 %84 to i32
  %86 = load ptr addrspace(1), ptr %32, align 8
  %87 = getelementptr inbounds i32, ptr addrspace(1) %86, i64 2
  store i32 %85, ptr addrspace(1) %87, align 4
  %88 = load i16, ptr %36, align 2
  %89 = zext i16 %88 to i32
  %90 = load i16, ptr %37, align 2
  %91 = zext i16 %90 to i32
  %92 = sdiv i32 %89, %91
  %93 = trunc i32 %92 to i16
  %94 = zext i16 %93 to i32
  %95 = load ptr addrspace(1), ptr %32, align 8
  %96 = getelementptr inbounds i32, ptr addrspace(1) %95, i64 3
  store i32 %94, ptr addrspace(1) %96, align 4
  %97 = load i16, ptr %36, align 2
  %98 = zext i16 %97 to i32
  %99 = load i16, ptr %37, align 2
  %100 = zext i16 %99 to i32
  %101 = add nsw i32 %98, %100
  %102 = trunc i32 %101 to i16
  %103 = zext i16 %102 to i32
  %104 = load ptr addrspace(1), ptr %32, align 8
  %105 = getelementptr inbounds i32, ptr addrspace(1) %104, i64 4
  store i32 %103, ptr addrspace(1) %105, align 4
  %106 = load i16, ptr %36, align 2
  %107 = zext i16 %106 to i32
  %108 = load i16, ptr %37, align 2
  %109 = zext i16 %108 to i32
  %110 = sub nsw i32 %107, %109
  %111 = trunc i32 %110 to i16
  %112 = zext i16 %111 to i32
  %113 = load ptr addrspace(1), ptr %32, align 8
  %114 = getelementptr inbounds i32, ptr addrspace(1) %113, i64 5
  store i32 %112, ptr addrspace(1) %114, align 4
  %115 = load i16, ptr %36, align 2
  %116 = zext i16 %115 to i32
  %117 = load i16, ptr %37, align 2
  %118 = zext i16 %117 to i32
  %119 = and i32 %118, 15
  %120 = shl i32 %116, %119
  %121 = trunc i32 %120 to i16
  %122 = zext i16 %121 to i32
  %123 = load ptr addrspace(1), ptr %32, align 8
  %124 = getelementptr inbounds i32, ptr addrspace(1) %123, i64 6
  store i32 %122, ptr addrspace(1) %124, align 4
  %125 = load i16, ptr %34, align 2
  %126 = sext i16 %125 to i32
  %127 = load i16, ptr %37, align 2
  %128 = zext i16 %127 to i32
  %129 = and i32 %128, 15
  %130 = ashr i32 %126, %129
  %131 = trunc i32 %130 to i16
  %132 = zext i16 %131 to i32
  %133 = load ptr addrspace(1), ptr %32, align 8
  %134 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 7
  store i32 %132, ptr addrspace(1) %134, align 4
  %135 = load i16, ptr %36, align 2
  %136 = zext i16 %135 to i32
  %137 = load i16, ptr %37, align 2
  %138 = zext i16 %137 to i32
  %139 = and i32 %138, 15
  %140 = ashr i32 %136, %139
  %141 = trunc i32 %140 to i16
  %142 = zext i16 %141 to i32
  %143 = load ptr addrspace(1), ptr %32, align 8
  %144 = getelementptr inbounds i32, ptr addrspace(1) %143, i64 8
  store i32 %142, ptr addrspace(1) %144, align 4
  %145 = load i16, ptr %34, align 2
  %146 = sext i16 %145 to i32
  %147 = load i16, ptr %35, align 2
  %148 = sext i16 %147 to i32
  %149 = icmp slt i32 %146, %148
  br i1 %149, label %150, label %153
150:                                              ; preds = %82
  %151 = load i16, ptr %34, align 2
  %152 = sext i16 %151 to i32
  br label %156
153:                                              ; preds = %82
  %154 = load i16, ptr %35, align 2
  %155 = sext i16 %154 to i32
  br label %156
156:                                              ; preds = %153, %150
  %157 = phi i32 [ %152, %150 ], [ %155, %153 ]
  %158 = trunc i32 %157 to i16
  %159 = zext i16 %158 to i32
  %160 = load ptr addrspace(1), ptr %32, align 8
  %161 = getelementptr inbounds i32, ptr addrspace(1) %160, i64 9
  store i32 %159, ptr addrspace(1) %161, align 4
  %162 = load i16, ptr %36, align 2
  %163 = zext i16 %162 to i32
  %164 = load i16, ptr %37, align 2
  %165 = zext i16 %164 to i32
  %166 = icmp sgt i32 %163, %165
  br i1 %166, label %167, label %170
167:                                              ; preds = %156
  %168 = load i16, ptr %36, align 2
  %169 = zext i16 %168 to i32
  br label %173
170:                                              ; preds = %156
  %171 = load i16, ptr %37, align 2
  %172 = zext i16 %171 to i32
  br label %173
173:                                              ; preds = %167, %170
  %174 = phi i32 [ %169, %167 ], [ %172, %170 ]
  %175 = trunc i32 %174 to i16
  %176 = zext i16 %175 to i32
  %177 = load ptr addrspace(1), ptr %32, align 8
  %178 = getelementptr inbounds i32, ptr addrspace(1) %177, i64 10
  store i32 %176, ptr addrspace(1) %178, align 4
  %179 = load i16, ptr %36, align 2
  %180 = zext i16 %179 to i32
  %181 = load i16, ptr %37, align 2
  %182 = zext i16 %181 to i32
  %183 = mul i32 %180, %182
  %184 = load i32, ptr %33, align 4
  %185 = add i32 %183, %184
  %186 = trunc i32 %185 to i16
  %187 = zext i16 %186 to i32
  %188 = load ptr addrspace(1), ptr %32, align 8
  %189 = getelementptr inbounds i32, ptr addrspace(1) %188, i64 11
  store i32 %187, ptr addrspace(1) %189, align 4
  %190 = load i16, ptr %34, align 2
  %191 = sext i16 %190 to i32
  %192 = load ptr addrspace(1), ptr %32, align 8
  %193 = getelementptr inbounds i32, ptr addrspace(1) %192, i64 12
  store i32 %191, ptr addrspace(1) %193, align 4
  %194 = load i16, ptr %36, align 2
  %195 = zext i16 %194 to i32
  %196 = load ptr addrspace(1), ptr %32, align 8
  %197 = getelementptr inbounds i32, ptr addrspace(1) %196, i64 13
  store i32 %195, ptr addrspace(1) %197, align 4
  %198 = load i16, ptr %34, align 2
  %199 = sext i16 %198 to i32
  %200 = load i16, ptr %35, align 2
  %201 = sext i16 %200 to i32
  %202 = mul nsw i32 %199, %201
  %203 = load ptr addrspace(1), ptr %32, align 8
  %204 = getelementptr inbounds i32, ptr addrspace(1) %203, i64 14
  store i32 %202, ptr addrspace(1) %204, align 4
  %205 = load i16, ptr %36, align 2
  %206 = zext i16 %205 to i32
  %207 = xor i32 %206, -1
  %208 = trunc i32 %207 to i16
  %209 = zext i16 %208 to i32
  %210 = load ptr addrspace(1), ptr %32, align 8
  %211 = getelementptr inbounds i32, ptr addrspace(1) %210, i64 15
  store i32 %209, ptr addrspace(1) %211, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
