; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_f32_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
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
  %27 = alloca i32, align 4, addrspace(5)
  %28 = alloca float, align 4, addrspace(5)
  %29 = alloca i32, align 4, addrspace(5)
  %30 = alloca i32, align 4, addrspace(5)
  %31 = alloca float, align 4, addrspace(5)
  %32 = alloca i32, align 4, addrspace(5)
  %33 = alloca i32, align 4, addrspace(5)
  %34 = alloca float, align 4, addrspace(5)
  %35 = alloca i32, align 4, addrspace(5)
  %36 = alloca i32, align 4, addrspace(5)
  %37 = alloca float, align 4, addrspace(5)
  %38 = alloca i32, align 4, addrspace(5)
  %39 = alloca i32, align 4, addrspace(5)
  %40 = alloca float, align 4, addrspace(5)
  %41 = alloca i32, align 4, addrspace(5)
  %42 = alloca i32, align 4, addrspace(5)
  %43 = alloca float, align 4, addrspace(5)
  %44 = alloca i32, align 4, addrspace(5)
  %45 = alloca i32, align 4, addrspace(5)
  %46 = alloca float, align 4, addrspace(5)
  %47 = alloca i32, align 4, addrspace(5)
  %48 = alloca i32, align 4, addrspace(5)
  %49 = alloca float, align 4, addrspace(5)
  %50 = alloca i32, align 4, addrspace(5)
  %51 = alloca i32, align 4, addrspace(5)
  %52 = alloca float, align 4, addrspace(5)
  %53 = alloca i32, align 4, addrspace(5)
  %54 = alloca i32, align 4, addrspace(5)
  %55 = alloca float, align 4, addrspace(5)
  %56 = alloca i32, align 4, addrspace(5)
  %57 = alloca i32, align 4, addrspace(5)
  %58 = alloca float, align 4, addrspace(5)
  %59 = alloca i32, align 4, addrspace(5)
  %60 = alloca float, align 4, addrspace(5)
  %61 = alloca i32, align 4, addrspace(5)
  %62 = alloca float, align 4, addrspace(5)
  %63 = alloca float, align 4, addrspace(5)
  %64 = alloca i32, align 4, addrspace(5)
  %65 = alloca float, align 4, addrspace(5)
  %66 = alloca float, align 4, addrspace(5)
  %67 = alloca i32, align 4, addrspace(5)
  %68 = alloca float, align 4, addrspace(5)
  %69 = alloca ptr addrspace(1), align 8, addrspace(5)
  %70 = alloca ptr addrspace(1), align 8, addrspace(5)
  %71 = alloca i32, align 4, addrspace(5)
  %72 = alloca float, align 4, addrspace(5)
  %73 = alloca float, align 4, addrspace(5)
  %74 = alloca float, align 4, addrspace(5)
  %75 = alloca ptr addrspace(1), align 8, addrspace(5)
  %76 = alloca ptr addrspace(1), align 8, addrspace(5)
  %77 = alloca i32, align 4, addrspace(5)
  %78 = addrspacecast ptr addrspace(5) %75 to ptr
  %79 = addrspacecast ptr addrspace(5) %76 to ptr
  %80 = addrspacecast ptr addrspace(5) %77 to ptr
  store ptr addrspace(1) %0, ptr %78, align 8
  store ptr addrspace(1) %1, ptr %79, align 8
  %81 = call i32 @llvm.amdgcn.workgroup.id.x()
  %82 = mul i32 %81, 64
  %83 = call i32 @llvm.amdgcn.workitem.id.x()
  %84 = add i32 %82, %83
  store i32 %84, ptr %80, align 4
  %85 = load ptr addrspace(1), ptr %78, align 8
  %86 = load i32, ptr %80, align 4
  %87 = mul i32 %86, 16
  %88 = zext i32 %87 to i64
  %89 = getelementptr inbounds nuw i32, ptr addrspace(1) %85, i64 %88
  %90 = load ptr addrspace(1), ptr %79, align 8
  %91 = load i32, ptr %80, align 4
  %92 = mul i32 %91, 32
  %93 = zext i32 %92 to i64
  %94 = getelementptr inbounds nuw i32, ptr addrspace(1) %90, i64 %93
  %95 = load i32, ptr %80, align 4
  %96 = addrspacecast ptr addrspace(5) %69 to ptr
  %97 = addrspacecast ptr addrspace(5) %70 to ptr
  %98 = addrspacecast ptr addrspace(5) %71 to ptr
  %99 = addrspacecast ptr addrspace(5) %72 to ptr
  %100 = addrspacecast ptr addrspace(5) %73 to ptr
  %101 = addrspacecast ptr addrspace(5) %74 to ptr
  store ptr addrspace(1) %89, ptr %96, align 8
  store ptr addrspace(1) %94, ptr %97, align 8
  store i32 %95, ptr %98, align 4
  %102 = load ptr addrspace(1), ptr %96, align 8
  %103 = load i32, ptr addrspace(1) %102, align 4
  %104 = addrspacecast ptr addrspace(5) %60 to ptr
  %105 = addrspacecast ptr addrspace(5) %61 to ptr
  %106 = addrspacecast ptr addrspace(5) %62 to ptr
  store i32 %103, ptr %105, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %106, ptr align 4 %105, i64 4, i1 false)
  %107 = load float, ptr %106, align 4
  store float %107, ptr %99, align 4
  %108 = load ptr addrspace(1), ptr %96, align 8
  %109 = getelementptr inbounds i32, ptr addrspace(1) %108, i64 1
  %110 = load i32, ptr addrspace(1) %109, align 4
  %111 = addrspacecast ptr addrspace(5) %63 to ptr
  %112 = addrspacecast ptr addrspace(5) %64 to ptr
  %113 = addrspacecast ptr addrspace(5) %65 to ptr
  store i32 %110, ptr %112, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %113, ptr align 4 %112, i64 4, i1 false)
  %114 = load float, ptr %113, align 4
  store float %114, ptr %100, align 4
  %115 = load ptr addrspace(1), ptr %96, align 8
  %116 = getelementptr inbounds i32, ptr addrspace(1) %115, i64 2
  %117 = load i32, ptr addrspace(1) %116, align 4
  %118 = addrspacecast ptr addrspace(5) %66 to ptr
  %119 = addrspacecast ptr addrspace(5) %67 to ptr
  %120 = addrspacecast ptr addrspace(5) %68 to ptr
  store i32 %117, ptr %119, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %120, ptr align 4 %119, i64 4, i1 false)
  %121 = load float, ptr %120, align 4
  store float %121, ptr %101, align 4
  %122 = load float, ptr %99, align 4
  %123 = load float, ptr %100, align 4
  %124 = fadd float %122, %123
  %125 = addrspacecast ptr addrspace(5) %3 to ptr
  %126 = addrspacecast ptr addrspace(5) %4 to ptr
  %127 = addrspacecast ptr addrspace(5) %5 to ptr
  store float %124, ptr %126, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %127, ptr align 4 %126, i64 4, i1 false)
  %128 = load float, ptr %126, align 4
  %129 = load float, ptr %126, align 4
  %130 = fcmp une float %128, %129
  br i1 %130, label %131, label %132
