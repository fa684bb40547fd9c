; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_i64_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca i64, align 8, addrspace(5)
  %5 = alloca ptr addrspace(1), align 8, addrspace(5)
  %6 = alloca i64, align 8, addrspace(5)
  %7 = alloca ptr addrspace(1), align 8, addrspace(5)
  %8 = alloca i64, align 8, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca i64, align 8, addrspace(5)
  %11 = alloca ptr addrspace(1), align 8, addrspace(5)
  %12 = alloca i64, align 8, addrspace(5)
  %13 = alloca ptr addrspace(1), align 8, addrspace(5)
  %14 = alloca i64, align 8, addrspace(5)
  %15 = alloca ptr addrspace(1), align 8, addrspace(5)
  %16 = alloca i64, align 8, addrspace(5)
  %17 = alloca ptr addrspace(1), align 8, addrspace(5)
  %18 = alloca i64, align 8, addrspace(5)
  %19 = alloca ptr addrspace(1), align 8, addrspace(5)
  %20 = alloca i64, align 8, addrspace(5)
  %21 = alloca ptr addrspace(1), align 8, addrspace(5)
  %22 = alloca i64, align 8, addrspace(5)
  %23 = alloca ptr addrspace(1), align 8, addrspace(5)
  %24 = alloca i64, align 8, addrspace(5)
  %25 = alloca ptr addrspace(1), align 8, addrspace(5)
  %26 = alloca i64, align 8, addrspace(5)
  %27 = alloca ptr addrspace(1), align 8, addrspace(5)
  %28 = alloca i64, align 8, addrspace(5)
  %29 = alloca ptr addrspace(1), align 8, addrspace(5)
  %30 = alloca i64, align 8, addrspace(5)
  %31 = alloca i64, align 8, addrspace(5)
  %32 = alloca ptr addrspace(1), align 8, addrspace(5)
  %33 = alloca i64, align 8, addrspace(5)
  %34 = alloca ptr addrspace(1), align 8, addrspace(5)
  %35 = alloca ptr addrspace(1), align 8, addrspace(5)
  %36 = alloca ptr addrspace(1), align 8, addrspace(5)
  %37 = alloca i32, align 4, addrspace(5)
  %38 = alloca i64, align 8, addrspace(5)
  %39 = alloca i64, align 8, addrspace(5)
  %40 = alloca i64, align 8, addrspace(5)
  %41 = alloca i64, align 8, addrspace(5)
  %42 = alloca ptr addrspace(1), align 8, addrspace(5)
  %43 = alloca ptr addrspace(1), align 8, addrspace(5)
  %44 = alloca i32, align 4, addrspace(5)
  %45 = addrspacecast ptr addrspace(5) %42 to ptr
  %46 = addrspacecast ptr addrspace(5) %43 to ptr
  %47 = addrspacecast ptr addrspace(5) %44 to ptr
  store ptr addrspace(1) %0, ptr %45, align 8
  store ptr addrspace(1) %1, ptr %46, align 8
  %48 = call i32 @llvm.amdgcn.workgroup.id.x()
  %49 = mul i32 %48, 64
  %50 = call i32 @llvm.amdgcn.workitem.id.x()
  %51 = add i32 %49, %50
  store i32 %51, ptr %47, align 4
  %52 = load ptr addrspace(1), ptr %45, align 8
  %53 = load i32, ptr %47, align 4
  %54 = mul i32 %53, 16
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw i32, ptr addrspace(1) %52, i64 %55
  %57 = load ptr addrspace(1), ptr %46, align 8
  %58 = load i32, ptr %47, align 4
  %59 = mul i32 %58, 32
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds nuw i32, ptr addrspace(1) %57, i64 %60
  %62 = load i32, ptr %47, align 4
  %63 = addrspacecast ptr addrspace(5) %35 to ptr
  %64 = addrspacecast ptr addrspace(5) %36 to ptr
  %65 = addrspacecast ptr addrspace(5) %37 to ptr
  %66 = addrspacecast ptr addrspace(5) %38 to ptr
  %67 = addrspacecast ptr addrspace(5) %39 to ptr
  %68 = addrspacecast ptr addrspace(5) %40 to ptr
  %69 = addrspacecast ptr addrspace(5) %41 to ptr
  store ptr addrspace(1) %56, ptr %63, align 8
  store ptr addrspace(1) %61, ptr %64, align 8
  store i32 %62, ptr %65, align 4
  %70 = load ptr addrspace(1), ptr %63, align 8
  %71 = addrspacecast ptr addrspace(5) %31 to ptr
  %72 = addrspacecast ptr addrspace(5) %32 to ptr
  store ptr addrspace(1) %70, ptr %72, align 8
  %73 = load ptr addrspace(1), ptr %72, align 8
  %74 = load i32, ptr addrspace(1) %73, align 4
  %75 = zext i32 %74 to i64
  %76 = load ptr addrspace(1), ptr %72, align 8
  %77 = getelementptr inbounds i32, ptr addrspace(1) %76, i64 1
  %78 = load i32, ptr addrspace(1) %77, align 4
  %79 = zext i32 %78 to i64
  %80 = shl i64 %79, 32
  %81 = or i64 %75, %80
  store i64 %81, ptr %66, align 8
  %82 = load ptr addrspace(1), ptr %63, align 8
  %83 = getelementptr inbounds i32, ptr addrspace(1) %82, i64 2
  %84 = addrspacecast ptr addrspace(5) %33 to ptr
  %85 = addrspacecast ptr addrspace(5) %34 to ptr
  store ptr addrspace(1) %83, ptr %85, align 8
  %86 = load ptr addrspace(1), ptr %85, align 8
  %87 = load i32, ptr addrspace(1) %86, align 4
  %88 = zext i32 %87 to i64
  %89 = load ptr addrspace(1), ptr %85, align 8
  %90 = getelementptr inbounds i32, ptr addrspace(1) %89, i64 1
  %91 = load i32, ptr addrspace(1) %90, align 4
  %92 = zext i32 %91 to i64
  %93 = shl i64 %92, 32
  %94 = or i64 %88, %93
  %95 = or i64 %94, 1
  store i64 %95, ptr %67, align 8
  %96 = load i64, ptr %66, align 8
  store i64 %96, ptr %68, align 8
  %97 = load i64, ptr %67, align 8
  store i64 %97, ptr %69, align 8
  %98 = load ptr addrspace(1), ptr %64, align 8
  %99 = load i64, ptr %68, align 8
  %100 = load i64, ptr %69, align 8
  %101 = mul i64 %99, %100
  %102 = addrspacecast ptr addrspace(5) %3 to ptr
  %103 = addrspacecast ptr addrspace(5) %4 to ptr
  store ptr addrspace(1) %98, ptr %102, align 8
  store i64 %101, ptr %103, align 8
  %104 = load i64, ptr %103, align 8
  %105 = trunc i64 %104 to i32
  %106 = load ptr addrspace(1), ptr %102, align 8
  store i32 %105, ptr addrspace(1) %106, align 4
  %107 = load i64, ptr %103, align 8
  %108 = lshr i64 %107, 32
  %109 = trunc i64 %108 to i32
  %110 = load ptr addrspace(1), ptr %102, align 8
  %111 = getelementptr inbounds i32, ptr addrspace(1) %110, i64 1
  store i32 %109, ptr addrspace(1) %111, align 4
  %112 = load ptr addrspace(1), ptr %64, align 8
  %113 = getelementptr inbounds i32, ptr addrspace(1) %112, i64 2
  %114 = load i64, ptr %67, align 8
  %115 = icmp eq i64 %114, -1
  br i1 %115, label %116, label %117
