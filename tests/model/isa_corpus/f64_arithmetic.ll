; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_f64_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca float, align 4, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = alloca float, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca float, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i64, align 8, addrspace(5)
  %10 = alloca double, align 8, addrspace(5)
  %11 = alloca i64, align 8, addrspace(5)
  %12 = alloca i64, align 8, addrspace(5)
  %13 = alloca double, align 8, addrspace(5)
  %14 = alloca i64, align 8, addrspace(5)
  %15 = alloca i64, align 8, addrspace(5)
  %16 = alloca double, align 8, addrspace(5)
  %17 = alloca i64, align 8, addrspace(5)
  %18 = alloca i64, align 8, addrspace(5)
  %19 = alloca double, align 8, addrspace(5)
  %20 = alloca i64, align 8, addrspace(5)
  %21 = alloca i64, align 8, addrspace(5)
  %22 = alloca double, align 8, addrspace(5)
  %23 = alloca i64, align 8, addrspace(5)
  %24 = alloca i64, align 8, addrspace(5)
  %25 = alloca double, align 8, addrspace(5)
  %26 = alloca i64, align 8, addrspace(5)
  %27 = alloca i64, align 8, addrspace(5)
  %28 = alloca double, align 8, addrspace(5)
  %29 = alloca i64, align 8, addrspace(5)
  %30 = alloca i64, align 8, addrspace(5)
  %31 = alloca double, align 8, addrspace(5)
  %32 = alloca i64, align 8, addrspace(5)
  %33 = alloca i64, align 8, addrspace(5)
  %34 = alloca double, align 8, addrspace(5)
  %35 = alloca i64, align 8, addrspace(5)
  %36 = alloca i64, align 8, addrspace(5)
  %37 = alloca double, align 8, addrspace(5)
  %38 = alloca i64, align 8, addrspace(5)
  %39 = alloca i64, align 8, addrspace(5)
  %40 = alloca double, align 8, addrspace(5)
  %41 = alloca i64, align 8, addrspace(5)
  %42 = alloca ptr addrspace(1), align 8, addrspace(5)
  %43 = alloca i64, align 8, addrspace(5)
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
  %56 = alloca ptr addrspace(1), align 8, addrspace(5)
  %57 = alloca i64, align 8, addrspace(5)
  %58 = alloca ptr addrspace(1), align 8, addrspace(5)
  %59 = alloca i64, align 8, addrspace(5)
  %60 = alloca ptr addrspace(1), align 8, addrspace(5)
  %61 = alloca i64, align 8, addrspace(5)
  %62 = alloca ptr addrspace(1), align 8, addrspace(5)
  %63 = alloca i64, align 8, addrspace(5)
  %64 = alloca i64, align 8, addrspace(5)
  %65 = alloca ptr addrspace(1), align 8, addrspace(5)
  %66 = alloca i64, align 8, addrspace(5)
  %67 = alloca ptr addrspace(1), align 8, addrspace(5)
  %68 = alloca i64, align 8, addrspace(5)
  %69 = alloca ptr addrspace(1), align 8, addrspace(5)
  %70 = alloca double, align 8, addrspace(5)
  %71 = alloca i64, align 8, addrspace(5)
  %72 = alloca double, align 8, addrspace(5)
  %73 = alloca double, align 8, addrspace(5)
  %74 = alloca i64, align 8, addrspace(5)
  %75 = alloca double, align 8, addrspace(5)
  %76 = alloca double, align 8, addrspace(5)
  %77 = alloca i64, align 8, addrspace(5)
  %78 = alloca double, align 8, addrspace(5)
  %79 = alloca ptr addrspace(1), align 8, addrspace(5)
  %80 = alloca ptr addrspace(1), align 8, addrspace(5)
  %81 = alloca i32, align 4, addrspace(5)
  %82 = alloca double, align 8, addrspace(5)
  %83 = alloca double, align 8, addrspace(5)
  %84 = alloca double, align 8, addrspace(5)
  %85 = alloca ptr addrspace(1), align 8, addrspace(5)
  %86 = alloca ptr addrspace(1), align 8, addrspace(5)
  %87 = alloca i32, align 4, addrspace(5)
  %88 = addrspacecast ptr addrspace(5) %85 to ptr
  %89 = addrspacecast ptr addrspace(5) %86 to ptr
  %90 = addrspacecast ptr addrspace(5) %87 to ptr
  store ptr addrspace(1) %0, ptr %88, align 8
  store ptr addrspace(1) %1, ptr %89, align 8
  %91 = call i32 @llvm.amdgcn.workgroup.id.x()
  %92 = mul i32 %91, 64
  %93 = call i32 @llvm.amdgcn.workitem.id.x()
  %94 = add i32 %92, %93
  store i32 %94, ptr %90, align 4
  %95 = load ptr addrspace(1), ptr %88, align 8
  %96 = load i32, ptr %90, align 4
  %97 = mul i32 %96, 16
  %98 = zext i32 %97 to i64
  %99 = getelementptr inbounds nuw i32, ptr addrspace(1) %95, i64 %98
  %100 = load ptr addrspace(1), ptr %89, align 8
  %101 = load i32, ptr %90, align 4
  %102 = mul i32 %101, 32
  %103 = zext i32 %102 to i64
  %104 = getelementptr inbounds nuw i32, ptr addrspace(1) %100, i64 %103
  %105 = load i32, ptr %90, align 4
  %106 = addrspacecast ptr addrspace(5) %79 to ptr
  %107 = addrspacecast ptr addrspace(5) %80 to ptr
  %108 = addrspacecast ptr addrspace(5) %81 to ptr
  %109 = addrspacecast ptr addrspace(5) %82 to ptr
  %110 = addrspacecast ptr addrspace(5) %83 to ptr
  %111 = addrspacecast ptr addrspace(5) %84 to ptr
  store ptr addrspace(1) %99, ptr %106, align 8
  store ptr addrspace(1) %104, ptr %107, align 8
  store i32 %105, ptr %108, align 4
  %112 = load ptr addrspace(1), ptr %106, align 8
  %113 = addrspacecast ptr addrspace(5) %64 to ptr
  %114 = addrspacecast ptr addrspace(5) %65 to ptr
  store ptr addrspace(1) %112, ptr %114, align 8
  %115 = load ptr addrspace(1), ptr %114, align 8
  %116 = load i32, ptr addrspace(1) %115, align 4
  %117 = zext i32 %116 to i64
  %118 = load ptr addrspace(1), ptr %114, align 8
  %119 = getelementptr inbounds i32, ptr addrspace(1) %118, i64 1
  %120 = load i32, ptr addrspace(1) %119, align 4
  %121 = zext i32 %120 to i64
  %122 = shl i64 %121, 32
  %123 = or i64 %117, %122
  %124 = addrspacecast ptr addrspace(5) %70 to ptr
  %125 = addrspacecast ptr addrspace(5) %71 to ptr
  %126 = addrspacecast ptr addrspace(5) %72 to ptr
  store i64 %123, ptr %125, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %126, ptr align 8 %125, i64 8, i1 false)
  %127 = load double, ptr %126, align 8
  store double %127, ptr %109, align 8
  %128 = load ptr addrspace(1), ptr %106, align 8
  %129 = getelementptr inbounds i32, ptr addrspace(1) %128, i64 2
  %130 = addrspacecast ptr addrspace(5) %66 to ptr
  %131 = addrspacecast ptr addrspace(5) %67 to ptr
  store ptr addrspace(1) %129, ptr %131, align 8
  %132 = load ptr addrspace(1), ptr %131, align 8
  %133 = load i32, ptr addrspace(1) %132, align 4
  %134 = zext i32 %133 to i64
  %135 = load ptr addrspace(1), ptr %131, align 8
  %136 = getelementptr inbounds i32, ptr addrspace(1) %135, i64 1
  %137 = load i32, ptr addrspace(1) %136, align 4
  %138 = zext i32 %137 to i64
  %139 = shl i64 %138, 32
  %140 = or i64 %134, %139
  %141 = addrspacecast ptr addrspace(5) %73 to ptr
  %142 = addrspacecast ptr addrspace(5) %74 to ptr
  %143 = addrspacecast ptr addrspace(5) %75 to ptr
  store i64 %140, ptr %142, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %143, ptr align 8 %142, i64 8, i1 false)
  %144 = load double, ptr %143, align 8
  store double %144, ptr %110, align 8
  %145 = load ptr addrspace(1), ptr %106, align 8
  %146 = getelementptr inbounds i32, ptr addrspace(1) %145, i64 4
  %147 = addrspacecast ptr addrspace(5) %68 to ptr
  %148 = addrspacecast ptr addrspace(5) %69 to ptr
  store ptr addrspace(1) %146, ptr %148, align 8
  %149 = load ptr addrspace(1), ptr %148, align 8
  %150 = load i32, ptr addrspace(1) %149, align 4
  %151 = zext i32 %150 to i64
  %152 = load ptr addrspace(1), ptr %148, align 8
  %153 = getelementptr inbounds i32, ptr addrspace(1) %152, i64 1
  %154 = load i32, ptr addrspace(1) %153, align 4
  %155 = zext i32 %154 to i64
  %156 = shl i64 %155, 32
  %157 = or i64 %151, %156
  %158 = addrspacecast ptr addrspace(5) %76 to ptr
  %159 = addrspacecast ptr addrspace(5) %77 to ptr
  %160 = addrspacecast ptr addrspace(5) %78 to ptr
  store i64 %157, ptr %159, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %160, ptr align 8 %159, i64 8, i1 false)
  %161 = load double, ptr %160, align 8
  store double %161, ptr %111, align 8
  %162 = load ptr addrspace(1), ptr %107, align 8
  %163 = load double, ptr %109, align 8
  %164 = load double, ptr %110, align 8
  %165 = fadd double %163, %164
  %166 = addrspacecast ptr addrspace(5) %9 to ptr
  %167 = addrspacecast ptr addrspace(5) %10 to ptr
  %168 = addrspacecast ptr addrspace(5) %11 to ptr
  store double %165, ptr %167, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %168, ptr align 8 %167, i64 8, i1 false)
  %169 = load double, ptr %167, align 8
  %170 = load double, ptr %167, align 8
  %171 = fcmp une double %169, %170
  br i1 %171, label %172, label %173
