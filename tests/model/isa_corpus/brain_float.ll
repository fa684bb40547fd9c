; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_brain_float(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca float, align 4, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca float, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca float, align 4, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca float, align 4, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca float, align 4, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca float, align 4, addrspace(5)
  %20 = alloca i32, align 4, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = alloca float, align 4, addrspace(5)
  %23 = alloca i32, align 4, addrspace(5)
  %24 = alloca i32, align 4, addrspace(5)
  %25 = alloca float, align 4, addrspace(5)
  %26 = alloca i32, align 4, addrspace(5)
  %27 = alloca float, align 4, addrspace(5)
  %28 = alloca i32, align 4, addrspace(5)
  %29 = alloca float, align 4, addrspace(5)
  %30 = alloca float, align 4, addrspace(5)
  %31 = alloca i32, align 4, addrspace(5)
  %32 = alloca float, align 4, addrspace(5)
  %33 = alloca float, align 4, addrspace(5)
  %34 = alloca i32, align 4, addrspace(5)
  %35 = alloca float, align 4, addrspace(5)
  %36 = alloca ptr addrspace(1), align 8, addrspace(5)
  %37 = alloca ptr addrspace(1), align 8, addrspace(5)
  %38 = alloca i32, align 4, addrspace(5)
  %39 = alloca float, align 4, addrspace(5)
  %40 = alloca float, align 4, addrspace(5)
  %41 = alloca ptr addrspace(1), align 8, addrspace(5)
  %42 = alloca ptr addrspace(1), align 8, addrspace(5)
  %43 = alloca i32, align 4, addrspace(5)
  %44 = addrspacecast ptr addrspace(5) %41 to ptr
  %45 = addrspacecast ptr addrspace(5) %42 to ptr
  %46 = addrspacecast ptr addrspace(5) %43 to ptr
  store ptr addrspace(1) %0, ptr %44, align 8
  store ptr addrspace(1) %1, ptr %45, align 8
  %47 = call i32 @llvm.amdgcn.workgroup.id.x()
  %48 = mul i32 %47, 64
  %49 = call i32 @llvm.amdgcn.workitem.id.x()
  %50 = add i32 %48, %49
  store i32 %50, ptr %46, align 4
  %51 = load ptr addrspace(1), ptr %44, align 8
  %52 = load i32, ptr %46, align 4
  %53 = mul i32 %52, 16
  %54 = zext i32 %53 to i64
  %55 = getelementptr inbounds nuw i32, ptr addrspace(1) %51, i64 %54
  %56 = load ptr addrspace(1), ptr %45, align 8
  %57 = load i32, ptr %46, align 4
  %58 = mul i32 %57, 32
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds nuw i32, ptr addrspace(1) %56, i64 %59
  %61 = load i32, ptr %46, align 4
  %62 = addrspacecast ptr addrspace(5) %36 to ptr
  %63 = addrspacecast ptr addrspace(5) %37 to ptr
  %64 = addrspacecast ptr addrspace(5) %38 to ptr
  %65 = addrspacecast ptr addrspace(5) %39 to ptr
  %66 = addrspacecast ptr addrspace(5) %40 to ptr
  store ptr addrspace(1) %55, ptr %62, align 8
  store ptr addrspace(1) %60, ptr %63, align 8
  store i32 %61, ptr %64, align 4
  %67 = load ptr addrspace(1), ptr %62, align 8
  %68 = load i32, ptr addrspace(1) %67, align 4
  %69 = shl i32 %68, 16
  %70 = addrspacecast ptr addrspace(5) %27 to ptr
  %71 = addrspacecast ptr addrspace(5) %28 to ptr
  %72 = addrspacecast ptr addrspace(5) %29 to ptr
  store i32 %69, ptr %71, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %72, ptr align 4 %71, i64 4, i1 false)
  %73 = load float, ptr %72, align 4
  store float %73, ptr %65, align 4
  %74 = load ptr addrspace(1), ptr %62, align 8
  %75 = getelementptr inbounds i32, ptr addrspace(1) %74, i64 1
  %76 = load i32, ptr addrspace(1) %75, align 4
  %77 = shl i32 %76, 16
  %78 = addrspacecast ptr addrspace(5) %30 to ptr
  %79 = addrspacecast ptr addrspace(5) %31 to ptr
  %80 = addrspacecast ptr addrspace(5) %32 to ptr
  store i32 %77, ptr %79, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %80, ptr align 4 %79, i64 4, i1 false)
  %81 = load float, ptr %80, align 4
  store float %81, ptr %66, align 4
  %82 = load float, ptr %65, align 4
  %83 = load float, ptr %66, align 4
  %84 = fadd float %82, %83
  %85 = addrspacecast ptr addrspace(5) %15 to ptr
  %86 = addrspacecast ptr addrspace(5) %16 to ptr
  %87 = addrspacecast ptr addrspace(5) %17 to ptr
  store float %84, ptr %86, align 4
  %88 = load float, ptr %86, align 4
  %89 = addrspacecast ptr addrspace(5) %12 to ptr
  %90 = addrspacecast ptr addrspace(5) %13 to ptr
  %91 = addrspacecast ptr addrspace(5) %14 to ptr
  store float %88, ptr %90, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %91, ptr align 4 %90, i64 4, i1 false)
  %92 = load float, ptr %90, align 4
  %93 = load float, ptr %90, align 4
  %94 = fcmp une float %92, %93
  br i1 %94, label %95, label %96
