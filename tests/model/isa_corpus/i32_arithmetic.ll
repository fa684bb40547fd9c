; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_i32_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca i32, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
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
  store i32 %39, ptr %34, align 4
  %40 = load ptr addrspace(1), ptr %31, align 8
  %41 = getelementptr inbounds i32, ptr addrspace(1) %40, i64 1
  %42 = load i32, ptr addrspace(1) %41, align 4
  %43 = or i32 %42, 1
  store i32 %43, ptr %35, align 4
  %44 = load i32, ptr %34, align 4
  store i32 %44, ptr %36, align 4
  %45 = load i32, ptr %35, align 4
  store i32 %45, ptr %37, align 4
  %46 = load i32, ptr %34, align 4
  %47 = load i32, ptr %35, align 4
  %48 = mul i32 %46, %47
  %49 = load ptr addrspace(1), ptr %32, align 8
  store i32 %48, ptr addrspace(1) %49, align 4
  %50 = load i32, ptr %37, align 4
  %51 = icmp eq i32 %50, -1
  br i1 %51, label %52, label %53
52:                                               ; preds = %2
  br label %57
53:                                               ; preds = %2
  %54 = load i32, ptr %36, align 4
  %55 = load i32, ptr %37, align 4
  %56 = sdiv i32 %54, %55
  br label %57
57:                                               ; preds = %53, %52
  %58 = phi i32 [ 1, %52 ], [ %56, %53 ]
  %59 = load ptr addrspace(1), ptr %32, align 8
  %60 = getelementptr inbounds i32, ptr addrspace(1) %59, i64 1
  store i32 %58, ptr addrspace(1) %60, align 4
  %61 = load i32, ptr %37, align 4
  %62 = icmp eq i32 %61, -1
  br i1 %62, label %63, label %64
63:                                               ; preds = %57
  br label %68
64:                                               ; preds = %57
  %65 = load i32, ptr %36, align 4
  %66 = load i32, ptr %37, align 4
  %67 = srem i32 %65, %66
  br label %68
68:                                               ; preds = %64, %63
  %69 = phi i32 [ 1, %63 ], [ %67, %64 ]
  %70 = load ptr addrspace(1), ptr %32, align 8
  %71 = getelementptr inbounds i32, ptr addrspace(1) %70, i64 2
  store i32 %69, ptr addrspace(1) %71, align 4
  %72 = load i32, ptr %34, align 4
  %73 = load i32, ptr %35, align 4
  %74 = udiv i32 %72, %73
  %75 = load ptr addrspace(1), ptr %32, align 8
  %76 = getelementptr inbounds i32, ptr addrspace(1) %75, i64 3
  store i32 %74, ptr addrspace(1) %76, align 4
  %77 = load i32, ptr %34, align 4
  %78 = load i32, ptr %35, align 4
  %79 = urem i32 %77, %78
  %80 = load ptr addrspace(1), ptr %32, align 8
  %81 = getelementptr inbounds i32, ptr addrspace(1) %80, i64 4
  store i32 %79, ptr addrspace(1) %81, align 4
  %82 = load i32, ptr %34, align 4
  %83 = load i32, ptr %35, align 4
  %84 = and i32 %83, 31
  %85 = shl i32 %82, %84
  %86 = load ptr addrspace(1), ptr %32, align 8
  %87 = getelementptr inbounds i32, ptr addrspace(1) %86, i64 5
  store i32 %85, ptr addrspace(1) %87, align 4
  %88 = load i32, ptr %36, align 4
  %89 = load i32, ptr %35, align 4
  %90 = and i32 %89, 31
  %91 = ashr i32 %88, %90
  %92 = load ptr addrspace(1), ptr %32, align 8
  %93 = getelementptr inbounds i32, ptr addrspace(1) %92, i64 6
  store i32 %91, ptr addrspace(1) %93, align 4
  %94 = load i32, ptr %34, align 4
  %95 = load i32, ptr %35, align 4
  %96 = and i32 %95, 31
  %97 = lshr i32 %94, %96
  %98 = load ptr addrspace(1), ptr %32, align 8
  %99 = getelementptr inbounds i32, ptr addrspace(1) %98, i64 7
  store i32 %97, ptr addrspace(1) %99, align 4
  %100 = load i32, ptr %36, align 4
  %101 = sext i32 %100 to i64
  %102 = load i32, ptr %37, align 4
  %103 = sext i32 %102 to i64
  %104 = mul nsw i64 %101, %103
  %105 = ashr i64 %104, 32
  %106 = trunc i64 %105 to i32
  %107 = load ptr addrspace(1), ptr %32, align 8
  %108 = getelementptr inbounds i32, ptr addrspace(1) %107, i64 8
  store i32 %106, ptr addrspace(1) %108, align 4
  %109 = load i32, ptr %34, align 4
  %110 = zext i32 %109 to i64
  %111 = load i32, ptr %35, align 4
  %112 = zext i32 %111 to i64
  %113 = mul i64 %110, %112
  %114 = lshr i64 %113, 32
  %115 = trunc i64 %114 to i32
  %116 = load ptr addrspace(1), ptr %32, align 8
  %117 = getelementptr inbounds i32, ptr addrspace(1) %116, i64 9
  store i32 %115, ptr addrspace(1) %117, align 4
  %118 = load i32, ptr %36, align 4
  %119 = load i32, ptr %37, align 4
  %120 = icmp slt i32 %118, %119
  br i1 %120, label %121, label %123