172:                                              ; preds = %2
  br label %175
173:                                              ; preds = %2
  %174 = load i64, ptr %168, align 8
  br label %175
175:                                              ; preds = %172, %173
  %176 = phi i64 [ 9221120237041090560, %172 ], [ %174, %173 ]
  %177 = addrspacecast ptr addrspace(5) %42 to ptr
  %178 = addrspacecast ptr addrspace(5) %43 to ptr
  store ptr addrspace(1) %162, ptr %177, align 8
  store i64 %176, ptr %178, align 8
  %179 = load i64, ptr %178, align 8
  %180 = trunc i64 %179 to i32
  %181 = load ptr addrspace(1), ptr %177, align 8
  store i32 %180, ptr addrspace(1) %181, align 4
  %182 = load i64, ptr %178, align 8
  %183 = lshr i64 %182, 32
  %184 = trunc i64 %183 to i32
  %185 = load ptr addrspace(1), ptr %177, align 8
  %186 = getelementptr inbounds i32, ptr addrspace(1) %185, i64 1
  store i32 %184, ptr addrspace(1) %186, align 4
  %187 = load ptr addrspace(1), ptr %107, align 8
  %188 = getelementptr inbounds i32, ptr addrspace(1) %187, i64 2
  %189 = load double, ptr %109, align 8
  %190 = load double, ptr %110, align 8
  %191 = fsub double %189, %190
  %192 = addrspacecast ptr addrspace(5) %12 to ptr
  %193 = addrspacecast ptr addrspace(5) %13 to ptr
  %194 = addrspacecast ptr addrspace(5) %14 to ptr
  store double %191, ptr %193, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %194, ptr align 8 %193, i64 8, i1 false)
  %195 = load double, ptr %193, align 8
  %196 = load double, ptr %193, align 8
  %197 = fcmp une double %195, %196
  br i1 %197, label %198, label %199