131:                                              ; preds = %2
  br label %134
132:                                              ; preds = %2
  %133 = load i32, ptr %127, align 4
  br label %134
134:                                              ; preds = %131, %132
  %135 = phi i32 [ 2143289344, %131 ], [ %133, %132 ]
  %136 = load ptr addrspace(1), ptr %97, align 8
  store i32 %135, ptr addrspace(1) %136, align 4
  %137 = load float, ptr %99, align 4
  %138 = load float, ptr %100, align 4
  %139 = fsub float %137, %138
  %140 = addrspacecast ptr addrspace(5) %6 to ptr
  %141 = addrspacecast ptr addrspace(5) %7 to ptr
  %142 = addrspacecast ptr addrspace(5) %8 to ptr
  store float %139, ptr %141, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %142, ptr align 4 %141, i64 4, i1 false)
  %143 = load float, ptr %141, align 4
  %144 = load float, ptr %141, align 4
  %145 = fcmp une float %143, %144
  br i1 %145, label %146, label %147
146:                                              ; preds = %134
  br label %149
147:                                              ; preds = %134
  %148 = load i32, ptr %142, align 4
  br label %149
149:                                              ; preds = %146, %147
  %150 = phi i32 [ 2143289344, %146 ], [ %148, %147 ]
  %151 = load ptr addrspace(1), ptr %97, align 8
  %152 = getelementptr inbounds i32, ptr addrspace(1) %151, i64 1
  store i32 %150, ptr addrspace(1) %152, align 4
  %153 = load float, ptr %99, align 4
  %154 = load float, ptr %100, align 4
  %155 = fmul float %153, %154
  %156 = addrspacecast ptr addrspace(5) %9 to ptr
  %157 = addrspacecast ptr addrspace(5) %10 to ptr
  %158 = addrspacecast ptr addrspace(5) %11 to ptr
  store float %155, ptr %157, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %158, ptr align 4 %157, i64 4, i1 false)
  %159 = load float, ptr %157, align 4
  %160 = load float, ptr %157, align 4
  %161 = fcmp une float %159, %160
  br i1 %161, label %162, label %163
