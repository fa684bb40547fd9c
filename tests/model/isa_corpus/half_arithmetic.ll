; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_half_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca float, align 4, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = alloca float, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca float, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca float, align 4, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca half, align 2, addrspace(5)
  %14 = alloca i16, align 2, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca half, align 2, addrspace(5)
  %17 = alloca i16, align 2, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca half, align 2, addrspace(5)
  %20 = alloca i16, align 2, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = alloca half, align 2, addrspace(5)
  %23 = alloca i16, align 2, addrspace(5)
  %24 = alloca i32, align 4, addrspace(5)
  %25 = alloca half, align 2, addrspace(5)
  %26 = alloca i16, align 2, addrspace(5)
  %27 = alloca i32, align 4, addrspace(5)
  %28 = alloca half, align 2, addrspace(5)
  %29 = alloca i16, align 2, addrspace(5)
  %30 = alloca i32, align 4, addrspace(5)
  %31 = alloca half, align 2, addrspace(5)
  %32 = alloca i16, align 2, addrspace(5)
  %33 = alloca i32, align 4, addrspace(5)
  %34 = alloca half, align 2, addrspace(5)
  %35 = alloca i16, align 2, addrspace(5)
  %36 = alloca i32, align 4, addrspace(5)
  %37 = alloca half, align 2, addrspace(5)
  %38 = alloca i16, align 2, addrspace(5)
  %39 = alloca i32, align 4, addrspace(5)
  %40 = alloca half, align 2, addrspace(5)
  %41 = alloca i16, align 2, addrspace(5)
  %42 = alloca i32, align 4, addrspace(5)
  %43 = alloca half, align 2, addrspace(5)
  %44 = alloca i16, align 2, addrspace(5)
  %45 = alloca i32, align 4, addrspace(5)
  %46 = alloca half, align 2, addrspace(5)
  %47 = alloca i16, align 2, addrspace(5)
  %48 = alloca half, align 2, addrspace(5)
  %49 = alloca i32, align 4, addrspace(5)
  %50 = alloca i16, align 2, addrspace(5)
  %51 = alloca half, align 2, addrspace(5)
  %52 = alloca half, align 2, addrspace(5)
  %53 = alloca i32, align 4, addrspace(5)
  %54 = alloca i16, align 2, addrspace(5)
  %55 = alloca half, align 2, addrspace(5)
  %56 = alloca half, align 2, addrspace(5)
  %57 = alloca i32, align 4, addrspace(5)
  %58 = alloca i16, align 2, addrspace(5)
  %59 = alloca half, align 2, addrspace(5)
  %60 = alloca half, align 2, addrspace(5)
  %61 = alloca i32, align 4, addrspace(5)
  %62 = alloca i16, align 2, addrspace(5)
  %63 = alloca half, align 2, addrspace(5)
  %64 = alloca ptr addrspace(1), align 8, addrspace(5)
  %65 = alloca ptr addrspace(1), align 8, addrspace(5)
  %66 = alloca i32, align 4, addrspace(5)
  %67 = alloca half, align 2, addrspace(5)
  %68 = alloca half, align 2, addrspace(5)
  %69 = alloca half, align 2, addrspace(5)
  %70 = alloca ptr addrspace(1), align 8, addrspace(5)
  %71 = alloca ptr addrspace(1), align 8, addrspace(5)
  %72 = alloca i32, align 4, addrspace(5)
  %73 = addrspacecast ptr addrspace(5) %70 to ptr
  %74 = addrspacecast ptr addrspace(5) %71 to ptr
  %75 = addrspacecast ptr addrspace(5) %72 to ptr
  store ptr addrspace(1) %0, ptr %73, align 8
  store ptr addrspace(1) %1, ptr %74, align 8
  %76 = call i32 @llvm.amdgcn.workgroup.id.x()
  %77 = mul i32 %76, 64
  %78 = call i32 @llvm.amdgcn.workitem.id.x()
  %79 = add i32 %77, %78
  store i32 %79, ptr %75, align 4
  %80 = load ptr addrspace(1), ptr %73, align 8
  %81 = load i32, ptr %75, align 4
  %82 = mul i32 %81, 16
  %83 = zext i32 %82 to i64
  %84 = getelementptr inbounds nuw i32, ptr addrspace(1) %80, i64 %83
  %85 = load ptr addrspace(1), ptr %74, align 8
  %86 = load i32, ptr %75, align 4
  %87 = mul i32 %86, 32
  %88 = zext i32 %87 to i64
  %89 = getelementptr inbounds nuw i32, ptr addrspace(1) %85, i64 %88
  %90 = load i32, ptr %75, align 4
  %91 = addrspacecast ptr addrspace(5) %64 to ptr
  %92 = addrspacecast ptr addrspace(5) %65 to ptr
  %93 = addrspacecast ptr addrspace(5) %66 to ptr
  %94 = addrspacecast ptr addrspace(5) %67 to ptr
  %95 = addrspacecast ptr addrspace(5) %68 to ptr
  %96 = addrspacecast ptr addrspace(5) %69 to ptr
  store ptr addrspace(1) %84, ptr %91, align 8
  store ptr addrspace(1) %89, ptr %92, align 8
  store i32 %90, ptr %93, align 4
  %97 = load ptr addrspace(1), ptr %91, align 8
  %98 = load i32, ptr addrspace(1) %97, align 4
  %99 = addrspacecast ptr addrspace(5) %48 to ptr
  %100 = addrspacecast ptr addrspace(5) %49 to ptr
  %101 = addrspacecast ptr addrspace(5) %50 to ptr
  %102 = addrspacecast ptr addrspace(5) %51 to ptr
  store i32 %98, ptr %100, align 4
  %103 = load i32, ptr %100, align 4
  %104 = trunc i32 %103 to i16
  store i16 %104, ptr %101, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %102, ptr align 2 %101, i64 2, i1 false)
  %105 = load half, ptr %102, align 2
  store half %105, ptr %94, align 2
  %106 = load ptr addrspace(1), ptr %91, align 8
  %107 = getelementptr inbounds i32, ptr addrspace(1) %106, i64 1
  %108 = load i32, ptr addrspace(1) %107, align 4
  %109 = addrspacecast ptr addrspace(5) %52 to ptr
  %110 = addrspacecast ptr addrspace(5) %53 to ptr
  %111 = addrspacecast ptr addrspace(5) %54 to ptr
  %112 = addrspacecast ptr addrspace(5) %55 to ptr
  store i32 %108, ptr %110, align 4
  %113 = load i32, ptr %110, align 4
  %114 = trunc i32 %113 to i16
  store i16 %114, ptr %111, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %112, ptr align 2 %111, i64 2, i1 false)
  %115 = load half, ptr %112, align 2
  store half %115, ptr %95, align 2
  %116 = load ptr addrspace(1), ptr %91, align 8
  %117 = getelementptr inbounds i32, ptr addrspace(1) %116, i64 2
  %118 = load i32, ptr addrspace(1) %117, align 4
  %119 = addrspacecast ptr addrspace(5) %56 to ptr
  %120 = addrspacecast ptr addrspace(5) %57 to ptr
  %121 = addrspacecast ptr addrspace(5) %58 to ptr
  %122 = addrspacecast ptr addrspace(5) %59 to ptr
  store i32 %118, ptr %120, align 4
  %123 = load i32, ptr %120, align 4
  %124 = trunc i32 %123 to i16
  store i16 %124, ptr %121, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %122, ptr align 2 %121, i64 2, i1 false)
  %125 = load half, ptr %122, align 2
  store half %125, ptr %96, align 2
  %126 = load half, ptr %94, align 2
  %127 = load half, ptr %95, align 2
  %128 = fadd half %126, %127
  %129 = addrspacecast ptr addrspace(5) %12 to ptr
  %130 = addrspacecast ptr addrspace(5) %13 to ptr
  %131 = addrspacecast ptr addrspace(5) %14 to ptr
  store half %128, ptr %130, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %131, ptr align 2 %130, i64 2, i1 false)
  %132 = load half, ptr %130, align 2
  %133 = load half, ptr %130, align 2
  %134 = fcmp une half %132, %133
  br i1 %134, label %135, label %136