198:                                              ; preds = %175
  br label %201
199:                                              ; preds = %175
  %200 = load i64, ptr %194, align 8
  br label %201
201:                                              ; preds = %198, %199
  %202 = phi i64 [ 9221120237041090560, %198 ], [ %200, %199 ]
  %203 = addrspacecast ptr addrspace(5) %44 to ptr
  %204 = addrspacecast ptr addrspace(5) %45 to ptr
  store ptr addrspace(1) %188, ptr %203, align 8
  store i64 %202, ptr %204, align 8
  %205 = load i64, ptr %204, align 8
  %206 = trunc i64 %205 to i32
  %207 = load ptr addrspace(1), ptr %203, align 8
  store i32 %206, ptr addrspace(1) %207, align 4
  %208 = load i64, ptr %204, align 8
  %209 = lshr i64 %208, 32
  %210 = trunc i64 %209 to i32
  %211 = load ptr addrspace(1), ptr %203, align 8
  %212 = getelementptr inbounds i32, ptr addrspace(1) %211, i64 1
  store i32 %210, ptr addrspace(1) %212, align 4
  %213 = load ptr addrspace(1), ptr %107, align 8
  %214 = getelementptr inbounds i32, ptr addrspace(1) %213, i64 4
  %215 = load double, ptr %109, align 8
  %216 = load double, ptr %110, align 8
  %217 = fmul double %215, %216
  %218 = addrspacecast ptr addrspace(5) %15 to ptr
  %219 = addrspacecast ptr addrspace(5) %16 to ptr
  %220 = addrspacecast ptr addrspace(5) %17 to ptr
  store double %217, ptr %219, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %220, ptr align 8 %219, i64 8, i1 false)
  %221 = load double, ptr %219, align 8
  %222 = load double, ptr %219, align 8
  %223 = fcmp une double %221, %222
  br i1 %223, label %224, label %225