162:                                              ; preds = %149
  br label %165
163:                                              ; preds = %149
  %164 = load i32, ptr %158, align 4
  br label %165
165:                                              ; preds = %162, %163
  %166 = phi i32 [ 2143289344, %162 ], [ %164, %163 ]
  %167 = load ptr addrspace(1), ptr %97, align 8
  %168 = getelementptr inbounds i32, ptr addrspace(1) %167, i64 2
  store i32 %166, ptr addrspace(1) %168, align 4
  %169 = load float, ptr %99, align 4
  %170 = load float, ptr %100, align 4
  %171 = fdiv float %169, %170
  %172 = addrspacecast ptr addrspace(5) %12 to ptr
  %173 = addrspacecast ptr addrspace(5) %13 to ptr
  %174 = addrspacecast ptr addrspace(5) %14 to ptr
  store float %171, ptr %173, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %174, ptr align 4 %173, i64 4, i1 false)
  %175 = load float, ptr %173, align 4
  %176 = load float, ptr %173, align 4
  %177 = fcmp une float %175, %176
  br i1 %177, label %178, label %179
178:                                              ; preds = %165
  br label %181
179:                                              ; preds = %165
  %180 = load i32, ptr %174, align 4
  br label %181
181:                                              ; preds = %178, %179
  %182 = phi i32 [ 2143289344, %178 ], [ %180, %179 ]
  %183 = load ptr addrspace(1), ptr %97, align 8
  %184 = getelementptr inbounds i32, ptr addrspace(1) %183, i64 3
  store i32 %182, ptr addrspace(1) %184, align 4
  %185 = load float, ptr %99, align 4
  %186 = load float, ptr %100, align 4
  %187 = fmul float %185, %186
  %188 = load float, ptr %101, align 4
  %189 = fadd float %187, %188
  %190 = addrspacecast ptr addrspace(5) %15 to ptr
  %191 = addrspacecast ptr addrspace(5) %16 to ptr
  %192 = addrspacecast ptr addrspace(5) %17 to ptr
  store float %189, ptr %191, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %192, ptr align 4 %191, i64 4, i1 false)
  %193 = load float, ptr %191, align 4
  %194 = load float, ptr %191, align 4
  %195 = fcmp une float %193, %194
  br i1 %195, label %196, label %197
196:                                              ; preds = %181
  br label %199
197:                                              ; preds = %181
  %198 = load i32, ptr %192, align 4
  br label %199