135:                                              ; preds = %2
  br label %139
136:                                              ; preds = %2
  %137 = load i16, ptr %131, align 2
  %138 = zext i16 %137 to i32
  br label %139
139:                                              ; preds = %135, %136
  %140 = phi i32 [ 32256, %135 ], [ %138, %136 ]
  %141 = load ptr addrspace(1), ptr %92, align 8
  store i32 %140, ptr addrspace(1) %141, align 4
  %142 = load half, ptr %94, align 2
  %143 = load half, ptr %95, align 2
  %144 = fsub half %142, %143
  %145 = addrspacecast ptr addrspace(5) %15 to ptr
  %146 = addrspacecast ptr addrspace(5) %16 to ptr
  %147 = addrspacecast ptr addrspace(5) %17 to ptr
  store half %144, ptr %146, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %147, ptr align 2 %146, i64 2, i1 false)
  %148 = load half, ptr %146, align 2
  %149 = load half, ptr %146, align 2
  %150 = fcmp une half %148, %149
  br i1 %150, label %151, label %152
151:                                              ; preds = %139
  br label %155
152:                                              ; preds = %139
  %153 = load i16, ptr %147, align 2
  %154 = zext i16 %153 to i32
  br label %155
155:                                              ; preds = %151, %152
  %156 = phi i32 [ 32256, %151 ], [ %154, %152 ]
  %157 = load ptr addrspace(1), ptr %92, align 8
  %158 = getelementptr inbounds i32, ptr addrspace(1) %157, i64 1
  store i32 %156, ptr addrspace(1) %158, align 4
  %159 = load half, ptr %94, align 2
  %160 = load half, ptr %95, align 2
  %161 = fmul half %159, %160
  %162 = addrspacecast ptr addrspace(5) %18 to ptr
  %163 = addrspacecast ptr addrspace(5) %19 to ptr
  %164 = addrspacecast ptr addrspace(5) %20 to ptr
  store half %161, ptr %163, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %164, ptr align 2 %163, i64 2, i1 false)
  %165 = load half, ptr %163, align 2
  %166 = load half, ptr %163, align 2
  %167 = fcmp une half %165, %166
  br i1 %167, label %168, label %169
