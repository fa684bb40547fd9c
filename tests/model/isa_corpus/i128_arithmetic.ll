; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_i128_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca i64, align 8, addrspace(5)
  %5 = alloca ptr addrspace(1), align 8, addrspace(5)
  %6 = alloca i64, align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca i64, align 8, addrspace(5)
  %10 = alloca ptr addrspace(1), align 8, addrspace(5)
  %11 = alloca i64, align 8, addrspace(5)
  %12 = alloca ptr addrspace(1), align 8, addrspace(5)
  %13 = alloca i64, align 8, addrspace(5)
  %14 = alloca ptr addrspace(1), align 8, addrspace(5)
  %15 = alloca ptr addrspace(1), align 8, addrspace(5)
  %16 = alloca ptr addrspace(1), align 8, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i128, align 16, addrspace(5)
  %19 = alloca i128, align 16, addrspace(5)
  %20 = alloca [5 x i128], align 16, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = alloca ptr addrspace(1), align 8, addrspace(5)
  %23 = alloca ptr addrspace(1), align 8, addrspace(5)
  %24 = alloca i32, align 4, addrspace(5)
  %25 = addrspacecast ptr addrspace(5) %22 to ptr
  %26 = addrspacecast ptr addrspace(5) %23 to ptr
  %27 = addrspacecast ptr addrspace(5) %24 to ptr
  store ptr addrspace(1) %0, ptr %25, align 8
  store ptr addrspace(1) %1, ptr %26, align 8
  %28 = call i32 @llvm.amdgcn.workgroup.id.x()
  %29 = mul i32 %28, 64
  %30 = call i32 @llvm.amdgcn.workitem.id.x()
  %31 = add i32 %29, %30
  store i32 %31, ptr %27, align 4
  %32 = load ptr addrspace(1), ptr %25, align 8
  %33 = load i32, ptr %27, align 4
  %34 = mul i32 %33, 16
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds nuw i32, ptr addrspace(1) %32, i64 %35
  %37 = load ptr addrspace(1), ptr %26, align 8
  %38 = load i32, ptr %27, align 4
  %39 = mul i32 %38, 32
  %40 = zext i32 %39 to i64
  %41 = getelementptr inbounds nuw i32, ptr addrspace(1) %37, i64 %40
  %42 = load i32, ptr %27, align 4
  %43 = addrspacecast ptr addrspace(5) %15 to ptr
  %44 = addrspacecast ptr addrspace(5) %16 to ptr
  %45 = addrspacecast ptr addrspace(5) %17 to ptr
  %46 = addrspacecast ptr addrspace(5) %18 to ptr
  %47 = addrspacecast ptr addrspace(5) %19 to ptr
  %48 = addrspacecast ptr addrspace(5) %20 to ptr
  %49 = addrspacecast ptr addrspace(5) %21 to ptr
  store ptr addrspace(1) %36, ptr %43, align 8
  store ptr addrspace(1) %41, ptr %44, align 8
  store i32 %42, ptr %45, align 4
  %50 = load ptr addrspace(1), ptr %43, align 8
  %51 = addrspacecast ptr addrspace(5) %7 to ptr
  %52 = addrspacecast ptr addrspace(5) %8 to ptr
  store ptr addrspace(1) %50, ptr %52, align 8
  %53 = load ptr addrspace(1), ptr %52, align 8
  %54 = load i32, ptr addrspace(1) %53, align 4
  %55 = zext i32 %54 to i64
  %56 = load ptr addrspace(1), ptr %52, align 8
  %57 = getelementptr inbounds i32, ptr addrspace(1) %56, i64 1
  %58 = load i32, ptr addrspace(1) %57, align 4
  %59 = zext i32 %58 to i64
  %60 = shl i64 %59, 32
  %61 = or i64 %55, %60
  %62 = zext i64 %61 to i128
  %63 = load ptr addrspace(1), ptr %43, align 8
  %64 = getelementptr inbounds i32, ptr addrspace(1) %63, i64 2
  %65 = addrspacecast ptr addrspace(5) %9 to ptr
  %66 = addrspacecast ptr addrspace(5) %10 to ptr
  store ptr addrspace(1) %64, ptr %66, align 8
  %67 = load ptr addrspace(1), ptr %66, align 8
  %68 = load i32, ptr addrspace(1) %67, align 4
  %69 = zext i32 %68 to i64
  %70 = load ptr addrspace(1), ptr %66, align 8
  %71 = getelementptr inbounds i32, ptr addrspace(1) %70, i64 1
  %72 = load i32, ptr addrspace(1) %71, align 4
  %73 = zext i32 %72 to i64
  %74 = shl i64 %73, 32
  %75 = or i64 %69, %74
  %76 = zext i64 %75 to i128
  %77 = shl i128 %76, 64
  %78 = or i128 %62, %77
  store i128 %78, ptr %46, align 16
  %79 = load ptr addrspace(1), ptr %43, align 8
  %80 = getelementptr inbounds i32, ptr addrspace(1) %79, i64 4
  %81 = addrspacecast ptr addrspace(5) %11 to ptr
  %82 = addrspacecast ptr addrspace(5) %12 to ptr
  store ptr addrspace(1) %80, ptr %82, align 8
  %83 = load ptr addrspace(1), ptr %82, align 8
  %84 = load i32, ptr addrspace(1) %83, align 4
  %85 = zext i32 %84 to i64
  %86 = load ptr addrspace(1), ptr %82, align 8
  %87 = getelementptr inbounds i32, ptr addrspace(1) %86, i64 1
  %88 = load i32, ptr addrspace(1) %87, align 4
  %89 = zext i32 %88 to i64
  %90 = shl i64 %89, 32
  %91 = or i64 %85, %90
  %92 = zext i64 %91 to i128
  %93 = load ptr addrspace(1), ptr %43, align 8
  %94 = getelementptr inbounds i32, ptr addrspace(1) %93, i64 6
  %95 = addrspacecast ptr addrspace(5) %13 to ptr
  %96 = addrspacecast ptr addrspace(5) %14 to ptr
  store ptr addrspace(1) %94, ptr %96, align 8
  %97 = load ptr addrspace(1), ptr %96, align 8
  %98 = load i32, ptr addrspace(1) %97, align 4
  %99 = zext i32 %98 to i64
  %100 = load ptr addrspace(1), ptr %96, align 8
  %101 = getelementptr inbounds i32, ptr addrspace(1) %100, i64 1
  %102 = load i32, ptr addrspace(1) %101, align 4
  %103 = zext i32 %102 to i64
  %104 = shl i64 %103, 32
  %105 = or i64 %99, %104
  %106 = zext i64 %105 to i128
  %107 = shl i128 %106, 64
  %108 = or i128 %92, %107
  store i128 %108, ptr %47, align 16
  %109 = load i128, ptr %46, align 16
  %110 = load i128, ptr %47, align 16
  %111 = add i128 %109, %110
  store i128 %111, ptr %48, align 16
  %112 = getelementptr inbounds i128, ptr %48, i64 1
  %113 = load i128, ptr %46, align 16
  %114 = load i128, ptr %47, align 16
  %115 = mul i128 %113, %114
  store i128 %115, ptr %112, align 16
  %116 = getelementptr inbounds i128, ptr %48, i64 2
  %117 = load i128, ptr %46, align 16
  %118 = load i128, ptr %47, align 16
  %119 = and i128 %118, 127
  %120 = trunc i128 %119 to i32
  %121 = zext i32 %120 to i128
  %122 = shl i128 %117, %121
  store i128 %122, ptr %116, align 16
  %123 = getelementptr inbounds i128, ptr %48, i64 3
  %124 = load i128, ptr %46, align 16
  %125 = load i128, ptr %47, align 16
  %126 = and i128 %125, 127
  %127 = trunc i128 %126 to i32
  %128 = zext i32 %127 to i128
  %129 = lshr i128 %124, %128
  store i128 %129, ptr %123, align 16
  %130 = getelementptr inbounds i128, ptr %48, i64 4
  %131 = load i128, ptr %46, align 16
  %132 = load i128, ptr %47, align 16
  %133 = sub i128 %131, %132
  store i128 %133, ptr %130, align 16
  store i32 0, ptr %49, align 4
  br label %134