199:                                              ; preds = %196, %197
  %200 = phi i32 [ 2143289344, %196 ], [ %198, %197 ]
  %201 = load ptr addrspace(1), ptr %97, align 8
  %202 = getelementptr inbounds i32, ptr addrspace(1) %201, i64 4
  store i32 %200, ptr addrspace(1) %202, align 4
  %203 = load float, ptr %99, align 4
  %204 = load float, ptr %100, align 4
  %205 = load float, ptr %101, align 4
  %206 = call float @llvm.fma.f32(float %203, float %204, float %205)
  %207 = addrspacecast ptr addrspace(5) %18 to ptr
  %208 = addrspacecast ptr addrspace(5) %19 to ptr
  %209 = addrspacecast ptr addrspace(5) %20 to ptr
  store float %206, ptr %208, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %209, ptr align 4 %208, i64 4, i1 false)
  %210 = load float, ptr %208, align 4
  %211 = load float, ptr %208, align 4
  %212 = fcmp une float %210, %211
  br i1 %212, label %213, label %214
213:                                              ; preds = %199
  br label %216
214:                                              ; preds = %199
  %215 = load i32, ptr %209, align 4
  br label %216
216:                                              ; preds = %213, %214
  %217 = phi i32 [ 2143289344, %213 ], [ %215, %214 ]
  %218 = load ptr addrspace(1), ptr %97, align 8
  %219 = getelementptr inbounds i32, ptr addrspace(1) %218, i64 5
  store i32 %217, ptr addrspace(1) %219, align 4
  %220 = load float, ptr %99, align 4
  %221 = call float @llvm.sqrt.f32(float %220)
  %222 = addrspacecast ptr addrspace(5) %21 to ptr
  %223 = addrspacecast ptr addrspace(5) %22 to ptr
  %224 = addrspacecast ptr addrspace(5) %23 to ptr
  store float %221, ptr %223, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %224, ptr align 4 %223, i64 4, i1 false)
  %225 = load float, ptr %223, align 4
  %226 = load float, ptr %223, align 4
  %227 = fcmp une float %225, %226
  br i1 %227, label %228, label %229
228:                                              ; preds = %216
  br label %231
229:                                              ; preds = %216
  %230 = load i32, ptr %224, align 4
  br label %231
231:                                              ; preds = %228, %229
  %232 = phi i32 [ 2143289344, %228 ], [ %230, %229 ]
  %233 = load ptr addrspace(1), ptr %97, align 8
  %234 = getelementptr inbounds i32, ptr addrspace(1) %233, i64 6
  store i32 %232, ptr addrspace(1) %234, align 4
  %235 = load float, ptr %99, align 4
  %236 = call float @llvm.floor.f32(float %235)
  %237 = addrspacecast ptr addrspace(5) %24 to ptr
  %238 = addrspacecast ptr addrspace(5) %25 to ptr
  %239 = addrspacecast ptr addrspace(5) %26 to ptr
  store float %236, ptr %238, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %239, ptr align 4 %238, i64 4, i1 false)
  %240 = load float, ptr %238, align 4
  %241 = load float, ptr %238, align 4
  %242 = fcmp une float %240, %241
  br i1 %242, label %243, label %244
243:                                              ; preds = %231
  br label %246
244:                                              ; preds = %231
  %245 = load i32, ptr %239, align 4
  br label %246
246:                                              ; preds = %243, %244
  %247 = phi i32 [ 2143289344, %243 ], [ %245, %244 ]
  %248 = load ptr addrspace(1), ptr %97, align 8
  %249 = getelementptr inbounds i32, ptr addrspace(1) %248, i64 7
  store i32 %247, ptr addrspace(1) %249, align 4
  %250 = load float, ptr %99, align 4
  %251 = call float @llvm.ceil.f32(float %250)
  %252 = addrspacecast ptr addrspace(5) %27 to ptr
  %253 = addrspacecast ptr addrspace(5) %28 to ptr
  %254 = addrspacecast ptr addrspace(5) %29 to ptr
  store float %251, ptr %253, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %254, ptr align 4 %253, i64 4, i1 false)
  %255 = load float, ptr %253, align 4
  %256 = load float, ptr %253, align 4
  %257 = fcmp une float %255, %256
  br i1 %257, label %258, label %259
