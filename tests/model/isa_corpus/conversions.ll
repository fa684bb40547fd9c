; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_conversions(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca i64, align 8, addrspace(5)
  %4 = alloca double, align 8, addrspace(5)
  %5 = alloca i64, align 8, addrspace(5)
  %6 = alloca i64, align 8, addrspace(5)
  %7 = alloca double, align 8, addrspace(5)
  %8 = alloca i64, align 8, addrspace(5)
  %9 = alloca i64, align 8, addrspace(5)
  %10 = alloca double, align 8, addrspace(5)
  %11 = alloca i64, align 8, addrspace(5)
  %12 = alloca i64, align 8, addrspace(5)
  %13 = alloca ptr addrspace(1), align 8, addrspace(5)
  %14 = alloca i64, align 8, addrspace(5)
  %15 = alloca ptr addrspace(1), align 8, addrspace(5)
  %16 = alloca i64, align 8, addrspace(5)
  %17 = alloca ptr addrspace(1), align 8, addrspace(5)
  %18 = alloca i64, align 8, addrspace(5)
  %19 = alloca ptr addrspace(1), align 8, addrspace(5)
  %20 = alloca i32, align 4, addrspace(5)
  %21 = alloca float, align 4, addrspace(5)
  %22 = alloca i32, align 4, addrspace(5)
  %23 = alloca i32, align 4, addrspace(5)
  %24 = alloca float, align 4, addrspace(5)
  %25 = alloca i32, align 4, addrspace(5)
  %26 = alloca i32, align 4, addrspace(5)
  %27 = alloca float, align 4, addrspace(5)
  %28 = alloca i32, align 4, addrspace(5)
  %29 = alloca i32, align 4, addrspace(5)
  %30 = alloca float, align 4, addrspace(5)
  %31 = alloca i32, align 4, addrspace(5)
  %32 = alloca i32, align 4, addrspace(5)
  %33 = alloca float, align 4, addrspace(5)
  %34 = alloca i32, align 4, addrspace(5)
  %35 = alloca i32, align 4, addrspace(5)
  %36 = alloca float, align 4, addrspace(5)
  %37 = alloca i32, align 4, addrspace(5)
  %38 = alloca i32, align 4, addrspace(5)
  %39 = alloca float, align 4, addrspace(5)
  %40 = alloca i32, align 4, addrspace(5)
  %41 = alloca i32, align 4, addrspace(5)
  %42 = alloca float, align 4, addrspace(5)
  %43 = alloca i32, align 4, addrspace(5)
  %44 = alloca ptr addrspace(1), align 8, addrspace(5)
  %45 = alloca i64, align 8, addrspace(5)
  %46 = alloca ptr addrspace(1), align 8, addrspace(5)
  %47 = alloca i64, align 8, addrspace(5)
  %48 = alloca ptr addrspace(1), align 8, addrspace(5)
  %49 = alloca i64, align 8, addrspace(5)
  %50 = alloca ptr addrspace(1), align 8, addrspace(5)
  %51 = alloca i64, align 8, addrspace(5)
  %52 = alloca ptr addrspace(1), align 8, addrspace(5)
  %53 = alloca i64, align 8, addrspace(5)
  %54 = alloca ptr addrspace(1), align 8, addrspace(5)
  %55 = alloca i64, align 8, addrspace(5)
  %56 = alloca float, align 4, addrspace(5)
  %57 = alloca i32, align 4, addrspace(5)
  %58 = alloca float, align 4, addrspace(5)
  %59 = alloca ptr addrspace(1), align 8, addrspace(5)
  %60 = alloca ptr addrspace(1), align 8, addrspace(5)
  %61 = alloca i32, align 4, addrspace(5)
  %62 = alloca float, align 4, addrspace(5)
  %63 = alloca double, align 8, addrspace(5)
  %64 = alloca ptr addrspace(1), align 8, addrspace(5)
  %65 = alloca ptr addrspace(1), align 8, addrspace(5)
  %66 = alloca i32, align 4, addrspace(5)
  %67 = addrspacecast ptr addrspace(5) %64 to ptr
  %68 = addrspacecast ptr addrspace(5) %65 to ptr
  %69 = addrspacecast ptr addrspace(5) %66 to ptr
  store ptr addrspace(1) %0, ptr %67, align 8
  store ptr addrspace(1) %1, ptr %68, align 8
  %70 = call i32 @llvm.amdgcn.workgroup.id.x()
  %71 = mul i32 %70, 64
  %72 = call i32 @llvm.amdgcn.workitem.id.x()
  %73 = add i32 %71, %72
  store i32 %73, ptr %69, align 4
  %74 = load ptr addrspace(1), ptr %67, align 8
  %75 = load i32, ptr %69, align 4
  %76 = mul i32 %75, 16
  %77 = zext i32 %76 to i64
  %78 = getelementptr inbounds nuw i32, ptr addrspace(1) %74, i64 %77
  %79 = load ptr addrspace(1), ptr %68, align 8
  %80 = load i32, ptr %69, align 4
  %81 = mul i32 %80, 32
  %82 = zext i32 %81 to i64
  %83 = getelementptr inbounds nuw i32, ptr addrspace(1) %79, i64 %82
  %84 = load i32, ptr %69, align 4
  %85 = addrspacecast ptr addrspace(5) %59 to ptr
  %86 = addrspacecast ptr addrspace(5) %60 to ptr
  %87 = addrspacecast ptr addrspace(5) %61 to ptr
  %88 = addrspacecast ptr addrspace(5) %62 to ptr
  %89 = addrspacecast ptr addrspace(5) %63 to ptr
  store ptr addrspace(1) %78, ptr %85, align 8
  store ptr addrspace(1) %83, ptr %86, align 8
  store i32 %84, ptr %87, align 4
  %90 = load ptr addrspace(1), ptr %85, align 8
  %91 = load i32, ptr addrspace(1) %90, align 4
  %92 = and i32 %91, -2139095041
  %93 = load ptr addrspace(1), ptr %85, align 8
  %94 = load i32, ptr addrspace(1) %93, align 4
  %95 = lshr i32 %94, 8
  %96 = and i32 %95, 31
  %97 = add i32 %96, 110
  %98 = shl i32 %97, 23
  %99 = or i32 %92, %98
  %100 = addrspacecast ptr addrspace(5) %56 to ptr
  %101 = addrspacecast ptr addrspace(5) %57 to ptr
  %102 = addrspacecast ptr addrspace(5) %58 to ptr
  store i32 %99, ptr %101, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %102, ptr align 4 %101, i64 4, i1 false)
  %103 = load float, ptr %102, align 4
  store float %103, ptr %88, align 4
  %104 = load float, ptr %88, align 4
  %105 = fpext float %104 to double
  store double %105, ptr %89, align 8
  %106 = load float, ptr %88, align 4
  %107 = fptosi float %106 to i32
  %108 = load ptr addrspace(1), ptr %86, align 8
  store i32 %107, ptr addrspace(1) %108, align 4
  %109 = load float, ptr %88, align 4
  %110 = fcmp olt float %109, 0.000000e+00
  br i1 %110, label %111, label %114