116:                                              ; preds = %2
  br label %121
117:                                              ; preds = %2
  %118 = load i64, ptr %66, align 8
  %119 = load i64, ptr %67, align 8
  %120 = sdiv i64 %118, %119
  br label %121
121:                                              ; preds = %117, %116
  %122 = phi i64 [ 7, %116 ], [ %120, %117 ]
  %123 = addrspacecast ptr addrspace(5) %5 to ptr
  %124 = addrspacecast ptr addrspace(5) %6 to ptr
  store ptr addrspace(1) %113, ptr %123, align 8
  store i64 %122, ptr %124, align 8
  %125 = load i64, ptr %124, align 8
  %126 = trunc i64 %125 to i32
  %127 = load ptr addrspace(1), ptr %123, align 8
  store i32 %126, ptr addrspace(1) %127, align 4
  %128 = load i64, ptr %124, align 8
  %129 = lshr i64 %128, 32
  %130 = trunc i64 %129 to i32
  %131 = load ptr addrspace(1), ptr %123, align 8
  %132 = getelementptr inbounds i32, ptr addrspace(1) %131, i64 1
  store i32 %130, ptr addrspace(1) %132, align 4
  %133 = load ptr addrspace(1), ptr %64, align 8
  %134 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 4
  %135 = load i64, ptr %67, align 8
  %136 = icmp eq i64 %135, -1
  br i1 %136, label %137, label %138
