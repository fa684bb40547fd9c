; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_packed_half(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca half, align 2, addrspace(5)
  %5 = alloca i16, align 2, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca half, align 2, addrspace(5)
  %8 = alloca i16, align 2, addrspace(5)
  %9 = alloca half, align 2, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = alloca i16, align 2, addrspace(5)
  %12 = alloca half, align 2, addrspace(5)
  %13 = alloca half, align 2, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = alloca i16, align 2, addrspace(5)
  %16 = alloca half, align 2, addrspace(5)
  %17 = alloca half, align 2, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca i16, align 2, addrspace(5)
  %20 = alloca half, align 2, addrspace(5)
  %21 = alloca half, align 2, addrspace(5)
  %22 = alloca i32, align 4, addrspace(5)
  %23 = alloca i16, align 2, addrspace(5)
  %24 = alloca half, align 2, addrspace(5)
  %25 = alloca ptr addrspace(1), align 8, addrspace(5)
  %26 = alloca ptr addrspace(1), align 8, addrspace(5)
  %27 = alloca i32, align 4, addrspace(5)
  %28 = alloca <2 x half>, align 4, addrspace(5)
  %29 = alloca <2 x half>, align 4, addrspace(5)
  %30 = alloca [6 x <2 x half>], align 4, addrspace(5)
  %31 = alloca <2 x half>, align 4, addrspace(5)
  %32 = alloca i32, align 4, addrspace(5)
  %33 = alloca ptr addrspace(1), align 8, addrspace(5)
  %34 = alloca ptr addrspace(1), align 8, addrspace(5)
  %35 = alloca i32, align 4, addrspace(5)
  %36 = addrspacecast ptr addrspace(5) %33 to ptr
  %37 = addrspacecast ptr addrspace(5) %34 to ptr
  %38 = addrspacecast ptr addrspace(5) %35 to ptr
  store ptr addrspace(1) %0, ptr %36, align 8
  store ptr addrspace(1) %1, ptr %37, align 8
  %39 = call i32 @llvm.amdgcn.workgroup.id.x()
  %40 = mul i32 %39, 64
  %41 = call i32 @llvm.amdgcn.workitem.id.x()
  %42 = add i32 %40, %41
  store i32 %42, ptr %38, align 4
  %43 = load ptr addrspace(1), ptr %36, align 8
  %44 = load i32, ptr %38, align 4
  %45 = mul i32 %44, 16
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr addrspace(1) %43, i64 %46
  %48 = load ptr addrspace(1), ptr %37, align 8
  %49 = load i32, ptr %38, align 4
  %50 = mul i32 %49, 32
  %51 = zext i32 %50 to i64
  %52 = getelementptr inbounds nuw i32, ptr addrspace(1) %48, i64 %51
  %53 = load i32, ptr %38, align 4
  %54 = addrspacecast ptr addrspace(5) %25 to ptr
  %55 = addrspacecast ptr addrspace(5) %26 to ptr
  %56 = addrspacecast ptr addrspace(5) %27 to ptr
  %57 = addrspacecast ptr addrspace(5) %28 to ptr
  %58 = addrspacecast ptr addrspace(5) %29 to ptr
  %59 = addrspacecast ptr addrspace(5) %30 to ptr
  %60 = addrspacecast ptr addrspace(5) %31 to ptr
  %61 = addrspacecast ptr addrspace(5) %32 to ptr
  store ptr addrspace(1) %47, ptr %54, align 8
  store ptr addrspace(1) %52, ptr %55, align 8
  store i32 %53, ptr %56, align 4
  %62 = load ptr addrspace(1), ptr %54, align 8
  %63 = load i32, ptr addrspace(1) %62, align 4
  %64 = addrspacecast ptr addrspace(5) %9 to ptr
  %65 = addrspacecast ptr addrspace(5) %10 to ptr
  %66 = addrspacecast ptr addrspace(5) %11 to ptr
  %67 = addrspacecast ptr addrspace(5) %12 to ptr
  store i32 %63, ptr %65, align 4
  %68 = load i32, ptr %65, align 4
  %69 = trunc i32 %68 to i16
  store i16 %69, ptr %66, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %67, ptr align 2 %66, i64 2, i1 false)
  %70 = load half, ptr %67, align 2
  %71 = insertelement <2 x half> poison, half %70, i32 0
  %72 = load ptr addrspace(1), ptr %54, align 8
  %73 = load i32, ptr addrspace(1) %72, align 4
  %74 = lshr i32 %73, 16
  %75 = addrspacecast ptr addrspace(5) %13 to ptr
  %76 = addrspacecast ptr addrspace(5) %14 to ptr
  %77 = addrspacecast ptr addrspace(5) %15 to ptr
  %78 = addrspacecast ptr addrspace(5) %16 to ptr
  store i32 %74, ptr %76, align 4
  %79 = load i32, ptr %76, align 4
  %80 = trunc i32 %79 to i16
  store i16 %80, ptr %77, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %78, ptr align 2 %77, i64 2, i1 false)
  %81 = load half, ptr %78, align 2
  %82 = insertelement <2 x half> %71, half %81, i32 1
  store <2 x half> %82, ptr %57, align 4
  %83 = load ptr addrspace(1), ptr %54, align 8
  %84 = getelementptr inbounds i32, ptr addrspace(1) %83, i64 1
  %85 = load i32, ptr addrspace(1) %84, align 4
  %86 = addrspacecast ptr addrspace(5) %17 to ptr
  %87 = addrspacecast ptr addrspace(5) %18 to ptr
  %88 = addrspacecast ptr addrspace(5) %19 to ptr
  %89 = addrspacecast ptr addrspace(5) %20 to ptr
  store i32 %85, ptr %87, align 4
  %90 = load i32, ptr %87, align 4
  %91 = trunc i32 %90 to i16
  store i16 %91, ptr %88, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %89, ptr align 2 %88, i64 2, i1 false)
  %92 = load half, ptr %89, align 2
  %93 = insertelement <2 x half> poison, half %92, i32 0
  %94 = load ptr addrspace(1), ptr %54, align 8
  %95 = getelementptr inbounds i32, ptr addrspace(1) %94, i64 1
  %96 = load i32, ptr addrspace(1) %95, align 4
  %97 = lshr i32 %96, 16
  %98 = addrspacecast ptr addrspace(5) %21 to ptr
  %99 = addrspacecast ptr addrspace(5) %22 to ptr
  %100 = addrspacecast ptr addrspace(5) %23 to ptr
  %101 = addrspacecast ptr addrspace(5) %24 to ptr
  store i32 %97, ptr %99, align 4
  %102 = load i32, ptr %99, align 4
  %103 = trunc i32 %102 to i16
  store i16 %103, ptr %100, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %101, ptr align 2 %100, i64 2, i1 false)
  %104 = load half, ptr %101, align 2
  %105 = insertelement <2 x half> %93, half %104, i32 1
  store <2 x half> %105, ptr %58, align 4
  %106 = load <2 x half>, ptr %57, align 4
  %107 = load <2 x half>, ptr %58, align 4
  %108 = fadd <2 x half> %106, %107
  store <2 x half> %108, ptr %59, align 4
  %109 = getelementptr inbounds <2 x half>, ptr %59, i64 1
  %110 = load <2 x half>, ptr %57, align 4
  %111 = load <2 x half>, ptr %58, align 4
  %112 = fsub <2 x half> %110, %111
  store <2 x half> %112, ptr %109, align 4
  %113 = getelementptr inbounds <2 x half>, ptr %59, i64 2
  %114 = load <2 x half>, ptr %57, align 4
  %115 = load <2 x half>, ptr %58, align 4
  %116 = fmul <2 x half> %114, %115
  store <2 x half> %116, ptr %113, align 4
  %117 = getelementptr inbounds <2 x half>, ptr %59, i64 3
  %118 = load <2 x half>, ptr %57, align 4
  %119 = fneg <2 x half> %118
  store <2 x half> %119, ptr %117, align 4
  %120 = getelementptr inbounds <2 x half>, ptr %59, i64 4
  %121 = load <2 x half>, ptr %57, align 4
  %122 = load <2 x half>, ptr %58, align 4
  %123 = fmul <2 x half> %121, %122
  %124 = load <2 x half>, ptr %57, align 4
  %125 = fadd <2 x half> %123, %124
  store <2 x half> %125, ptr %120, align 4
  %126 = getelementptr inbounds <2 x half>, ptr %59, i64 5
  %127 = load <2 x half>, ptr %58, align 4
  %128 = extractelement <2 x half> %127, i32 1
  %129 = insertelement <2 x half> poison, half %128, i32 0
  %130 = load <2 x half>, ptr %57, align 4
  %131 = extractelement <2 x half> %130, i32 0
  %132 = insertelement <2 x half> %129, half %131, i32 1
  store <2 x half> %132, ptr %60, align 4
  %133 = load <2 x half>, ptr %60, align 4
  store <2 x half> %133, ptr %126, align 4
  store i32 0, ptr %61, align 4
  br label %134