111:                                              ; preds = %2
  %112 = load float, ptr %88, align 4
  %113 = fneg float %112
  br label %116
114:                                              ; preds = %2
  %115 = load float, ptr %88, align 4
  br label %116
116:                                              ; preds = %114, %111
  %117 = phi float [ %113, %111 ], [ %115, %114 ]
  %118 = fptoui float %117 to i32
  %119 = load ptr addrspace(1), ptr %86, align 8
  %120 = getelementptr inbounds i32, ptr addrspace(1) %119, i64 1
  store i32 %118, ptr addrspace(1) %120, align 4
  %121 = load ptr addrspace(1), ptr %86, align 8
  %122 = getelementptr inbounds i32, ptr addrspace(1) %121, i64 2
  %123 = load float, ptr %88, align 4
  %124 = fptosi float %123 to i64
  %125 = addrspacecast ptr addrspace(5) %44 to ptr
  %126 = addrspacecast ptr addrspace(5) %45 to ptr
  store ptr addrspace(1) %122, ptr %125, align 8
  store i64 %124, ptr %126, align 8
  %127 = load i64, ptr %126, align 8
  %128 = trunc i64 %127 to i32
  %129 = load ptr addrspace(1), ptr %125, align 8
  store i32 %128, ptr addrspace(1) %129, align 4
  %130 = load i64, ptr %126, align 8
  %131 = lshr i64 %130, 32
  %132 = trunc i64 %131 to i32
  %133 = load ptr addrspace(1), ptr %125, align 8
  %134 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 1
  store i32 %132, ptr addrspace(1) %134, align 4
  %135 = load ptr addrspace(1), ptr %86, align 8
  %136 = getelementptr inbounds i32, ptr addrspace(1) %135, i64 4
  %137 = load float, ptr %88, align 4
  %138 = fcmp olt float %137, 0.000000e+00
  br i1 %138, label %139, label %142