168:                                              ; preds = %155
  br label %172
169:                                              ; preds = %155
  %170 = load i16, ptr %164, align 2
  %171 = zext i16 %170 to i32
  br label %172
172:                                              ; preds = %168, %169
  %173 = phi i32 [ 32256, %168 ], [ %171, %169 ]
  %174 = load ptr addrspace(1), ptr %92, align 8
  %175 = getelementptr inbounds i32, ptr addrspace(1) %174, i64 2
  store i32 %173, ptr addrspace(1) %175, align 4
  %176 = load half, ptr %94, align 2
  %177 = load half, ptr %95, align 2
  %178 = fdiv half %176, %177
  %179 = addrspacecast ptr addrspace(5) %21 to ptr
  %180 = addrspacecast ptr addrspace(5) %22 to ptr
  %181 = addrspacecast ptr addrspace(5) %23 to ptr
  store half %178, ptr %180, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %181, ptr align 2 %180, i64 2, i1 false)
  %182 = load half, ptr %180, align 2
  %183 = load half, ptr %180, align 2
  %184 = fcmp une half %182, %183
  br i1 %184, label %185, label %186
185:                                              ; preds = %172
  br label %189
186:                                              ; preds = %172
  %187 = load i16, ptr %181, align 2
  %188 = zext i16 %187 to i32
  br label %189