137:                                              ; preds = %121
  br label %142
138:                                              ; preds = %121
  %139 = load i64, ptr %66, align 8
  %140 = load i64, ptr %67, align 8
  %141 = srem i64 %139, %140
  br label %142
142:                                              ; preds = %138, %137
  %143 = phi i64 [ 7, %137 ], [ %141, %138 ]
  %144 = addrspacecast ptr addrspace(5) %7 to ptr
  %145 = addrspacecast ptr addrspace(5) %8 to ptr
  store ptr addrspace(1) %134, ptr %144, align 8
  store i64 %143, ptr %145, align 8
  %146 = load i64, ptr %145, align 8
  %147 = trunc i64 %146 to i32
  %148 = load ptr addrspace(1), ptr %144, align 8
  store i32 %147, ptr addrspace(1) %148, align 4
  %149 = load i64, ptr %145, align 8
  %150 = lshr i64 %149, 32
  %151 = trunc i64 %150 to i32
  %152 = load ptr addrspace(1), ptr %144, align 8
  %153 = getelementptr inbounds i32, ptr addrspace(1) %152, i64 1
  store i32 %151, ptr addrspace(1) %153, align 4
  %154 = load ptr addrspace(1), ptr %64, align 8
  %155 = getelementptr inbounds i32, ptr addrspace(1) %154, i64 6
  %156 = load i64, ptr %68, align 8
  %157 = load i64, ptr %69, align 8
  %158 = udiv i64 %156, %157
  %159 = addrspacecast ptr addrspace(5) %9 to ptr
  %160 = addrspacecast ptr addrspace(5) %10 to ptr
  store ptr addrspace(1) %155, ptr %159, align 8
  store i64 %158, ptr %160, align 8
  %161 = load i64, ptr %160, align 8
  %162 = trunc i64 %161 to i32
  %163 = load ptr addrspace(1), ptr %159, align 8
  store i32 %162, ptr addrspace(1) %163, align 4
  %164 = load i64, ptr %160, align 8
  %165 = lshr i64 %164, 32
  %166 = trunc i64 %165 to i32
  %167 = load ptr addrspace(1), ptr %159, align 8
  %168 = getelementptr inbounds i32, ptr addrspace(1) %167, i64 1
  store i32 %166, ptr addrspace(1) %168, align 4
  %169 = load ptr addrspace(1), ptr %64, align 8
  %170 = getelementptr inbounds i32, ptr addrspace(1) %169, i64 8
  %171 = load i64, ptr %68, align 8
  %172 = load i64, ptr %69, align 8
  %173 = urem i64 %171, %172
  %174 = addrspacecast ptr addrspace(5) %11 to ptr
  %175 = addrspacecast ptr addrspace(5) %12 to ptr
  store ptr addrspace(1) %170, ptr %174, align 8
  store i64 %173, ptr %175, align 8
  %176 = load i64, ptr %175, align 8
  %177 = trunc i64 %176 to i32
  %178 = load ptr addrspace(1), ptr %174, align 8
  store i32 %177, ptr addrspace(1) %178, align 4
  %179 = load i64, ptr %175, align 8
  %180 = lshr i64 %179, 32
  %181 = trunc i64 %180 to i32
  %182 = load ptr addrspace(1), ptr %174, align 8
  %183 = getelementptr inbounds i32, ptr addrspace(1) %182, i64 1
  store i32 %181, ptr addrspace(1) %183, align 4
  %184 = load ptr addrspace(1), ptr %64, align 8
  %185 = getelementptr inbounds i32, ptr addrspace(1) %184, i64 10
  %186 = load i64, ptr %68, align 8
  %187 = load i64, ptr %69, align 8
  %188 = and i64 %187, 63
  %189 = shl i64 %186, %188
  %190 = addrspacecast ptr addrspace(5) %13 to ptr
  %191 = addrspacecast ptr addrspace(5) %14 to ptr
  store ptr addrspace(1) %185, ptr %190, align 8
  store i64 %189, ptr %191, align 8
  %192 = load i64, ptr %191, align 8
  %193 = trunc i64 %192 to i32
  %194 = load ptr addrspace(1), ptr %190, align 8
  store i32 %193, ptr addrspace(1) %194, align 4
  %195 = load i64, ptr %191, align 8
  %196 = lshr i64 %195, 32
  %197 = trunc i64 %196 to i32
  %198 = load ptr addrspace(1), ptr %190, align 8
  %199 = getelementptr inbounds i32, ptr addrspace(1) %198, i64 1
  store i32 %197, ptr addrspace(1) %199, align 4
  %200 = load ptr addrspace(1), ptr %64, align 8
  %201 = getelementptr inbounds i32, ptr addrspace(1) %200, i64 12
  %202 = load i64, ptr %66, align 8
  %203 = load i64, ptr %69, align 8
  %204 = and i64 %203, 63
  %205 = ashr i64 %202, %204
  %206 = addrspacecast ptr addrspace(5) %15 to ptr
  %207 = addrspacecast ptr addrspace(5) %16 to ptr
  store ptr addrspace(1) %201, ptr %206, align 8
  store i64 %205, ptr %207, align 8
  %208 = load i64, ptr %207, align 8
  %209 = trunc i64 %208 to i32
  %210 = load ptr addrspace(1), ptr %206, align 8
  store i32 %209, ptr addrspace(1) %210, align 4
  %211 = load i64, ptr %207, align 8
  %212 = lshr i64 %211, 32
  %213 = trunc i64 %212 to i32
  %214 = load ptr addrspace(1), ptr %206, align 8
  %215 = getelementptr inbounds i32, ptr addrspace(1) %214, i64 1
  store i32 %213, ptr addrspace(1) %215, align 4
  %216 = load ptr addrspace(1), ptr %64, align 8
  %217 = getelementptr inbounds i32, ptr addrspace(1) %216, i64 14
  %218 = load i64, ptr %68, align 8
  %219 = load i64, ptr %69, align 8
  %220 = and i64 %219, 63
  %221 = lshr i64 %218, %220
  %222 = addrspacecast ptr addrspace(5) %17 to ptr
  %223 = addrspacecast ptr addrspace(5) %18 to ptr
  store ptr addrspace(1) %217, ptr %222, align 8
  store i64 %221, ptr %223, align 8
  %224 = load i64, ptr %223, align 8
  %225 = trunc i64 %224 to i32
  %226 = load ptr addrspace(1), ptr %222, align 8
  store i32 %225, ptr addrspace(1) %226, align 4
  %227 = load i64, ptr %223, align 8
  %228 = lshr i64 %227, 32
  %229 = trunc i64 %228 to i32
  %230 = load ptr addrspace(1), ptr %222, align 8
  %231 = getelementptr inbounds i32, ptr addrspace(1) %230, i64 1
  store i32 %229, ptr addrspace(1) %231, align 4
  %232 = load ptr addrspace(1), ptr %64, align 8
  %233 = getelementptr inbounds i32, ptr addrspace(1) %232, i64 16
  %234 = load i64, ptr %66, align 8
  %235 = load i64, ptr %67, align 8
  %236 = icmp slt i64 %234, %235
  br i1 %236, label %237, label %239