139:                                              ; preds = %116
  %140 = load float, ptr %88, align 4
  %141 = fneg float %140
  br label %144
142:                                              ; preds = %116
  %143 = load float, ptr %88, align 4
  br label %144
144:                                              ; preds = %139, %142
  %145 = phi float [ %141, %139 ], [ %143, %142 ]
  %146 = fptoui float %145 to i64
  %147 = addrspacecast ptr addrspace(5) %46 to ptr
  %148 = addrspacecast ptr addrspace(5) %47 to ptr
  store ptr addrspace(1) %136, ptr %147, align 8
  store i64 %146, ptr %148, align 8
  %149 = load i64, ptr %148, align 8
  %150 = trunc i64 %149 to i32
  %151 = load ptr addrspace(1), ptr %147, align 8
  store i32 %150, ptr addrspace(1) %151, align 4
  %152 = load i64, ptr %148, align 8
  %153 = lshr i64 %152, 32
  %154 = trunc i64 %153 to i32
  %155 = load ptr addrspace(1), ptr %147, align 8
  %156 = getelementptr inbounds i32, ptr addrspace(1) %155, i64 1
  store i32 %154, ptr addrspace(1) %156, align 4
  %157 = load ptr addrspace(1), ptr %85, align 8
  %158 = getelementptr inbounds i32, ptr addrspace(1) %157, i64 1
  %159 = load i32, ptr addrspace(1) %158, align 4
  %160 = sitofp i32 %159 to float
  %161 = addrspacecast ptr addrspace(5) %20 to ptr
  %162 = addrspacecast ptr addrspace(5) %21 to ptr
  %163 = addrspacecast ptr addrspace(5) %22 to ptr
  store float %160, ptr %162, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %163, ptr align 4 %162, i64 4, i1 false)
  %164 = load float, ptr %162, align 4
  %165 = load float, ptr %162, align 4
  %166 = fcmp une float %164, %165
  br i1 %166, label %167, label %168
167:                                              ; preds = %144
  br label %170
168:                                              ; preds = %144
  %169 = load i32, ptr %163, align 4
  br label %170