258:                                              ; preds = %246
  br label %261
259:                                              ; preds = %246
  %260 = load i32, ptr %254, align 4
  br label %261
261:                                              ; preds = %258, %259
  %262 = phi i32 [ 2143289344, %258 ], [ %260, %259 ]
  %263 = load ptr addrspace(1), ptr %97, align 8
  %264 = getelementptr inbounds i32, ptr addrspace(1) %263, i64 8
  store i32 %262, ptr addrspace(1) %264, align 4
  %265 = load float, ptr %99, align 4
  %266 = call float @llvm.trunc.f32(float %265)
  %267 = addrspacecast ptr addrspace(5) %30 to ptr
  %268 = addrspacecast ptr addrspace(5) %31 to ptr
  %269 = addrspacecast ptr addrspace(5) %32 to ptr
  store float %266, ptr %268, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %269, ptr align 4 %268, i64 4, i1 false)
  %270 = load float, ptr %268, align 4
  %271 = load float, ptr %268, align 4
  %272 = fcmp une float %270, %271
  br i1 %272, label %273, label %274
273:                                              ; preds = %261
  br label %276
274:                                              ; preds = %261
  %275 = load i32, ptr %269, align 4
  br label %276
276:                                              ; preds = %273, %274
  %277 = phi i32 [ 2143289344, %273 ], [ %275, %274 ]
  %278 = load ptr addrspace(1), ptr %97, align 8
  %279 = getelementptr inbounds i32, ptr addrspace(1) %278, i64 9
  store i32 %277, ptr addrspace(1) %279, align 4
  %280 = load float, ptr %99, align 4
  %281 = call float @llvm.rint.f32(float %280)
  %282 = addrspacecast ptr addrspace(5) %33 to ptr
  %283 = addrspacecast ptr addrspace(5) %34 to ptr
  %284 = addrspacecast ptr addrspace(5) %35 to ptr
  store float %281, ptr %283, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %284, ptr align 4 %283, i64 4, i1 false)
  %285 = load float, ptr %283, align 4
  %286 = load float, ptr %283, align 4
  %287 = fcmp une float %285, %286
  br i1 %287, label %288, label %289
288:                                              ; preds = %276
  br label %291
289:                                              ; preds = %276
  %290 = load i32, ptr %284, align 4
  br label %291
291:                                              ; preds = %288, %289
  %292 = phi i32 [ 2143289344, %288 ], [ %290, %289 ]
  %293 = load ptr addrspace(1), ptr %97, align 8
  %294 = getelementptr inbounds i32, ptr addrspace(1) %293, i64 10
  store i32 %292, ptr addrspace(1) %294, align 4
  %295 = load float, ptr %99, align 4
  %296 = call float @llvm.fabs.f32(float %295)
  %297 = addrspacecast ptr addrspace(5) %36 to ptr
  %298 = addrspacecast ptr addrspace(5) %37 to ptr
  %299 = addrspacecast ptr addrspace(5) %38 to ptr
  store float %296, ptr %298, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %299, ptr align 4 %298, i64 4, i1 false)
  %300 = load float, ptr %298, align 4
  %301 = load float, ptr %298, align 4
  %302 = fcmp une float %300, %301
  br i1 %302, label %303, label %304
303:                                              ; preds = %291
  br label %306
304:                                              ; preds = %291
  %305 = load i32, ptr %299, align 4
  br label %306