95:                                               ; preds = %2
  br label %98
96:                                               ; preds = %2
  %97 = load i32, ptr %91, align 4
  br label %98
98:                                               ; preds = %95, %96
  %99 = phi i32 [ 2143289344, %95 ], [ %97, %96 ]
  store i32 %99, ptr %87, align 4
  %100 = load float, ptr %86, align 4
  %101 = load float, ptr %86, align 4
  %102 = fcmp une float %100, %101
  br i1 %102, label %103, label %104
103:                                              ; preds = %98
  br label %112
104:                                              ; preds = %98
  %105 = load i32, ptr %87, align 4
  %106 = add i32 %105, 32767
  %107 = load i32, ptr %87, align 4
  %108 = lshr i32 %107, 16
  %109 = and i32 %108, 1
  %110 = add i32 %106, %109
  %111 = lshr i32 %110, 16
  br label %112
112:                                              ; preds = %103, %104
  %113 = phi i32 [ 32704, %103 ], [ %111, %104 ]
  %114 = load ptr addrspace(1), ptr %63, align 8
  store i32 %113, ptr addrspace(1) %114, align 4
  %115 = load float, ptr %65, align 4
  %116 = load float, ptr %66, align 4
  %117 = fmul float %115, %116
  %118 = addrspacecast ptr addrspace(5) %18 to ptr
  %119 = addrspacecast ptr addrspace(5) %19 to ptr
  %120 = addrspacecast ptr addrspace(5) %20 to ptr
  store float %117, ptr %119, align 4
  %121 = load float, ptr %119, align 4
  %122 = addrspacecast ptr addrspace(5) %9 to ptr
  %123 = addrspacecast ptr addrspace(5) %10 to ptr
  %124 = addrspacecast ptr addrspace(5) %11 to ptr
  store float %121, ptr %123, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %124, ptr align 4 %123, i64 4, i1 false)
  %125 = load float, ptr %123, align 4
  %126 = load float, ptr %123, align 4
  %127 = fcmp une float %125, %126
  br i1 %127, label %128, label %129
128:                                              ; preds = %112
  br label %131
129:                                              ; preds = %112
  %130 = load i32, ptr %124, align 4
  br label %131
131:                                              ; preds = %128, %129
  %132 = phi i32 [ 2143289344, %128 ], [ %130, %129 ]
  store i32 %132, ptr %120, align 4
  %133 = load float, ptr %119, align 4
  %134 = load float, ptr %119, align 4
  %135 = fcmp une float %133, %134
  br i1 %135, label %136, label %137
136:                                              ; preds = %131
  br label %145
137:                                              ; preds = %131
  %138 = load i32, ptr %120, align 4
  %139 = add i32 %138, 32767
  %140 = load i32, ptr %120, align 4
  %141 = lshr i32 %140, 16
  %142 = and i32 %141, 1
  %143 = add i32 %139, %142
  %144 = lshr i32 %143, 16
  br label %145
145:                                              ; preds = %136, %137
  %146 = phi i32 [ 32704, %136 ], [ %144, %137 ]
  %147 = load ptr addrspace(1), ptr %63, align 8
  %148 = getelementptr inbounds i32, ptr addrspace(1) %147, i64 1
  store i32 %146, ptr addrspace(1) %148, align 4
  %149 = load float, ptr %65, align 4
  %150 = load float, ptr %66, align 4
  %151 = fdiv float %149, %150
  %152 = addrspacecast ptr addrspace(5) %21 to ptr
  %153 = addrspacecast ptr addrspace(5) %22 to ptr
  %154 = addrspacecast ptr addrspace(5) %23 to ptr
  store float %151, ptr %153, align 4
  %155 = load float, ptr %153, align 4
  %156 = addrspacecast ptr addrspace(5) %6 to ptr
  %157 = addrspacecast ptr addrspace(5) %7 to ptr
  %158 = addrspacecast ptr addrspace(5) %8 to ptr
  store float %155, ptr %157, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %158, ptr align 4 %157, i64 4, i1 false)
  %159 = load float, ptr %157, align 4
  %160 = load float, ptr %157, align 4
  %161 = fcmp une float %159, %160
  br i1 %161, label %162, label %163