170:                                              ; preds = %167, %168
  %171 = phi i32 [ 2143289344, %167 ], [ %169, %168 ]
  %172 = load ptr addrspace(1), ptr %86, align 8
  %173 = getelementptr inbounds i32, ptr addrspace(1) %172, i64 6
  store i32 %171, ptr addrspace(1) %173, align 4
  %174 = load ptr addrspace(1), ptr %85, align 8
  %175 = getelementptr inbounds i32, ptr addrspace(1) %174, i64 1
  %176 = load i32, ptr addrspace(1) %175, align 4
  %177 = uitofp i32 %176 to float
  %178 = addrspacecast ptr addrspace(5) %23 to ptr
  %179 = addrspacecast ptr addrspace(5) %24 to ptr
  %180 = addrspacecast ptr addrspace(5) %25 to ptr
  store float %177, ptr %179, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %180, ptr align 4 %179, i64 4, i1 false)
  %181 = load float, ptr %179, align 4
  %182 = load float, ptr %179, align 4
  %183 = fcmp une float %181, %182
  br i1 %183, label %184, label %185
184:                                              ; preds = %170
  br label %187
185:                                              ; preds = %170
  %186 = load i32, ptr %180, align 4
  br label %187
187:                                              ; preds = %184, %185
  %188 = phi i32 [ 2143289344, %184 ], [ %186, %185 ]
  %189 = load ptr addrspace(1), ptr %86, align 8
  %190 = getelementptr inbounds i32, ptr addrspace(1) %189, i64 7
  store i32 %188, ptr addrspace(1) %190, align 4
  %191 = load ptr addrspace(1), ptr %85, align 8
  %192 = getelementptr inbounds i32, ptr addrspace(1) %191, i64 1
  %193 = addrspacecast ptr addrspace(5) %12 to ptr
  %194 = addrspacecast ptr addrspace(5) %13 to ptr
  store ptr addrspace(1) %192, ptr %194, align 8
  %195 = load ptr addrspace(1), ptr %194, align 8
  %196 = load i32, ptr addrspace(1) %195, align 4
  %197 = zext i32 %196 to i64
  %198 = load ptr addrspace(1), ptr %194, align 8
  %199 = getelementptr inbounds i32, ptr addrspace(1) %198, i64 1
  %200 = load i32, ptr addrspace(1) %199, align 4
  %201 = zext i32 %200 to i64
  %202 = shl i64 %201, 32
  %203 = or i64 %197, %202
  %204 = sitofp i64 %203 to float
  %205 = addrspacecast ptr addrspace(5) %26 to ptr
  %206 = addrspacecast ptr addrspace(5) %27 to ptr
  %207 = addrspacecast ptr addrspace(5) %28 to ptr
  store float %204, ptr %206, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %207, ptr align 4 %206, i64 4, i1 false)
  %208 = load float, ptr %206, align 4
  %209 = load float, ptr %206, align 4
  %210 = fcmp une float %208, %209
  br i1 %210, label %211, label %212
211:                                              ; preds = %187
  br label %214
212:                                              ; preds = %187
  %213 = load i32, ptr %207, align 4
  br label %214
214:                                              ; preds = %211, %212
  %215 = phi i32 [ 2143289344, %211 ], [ %213, %212 ]
  %216 = load ptr addrspace(1), ptr %86, align 8
  %217 = getelementptr inbounds i32, ptr addrspace(1) %216, i64 8
  store i32 %215, ptr addrspace(1) %217, align 4
  %218 = load ptr addrspace(1), ptr %85, align 8
  %219 = getelementptr inbounds i32, ptr addrspace(1) %218, i64 1
  %220 = addrspacecast ptr addrspace(5) %14 to ptr
  %221 = addrspacecast ptr addrspace(5) %15 to ptr
  store ptr addrspace(1) %219, ptr %221, align 8
  %222 = load ptr addrspace(1), ptr %221, align 8
  %223 = load i32, ptr addrspace(1) %222, align 4
  %224 = zext i32 %223 to i64
  %225 = load ptr addrspace(1), ptr %221, align 8
  %226 = getelementptr inbounds i32, ptr addrspace(1) %225, i64 1
  %227 = load i32, ptr addrspace(1) %226, align 4
  %228 = zext i32 %227 to i64
  %229 = shl i64 %228, 32
  %230 = or i64 %224, %229
  %231 = uitofp i64 %230 to float
  %232 = addrspacecast ptr addrspace(5) %29 to ptr
  %233 = addrspacecast ptr addrspace(5) %30 to ptr
  %234 = addrspacecast ptr addrspace(5) %31 to ptr
  store float %231, ptr %233, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %234, ptr align 4 %233, i64 4, i1 false)
  %235 = load float, ptr %233, align 4
  %236 = load float, ptr %233, align 4
  %237 = fcmp une float %235, %236
  br i1 %237, label %238, label %239