134:                                              ; preds = %170, %2
  %135 = load i32, ptr %61, align 4
  %136 = icmp slt i32 %135, 6
  br i1 %136, label %137, label %180
137:                                              ; preds = %134
  %138 = load i32, ptr %61, align 4
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds [6 x <2 x half>], ptr %59, i64 0, i64 %139
  %141 = load <2 x half>, ptr %140, align 4
  %142 = extractelement <2 x half> %141, i32 0
  %143 = addrspacecast ptr addrspace(5) %3 to ptr
  %144 = addrspacecast ptr addrspace(5) %4 to ptr
  %145 = addrspacecast ptr addrspace(5) %5 to ptr
  store half %142, ptr %144, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %145, ptr align 2 %144, i64 2, i1 false)
  %146 = load half, ptr %144, align 2
  %147 = load half, ptr %144, align 2
  %148 = fcmp une half %146, %147
  br i1 %148, label %149, label %150
149:                                              ; preds = %137
  br label %153
150:                                              ; preds = %137
  %151 = load i16, ptr %145, align 2
  %152 = zext i16 %151 to i32
  br label %153
153:                                              ; preds = %149, %150
  %154 = phi i32 [ 32256, %149 ], [ %152, %150 ]
  %155 = load i32, ptr %61, align 4
  %156 = sext i32 %155 to i64
  %157 = getelementptr inbounds [6 x <2 x half>], ptr %59, i64 0, i64 %156
  %158 = load <2 x half>, ptr %157, align 4
  %159 = extractelement <2 x half> %158, i32 1
  %160 = addrspacecast ptr addrspace(5) %6 to ptr
  %161 = addrspacecast ptr addrspace(5) %7 to ptr
  %162 = addrspacecast ptr addrspace(5) %8 to ptr
  store half %159, ptr %161, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %162, ptr align 2 %161, i64 2, i1 false)
  %163 = load half, ptr %161, align 2
  %164 = load half, ptr %161, align 2
  %165 = fcmp une half %163, %164
  br i1 %165, label %166, label %167
166:                                              ; preds = %153
  br label %170
167:                                              ; preds = %153
  %168 = load i16, ptr %162, align 2
  %169 = zext i16 %168 to i32
  br label %170
170:                                              ; preds = %166, %167
  %171 = phi i32 [ 32256, %166 ], [ %169, %167 ]
  %172 = shl i32 %171, 16
  %173 = or i32 %154, %172
  %174 = load ptr addrspace(1), ptr %55, align 8
  %175 = load i32, ptr %61, align 4
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds i32, ptr addrspace(1) %174, i64 %176
  store i32 %173, ptr addrspace(1) %177, align 4
  %178 = load i32, ptr %61, align 4
  %179 = add nsw i32 %178, 1
  store i32 %179, ptr %61, align 4
  br label %134
180:                                              ; preds = %134
  %181 = load i32, ptr %56, align 4
  %182 = load ptr addrspace(1), ptr %55, align 8
  %183 = getelementptr inbounds i32, ptr addrspace(1) %182, i64 6
  store i32 %181, ptr addrspace(1) %183, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