224:                                              ; preds = %201
  br label %227
225:                                              ; preds = %201
  %226 = load i64, ptr %220, align 8
  br label %227
227:                                              ; preds = %224, %225
  %228 = phi i64 [ 9221120237041090560, %224 ], [ %226, %225 ]
  %229 = addrspacecast ptr addrspace(5) %46 to ptr
  %230 = addrspacecast ptr addrspace(5) %47 to ptr
  store ptr addrspace(1) %214, ptr %229, align 8
  store i64 %228, ptr %230, align 8
  %231 = load i64, ptr %230, align 8
  %232 = trunc i64 %231 to i32
  %233 = load ptr addrspace(1), ptr %229, align 8
  store i32 %232, ptr addrspace(1) %233, align 4
  %234 = load i64, ptr %230, align 8
  %235 = lshr i64 %234, 32
  %236 = trunc i64 %235 to i32
  %237 = load ptr addrspace(1), ptr %229, align 8
  %238 = getelementptr inbounds i32, ptr addrspace(1) %237, i64 1
  store i32 %236, ptr addrspace(1) %238, align 4
  %239 = load ptr addrspace(1), ptr %107, align 8
  %240 = getelementptr inbounds i32, ptr addrspace(1) %239, i64 6
  %241 = load double, ptr %109, align 8
  %242 = load double, ptr %110, align 8
  %243 = fdiv double %241, %242
  %244 = addrspacecast ptr addrspace(5) %18 to ptr
  %245 = addrspacecast ptr addrspace(5) %19 to ptr
  %246 = addrspacecast ptr addrspace(5) %20 to ptr
  store double %243, ptr %245, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %246, ptr align 8 %245, i64 8, i1 false)
  %247 = load double, ptr %245, align 8
  %248 = load double, ptr %245, align 8
  %249 = fcmp une double %247, %248
  br i1 %249, label %250, label %251
250:                                              ; preds = %227
  br label %253
251:                                              ; preds = %227
  %252 = load i64, ptr %246, align 8
  br label %253