238:                                              ; preds = %214
  br label %241
239:                                              ; preds = %214
  %240 = load i32, ptr %234, align 4
  br label %241
241:                                              ; preds = %238, %239
  %242 = phi i32 [ 2143289344, %238 ], [ %240, %239 ]
  %243 = load ptr addrspace(1), ptr %86, align 8
  %244 = getelementptr inbounds i32, ptr addrspace(1) %243, i64 9
  store i32 %242, ptr addrspace(1) %244, align 4
  %245 = load ptr addrspace(1), ptr %86, align 8
  %246 = getelementptr inbounds i32, ptr addrspace(1) %245, i64 10
  %247 = load ptr addrspace(1), ptr %85, align 8
  %248 = getelementptr inbounds i32, ptr addrspace(1) %247, i64 1
  %249 = load i32, ptr addrspace(1) %248, align 4
  %250 = sitofp i32 %249 to double
  %251 = addrspacecast ptr addrspace(5) %3 to ptr
  %252 = addrspacecast ptr addrspace(5) %4 to ptr
  %253 = addrspacecast ptr addrspace(5) %5 to ptr
  store double %250, ptr %252, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %253, ptr align 8 %252, i64 8, i1 false)
  %254 = load double, ptr %252, align 8
  %255 = load double, ptr %252, align 8
  %256 = fcmp une double %254, %255
  br i1 %256, label %257, label %258
257:                                              ; preds = %241
  br label %260
258:                                              ; preds = %241
  %259 = load i64, ptr %253, align 8
  br label %260
260:                                              ; preds = %257, %258
  %261 = phi i64 [ 9221120237041090560, %257 ], [ %259, %258 ]
  %262 = addrspacecast ptr addrspace(5) %48 to ptr
  %263 = addrspacecast ptr addrspace(5) %49 to ptr
  store ptr addrspace(1) %246, ptr %262, align 8
  store i64 %261, ptr %263, align 8
  %264 = load i64, ptr %263, align 8
  %265 = trunc i64 %264 to i32
  %266 = load ptr addrspace(1), ptr %262, align 8
  store i32 %265, ptr addrspace(1) %266, align 4
  %267 = load i64, ptr %263, align 8
  %268 = lshr i64 %267, 32
  %269 = trunc i64 %268 to i32
  %270 = load ptr addrspace(1), ptr %262, align 8
  %271 = getelementptr inbounds i32, ptr addrspace(1) %270, i64 1
  store i32 %269, ptr addrspace(1) %271, align 4
  %272 = load ptr addrspace(1), ptr %86, align 8
  %273 = getelementptr inbounds i32, ptr addrspace(1) %272, i64 12
  %274 = load ptr addrspace(1), ptr %85, align 8
  %275 = getelementptr inbounds i32, ptr addrspace(1) %274, i64 1
  %276 = addrspacecast ptr addrspace(5) %16 to ptr
  %277 = addrspacecast ptr addrspace(5) %17 to ptr
  store ptr addrspace(1) %275, ptr %277, align 8
  %278 = load ptr addrspace(1), ptr %277, align 8
  %279 = load i32, ptr addrspace(1) %278, align 4
  %280 = zext i32 %279 to i64
  %281 = load ptr addrspace(1), ptr %277, align 8
  %282 = getelementptr inbounds i32, ptr addrspace(1) %281, i64 1
  %283 = load i32, ptr addrspace(1) %282, align 4
  %284 = zext i32 %283 to i64
  %285 = shl i64 %284, 32
  %286 = or i64 %280, %285
  %287 = sitofp i64 %286 to double
  %288 = addrspacecast ptr addrspace(5) %6 to ptr
  %289 = addrspacecast ptr addrspace(5) %7 to ptr
  %290 = addrspacecast ptr addrspace(5) %8 to ptr
  store double %287, ptr %289, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %290, ptr align 8 %289, i64 8, i1 false)
  %291 = load double, ptr %289, align 8
  %292 = load double, ptr %289, align 8
  %293 = fcmp une double %291, %292
  br i1 %293, label %294, label %295
