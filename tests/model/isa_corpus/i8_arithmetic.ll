; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_i8_arithmetic(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i8, align 1, addrspace(5)
  %7 = alloca i8, align 1, addrspace(5)
  %8 = alloca i8, align 1, addrspace(5)
  %9 = alloca i8, align 1, addrspace(5)
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
  %40 = trunc i32 %39 to i8
  store i8 %40, ptr %34, align 1
  %41 = load ptr addrspace(1), ptr %31, align 8
  %42 = getelementptr inbounds i32, ptr addrspace(1) %41, i64 1
  %43 = load i32, ptr addrspace(1) %42, align 4
  %44 = or i32 %43, 1
  %45 = trunc i32 %44 to i8
  store i8 %45, ptr %35, align 1
  %46 = load i8, ptr %34, align 1
  store i8 %46, ptr %36, align 1
  %47 = load i8, ptr %35, align 1
  store i8 %47, ptr %37, align 1
  %48 = load i8, ptr %36, align 1
  %49 = zext i8 %48 to i32
  %50 = load i8, ptr %37, align 1
  %51 = zext i8 %50 to i32
  %52 = mul nsw i32 %49, %51
  %53 = trunc i32 %52 to i8
  %54 = zext i8 %53 to i32
  %55 = load ptr addrspace(1), ptr %32, align 8
  store i32 %54, ptr addrspace(1) %55, align 4
  %56 = load i8, ptr %34, align 1
  %57 = sext i8 %56 to i32
  %58 = load i8, ptr %35, align 1
  %59 = sext i8 %58 to i32
  %60 = sdiv i32 %57, %59
  %61 = trunc i32 %60 to i8
  %62 = zext i8 %61 to i32
  %63 = load ptr addrspace(1), ptr %32, align 8
  %64 = getelementptr inbounds i32, ptr addrspace(1) %63, i64 1
  store i32 %62, ptr addrspace(1) %64, align 4
  %65 = load i8, ptr %34, align 1
  %66 = sext i8 %65 to i32
  %67 = load i8, ptr %35, align 1
  %68 = sext i8 %67 to i32
  %69 = srem i32 %66, %68
  %70 = trunc i32 %69 to i8
  %71 = zext i8 %70 to i32
  %72 = load ptr addrspace(1), ptr %32, align 8
  %73 = getelementptr inbounds i32, ptr addrspace(1) %72, i64 2
  store i32 %71, ptr addrspace(1) %73, align 4
  %74 = load i8, ptr %36, align 1
  %75 = zext i8 %74 to i32
  %76 = load i8, ptr %37, align 1
  %77 = zext i8 %76 to i32
  %78 = sdiv i32 %75, %77
  %79 = trunc i32 %78 to i8
  %80 = zext i8 %79 to i32
  %81 = load ptr addrspace(1), ptr %32, align 8
  %82 = getelementptr inbounds i32, ptr addrspace(1) %81, i64 3
  store i32 %80, ptr addrspace(1) %82, align 4
  %83 = load i8, ptr %36, align 1
  %84 = zext i8 %83 to i32
  %85 = load i8, ptr %37, align 1
  %86 = zext i8 %85 to i32
  %87 = srem i32 %84, %86
  %88 = trunc i32 %87 to i8
  %89 = zext i8 %88 to i32
  %90 = load ptr addrspace(1), ptr %32, align 8
  %91 = getelementptr inbounds i32, ptr addrspace(1) %90, i64 4
  store i32 %89, ptr addrspace(1) %91, align 4
  %92 = load i8, ptr %34, align 1
  %93 = sext i8 %92 to i32
  %94 = load i8, ptr %37, align 1
  %95 = zext i8 %94 to i32
  %96 = and i32 %95, 7
  %97 = ashr i32 %93, %96
  %98 = trunc i32 %97 to i8
  %99 = zext i8 %98 to i32
  %100 = load ptr addrspace(1), ptr %32, align 8
  %101 = getelementptr inbounds i32, ptr addrspace(1) %100, i64 5
  store i32 %99, ptr addrspace(1) %101, align 4
  %102 = load i8, ptr %36, align 1
  %103 = zext i8 %102 to i32
  %104 = load i8, ptr %37, align 1
  %105 = zext i8 %104 to i32
  %106 = and i32 %105, 7
  %107 = shl i32 %103, %106
  %108 = trunc i32 %107 to i8
  %109 = zext i8 %108 to i32
  %110 = load ptr addrspace(1), ptr %32, align 8
  %111 = getelementptr inbounds i32, ptr addrspace(1) %110, i64 6
  store i32 %109, ptr addrspace(1) %111, align 4
  %112 = load i8, ptr %34, align 1
  %113 = sext i8 %112 to i32
  %114 = load ptr addrspace(1), ptr %32, align 8
  %115 = getelementptr inbounds i32, ptr addrspace(1) %114, i64 7
  store i32 %113, ptr addrspace(1) %115, align 4
  %116 = load i8, ptr %34, align 1
  %117 = sext i8 %116 to i32
  %118 = load i8, ptr %35, align 1
  %119 = sext i8 %118 to i32
  %120 = icmp slt i32 %117, %119
  br i1 %120, label %121, label %124
121:                                              ; preds = %2
  %122 = load i8, ptr %34, align 1
  %123 = sext i8 %122 to i32
  br label %127
124:                                              ; preds = %2
  %125 = load i8, ptr %35, align 1
  %126 = sext i8 %125 to i32
  br label %127
127:                                              ; preds = %121, %124
  %128 = phi i32 [ %123, %121 ], [ %126, %124 ]
  %129 = trunc i32 %128 to i8
  %130 = zext i8 %129 to i32
  %131 = load ptr addrspace(1), ptr %32, align 8
  %132 = getelementptr inbounds i32, ptr addrspace(1) %131, i64 8
  store i32 %130, ptr addrspace(1) %132, align 4
  %133 = load ptr addrspace(1), ptr %31, align 8
  %134 = getelementptr inbounds i32, ptr addrspace(1) %133, i64 2
  %135 = load i32, ptr addrspace(1) %134, align 4
  %136 = lshr i32 %135, 8
  %137 = and i32 %136, 255
  %138 = load ptr addrspace(1), ptr %31, align 8
  %139 = getelementptr inbounds i32, ptr addrspace(1) %138, i64 2
  %140 = load i32, ptr addrspace(1) %139, align 4
  %141 = lshr i32 %140, 24
  %142 = add i32 %137, %141
  %143 = load ptr addrspace(1), ptr %32, align 8
  %144 = getelementptr inbounds i32, ptr addrspace(1) %143, i64 9
  store i32 %142, ptr addrspace(1) %144, align 4
  %145 = load ptr addrspace(1), ptr %31, align 8
  %146 = getelementptr inbounds i32, ptr addrspace(1) %145, i64 2
  %147 = load i32, ptr addrspace(1) %146, align 4
  %148 = lshr i32 %147, 16
  %149 = trunc i32 %148 to i8
  %150 = sext i8 %149 to i32
  %151 = load ptr addrspace(1), ptr %32, align 8
  %152 = getelementptr inbounds i32, ptr addrspace(1) %151, i64 10
  store i32 %150, ptr addrspace(1) %152, align 4
  %153 = load i32, ptr %33, align 4
  %154 = trunc i32 %153 to i8
  %155 = zext i8 %154 to i32
  %156 = load ptr addrspace(1), ptr %32, align 8
  %157 = getelementptr inbounds i32, ptr addrspace(1) %156, i64 11
  store i32 %155, ptr addrspace(1) %157, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