237:                                              ; preds = %142
  %238 = load i64, ptr %68, align 8
  br label %241
239:                                              ; preds = %142
  %240 = load i64, ptr %69, align 8
  br label %241
241:                                              ; preds = %239, %237
  %242 = phi i64 [ %238, %237 ], [ %240, %239 ]
  %243 = addrspacecast ptr addrspace(5) %19 to ptr
  %244 = addrspacecast ptr addrspace(5) %20 to ptr
  store ptr addrspace(1) %233, ptr %243, align 8
  store i64 %242, ptr %244, align 8
  %245 = load i64, ptr %244, align 8
  %246 = trunc i64 %245 to i32
  %247 = load ptr addrspace(1), ptr %243, align 8
  store i32 %246, ptr addrspace(1) %247, align 4
  %248 = load i64, ptr %244, align 8
  %249 = lshr i64 %248, 32
  %250 = trunc i64 %249 to i32
  %251 = load ptr addrspace(1), ptr %243, align 8
  %252 = getelementptr inbounds i32, ptr addrspace(1) %251, i64 1
  store i32 %250, ptr addrspace(1) %252, align 4
  %253 = load ptr addrspace(1), ptr %64, align 8
  %254 = getelementptr inbounds i32, ptr addrspace(1) %253, i64 18
  %255 = load i64, ptr %68, align 8
  %256 = load i64, ptr %69, align 8
  %257 = icmp ult i64 %255, %256
  br i1 %257, label %258, label %260