253:                                              ; preds = %250, %251
  %254 = phi i64 [ 9221120237041090560, %250 ], [ %252, %251 ]
  %255 = addrspacecast ptr addrspace(5) %48 to ptr
  %256 = addrspacecast ptr addrspace(5) %49 to ptr
  store ptr addrspace(1) %240, ptr %255, align 8
  store i64 %254, ptr %256, align 8
  %257 = load i64, ptr %256, align 8
  %258 = trunc i64 %257 to i32
  %259 = load ptr addrspace(1), ptr %255, align 8
  store i32 %258, ptr addrspace(1) %259, align 4
  %260 = load i64, ptr %256, align 8
  %261 = lshr i64 %260, 32
  %262 = trunc i64 %261 to i32
  %263 = load ptr addrspace(1), ptr %255, align 8
  %264 = getelementptr inbounds i32, ptr addrspace(1) %263, i64 1
  store i32 %262, ptr addrspace(1) %264, align 4
  %265 = load ptr addrspace(1), ptr %107, align 8
  %266 = getelementptr inbounds i32, ptr addrspace(1) %265, i64 8
  %267 = load double, ptr %109, align 8
  %268 = load double, ptr %110, align 8
  %269 = load double, ptr %111, align 8
  %270 = call double @llvm.fma.f64(double %267, double %268, double %269)
  %271 = addrspacecast ptr addrspace(5) %21 to ptr
  %272 = addrspacecast ptr addrspace(5) %22 to ptr
  %273 = addrspacecast ptr addrspace(5) %23 to ptr
  store double %270, ptr %272, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %273, ptr align 8 %272, i64 8, i1 false)
  %274 = load double, ptr %272, align 8
  %275 = load double, ptr %272, align 8
  %276 = fcmp une double %274, %275
  br i1 %276, label %277, label %278
277:                                              ; preds = %253
  br label %280
278:                                              ; preds = %253
  %279 = load i64, ptr %273, align 8
  br label %280
280:                                              ; preds = %277, %278
  %281 = phi i64 [ 9221120237041090560, %277 ], [ %279, %278 ]
  %282 = addrspacecast ptr addrspace(5) %50 to ptr
  %283 = addrspacecast ptr addrspace(5) %51 to ptr
  store ptr addrspace(1) %266, ptr %282, align 8
  store i64 %281, ptr %283, align 8
  %284 = load i64, ptr %283, align 8
  %285 = trunc i64 %284 to i32
  %286 = load ptr addrspace(1), ptr %282, align 8
  store i32 %285, ptr addrspace(1) %286, align 4
  %287 = load i64, ptr %283, align 8
  %288 = lshr i64 %287, 32
  %289 = trunc i64 %288 to i32
  %290 = load ptr addrspace(1), ptr %282, align 8
  %291 = getelementptr inbounds i32, ptr addrspace(1) %290, i64 1
  store i32 %289, ptr addrspace(1) %291, align 4
  %292 = load ptr addrspace(1), ptr %107, align 8
  %293 = getelementptr inbounds i32, ptr addrspace(1) %292, i64 10
  %294 = load double, ptr %109, align 8
  %295 = call double @llvm.sqrt.f64(double %294)
  %296 = addrspacecast ptr addrspace(5) %24 to ptr
  %297 = addrspacecast ptr addrspace(5) %25 to ptr
  %298 = addrspacecast ptr addrspace(5) %26 to ptr
  store double %295, ptr %297, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %298, ptr align 8 %297, i64 8, i1 false)
  %299 = load double, ptr %297, align 8
  %300 = load double, ptr %297, align 8
  %301 = fcmp une double %299, %300
  br i1 %301, label %302, label %303
302:                                              ; preds = %280
  br label %305
303:                                              ; preds = %280
  %304 = load i64, ptr %298, align 8
  br label %305