162:                                              ; preds = %145
  br label %165
163:                                              ; preds = %145
  %164 = load i32, ptr %158, align 4
  br label %165
165:                                              ; preds = %162, %163
  %166 = phi i32 [ 2143289344, %162 ], [ %164, %163 ]
  store i32 %166, ptr %154, align 4
  %167 = load float, ptr %153, align 4
  %168 = load float, ptr %153, align 4
  %169 = fcmp une float %167, %168
  br i1 %169, label %170, label %171
170:                                              ; preds = %165
  br label %179
171:                                              ; preds = %165
  %172 = load i32, ptr %154, align 4
  %173 = add i32 %172, 32767
  %174 = load i32, ptr %154, align 4
  %175 = lshr i32 %174, 16
  %176 = and i32 %175, 1
  %177 = add i32 %173, %176
  %178 = lshr i32 %177, 16
  br label %179
179:                                              ; preds = %170, %171
  %180 = phi i32 [ 32704, %170 ], [ %178, %171 ]
  %181 = load ptr addrspace(1), ptr %63, align 8
  %182 = getelementptr inbounds i32, ptr addrspace(1) %181, i64 2
  store i32 %180, ptr addrspace(1) %182, align 4
  %183 = load ptr addrspace(1), ptr %62, align 8
  %184 = getelementptr inbounds i32, ptr addrspace(1) %183, i64 2
  %185 = load i32, ptr addrspace(1) %184, align 4
  %186 = addrspacecast ptr addrspace(5) %33 to ptr
  %187 = addrspacecast ptr addrspace(5) %34 to ptr
  %188 = addrspacecast ptr addrspace(5) %35 to ptr
  store i32 %185, ptr %187, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %188, ptr align 4 %187, i64 4, i1 false)
  %189 = load float, ptr %188, align 4
  %190 = addrspacecast ptr addrspace(5) %24 to ptr
  %191 = addrspacecast ptr addrspace(5) %25 to ptr
  %192 = addrspacecast ptr addrspace(5) %26 to ptr
  store float %189, ptr %191, align 4
  %193 = load float, ptr %191, align 4
  %194 = addrspacecast ptr addrspace(5) %3 to ptr
  %195 = addrspacecast ptr addrspace(5) %4 to ptr
  %196 = addrspacecast ptr addrspace(5) %5 to ptr
  store float %193, ptr %195, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %196, ptr align 4 %195, i64 4, i1 false)
  %197 = load float, ptr %195, align 4
  %198 = load float, ptr %195, align 4
  %199 = fcmp une float %197, %198
  br i1 %199, label %200, label %201
200:                                              ; preds = %179
  br label %203
201:                                              ; preds = %179
  %202 = load i32, ptr %196, align 4
  br label %203
203:                                              ; preds = %200, %201
  %204 = phi i32 [ 2143289344, %200 ], [ %202, %201 ]
  store i32 %204, ptr %192, align 4
  %205 = load float, ptr %191, align 4
  %206 = load float, ptr %191, align 4
  %207 = fcmp une float %205, %206
  br i1 %207, label %208, label %209
208:                                              ; preds = %203
  br label %217
209:                                              ; preds = %203
  %210 = load i32, ptr %192, align 4
  %211 = add i32 %210, 32767
  %212 = load i32, ptr %192, align 4
  %213 = lshr i32 %212, 16
  %214 = and i32 %213, 1
  %215 = add i32 %211, %214
  %216 = lshr i32 %215, 16
  br label %217
217:                                              ; preds = %208, %209
  %218 = phi i32 [ 32704, %208 ], [ %216, %209 ]
  %219 = load ptr addrspace(1), ptr %63, align 8
  %220 = getelementptr inbounds i32, ptr addrspace(1) %219, i64 3
  store i32 %218, ptr addrspace(1) %220, align 4
  %221 = load i32, ptr %64, align 4
  %222 = load ptr addrspace(1), ptr %63, align 8
  %223 = getelementptr inbounds i32, ptr addrspace(1) %222, i64 4
  store i32 %221, ptr addrspace(1) %223, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