258:                                              ; preds = %241
  %259 = load i64, ptr %69, align 8
  br label %262
260:                                              ; preds = %241
  %261 = load i64, ptr %68, align 8
  br label %262
262:                                              ; preds = %258, %260
  %263 = phi i64 [ %259, %258 ], [ %261, %260 ]
  %264 = addrspacecast ptr addrspace(5) %21 to ptr
  %265 = addrspacecast ptr addrspace(5) %22 to ptr
  store ptr addrspace(1) %254, ptr %264, align 8
  store i64 %263, ptr %265, align 8
  %266 = load i64, ptr %265, align 8
  %267 = trunc i64 %266 to i32
  %268 = load ptr addrspace(1), ptr %264, align 8
  store i32 %267, ptr addrspace(1) %268, align 4
  %269 = load i64, ptr %265, align 8
  %270 = lshr i64 %269, 32
  %271 = trunc i64 %270 to i32
  %272 = load ptr addrspace(1), ptr %264, align 8
  %273 = getelementptr inbounds i32, ptr addrspace(1) %272, i64 1
  store i32 %271, ptr addrspace(1) %273, align 4
  %274 = load ptr addrspace(1), ptr %64, align 8
  %275 = getelementptr inbounds i32, ptr addrspace(1) %274, i64 20
  %276 = load i64, ptr %68, align 8
  %277 = sub i64 0, %276
  %278 = addrspacecast ptr addrspace(5) %23 to ptr
  %279 = addrspacecast ptr addrspace(5) %24 to ptr
  store ptr addrspace(1) %275, ptr %278, align 8
  store i64 %277, ptr %279, align 8
  %280 = load i64, ptr %279, align 8
  %281 = trunc i64 %280 to i32
  %282 = load ptr addrspace(1), ptr %278, align 8
  store i32 %281, ptr addrspace(1) %282, align 4
  %283 = load i64, ptr %279, align 8
  %284 = lshr i64 %283, 32
  %285 = trunc i64 %284 to i32
  %286 = load ptr addrspace(1), ptr %278, align 8
  %287 = getelementptr inbounds i32, ptr addrspace(1) %286, i64 1
  store i32 %285, ptr addrspace(1) %287, align 4
  %288 = load ptr addrspace(1), ptr %64, align 8
  %289 = getelementptr inbounds i32, ptr addrspace(1) %288, i64 22
  %290 = load i64, ptr %68, align 8
  %291 = load i64, ptr %69, align 8
  %292 = mul i64 %291, 3
  %293 = sub i64 %290, %292
  %294 = addrspacecast ptr addrspace(5) %25 to ptr
  %295 = addrspacecast ptr addrspace(5) %26 to ptr
  store ptr addrspace(1) %289, ptr %294, align 8
  store i64 %293, ptr %295, align 8
  %296 = load i64, ptr %295, align 8
  %297 = trunc i64 %296 to i32
  %298 = load ptr addrspace(1), ptr %294, align 8
  store i32 %297, ptr addrspace(1) %298, align 4
  %299 = load i64, ptr %295, align 8
  %300 = lshr i64 %299, 32
  %301 = trunc i64 %300 to i32
  %302 = load ptr addrspace(1), ptr %294, align 8
  %303 = getelementptr inbounds i32, ptr addrspace(1) %302, i64 1
  store i32 %301, ptr addrspace(1) %303, align 4
  %304 = load ptr addrspace(1), ptr %64, align 8
  %305 = getelementptr inbounds i32, ptr addrspace(1) %304, i64 24
  %306 = load i64, ptr %68, align 8
  %307 = udiv i64 %306, 1000003
  %308 = addrspacecast ptr addrspace(5) %27 to ptr
  %309 = addrspacecast ptr addrspace(5) %28 to ptr
  store ptr addrspace(1) %305, ptr %308, align 8
  store i64 %307, ptr %309, align 8
  %310 = load i64, ptr %309, align 8
  %311 = trunc i64 %310 to i32
  %312 = load ptr addrspace(1), ptr %308, align 8
  store i32 %311, ptr addrspace(1) %312, align 4
  %313 = load i64, ptr %309, align 8
  %314 = lshr i64 %313, 32
  %315 = trunc i64 %314 to i32
  %316 = load ptr addrspace(1), ptr %308, align 8
  %317 = getelementptr inbounds i32, ptr addrspace(1) %316, i64 1
  store i32 %315, ptr addrspace(1) %317, align 4
  %318 = load ptr addrspace(1), ptr %64, align 8
  %319 = getelementptr inbounds i32, ptr addrspace(1) %318, i64 26
  %320 = load i64, ptr %66, align 8
  %321 = srem i64 %320, 10
  %322 = addrspacecast ptr addrspace(5) %29 to ptr
  %323 = addrspacecast ptr addrspace(5) %30 to ptr
  store ptr addrspace(1) %319, ptr %322, align 8
  store i64 %321, ptr %323, align 8
  %324 = load i64, ptr %323, align 8
  %325 = trunc i64 %324 to i32
  %326 = load ptr addrspace(1), ptr %322, align 8
  store i32 %325, ptr addrspace(1) %326, align 4
  %327 = load i64, ptr %323, align 8
  %328 = lshr i64 %327, 32
  %329 = trunc i64 %328 to i32
  %330 = load ptr addrspace(1), ptr %322, align 8
  %331 = getelementptr inbounds i32, ptr addrspace(1) %330, i64 1
  store i32 %329, ptr addrspace(1) %331, align 4
  %332 = load i64, ptr %66, align 8
  %333 = load i64, ptr %67, align 8
  %334 = icmp sgt i64 %332, %333
  %335 = zext i1 %334 to i32
  %336 = load ptr addrspace(1), ptr %64, align 8
  %337 = getelementptr inbounds i32, ptr addrspace(1) %336, i64 28
  store i32 %335, ptr addrspace(1) %337, align 4
  %338 = load i64, ptr %68, align 8
  %339 = load i64, ptr %69, align 8
  %340 = icmp uge i64 %338, %339
  %341 = zext i1 %340 to i32
  %342 = load ptr addrspace(1), ptr %64, align 8
  %343 = getelementptr inbounds i32, ptr addrspace(1) %342, i64 29
  store i32 %341, ptr addrspace(1) %343, align 4
  %344 = load i64, ptr %68, align 8
  %345 = call i64 @llvm.ctpop.i64(i64 %344)
  %346 = trunc i64 %345 to i32
  %347 = load ptr addrspace(1), ptr %64, align 8
  %348 = getelementptr inbounds i32, ptr addrspace(1) %347, i64 30
  store i32 %346, ptr addrspace(1) %348, align 4
  %349 = load i32, ptr %65, align 4
  %350 = load ptr addrspace(1), ptr %64, align 8
  %351 = getelementptr inbounds i32, ptr addrspace(1) %350, i64 31
  store i32 %349, ptr addrspace(1) %351, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64)