189:                                              ; preds = %185, %186
  %190 = phi i32 [ 32256, %185 ], [ %188, %186 ]
  %191 = load ptr addrspace(1), ptr %92, align 8
  %192 = getelementptr inbounds i32, ptr addrspace(1) %191, i64 3
  store i32 %190, ptr addrspace(1) %192, align 4
  %193 = load half, ptr %94, align 2
  %194 = fneg half %193
  %195 = addrspacecast ptr addrspace(5) %24 to ptr
  %196 = addrspacecast ptr addrspace(5) %25 to ptr
  %197 = addrspacecast ptr addrspace(5) %26 to ptr
  store half %194, ptr %196, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %197, ptr align 2 %196, i64 2, i1 false)
  %198 = load half, ptr %196, align 2
  %199 = load half, ptr %196, align 2
  %200 = fcmp une half %198, %199
  br i1 %200, label %201, label %202
201:                                              ; preds = %189
  br label %205
202:                                              ; preds = %189
  %203 = load i16, ptr %197, align 2
  %204 = zext i16 %203 to i32
  br label %205
205:                                              ; preds = %201, %202
  %206 = phi i32 [ 32256, %201 ], [ %204, %202 ]
  %207 = load ptr addrspace(1), ptr %92, align 8
  %208 = getelementptr inbounds i32, ptr addrspace(1) %207, i64 4
  store i32 %206, ptr addrspace(1) %208, align 4
  %209 = load half, ptr %94, align 2
  %210 = fpext half %209 to float
  %211 = addrspacecast ptr addrspace(5) %6 to ptr
  %212 = addrspacecast ptr addrspace(5) %7 to ptr
  %213 = addrspacecast ptr addrspace(5) %8 to ptr
  store float %210, ptr %212, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %213, ptr align 4 %212, i64 4, i1 false)
  %214 = load float, ptr %212, align 4
  %215 = load float, ptr %212, align 4
  %216 = fcmp une float %214, %215
  br i1 %216, label %217, label %218
217:                                              ; preds = %205
  br label %220
218:                                              ; preds = %205
  %219 = load i32, ptr %213, align 4
  br label %220
220:                                              ; preds = %217, %218
  %221 = phi i32 [ 2143289344, %217 ], [ %219, %218 ]
  %222 = load ptr addrspace(1), ptr %92, align 8
  %223 = getelementptr inbounds i32, ptr addrspace(1) %222, i64 5
  store i32 %221, ptr addrspace(1) %223, align 4
  %224 = load ptr addrspace(1), ptr %91, align 8
  %225 = getelementptr inbounds i32, ptr addrspace(1) %224, i64 3
  %226 = load i32, ptr addrspace(1) %225, align 4
  %227 = addrspacecast ptr addrspace(5) %3 to ptr
  %228 = addrspacecast ptr addrspace(5) %4 to ptr
  %229 = addrspacecast ptr addrspace(5) %5 to ptr
  store i32 %226, ptr %228, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %229, ptr align 4 %228, i64 4, i1 false)
  %230 = load float, ptr %229, align 4
  %231 = fptrunc float %230 to half
  %232 = addrspacecast ptr addrspace(5) %27 to ptr
  %233 = addrspacecast ptr addrspace(5) %28 to ptr
  %234 = addrspacecast ptr addrspace(5) %29 to ptr
  store half %231, ptr %233, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %234, ptr align 2 %233, i64 2, i1 false)
  %235 = load half, ptr %233, align 2
  %236 = load half, ptr %233, align 2
  %237 = fcmp une half %235, %236
  br i1 %237, label %238, label %239
238:                                              ; preds = %220
  br label %242