305:                                              ; preds = %302, %303
  %306 = phi i64 [ 9221120237041090560, %302 ], [ %304, %303 ]
  %307 = addrspacecast ptr addrspace(5) %52 to ptr
  %308 = addrspacecast ptr addrspace(5) %53 to ptr
  store ptr addrspace(1) %293, ptr %307, align 8
  store i64 %306, ptr %308, align 8
  %309 = load i64, ptr %308, align 8
  %310 = trunc i64 %309 to i32
  %311 = load ptr addrspace(1), ptr %307, align 8
  store i32 %310, ptr addrspace(1) %311, align 4
  %312 = load i64, ptr %308, align 8
  %313 = lshr i64 %312, 32
  %314 = trunc i64 %313 to i32
  %315 = load ptr addrspace(1), ptr %307, align 8
  %316 = getelementptr inbounds i32, ptr addrspace(1) %315, i64 1
  store i32 %314, ptr addrspace(1) %316, align 4
  %317 = load ptr addrspace(1), ptr %107, align 8
  %318 = getelementptr inbounds i32, ptr addrspace(1) %317, i64 12
  %319 = load double, ptr %109, align 8
  %320 = call double @llvm.floor.f64(double %319)
  %321 = addrspacecast ptr addrspace(5) %27 to ptr
  %322 = addrspacecast ptr addrspace(5) %28 to ptr
  %323 = addrspacecast ptr addrspace(5) %29 to ptr
  store double %320, ptr %322, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %323, ptr align 8 %322, i64 8, i1 false)
  %324 = load double, ptr %322, align 8
  %325 = load double, ptr %322, align 8
  %326 = fcmp une double %324, %325
  br i1 %326, label %327, label %328
327:                                              ; preds = %305
  br label %330
328:                                              ; preds = %305
  %329 = load i64, ptr %323, align 8
  br label %330
330:                                              ; preds = %327, %328
  %331 = phi i64 [ 9221120237041090560, %327 ], [ %329, %328 ]
  %332 = addrspacecast ptr addrspace(5) %54 to ptr
  %333 = addrspacecast ptr addrspace(5) %55 to ptr
  store ptr addrspace(1) %318, ptr %332, align 8
  store i64 %331, ptr %333, align 8
  %334 = load i64, ptr %333, align 8
  %335 = trunc i64 %334 to i32
  %336 = load ptr addrspace(1), ptr %332, align 8
  store i32 %335, ptr addrspace(1) %336, align 4
  %337 = load i64, ptr %333, align 8
  %338 = lshr i64 %337, 32
  %339 = trunc i64 %338 to i32
  %340 = load ptr addrspace(1), ptr %332, align 8
  %341 = getelementptr inbounds i32, ptr addrspace(1) %340, i64 1
  store i32 %339, ptr addrspace(1) %341, align 4
  %342 = load ptr addrspace(1), ptr %107, align 8
  %343 = getelementptr inbounds i32, ptr addrspace(1) %342, i64 14
  %344 = load double, ptr %109, align 8
  %345 = call double @llvm.ceil.f64(double %344)
  %346 = addrspacecast ptr addrspace(5) %30 to ptr
  %347 = addrspacecast ptr addrspace(5) %31 to ptr
  %348 = addrspacecast ptr addrspace(5) %32 to ptr
  store double %345, ptr %347, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %348, ptr align 8 %347, i64 8, i1 false)
  %349 = load double, ptr %347, align 8
  %350 = load double, ptr %347, align 8
  %351 = fcmp une double %349, %350
  br i1 %351, label %352, label %353
352:                                              ; preds = %330
  br label %355
353:                                              ; preds = %330
  %354 = load i64, ptr %348, align 8
  br label %355
355:                                              ; preds = %352, %353
  %356 = phi i64 [ 9221120237041090560, %352 ], [ %354, %353 ]
  %357 = addrspacecast ptr addrspace(5) %56 to ptr
  %358 = addrspacecast ptr addrspace(5) %57 to ptr
  store ptr addrspace(1) %343, ptr %357, align 8
  store i64 %356, ptr %358, align 8
  %359 = load i64, ptr %358, align 8
  %360 = trunc i64 %359 to i32
  %361 = load ptr addrspace(1), ptr %357, align 8
  store i32 %360, ptr addrspace(1) %361, align 4
  %362 = load i64, ptr %358, align 8
  %363 = lshr i64 %362, 32
  %364 = trunc i64 %363 to i32
  %365 = load ptr addrspace(1), ptr %357, align 8
  %366 = getelementptr inbounds i32, ptr addrspace(1) %365, i64 1
  store i32 %364, ptr addrspace(1) %366, align 4
  %367 = load ptr addrspace(1), ptr %107, align 8
  %368 = getelementptr inbounds i32, ptr addrspace(1) %367, i64 16
  %369 = load double, ptr %109, align 8
  %370 = call double @llvm.rint.f64(double %369)
  %371 = addrspacecast ptr addrspace(5) %33 to ptr
  %372 = addrspacecast ptr addrspace(5) %34 to ptr
  %373 = addrspacecast ptr addrspace(5) %35 to ptr
  store double %370, ptr %372, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %373, ptr align 8 %372, i64 8, i1 false)
  %374 = load double, ptr %372, align 8
  %375 = load double, ptr %372, align 8
  %376 = fcmp une double %374, %375
  br i1 %376, label %377, label %378