294:                                              ; preds = %260
  br label %297
295:                                              ; preds = %260
  %296 = load i64, ptr %290, align 8
  br label %297
297:                                              ; preds = %294, %295
  %298 = phi i64 [ 9221120237041090560, %294 ], [ %296, %295 ]
  %299 = addrspacecast ptr addrspace(5) %50 to ptr
  %300 = addrspacecast ptr addrspace(5) %51 to ptr
  store ptr addrspace(1) %273, ptr %299, align 8
  store i64 %298, ptr %300, align 8
  %301 = load i64, ptr %300, align 8
  %302 = trunc i64 %301 to i32
  %303 = load ptr addrspace(1), ptr %299, align 8
  store i32 %302, ptr addrspace(1) %303, align 4
  %304 = load i64, ptr %300, align 8
  %305 = lshr i64 %304, 32
  %306 = trunc i64 %305 to i32
  %307 = load ptr addrspace(1), ptr %299, align 8
  %308 = getelementptr inbounds i32, ptr addrspace(1) %307, i64 1
  store i32 %306, ptr addrspace(1) %308, align 4
  %309 = load ptr addrspace(1), ptr %86, align 8
  %310 = getelementptr inbounds i32, ptr addrspace(1) %309, i64 14
  %311 = load ptr addrspace(1), ptr %85, align 8
  %312 = getelementptr inbounds i32, ptr addrspace(1) %311, i64 1
  %313 = addrspacecast ptr addrspace(5) %18 to ptr
  %314 = addrspacecast ptr addrspace(5) %19 to ptr
  store ptr addrspace(1) %312, ptr %314, align 8
  %315 = load ptr addrspace(1), ptr %314, align 8
  %316 = load i32, ptr addrspace(1) %315, align 4
  %317 = zext i32 %316 to i64
  %318 = load ptr addrspace(1), ptr %314, align 8
  %319 = getelementptr inbounds i32, ptr addrspace(1) %318, i64 1
  %320 = load i32, ptr addrspace(1) %319, align 4
  %321 = zext i32 %320 to i64
  %322 = shl i64 %321, 32
  %323 = or i64 %317, %322
  %324 = uitofp i64 %323 to double
  %325 = addrspacecast ptr addrspace(5) %9 to ptr
  %326 = addrspacecast ptr addrspace(5) %10 to ptr
  %327 = addrspacecast ptr addrspace(5) %11 to ptr
  store double %324, ptr %326, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %327, ptr align 8 %326, i64 8, i1 false)
  %328 = load double, ptr %326, align 8
  %329 = load double, ptr %326, align 8
  %330 = fcmp une double %328, %329
  br i1 %330, label %331, label %332
331:                                              ; preds = %297
  br label %334
332:                                              ; preds = %297
  %333 = load i64, ptr %327, align 8
  br label %334