239:                                              ; preds = %220
  %240 = load i16, ptr %234, align 2
  %241 = zext i16 %240 to i32
  br label %242
242:                                              ; preds = %238, %239
  %243 = phi i32 [ 32256, %238 ], [ %241, %239 ]
  %244 = load ptr addrspace(1), ptr %92, align 8
  %245 = getelementptr inbounds i32, ptr addrspace(1) %244, i64 6
  store i32 %243, ptr addrspace(1) %245, align 4
  %246 = load half, ptr %94, align 2
  %247 = load half, ptr %95, align 2
  %248 = fcmp olt half %246, %247
  %249 = zext i1 %248 to i32
  %250 = load ptr addrspace(1), ptr %92, align 8
  %251 = getelementptr inbounds i32, ptr addrspace(1) %250, i64 7
  store i32 %249, ptr addrspace(1) %251, align 4
  %252 = load half, ptr %94, align 2
  %253 = load half, ptr %95, align 2
  %254 = fcmp oeq half %252, %253
  %255 = zext i1 %254 to i32
  %256 = load ptr addrspace(1), ptr %92, align 8
  %257 = getelementptr inbounds i32, ptr addrspace(1) %256, i64 8
  store i32 %255, ptr addrspace(1) %257, align 4
  %258 = load half, ptr %94, align 2
  %259 = load half, ptr %96, align 2
  %260 = fcmp oge half %258, %259
  %261 = zext i1 %260 to i32
  %262 = load ptr addrspace(1), ptr %92, align 8
  %263 = getelementptr inbounds i32, ptr addrspace(1) %262, i64 9
  store i32 %261, ptr addrspace(1) %263, align 4
  %264 = load half, ptr %94, align 2
  %265 = load half, ptr %95, align 2
  %266 = fcmp olt half %264, %265
  br i1 %266, label %267, label %269
267:                                              ; preds = %242
  %268 = load half, ptr %94, align 2
  br label %271
269:                                              ; preds = %242
  %270 = load half, ptr %96, align 2
  br label %271
271:                                              ; preds = %267, %269
  %272 = phi half [ %268, %267 ], [ %270, %269 ]
  %273 = addrspacecast ptr addrspace(5) %30 to ptr
  %274 = addrspacecast ptr addrspace(5) %31 to ptr
  %275 = addrspacecast ptr addrspace(5) %32 to ptr
  store half %272, ptr %274, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %275, ptr align 2 %274, i64 2, i1 false)
  %276 = load half, ptr %274, align 2
  %277 = load half, ptr %274, align 2
  %278 = fcmp une half %276, %277
  br i1 %278, label %279, label %280
279:                                              ; preds = %271
  br label %283
280:                                              ; preds = %271
  %281 = load i16, ptr %275, align 2
  %282 = zext i16 %281 to i32
  br label %283
283:                                              ; preds = %279, %280
  %284 = phi i32 [ 32256, %279 ], [ %282, %280 ]
  %285 = load ptr addrspace(1), ptr %92, align 8
  %286 = getelementptr inbounds i32, ptr addrspace(1) %285, i64 10
  store i32 %284, ptr addrspace(1) %286, align 4
  %287 = load ptr addrspace(1), ptr %91, align 8
  %288 = getelementptr inbounds i32, ptr addrspace(1) %287, i64 4
  %289 = load i32, ptr addrspace(1) %288, align 4
  %290 = trunc i32 %289 to i16
  %291 = sitofp i16 %290 to half
  %292 = addrspacecast ptr addrspace(5) %33 to ptr
  %293 = addrspacecast ptr addrspace(5) %34 to ptr
  %294 = addrspacecast ptr addrspace(5) %35 to ptr
  store half %291, ptr %293, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %294, ptr align 2 %293, i64 2, i1 false)
  %295 = load half, ptr %293, align 2
  %296 = load half, ptr %293, align 2
  %297 = fcmp une half %295, %296
  br i1 %297, label %298, label %299