377:                                              ; preds = %355
  br label %380
378:                                              ; preds = %355
  %379 = load i64, ptr %373, align 8
  br label %380
380:                                              ; preds = %377, %378
  %381 = phi i64 [ 9221120237041090560, %377 ], [ %379, %378 ]
  %382 = addrspacecast ptr addrspace(5) %58 to ptr
  %383 = addrspacecast ptr addrspace(5) %59 to ptr
  store ptr addrspace(1) %368, ptr %382, align 8
  store i64 %381, ptr %383, align 8
  %384 = load i64, ptr %383, align 8
  %385 = trunc i64 %384 to i32
  %386 = load ptr addrspace(1), ptr %382, align 8
  store i32 %385, ptr addrspace(1) %386, align 4
  %387 = load i64, ptr %383, align 8
  %388 = lshr i64 %387, 32
  %389 = trunc i64 %388 to i32
  %390 = load ptr addrspace(1), ptr %382, align 8
  %391 = getelementptr inbounds i32, ptr addrspace(1) %390, i64 1
  store i32 %389, ptr addrspace(1) %391, align 4
  %392 = load ptr addrspace(1), ptr %107, align 8
  %393 = getelementptr inbounds i32, ptr addrspace(1) %392, i64 18
  %394 = load double, ptr %109, align 8
  %395 = load double, ptr %110, align 8
  %396 = fcmp olt double %394, %395
  br i1 %396, label %397, label %399
397:                                              ; preds = %380
  %398 = load double, ptr %109, align 8
  br label %401
399:                                              ; preds = %380
  %400 = load double, ptr %111, align 8
  br label %401
401:                                              ; preds = %397, %399
  %402 = phi double [ %398, %397 ], [ %400, %399 ]
  %403 = addrspacecast ptr addrspace(5) %36 to ptr
  %404 = addrspacecast ptr addrspace(5) %37 to ptr
  %405 = addrspacecast ptr addrspace(5) %38 to ptr
  store double %402, ptr %404, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %405, ptr align 8 %404, i64 8, i1 false)
  %406 = load double, ptr %404, align 8
  %407 = load double, ptr %404, align 8
  %408 = fcmp une double %406, %407
  br i1 %408, label %409, label %410
409:                                              ; preds = %401
  br label %412
410:                                              ; preds = %401
  %411 = load i64, ptr %405, align 8
  br label %412
412:                                              ; preds = %409, %410
  %413 = phi i64 [ 9221120237041090560, %409 ], [ %411, %410 ]
  %414 = addrspacecast ptr addrspace(5) %60 to ptr
  %415 = addrspacecast ptr addrspace(5) %61 to ptr
  store ptr addrspace(1) %393, ptr %414, align 8
  store i64 %413, ptr %415, align 8
  %416 = load i64, ptr %415, align 8
  %417 = trunc i64 %416 to i32
  %418 = load ptr addrspace(1), ptr %414, align 8
  store i32 %417, ptr addrspace(1) %418, align 4
  %419 = load i64, ptr %415, align 8
  %420 = lshr i64 %419, 32
  %421 = trunc i64 %420 to i32
  %422 = load ptr addrspace(1), ptr %414, align 8
  %423 = getelementptr inbounds i32, ptr addrspace(1) %422, i64 1
  store i32 %421, ptr addrspace(1) %423, align 4
  %424 = load double, ptr %109, align 8
  %425 = fptrunc double %424 to float
  %426 = addrspacecast ptr addrspace(5) %6 to ptr
  %427 = addrspacecast ptr addrspace(5) %7 to ptr
  %428 = addrspacecast ptr addrspace(5) %8 to ptr
  store float %425, ptr %427, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %428, ptr align 4 %427, i64 4, i1 false)
  %429 = load float, ptr %427, align 4
  %430 = load float, ptr %427, align 4
  %431 = fcmp une float %429, %430
  br i1 %431, label %432, label %433