334:                                              ; preds = %331, %332
  %335 = phi i64 [ 9221120237041090560, %331 ], [ %333, %332 ]
  %336 = addrspacecast ptr addrspace(5) %52 to ptr
  %337 = addrspacecast ptr addrspace(5) %53 to ptr
  store ptr addrspace(1) %310, ptr %336, align 8
  store i64 %335, ptr %337, align 8
  %338 = load i64, ptr %337, align 8
  %339 = trunc i64 %338 to i32
  %340 = load ptr addrspace(1), ptr %336, align 8
  store i32 %339, ptr addrspace(1) %340, align 4
  %341 = load i64, ptr %337, align 8
  %342 = lshr i64 %341, 32
  %343 = trunc i64 %342 to i32
  %344 = load ptr addrspace(1), ptr %336, align 8
  %345 = getelementptr inbounds i32, ptr addrspace(1) %344, i64 1
  store i32 %343, ptr addrspace(1) %345, align 4
  %346 = load double, ptr %89, align 8
  %347 = fptosi double %346 to i32
  %348 = load ptr addrspace(1), ptr %86, align 8
  %349 = getelementptr inbounds i32, ptr addrspace(1) %348, i64 16
  store i32 %347, ptr addrspace(1) %349, align 4
  %350 = load ptr addrspace(1), ptr %86, align 8
  %351 = getelementptr inbounds i32, ptr addrspace(1) %350, i64 17
  %352 = load double, ptr %89, align 8
  %353 = fmul double %352, 6.553600e+04
  %354 = fptosi double %353 to i64
  %355 = addrspacecast ptr addrspace(5) %54 to ptr
  %356 = addrspacecast ptr addrspace(5) %55 to ptr
  store ptr addrspace(1) %351, ptr %355, align 8
  store i64 %354, ptr %356, align 8
  %357 = load i64, ptr %356, align 8
  %358 = trunc i64 %357 to i32
  %359 = load ptr addrspace(1), ptr %355, align 8
  store i32 %358, ptr addrspace(1) %359, align 4
  %360 = load i64, ptr %356, align 8
  %361 = lshr i64 %360, 32
  %362 = trunc i64 %361 to i32
  %363 = load ptr addrspace(1), ptr %355, align 8
  %364 = getelementptr inbounds i32, ptr addrspace(1) %363, i64 1
  store i32 %362, ptr addrspace(1) %364, align 4
  %365 = load ptr addrspace(1), ptr %85, align 8
  %366 = getelementptr inbounds i32, ptr addrspace(1) %365, i64 2
  %367 = load i32, ptr addrspace(1) %366, align 4
  %368 = trunc i32 %367 to i8
  %369 = uitofp i8 %368 to float
  %370 = addrspacecast ptr addrspace(5) %32 to ptr
  %371 = addrspacecast ptr addrspace(5) %33 to ptr
  %372 = addrspacecast ptr addrspace(5) %34 to ptr
  store float %369, ptr %371, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %372, ptr align 4 %371, i64 4, i1 false)
  %373 = load float, ptr %371, align 4
  %374 = load float, ptr %371, align 4
  %375 = fcmp une float %373, %374
  br i1 %375, label %376, label %377
376:                                              ; preds = %334
  br label %379
377:                                              ; preds = %334
  %378 = load i32, ptr %372, align 4
  br label %379
379:                                              ; preds = %376, %377
  %380 = phi i32 [ 2143289344, %376 ], [ %378, %377 ]
  %381 = load ptr addrspace(1), ptr %86, align 8
  %382 = getelementptr inbounds i32, ptr addrspace(1) %381, i64 19
  store i32 %380, ptr addrspace(1) %382, align 4
  %383 = load ptr addrspace(1), ptr %85, align 8
  %384 = getelementptr inbounds i32, ptr addrspace(1) %383, i64 2
  %385 = load i32, ptr addrspace(1) %384, align 4
  %386 = lshr i32 %385, 8
  %387 = and i32 %386, 255
  %388 = uitofp i32 %387 to float
  %389 = addrspacecast ptr addrspace(5) %35 to ptr
  %390 = addrspacecast ptr addrspace(5) %36 to ptr
  %391 = addrspacecast ptr addrspace(5) %37 to ptr
  store float %388, ptr %390, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %391, ptr align 4 %390, i64 4, i1 false)
  %392 = load float, ptr %390, align 4
  %393 = load float, ptr %390, align 4
  %394 = fcmp une float %392, %393
  br i1 %394, label %395, label %396