121:                                              ; preds = %68
  %122 = load i32, ptr %36, align 4
  br label %125
123:                                              ; preds = %68
  %124 = load i32, ptr %37, align 4
  br label %125
125:                                              ; preds = %123, %121
  %126 = phi i32 [ %122, %121 ], [ %124, %123 ]
  %127 = load ptr addrspace(1), ptr %32, align 8
  %128 = getelementptr inbounds i32, ptr addrspace(1) %127, i64 10
  store i32 %126, ptr addrspace(1) %128, align 4
  %129 = load i32, ptr %34, align 4
  %130 = load i32, ptr %35, align 4
  %131 = icmp ugt i32 %129, %130
  br i1 %131, label %132, label %134
132:                                              ; preds = %125
  %133 = load i32, ptr %34, align 4
  br label %136
134:                                              ; preds = %125
  %135 = load i32, ptr %35, align 4
  br label %136
136:                                              ; preds = %134, %132
  %137 = phi i32 [ %133, %132 ], [ %135, %134 ]
  %138 = load ptr addrspace(1), ptr %32, align 8
  %139 = getelementptr inbounds i32, ptr addrspace(1) %138, i64 11
  store i32 %137, ptr addrspace(1) %139, align 4
  %140 = load i32, ptr %36, align 4
  %141 = icmp slt i32 %140, 0
  br i1 %141, label %142, label %145
142:                                              ; preds = %136
  %143 = load i32, ptr %34, align 4
  %144 = sub i32 0, %143
  br label %147
145:                                              ; preds = %136
  %146 = load i32, ptr %34, align 4
  br label %147
