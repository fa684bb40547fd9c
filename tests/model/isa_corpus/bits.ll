; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_bits(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca i64, align 8, addrspace(5)
  %5 = alloca ptr addrspace(1), align 8, addrspace(5)
  %6 = alloca i64, align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca ptr addrspace(1), align 8, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca i32, align 4, addrspace(5)
  %14 = alloca i64, align 8, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca ptr addrspace(1), align 8, addrspace(5)
  %17 = alloca ptr addrspace(1), align 8, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = addrspacecast ptr addrspace(5) %16 to ptr
  %20 = addrspacecast ptr addrspace(5) %17 to ptr
  %21 = addrspacecast ptr addrspace(5) %18 to ptr
  store ptr addrspace(1) %0, ptr %19, align 8
  store ptr addrspace(1) %1, ptr %20, align 8
  %22 = call i32 @llvm.amdgcn.workgroup.id.x()
  %23 = mul i32 %22, 64
  %24 = call i32 @llvm.amdgcn.workitem.id.x()
  %25 = add i32 %23, %24
  store i32 %25, ptr %21, align 4
  %26 = load ptr addrspace(1), ptr %19, align 8
  %27 = load i32, ptr %21, align 4
  %28 = mul i32 %27, 16
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw i32, ptr addrspace(1) %26, i64 %29
  %31 = load ptr addrspace(1), ptr %20, align 8
  %32 = load i32, ptr %21, align 4
  %33 = mul i32 %32, 32
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw i32, ptr addrspace(1) %31, i64 %34
  %36 = load i32, ptr %21, align 4
  %37 = addrspacecast ptr addrspace(5) %9 to ptr
  %38 = addrspacecast ptr addrspace(5) %10 to ptr
  %39 = addrspacecast ptr addrspace(5) %11 to ptr
  %40 = addrspacecast ptr addrspace(5) %12 to ptr
  %41 = addrspacecast ptr addrspace(5) %13 to ptr
  %42 = addrspacecast ptr addrspace(5) %14 to ptr
  %43 = addrspacecast ptr addrspace(5) %15 to ptr
  store ptr addrspace(1) %30, ptr %37, align 8
  store ptr addrspace(1) %35, ptr %38, align 8
  store i32 %36, ptr %39, align 4
  %44 = load ptr addrspace(1), ptr %37, align 8
  %45 = load i32, ptr addrspace(1) %44, align 4
  store i32 %45, ptr %40, align 4
  %46 = load ptr addrspace(1), ptr %37, align 8
  %47 = getelementptr inbounds i32, ptr addrspace(1) %46, i64 1
  %48 = load i32, ptr addrspace(1) %47, align 4
  store i32 %48, ptr %41, align 4
  %49 = load ptr addrspace(1), ptr %37, align 8
  %50 = addrspacecast ptr addrspace(5) %7 to ptr
  %51 = addrspacecast ptr addrspace(5) %8 to ptr
  store ptr addrspace(1) %49, ptr %51, align 8
  %52 = load ptr addrspace(1), ptr %51, align 8
  %53 = load i32, ptr addrspace(1) %52, align 4
  %54 = zext i32 %53 to i64
  %55 = load ptr addrspace(1), ptr %51, align 8
  %56 = getelementptr inbounds i32, ptr addrspace(1) %55, i64 1
  %57 = load i32, ptr addrspace(1) %56, align 4
  %58 = zext i32 %57 to i64
  %59 = shl i64 %58, 32
  %60 = or i64 %54, %59
  store i64 %60, ptr %42, align 8
  %61 = load i32, ptr %40, align 4
  %62 = call i32 @llvm.ctpop.i32(i32 %61)
  %63 = load ptr addrspace(1), ptr %38, align 8
  store i32 %62, ptr addrspace(1) %63, align 4
  %64 = load i32, ptr %40, align 4
  %65 = icmp ne i32 %64, 0
  br i1 %65, label %66, label %69
66:                                               ; preds = %2
  %67 = load i32, ptr %40, align 4
  %68 = call i32 @llvm.ctlz.i32(i32 %67, i1 true)
  br label %70
69:                                               ; preds = %2
  br label %70
70:                                               ; preds = %69, %66
  %71 = phi i32 [ %68, %66 ], [ 32, %69 ]
  %72 = load ptr addrspace(1), ptr %38, align 8
  %73 = getelementptr inbounds i32, ptr addrspace(1) %72, i64 1
  store i32 %71, ptr addrspace(1) %73, align 4
  %74 = load i32, ptr %40, align 4
  %75 = icmp ne i32 %74, 0
  br i1 %75, label %76, label %79
76:                                               ; preds = %70
  %77 = load i32, ptr %40, align 4
  %78 = call i32 @llvm.cttz.i32(i32 %77, i1 true)
  br label %80
79:                                               ; preds = %70
  br label %80
80:                                               ; preds = %79, %76
  %81 = phi i32 [ %78, %76 ], [ 32, %79 ]
  %82 = load ptr addrspace(1), ptr %38, align 8
  %83 = getelementptr inbounds i32, ptr addrspace(1) %82, i64 2
  store i32 %81, ptr addrspace(1) %83, align 4
  %84 = load i32, ptr %40, align 4
  %85 = call i32 @llvm.bswap.i32(i32 %84)
  %86 = load ptr addrspace(1), ptr %38, align 8
  %87 = getelementptr inbounds i32, ptr addrspace(1) %86, i64 3
  store i32 %85, ptr addrspace(1) %87, align 4
  %88 = load i64, ptr %42, align 8
  %89 = icmp ne i64 %88, 0
  br i1 %89, label %90, label %94
90:                                               ; preds = %80
  %91 = load i64, ptr %42, align 8
  %92 = call i64 @llvm.ctlz.i64(i64 %91, i1 true)
  %93 = trunc i64 %92 to i32
  br label %95
94:                                               ; preds = %80
  br label %95
95:                                               ; preds = %94, %90
  %96 = phi i32 [ %93, %90 ], [ 64, %94 ]
  %97 = load ptr addrspace(1), ptr %38, align 8
  %98 = getelementptr inbounds i32, ptr addrspace(1) %97, i64 4
  store i32 %96, ptr addrspace(1) %98, align 4
  %99 = load i64, ptr %42, align 8
  %100 = icmp ne i64 %99, 0
  br i1 %100, label %101, label %105
101:                                              ; preds = %95
  %102 = load i64, ptr %42, align 8
  %103 = call i64 @llvm.cttz.i64(i64 %102, i1 true)
  %104 = trunc i64 %103 to i32
  br label %106
105:                                              ; preds = %95
  br label %106
106:                                              ; preds = %101, %105
  %107 = phi i32 [ %104, %101 ], [ 64, %105 ]
  %108 = load ptr addrspace(1), ptr %38, align 8
  %109 = getelementptr inbounds i32, ptr addrspace(1) %108, i64 5
  store i32 %107, ptr addrspace(1) %109, align 4
  %110 = load ptr addrspace(1), ptr %38, align 8
  %111 = getelementptr inbounds i32, ptr addrspace(1) %110, i64 6
  %112 = load i64, ptr %42, align 8
  %113 = trunc i64 %112 to i32
  %114 = call i32 @llvm.bswap.i32(i32 %113)
  %115 = zext i32 %114 to i64
  %116 = shl i64 %115, 32
  %117 = load i64, ptr %42, align 8
  %118 = lshr i64 %117, 32
  %119 = trunc i64 %118 to i32
  %120 = call i32 @llvm.bswap.i32(i32 %119)
  %121 = zext i32 %120 to i64
  %122 = or i64 %116, %121
  %123 = addrspacecast ptr addrspace(5) %3 to ptr
  %124 = addrspacecast ptr addrspace(5) %4 to ptr
  store ptr addrspace(1) %111, ptr %123, align 8
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
  %133 = load i32, ptr %40, align 4
  %134 = call i32 @llvm.ctpop.i32(i32 %133)
  %135 = and i32 %134, 1
  %136 = load ptr addrspace(1), ptr %38, align 8
  %137 = getelementptr inbounds i32, ptr addrspace(1) %136, i64 8
  store i32 %135, ptr addrspace(1) %137, align 4
  %138 = load i32, ptr %40, align 4
  %139 = lshr i32 %138, 5
  %140 = and i32 %139, 127
  %141 = load ptr addrspace(1), ptr %38, align 8
  %142 = getelementptr inbounds i32, ptr addrspace(1) %141, i64 9
  store i32 %140, ptr addrspace(1) %142, align 4
  %143 = load i32, ptr %40, align 4
  %144 = shl i32 %143, 9
  %145 = ashr i32 %144, 20
  %146 = load ptr addrspace(1), ptr %38, align 8
  %147 = getelementptr inbounds i32, ptr addrspace(1) %146, i64 10
  store i32 %145, ptr addrspace(1) %147, align 4
  %148 = load i32, ptr %40, align 4
  %149 = trunc i32 %148 to i16
  %150 = call i16 @llvm.bswap.i16(i16 %149)
  %151 = zext i16 %150 to i32
  %152 = load ptr addrspace(1), ptr %38, align 8
  %153 = getelementptr inbounds i32, ptr addrspace(1) %152, i64 11
  store i32 %151, ptr addrspace(1) %153, align 4
  %154 = load i32, ptr %40, align 4
  %155 = load i32, ptr %41, align 4
  %156 = and i32 %155, 31
  %157 = lshr i32 %154, %156
  %158 = load i32, ptr %41, align 4
  %159 = lshr i32 %158, 5
  %160 = and i32 %159, 15
  %161 = shl i32 1, %160
  %162 = sub i32 %161, 1
  %163 = and i32 %157, %162
  %164 = load ptr addrspace(1), ptr %38, align 8
  %165 = getelementptr inbounds i32, ptr addrspace(1) %164, i64 12
  store i32 %163, ptr addrspace(1) %165, align 4
  %166 = load i32, ptr %40, align 4
  %167 = load i32, ptr %41, align 4
  %168 = and i32 %167, 31
  %169 = shl i32 %166, %168
  %170 = load i32, ptr %40, align 4
  %171 = load i32, ptr %41, align 4
  %172 = sub i32 0, %171
  %173 = and i32 %172, 31
  %174 = lshr i32 %170, %173
  %175 = or i32 %169, %174
  %176 = load ptr addrspace(1), ptr %38, align 8
  %177 = getelementptr inbounds i32, ptr addrspace(1) %176, i64 13
  store i32 %175, ptr addrspace(1) %177, align 4
  %178 = load i64, ptr %42, align 8
  %179 = load i32, ptr %41, align 4
  %180 = and i32 %179, 31
  %181 = zext i32 %180 to i64
  %182 = lshr i64 %178, %181
  %183 = trunc i64 %182 to i32
  %184 = load ptr addrspace(1), ptr %38, align 8
  %185 = getelementptr inbounds i32, ptr addrspace(1) %184, i64 14
  store i32 %183, ptr addrspace(1) %185, align 4
  %186 = load ptr addrspace(1), ptr %38, align 8
  %187 = getelementptr inbounds i32, ptr addrspace(1) %186, i64 15
  %188 = load i64, ptr %42, align 8
  %189 = load i32, ptr %40, align 4
  %190 = and i32 %189, 63
  %191 = zext i32 %190 to i64
  %192 = shl i64 %188, %191
  %193 = load i64, ptr %42, align 8
  %194 = load i32, ptr %40, align 4
  %195 = sub i32 0, %194
  %196 = and i32 %195, 63
  %197 = zext i32 %196 to i64
  %198 = lshr i64 %193, %197
  %199 = or i64 %192, %198
  %200 = addrspacecast ptr addrspace(5) %5 to ptr
  %201 = addrspacecast ptr addrspace(5) %6 to ptr
  store ptr addrspace(1) %187, ptr %200, align 8
  store i64 %199, ptr %201, align 8
  %202 = load i64, ptr %201, align 8
  %203 = trunc i64 %202 to i32
  %204 = load ptr addrspace(1), ptr %200, align 8
  store i32 %203, ptr addrspace(1) %204, align 4
  %205 = load i64, ptr %201, align 8
  %206 = lshr i64 %205, 32
  %207 = trunc i64 %206 to i32
  %208 = load ptr addrspace(1), ptr %200, align 8
  %209 = getelementptr inbounds i32, ptr addrspace(1) %208, i64 1
  store i32 %207, ptr addrspace(1) %209, align 4
  %210 = load i32, ptr %40, align 4
  store i32 %210, ptr %43, align 4
  %211 = load i32, ptr %43, align 4
  %212 = lshr i32 %211, 1
  %213 = and i32 %212, 1431655765
  %214 = load i32, ptr %43, align 4
  %215 = and i32 %214, 1431655765
  %216 = shl i32 %215, 1
  %217 = or i32 %213, %216
  store i32 %217, ptr %43, align 4
  %218 = load i32, ptr %43, align 4
  %219 = lshr i32 %218, 2
  %220 = and i32 %219, 858993459
  %221 = load i32, ptr %43, align 4
  %222 = and i32 %221, 858993459
  %223 = shl i32 %222, 2
  %224 = or i32 %220, %223
  store i32 %224, ptr %43, align 4
  %225 = load i32, ptr %43, align 4
  %226 = lshr i32 %225, 4
  %227 = and i32 %226, 252645135
  %228 = load i32, ptr %43, align 4
  %229 = and i32 %228, 252645135
  %230 = shl i32 %229, 4
  %231 = or i32 %227, %230
  store i32 %231, ptr %43, align 4
  %232 = load i32, ptr %43, align 4
  %233 = call i32 @llvm.bswap.i32(i32 %232)
  %234 = load ptr addrspace(1), ptr %38, align 8
  %235 = getelementptr inbounds i32, ptr addrspace(1) %234, i64 17
  store i32 %233, ptr addrspace(1) %235, align 4
  %236 = load i32, ptr %39, align 4
  %237 = load ptr addrspace(1), ptr %38, align 8
  %238 = getelementptr inbounds i32, ptr addrspace(1) %237, i64 18
  store i32 %236, ptr addrspace(1) %238, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32)
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg)
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bswap.i32(i32)
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg)
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg)
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.bswap.i16(i16)