134:                                              ; preds = %137, %2
  %135 = load i32, ptr %49, align 4
  %136 = icmp slt i32 %135, 5
  br i1 %136, label %137, label %182
137:                                              ; preds = %134
  %138 = load ptr addrspace(1), ptr %44, align 8
  %139 = load i32, ptr %49, align 4
  %140 = mul nsw i32 4, %139
  %141 = sext i32 %140 to i64
  %142 = getelementptr inbounds i32, ptr addrspace(1) %138, i64 %141
  %143 = load i32, ptr %49, align 4
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds [5 x i128], ptr %48, i64 0, i64 %144
  %146 = load i128, ptr %145, align 16
  %147 = trunc i128 %146 to i64
  %148 = addrspacecast ptr addrspace(5) %3 to ptr
  %149 = addrspacecast ptr addrspace(5) %4 to ptr
  store ptr addrspace(1) %142, ptr %148, align 8
  store i64 %147, ptr %149, align 8
  %150 = load i64, ptr %149, align 8
  %151 = trunc i64 %150 to i32
  %152 = load ptr addrspace(1), ptr %148, align 8
  store i32 %151, ptr addrspace(1) %152, align 4
  %153 = load i64, ptr %149, align 8
  %154 = lshr i64 %153, 32
  %155 = trunc i64 %154 to i32
  %156 = load ptr addrspace(1), ptr %148, align 8
  %157 = getelementptr inbounds i32, ptr addrspace(1) %156, i64 1
  store i32 %155, ptr addrspace(1) %157, align 4
  %158 = load ptr addrspace(1), ptr %44, align 8
  %159 = load i32, ptr %49, align 4
  %160 = mul nsw i32 4, %159
  %161 = sext i32 %160 to i64
  %162 = getelementptr inbounds i32, ptr addrspace(1) %158, i64 %161
  %163 = getelementptr inbounds i32, ptr addrspace(1) %162, i64 2
  %164 = load i32, ptr %49, align 4
  %165 = sext i32 %164 to i64
  %166 = getelementptr inbounds [5 x i128], ptr %48, i64 0, i64 %165
  %167 = load i128, ptr %166, align 16
  %168 = lshr i128 %167, 64
  %169 = trunc i128 %168 to i64
  %170 = addrspacecast ptr addrspace(5) %5 to ptr
  %171 = addrspacecast ptr addrspace(5) %6 to ptr
  store ptr addrspace(1) %163, ptr %170, align 8
  store i64 %169, ptr %171, align 8
  %172 = load i64, ptr %171, align 8
  %173 = trunc i64 %172 to i32
  %174 = load ptr addrspace(1), ptr %170, align 8
  store i32 %173, ptr addrspace(1) %174, align 4
  %175 = load i64, ptr %171, align 8
  %176 = lshr i64 %175, 32
  %177 = trunc i64 %176 to i32
  %178 = load ptr addrspace(1), ptr %170, align 8
  %179 = getelementptr inbounds i32, ptr addrspace(1) %178, i64 1
  store i32 %177, ptr addrspace(1) %179, align 4
  %180 = load i32, ptr %49, align 4
  %181 = add nsw i32 %180, 1
  store i32 %181, ptr %49, align 4
  br label %134
182:                                              ; preds = %134
  %183 = load i128, ptr %46, align 16
  %184 = load i128, ptr %47, align 16
  %185 = icmp ult i128 %183, %184
  %186 = zext i1 %185 to i32
  %187 = load ptr addrspace(1), ptr %44, align 8
  %188 = getelementptr inbounds i32, ptr addrspace(1) %187, i64 20
  store i32 %186, ptr addrspace(1) %188, align 4
  %189 = load i32, ptr %45, align 4
  %190 = load ptr addrspace(1), ptr %44, align 8
  %191 = getelementptr inbounds i32, ptr addrspace(1) %190, i64 21
  store i32 %189, ptr addrspace(1) %191, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