147:                                              ; preds = %145, %142
  %148 = phi i32 [ %144, %142 ], [ %146, %145 ]
  %149 = load ptr addrspace(1), ptr %32, align 8
  %150 = getelementptr inbounds i32, ptr addrspace(1) %149, i64 12
  store i32 %148, ptr addrspace(1) %150, align 4
  %151 = load i32, ptr %34, align 4
  %152 = load i32, ptr %35, align 4
  %153 = and i32 %151, %152
  %154 = load i32, ptr %34, align 4
  %155 = xor i32 %154, -1
  %156 = load ptr addrspace(1), ptr %31, align 8
  %157 = getelementptr inbounds i32, ptr addrspace(1) %156, i64 2
  %158 = load i32, ptr addrspace(1) %157, align 4
  %159 = and i32 %155, %158
  %160 = or i32 %153, %159
  %161 = load ptr addrspace(1), ptr %32, align 8
  %162 = getelementptr inbounds i32, ptr addrspace(1) %161, i64 13
  store i32 %160, ptr addrspace(1) %162, align 4
  %163 = load i32, ptr %34, align 4
  %164 = load i32, ptr %35, align 4
  %165 = xor i32 %163, %164
  %166 = load ptr addrspace(1), ptr %31, align 8
  %167 = getelementptr inbounds i32, ptr addrspace(1) %166, i64 2
  %168 = load i32, ptr addrspace(1) %167, align 4
  %169 = xor i32 %165, %168
  %170 = load ptr addrspace(1), ptr %32, align 8
  %171 = getelementptr inbounds i32, ptr addrspace(1) %170, i64 14
  store i32 %169, ptr addrspace(1) %171, align 4
  %172 = load i32, ptr %34, align 4
  %173 = load i32, ptr %35, align 4
  %174 = add i32 %172, %173
  %175 = mul i32 %174, 3
  %176 = load ptr addrspace(1), ptr %32, align 8
  %177 = getelementptr inbounds i32, ptr addrspace(1) %176, i64 15
  store i32 %175, ptr addrspace(1) %177, align 4
  %178 = load i32, ptr %34, align 4
  %179 = udiv i32 %178, 7
  %180 = load ptr addrspace(1), ptr %32, align 8
  %181 = getelementptr inbounds i32, ptr addrspace(1) %180, i64 16
  store i32 %179, ptr addrspace(1) %181, align 4
  %182 = load i32, ptr %36, align 4
  %183 = sdiv i32 %182, 10
  %184 = load ptr addrspace(1), ptr %32, align 8
  %185 = getelementptr inbounds i32, ptr addrspace(1) %184, i64 17
  store i32 %183, ptr addrspace(1) %185, align 4
  %186 = load i32, ptr %34, align 4
  %187 = urem i32 %186, 1000
  %188 = load ptr addrspace(1), ptr %32, align 8
  %189 = getelementptr inbounds i32, ptr addrspace(1) %188, i64 18
  store i32 %187, ptr addrspace(1) %189, align 4
  %190 = load i32, ptr %34, align 4
  %191 = shl i32 %190, 13
  %192 = load i32, ptr %34, align 4
  %193 = lshr i32 %192, 19
  %194 = or i32 %191, %193
  %195 = load ptr addrspace(1), ptr %32, align 8
  %196 = getelementptr inbounds i32, ptr addrspace(1) %195, i64 19
  store i32 %194, ptr addrspace(1) %196, align 4
  %197 = load i32, ptr %34, align 4
  %198 = load i32, ptr %35, align 4
  %199 = and i32 %198, 7
  %200 = shl i32 %197, %199
  %201 = load ptr addrspace(1), ptr %31, align 8
  %202 = getelementptr inbounds i32, ptr addrspace(1) %201, i64 2
  %203 = load i32, ptr addrspace(1) %202, align 4
  %204 = add i32 %200, %203
  %205 = load ptr addrspace(1), ptr %32, align 8
  %206 = getelementptr inbounds i32, ptr addrspace(1) %205, i64 20
  store i32 %204, ptr addrspace(1) %206, align 4
  %207 = load i32, ptr %34, align 4
  %208 = load i32, ptr %35, align 4
  %209 = mul i32 %207, %208
  %210 = load ptr addrspace(1), ptr %31, align 8
  %211 = getelementptr inbounds i32, ptr addrspace(1) %210, i64 2
  %212 = load i32, ptr addrspace(1) %211, align 4
  %213 = add i32 %209, %212
  %214 = load ptr addrspace(1), ptr %32, align 8
  %215 = getelementptr inbounds i32, ptr addrspace(1) %214, i64 21
  store i32 %213, ptr addrspace(1) %215, align 4
  %216 = load i32, ptr %34, align 4
  %217 = and i32 %216, 16777215
  %218 = load i32, ptr %35, align 4
  %219 = and i32 %218, 16777215
  %220 = mul i32 %217, %219
  %221 = load ptr addrspace(1), ptr %32, align 8
  %222 = getelementptr inbounds i32, ptr addrspace(1) %221, i64 22
  store i32 %220, ptr addrspace(1) %222, align 4
  %223 = load i32, ptr %34, align 4
  %224 = load i32, ptr %35, align 4
  %225 = add i32 %223, %224
  %226 = load ptr addrspace(1), ptr %31, align 8
  %227 = getelementptr inbounds i32, ptr addrspace(1) %226, i64 2
  %228 = load i32, ptr addrspace(1) %227, align 4
  %229 = add i32 %225, %228
  %230 = lshr i32 %229, 3
  %231 = load ptr addrspace(1), ptr %32, align 8
  %232 = getelementptr inbounds i32, ptr addrspace(1) %231, i64 23
  store i32 %230, ptr addrspace(1) %232, align 4
  %233 = load i32, ptr %34, align 4
  %234 = load i32, ptr %35, align 4
  %235 = icmp ugt i32 %233, %234
  br i1 %235, label %236, label %240
236:                                              ; preds = %147
  %237 = load i32, ptr %34, align 4
  %238 = load i32, ptr %35, align 4
  %239 = sub i32 %237, %238
  br label %244
240:                                              ; preds = %147
  %241 = load i32, ptr %35, align 4
  %242 = load i32, ptr %34, align 4
  %243 = sub i32 %241, %242
  br label %244
244:                                              ; preds = %236, %240
  %245 = phi i32 [ %239, %236 ], [ %243, %240 ]
  %246 = load ptr addrspace(1), ptr %32, align 8
  %247 = getelementptr inbounds i32, ptr addrspace(1) %246, i64 24
  store i32 %245, ptr addrspace(1) %247, align 4
  %248 = load i32, ptr %34, align 4
  %249 = load i32, ptr %35, align 4
  %250 = or i32 %248, %249
  %251 = load ptr addrspace(1), ptr %31, align 8
  %252 = getelementptr inbounds i32, ptr addrspace(1) %251, i64 2
  %253 = load i32, ptr addrspace(1) %252, align 4
  %254 = and i32 %250, %253
  %255 = load ptr addrspace(1), ptr %32, align 8
  %256 = getelementptr inbounds i32, ptr addrspace(1) %255, i64 25
  store i32 %254, ptr addrspace(1) %256, align 4
  %257 = load i32, ptr %33, align 4
  %258 = load ptr addrspace(1), ptr %32, align 8
  %259 = getelementptr inbounds i32, ptr addrspace(1) %258, i64 26
  store i32 %257, ptr addrspace(1) %259, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