306:                                              ; preds = %303, %304
  %307 = phi i32 [ 2143289344, %303 ], [ %305, %304 ]
  %308 = load ptr addrspace(1), ptr %97, align 8
  %309 = getelementptr inbounds i32, ptr addrspace(1) %308, i64 11
  store i32 %307, ptr addrspace(1) %309, align 4
  %310 = load float, ptr %99, align 4
  %311 = load float, ptr %100, align 4
  %312 = call float @llvm.copysign.f32(float %310, float %311)
  %313 = addrspacecast ptr addrspace(5) %39 to ptr
  %314 = addrspacecast ptr addrspace(5) %40 to ptr
  %315 = addrspacecast ptr addrspace(5) %41 to ptr
  store float %312, ptr %314, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %315, ptr align 4 %314, i64 4, i1 false)
  %316 = load float, ptr %314, align 4
  %317 = load float, ptr %314, align 4
  %318 = fcmp une float %316, %317
  br i1 %318, label %319, label %320
319:                                              ; preds = %306
  br label %322
320:                                              ; preds = %306
  %321 = load i32, ptr %315, align 4
  br label %322
322:                                              ; preds = %319, %320
  %323 = phi i32 [ 2143289344, %319 ], [ %321, %320 ]
  %324 = load ptr addrspace(1), ptr %97, align 8
  %325 = getelementptr inbounds i32, ptr addrspace(1) %324, i64 12
  store i32 %323, ptr addrspace(1) %325, align 4
  %326 = load float, ptr %99, align 4
  %327 = load float, ptr %100, align 4
  %328 = fcmp olt float %326, %327
  %329 = zext i1 %328 to i32
  %330 = load ptr addrspace(1), ptr %97, align 8
  %331 = getelementptr inbounds i32, ptr addrspace(1) %330, i64 13
  store i32 %329, ptr addrspace(1) %331, align 4
  %332 = load float, ptr %99, align 4
  %333 = load float, ptr %100, align 4
  %334 = fcmp oge float %332, %333
  %335 = zext i1 %334 to i32
  %336 = load ptr addrspace(1), ptr %97, align 8
  %337 = getelementptr inbounds i32, ptr addrspace(1) %336, i64 14
  store i32 %335, ptr addrspace(1) %337, align 4
  %338 = load float, ptr %99, align 4
  %339 = load float, ptr %101, align 4
  %340 = fcmp oeq float %338, %339
  %341 = zext i1 %340 to i32
  %342 = load ptr addrspace(1), ptr %97, align 8
  %343 = getelementptr inbounds i32, ptr addrspace(1) %342, i64 15
  store i32 %341, ptr addrspace(1) %343, align 4
  %344 = load float, ptr %99, align 4
  %345 = load float, ptr %100, align 4
  %346 = fcmp une float %344, %345
  %347 = zext i1 %346 to i32
  %348 = load ptr addrspace(1), ptr %97, align 8
  %349 = getelementptr inbounds i32, ptr addrspace(1) %348, i64 16
  store i32 %347, ptr addrspace(1) %349, align 4
  %350 = load float, ptr %99, align 4
  %351 = load float, ptr %100, align 4
  %352 = fcmp olt float %350, %351
  %353 = xor i1 %352, true
  %354 = zext i1 %353 to i32
  %355 = load ptr addrspace(1), ptr %97, align 8
  %356 = getelementptr inbounds i32, ptr addrspace(1) %355, i64 17
  store i32 %354, ptr addrspace(1) %356, align 4
  %357 = load float, ptr %99, align 4
  %358 = load float, ptr %100, align 4
  %359 = fcmp olt float %357, %358
  br i1 %359, label %360, label %362
360:                                              ; preds = %322
  %361 = load float, ptr %99, align 4
  br label %364
362:                                              ; preds = %322
  %363 = load float, ptr %101, align 4
  br label %364
364:                                              ; preds = %362, %360
  %365 = phi float [ %361, %360 ], [ %363, %362 ]
  %366 = addrspacecast ptr addrspace(5) %42 to ptr
  %367 = addrspacecast ptr addrspace(5) %43 to ptr
  %368 = addrspacecast ptr addrspace(5) %44 to ptr
  store float %365, ptr %367, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %368, ptr align 4 %367, i64 4, i1 false)
  %369 = load float, ptr %367, align 4
  %370 = load float, ptr %367, align 4
  %371 = fcmp une float %369, %370
  br i1 %371, label %372, label %373