298:                                              ; preds = %283
  br label %302
299:                                              ; preds = %283
  %300 = load i16, ptr %294, align 2
  %301 = zext i16 %300 to i32
  br label %302
302:                                              ; preds = %298, %299
  %303 = phi i32 [ 32256, %298 ], [ %301, %299 ]
  %304 = load ptr addrspace(1), ptr %92, align 8
  %305 = getelementptr inbounds i32, ptr addrspace(1) %304, i64 11
  store i32 %303, ptr addrspace(1) %305, align 4
  %306 = load ptr addrspace(1), ptr %91, align 8
  %307 = getelementptr inbounds i32, ptr addrspace(1) %306, i64 4
  %308 = load i32, ptr addrspace(1) %307, align 4
  %309 = and i32 %308, 32767
  %310 = trunc i32 %309 to i16
  %311 = uitofp i16 %310 to half
  %312 = addrspacecast ptr addrspace(5) %36 to ptr
  %313 = addrspacecast ptr addrspace(5) %37 to ptr
  %314 = addrspacecast ptr addrspace(5) %38 to ptr
  store half %311, ptr %313, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %314, ptr align 2 %313, i64 2, i1 false)
  %315 = load half, ptr %313, align 2
  %316 = load half, ptr %313, align 2
  %317 = fcmp une half %315, %316
  br i1 %317, label %318, label %319
318:                                              ; preds = %302
  br label %322
319:                                              ; preds = %302
  %320 = load i16, ptr %314, align 2
  %321 = zext i16 %320 to i32
  br label %322
322:                                              ; preds = %318, %319
  %323 = phi i32 [ 32256, %318 ], [ %321, %319 ]
  %324 = load ptr addrspace(1), ptr %92, align 8
  %325 = getelementptr inbounds i32, ptr addrspace(1) %324, i64 12
  store i32 %323, ptr addrspace(1) %325, align 4
  %326 = load half, ptr %94, align 2
  %327 = fpext half %326 to float
  %328 = load half, ptr %95, align 2
  %329 = fpext half %328 to float
  %330 = fmul float %327, %329
  %331 = load half, ptr %96, align 2
  %332 = fpext half %331 to float
  %333 = fadd float %330, %332
  %334 = addrspacecast ptr addrspace(5) %9 to ptr
  %335 = addrspacecast ptr addrspace(5) %10 to ptr
  %336 = addrspacecast ptr addrspace(5) %11 to ptr
  store float %333, ptr %335, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %336, ptr align 4 %335, i64 4, i1 false)
  %337 = load float, ptr %335, align 4
  %338 = load float, ptr %335, align 4
  %339 = fcmp une float %337, %338
  br i1 %339, label %340, label %341
340:                                              ; preds = %322
  br label %343
341:                                              ; preds = %322
  %342 = load i32, ptr %336, align 4
  br label %343
343:                                              ; preds = %340, %341
  %344 = phi i32 [ 2143289344, %340 ], [ %342, %341 ]
  %345 = load ptr addrspace(1), ptr %92, align 8
  %346 = getelementptr inbounds i32, ptr addrspace(1) %345, i64 13
  store i32 %344, ptr addrspace(1) %346, align 4
  %347 = load ptr addrspace(1), ptr %91, align 8
  %348 = getelementptr inbounds i32, ptr addrspace(1) %347, i64 4
  %349 = load i32, ptr addrspace(1) %348, align 4
  %350 = and i32 %349, 16383
  %351 = sitofp i32 %350 to half
  %352 = addrspacecast ptr addrspace(5) %39 to ptr
  %353 = addrspacecast ptr addrspace(5) %40 to ptr
  %354 = addrspacecast ptr addrspace(5) %41 to ptr
  store half %351, ptr %353, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %354, ptr align 2 %353, i64 2, i1 false)
  %355 = load half, ptr %353, align 2
  %356 = load half, ptr %353, align 2
  %357 = fcmp une half %355, %356
  br i1 %357, label %358, label %359