432:                                              ; preds = %412
  br label %435
433:                                              ; preds = %412
  %434 = load i32, ptr %428, align 4
  br label %435
435:                                              ; preds = %432, %433
  %436 = phi i32 [ 2143289344, %432 ], [ %434, %433 ]
  %437 = load ptr addrspace(1), ptr %107, align 8
  %438 = getelementptr inbounds i32, ptr addrspace(1) %437, i64 20
  store i32 %436, ptr addrspace(1) %438, align 4
  %439 = load ptr addrspace(1), ptr %107, align 8
  %440 = getelementptr inbounds i32, ptr addrspace(1) %439, i64 21
  %441 = load ptr addrspace(1), ptr %106, align 8
  %442 = getelementptr inbounds i32, ptr addrspace(1) %441, i64 6
  %443 = load i32, ptr addrspace(1) %442, align 4
  %444 = addrspacecast ptr addrspace(5) %3 to ptr
  %445 = addrspacecast ptr addrspace(5) %4 to ptr
  %446 = addrspacecast ptr addrspace(5) %5 to ptr
  store i32 %443, ptr %445, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %446, ptr align 4 %445, i64 4, i1 false)
  %447 = load float, ptr %446, align 4
  %448 = fpext float %447 to double
  %449 = addrspacecast ptr addrspace(5) %39 to ptr
  %450 = addrspacecast ptr addrspace(5) %40 to ptr
  %451 = addrspacecast ptr addrspace(5) %41 to ptr
  store double %448, ptr %450, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %451, ptr align 8 %450, i64 8, i1 false)
  %452 = load double, ptr %450, align 8
  %453 = load double, ptr %450, align 8
  %454 = fcmp une double %452, %453
  br i1 %454, label %455, label %456
455:                                              ; preds = %435
  br label %458
456:                                              ; preds = %435
  %457 = load i64, ptr %451, align 8
  br label %458
458:                                              ; preds = %455, %456
  %459 = phi i64 [ 9221120237041090560, %455 ], [ %457, %456 ]
  %460 = addrspacecast ptr addrspace(5) %62 to ptr
  %461 = addrspacecast ptr addrspace(5) %63 to ptr
  store ptr addrspace(1) %440, ptr %460, align 8
  store i64 %459, ptr %461, align 8
  %462 = load i64, ptr %461, align 8
  %463 = trunc i64 %462 to i32
  %464 = load ptr addrspace(1), ptr %460, align 8
  store i32 %463, ptr addrspace(1) %464, align 4
  %465 = load i64, ptr %461, align 8
  %466 = lshr i64 %465, 32
  %467 = trunc i64 %466 to i32
  %468 = load ptr addrspace(1), ptr %460, align 8
  %469 = getelementptr inbounds i32, ptr addrspace(1) %468, i64 1
  store i32 %467, ptr addrspace(1) %469, align 4
  %470 = load double, ptr %109, align 8
  %471 = load double, ptr %110, align 8
  %472 = fcmp olt double %470, %471
  %473 = zext i1 %472 to i32
  %474 = load ptr addrspace(1), ptr %107, align 8
  %475 = getelementptr inbounds i32, ptr addrspace(1) %474, i64 23
  store i32 %473, ptr addrspace(1) %475, align 4
  %476 = load double, ptr %109, align 8
  %477 = load double, ptr %111, align 8
  %478 = fcmp oeq double %476, %477
  %479 = zext i1 %478 to i32
  %480 = load ptr addrspace(1), ptr %107, align 8
  %481 = getelementptr inbounds i32, ptr addrspace(1) %480, i64 24
  store i32 %479, ptr addrspace(1) %481, align 4
  %482 = load i32, ptr %108, align 4
  %483 = load ptr addrspace(1), ptr %107, align 8
  %484 = getelementptr inbounds i32, ptr addrspace(1) %483, i64 25
  store i32 %482, ptr addrspace(1) %484, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.floor.f64(double)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.ceil.f64(double)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.rint.f64(double)
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