372:                                              ; preds = %364
  br label %375
373:                                              ; preds = %364
  %374 = load i32, ptr %368, align 4
  br label %375
375:                                              ; preds = %372, %373
  %376 = phi i32 [ 2143289344, %372 ], [ %374, %373 ]
  %377 = load ptr addrspace(1), ptr %97, align 8
  %378 = getelementptr inbounds i32, ptr addrspace(1) %377, i64 18
  store i32 %376, ptr addrspace(1) %378, align 4
  %379 = load float, ptr %99, align 4
  %380 = fcmp ogt float %379, 0.000000e+00
  br i1 %380, label %381, label %383
381:                                              ; preds = %375
  %382 = load float, ptr %99, align 4
  br label %384
383:                                              ; preds = %375
  br label %384
384:                                              ; preds = %381, %383
  %385 = phi float [ %382, %381 ], [ 0.000000e+00, %383 ]
  %386 = addrspacecast ptr addrspace(5) %45 to ptr
  %387 = addrspacecast ptr addrspace(5) %46 to ptr
  %388 = addrspacecast ptr addrspace(5) %47 to ptr
  store float %385, ptr %387, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %388, ptr align 4 %387, i64 4, i1 false)
  %389 = load float, ptr %387, align 4
  %390 = load float, ptr %387, align 4
  %391 = fcmp une float %389, %390
  br i1 %391, label %392, label %393
392:                                              ; preds = %384
  br label %395
393:                                              ; preds = %384
  %394 = load i32, ptr %388, align 4
  br label %395
395:                                              ; preds = %392, %393
  %396 = phi i32 [ 2143289344, %392 ], [ %394, %393 ]
  %397 = load ptr addrspace(1), ptr %97, align 8
  %398 = getelementptr inbounds i32, ptr addrspace(1) %397, i64 19
  store i32 %396, ptr addrspace(1) %398, align 4
  %399 = load float, ptr %100, align 4
  %400 = fdiv float 1.000000e+00, %399
  %401 = addrspacecast ptr addrspace(5) %48 to ptr
  %402 = addrspacecast ptr addrspace(5) %49 to ptr
  %403 = addrspacecast ptr addrspace(5) %50 to ptr
  store float %400, ptr %402, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %403, ptr align 4 %402, i64 4, i1 false)
  %404 = load float, ptr %402, align 4
  %405 = load float, ptr %402, align 4
  %406 = fcmp une float %404, %405
  br i1 %406, label %407, label %408
407:                                              ; preds = %395
  br label %410
408:                                              ; preds = %395
  %409 = load i32, ptr %403, align 4
  br label %410
410:                                              ; preds = %407, %408
  %411 = phi i32 [ 2143289344, %407 ], [ %409, %408 ]
  %412 = load ptr addrspace(1), ptr %97, align 8
  %413 = getelementptr inbounds i32, ptr addrspace(1) %412, i64 20
  store i32 %411, ptr addrspace(1) %413, align 4
  %414 = load float, ptr %99, align 4
  %415 = call i1 @llvm.is.fpclass.f32(float %414, i32 3)
  %416 = zext i1 %415 to i32
  %417 = zext i1 %415 to i32
  %418 = load ptr addrspace(1), ptr %97, align 8
  %419 = getelementptr inbounds i32, ptr addrspace(1) %418, i64 21
  store i32 %417, ptr addrspace(1) %419, align 4
  %420 = load float, ptr %99, align 4
  %421 = call i1 @llvm.is.fpclass.f32(float %420, i32 516)
  %422 = zext i1 %421 to i32
  %423 = zext i1 %421 to i32
  %424 = load ptr addrspace(1), ptr %97, align 8
  %425 = getelementptr inbounds i32, ptr addrspace(1) %424, i64 22
  store i32 %423, ptr addrspace(1) %425, align 4
  %426 = load float, ptr %99, align 4
  %427 = fpext float %426 to double
  %428 = load float, ptr %100, align 4
  %429 = fpext float %428 to double
  %430 = fmul double %427, %429
  %431 = fptrunc double %430 to float
  %432 = addrspacecast ptr addrspace(5) %51 to ptr
  %433 = addrspacecast ptr addrspace(5) %52 to ptr
  %434 = addrspacecast ptr addrspace(5) %53 to ptr
  store float %431, ptr %433, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %434, ptr align 4 %433, i64 4, i1 false)
  %435 = load float, ptr %433, align 4
  %436 = load float, ptr %433, align 4
  %437 = fcmp une float %435, %436
  br i1 %437, label %438, label %439