358:                                              ; preds = %343
  br label %362
359:                                              ; preds = %343
  %360 = load i16, ptr %354, align 2
  %361 = zext i16 %360 to i32
  br label %362
362:                                              ; preds = %358, %359
  %363 = phi i32 [ 32256, %358 ], [ %361, %359 ]
  %364 = load ptr addrspace(1), ptr %92, align 8
  %365 = getelementptr inbounds i32, ptr addrspace(1) %364, i64 14
  store i32 %363, ptr addrspace(1) %365, align 4
  %366 = load half, ptr %94, align 2
  %367 = load half, ptr %94, align 2
  %368 = fcmp une half %366, %367
  %369 = zext i1 %368 to i32
  %370 = load ptr addrspace(1), ptr %92, align 8
  %371 = getelementptr inbounds i32, ptr addrspace(1) %370, i64 15
  store i32 %369, ptr addrspace(1) %371, align 4
  %372 = load half, ptr %94, align 2
  %373 = load half, ptr %95, align 2
  %374 = fmul half %372, %373
  %375 = addrspacecast ptr addrspace(5) %42 to ptr
  %376 = addrspacecast ptr addrspace(5) %43 to ptr
  %377 = addrspacecast ptr addrspace(5) %44 to ptr
  store half %374, ptr %376, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %377, ptr align 2 %376, i64 2, i1 false)
  %378 = load half, ptr %376, align 2
  %379 = load half, ptr %376, align 2
  %380 = fcmp une half %378, %379
  br i1 %380, label %381, label %382
381:                                              ; preds = %362
  br label %385
382:                                              ; preds = %362
  %383 = load i16, ptr %377, align 2
  %384 = zext i16 %383 to i32
  br label %385
385:                                              ; preds = %381, %382
  %386 = phi i32 [ 32256, %381 ], [ %384, %382 ]
  %387 = addrspacecast ptr addrspace(5) %60 to ptr
  %388 = addrspacecast ptr addrspace(5) %61 to ptr
  %389 = addrspacecast ptr addrspace(5) %62 to ptr
  %390 = addrspacecast ptr addrspace(5) %63 to ptr
  store i32 %386, ptr %388, align 4
  %391 = load i32, ptr %388, align 4
  %392 = trunc i32 %391 to i16
  store i16 %392, ptr %389, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %390, ptr align 2 %389, i64 2, i1 false)
  %393 = load half, ptr %390, align 2
  %394 = load half, ptr %96, align 2
  %395 = fadd half %393, %394
  %396 = addrspacecast ptr addrspace(5) %45 to ptr
  %397 = addrspacecast ptr addrspace(5) %46 to ptr
  %398 = addrspacecast ptr addrspace(5) %47 to ptr
  store half %395, ptr %397, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %398, ptr align 2 %397, i64 2, i1 false)
  %399 = load half, ptr %397, align 2
  %400 = load half, ptr %397, align 2
  %401 = fcmp une half %399, %400
  br i1 %401, label %402, label %403
402:                                              ; preds = %385
  br label %406
403:                                              ; preds = %385
  %404 = load i16, ptr %398, align 2
  %405 = zext i16 %404 to i32
  br label %406
406:                                              ; preds = %402, %403
  %407 = phi i32 [ 32256, %402 ], [ %405, %403 ]
  %408 = load ptr addrspace(1), ptr %92, align 8
  %409 = getelementptr inbounds i32, ptr addrspace(1) %408, i64 16
  store i32 %407, ptr addrspace(1) %409, align 4
  %410 = load i32, ptr %93, align 4
  %411 = load ptr addrspace(1), ptr %92, align 8
  %412 = getelementptr inbounds i32, ptr addrspace(1) %411, i64 17
  store i32 %410, ptr addrspace(1) %412, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