395:                                              ; preds = %379
  br label %398
396:                                              ; preds = %379
  %397 = load i32, ptr %391, align 4
  br label %398
398:                                              ; preds = %395, %396
  %399 = phi i32 [ 2143289344, %395 ], [ %397, %396 ]
  %400 = load ptr addrspace(1), ptr %86, align 8
  %401 = getelementptr inbounds i32, ptr addrspace(1) %400, i64 20
  store i32 %399, ptr addrspace(1) %401, align 4
  %402 = load ptr addrspace(1), ptr %85, align 8
  %403 = getelementptr inbounds i32, ptr addrspace(1) %402, i64 2
  %404 = load i32, ptr addrspace(1) %403, align 4
  %405 = trunc i32 %404 to i8
  %406 = sitofp i8 %405 to float
  %407 = addrspacecast ptr addrspace(5) %38 to ptr
  %408 = addrspacecast ptr addrspace(5) %39 to ptr
  %409 = addrspacecast ptr addrspace(5) %40 to ptr
  store float %406, ptr %408, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %409, ptr align 4 %408, i64 4, i1 false)
  %410 = load float, ptr %408, align 4
  %411 = load float, ptr %408, align 4
  %412 = fcmp une float %410, %411
  br i1 %412, label %413, label %414
413:                                              ; preds = %398
  br label %416
414:                                              ; preds = %398
  %415 = load i32, ptr %409, align 4
  br label %416
416:                                              ; preds = %413, %414
  %417 = phi i32 [ 2143289344, %413 ], [ %415, %414 ]
  %418 = load ptr addrspace(1), ptr %86, align 8
  %419 = getelementptr inbounds i32, ptr addrspace(1) %418, i64 21
  store i32 %417, ptr addrspace(1) %419, align 4
  %420 = load float, ptr %88, align 4
  %421 = fmul float %420, 0x3F50624DE0000000
  %422 = fptosi float %421 to i32
  %423 = trunc i32 %422 to i8
  %424 = zext i8 %423 to i32
  %425 = load ptr addrspace(1), ptr %86, align 8
  %426 = getelementptr inbounds i32, ptr addrspace(1) %425, i64 22
  store i32 %424, ptr addrspace(1) %426, align 4
  %427 = load double, ptr %89, align 8
  %428 = fptrunc double %427 to float
  %429 = addrspacecast ptr addrspace(5) %41 to ptr
  %430 = addrspacecast ptr addrspace(5) %42 to ptr
  %431 = addrspacecast ptr addrspace(5) %43 to ptr
  store float %428, ptr %430, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %431, ptr align 4 %430, i64 4, i1 false)
  %432 = load float, ptr %430, align 4
  %433 = load float, ptr %430, align 4
  %434 = fcmp une float %432, %433
  br i1 %434, label %435, label %436
435:                                              ; preds = %416
  br label %438
436:                                              ; preds = %416
  %437 = load i32, ptr %431, align 4
  br label %438
438:                                              ; preds = %435, %436
  %439 = phi i32 [ 2143289344, %435 ], [ %437, %436 ]
  %440 = load ptr addrspace(1), ptr %86, align 8
  %441 = getelementptr inbounds i32, ptr addrspace(1) %440, i64 23
  store i32 %439, ptr addrspace(1) %441, align 4
  %442 = load i32, ptr %87, align 4
  %443 = load ptr addrspace(1), ptr %86, align 8
  %444 = getelementptr inbounds i32, ptr addrspace(1) %443, i64 24
  store i32 %442, ptr addrspace(1) %444, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