438:                                              ; preds = %410
  br label %441
439:                                              ; preds = %410
  %440 = load i32, ptr %434, align 4
  br label %441
441:                                              ; preds = %438, %439
  %442 = phi i32 [ 2143289344, %438 ], [ %440, %439 ]
  %443 = load ptr addrspace(1), ptr %97, align 8
  %444 = getelementptr inbounds i32, ptr addrspace(1) %443, i64 23
  store i32 %442, ptr addrspace(1) %444, align 4
  %445 = load float, ptr %99, align 4
  %446 = fmul float %445, 2.000000e+00
  %447 = fadd float %446, 1.000000e+00
  %448 = addrspacecast ptr addrspace(5) %54 to ptr
  %449 = addrspacecast ptr addrspace(5) %55 to ptr
  %450 = addrspacecast ptr addrspace(5) %56 to ptr
  store float %447, ptr %449, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %450, ptr align 4 %449, i64 4, i1 false)
  %451 = load float, ptr %449, align 4
  %452 = load float, ptr %449, align 4
  %453 = fcmp une float %451, %452
  br i1 %453, label %454, label %455
454:                                              ; preds = %441
  br label %457
455:                                              ; preds = %441
  %456 = load i32, ptr %450, align 4
  br label %457
457:                                              ; preds = %454, %455
  %458 = phi i32 [ 2143289344, %454 ], [ %456, %455 ]
  %459 = load ptr addrspace(1), ptr %97, align 8
  %460 = getelementptr inbounds i32, ptr addrspace(1) %459, i64 24
  store i32 %458, ptr addrspace(1) %460, align 4
  %461 = load float, ptr %99, align 4
  %462 = fneg float %461
  %463 = load float, ptr %100, align 4
  %464 = fmul float %462, %463
  %465 = addrspacecast ptr addrspace(5) %57 to ptr
  %466 = addrspacecast ptr addrspace(5) %58 to ptr
  %467 = addrspacecast ptr addrspace(5) %59 to ptr
  store float %464, ptr %466, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %467, ptr align 4 %466, i64 4, i1 false)
  %468 = load float, ptr %466, align 4
  %469 = load float, ptr %466, align 4
  %470 = fcmp une float %468, %469
  br i1 %470, label %471, label %472
471:                                              ; preds = %457
  br label %474
472:                                              ; preds = %457
  %473 = load i32, ptr %467, align 4
  br label %474
474:                                              ; preds = %471, %472
  %475 = phi i32 [ 2143289344, %471 ], [ %473, %472 ]
  %476 = load ptr addrspace(1), ptr %97, align 8
  %477 = getelementptr inbounds i32, ptr addrspace(1) %476, i64 25
  store i32 %475, ptr addrspace(1) %477, align 4
  %478 = load i32, ptr %98, align 4
  %479 = load ptr addrspace(1), ptr %97, align 8
  %480 = getelementptr inbounds i32, ptr addrspace(1) %479, i64 26
  store i32 %478, ptr addrspace(1) %480, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.floor.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.ceil.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.trunc.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.rint.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.copysign.f32(float, float)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
