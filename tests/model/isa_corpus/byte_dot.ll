; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_byte_dot(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca i32, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca i32, align 4, addrspace(5)
  %13 = alloca ptr addrspace(1), align 8, addrspace(5)
  %14 = alloca ptr addrspace(1), align 8, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = addrspacecast ptr addrspace(5) %13 to ptr
  %17 = addrspacecast ptr addrspace(5) %14 to ptr
  %18 = addrspacecast ptr addrspace(5) %15 to ptr
  store ptr addrspace(1) %0, ptr %16, align 8
  store ptr addrspace(1) %1, ptr %17, align 8
  %19 = call i32 @llvm.amdgcn.workgroup.id.x()
  %20 = mul i32 %19, 64
  %21 = call i32 @llvm.amdgcn.workitem.id.x()
  %22 = add i32 %20, %21
  store i32 %22, ptr %18, align 4
  %23 = load ptr addrspace(1), ptr %16, align 8
  %24 = load i32, ptr %18, align 4
  %25 = mul i32 %24, 16
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr addrspace(1) %23, i64 %26
  %28 = load ptr addrspace(1), ptr %17, align 8
  %29 = load i32, ptr %18, align 4
  %30 = mul i32 %29, 32
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw i32, ptr addrspace(1) %28, i64 %31
  %33 = load i32, ptr %18, align 4
  %34 = addrspacecast ptr addrspace(5) %3 to ptr
  %35 = addrspacecast ptr addrspace(5) %4 to ptr
  %36 = addrspacecast ptr addrspace(5) %5 to ptr
  %37 = addrspacecast ptr addrspace(5) %6 to ptr
  %38 = addrspacecast ptr addrspace(5) %7 to ptr
  %39 = addrspacecast ptr addrspace(5) %8 to ptr
  %40 = addrspacecast ptr addrspace(5) %9 to ptr
  %41 = addrspacecast ptr addrspace(5) %10 to ptr
  %42 = addrspacecast ptr addrspace(5) %11 to ptr
  %43 = addrspacecast ptr addrspace(5) %12 to ptr
  store ptr addrspace(1) %27, ptr %34, align 8
  store ptr addrspace(1) %32, ptr %35, align 8
  store i32 %33, ptr %36, align 4
  %44 = load ptr addrspace(1), ptr %34, align 8
  %45 = getelementptr inbounds i32, ptr addrspace(1) %44, i64 8
  %46 = load i32, ptr addrspace(1) %45, align 4
  store i32 %46, ptr %37, align 4
  %47 = load ptr addrspace(1), ptr %34, align 8
  %48 = getelementptr inbounds i32, ptr addrspace(1) %47, i64 9
  %49 = load i32, ptr addrspace(1) %48, align 4
  store i32 %49, ptr %38, align 4
  store i32 0, ptr %39, align 4
  br label %50
50:                                               ; preds = %102, %2
  %51 = load i32, ptr %39, align 4
  %52 = icmp slt i32 %51, 4
  br i1 %52, label %53, label %105
53:                                               ; preds = %50
  store i32 0, ptr %40, align 4
  br label %54
54:                                               ; preds = %57, %53
  %55 = load i32, ptr %40, align 4
  %56 = icmp slt i32 %55, 32
  br i1 %56, label %57, label %102
57:                                               ; preds = %54
  %58 = load ptr addrspace(1), ptr %34, align 8
  %59 = load i32, ptr %39, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds i32, ptr addrspace(1) %58, i64 %60
  %62 = load i32, ptr addrspace(1) %61, align 4
  %63 = load i32, ptr %40, align 4
  %64 = lshr i32 %62, %63
  %65 = and i32 %64, 255
  %66 = load ptr addrspace(1), ptr %34, align 8
  %67 = load i32, ptr %39, align 4
  %68 = add nsw i32 %67, 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds i32, ptr addrspace(1) %66, i64 %69
  %71 = load i32, ptr addrspace(1) %70, align 4
  %72 = load i32, ptr %40, align 4
  %73 = lshr i32 %71, %72
  %74 = and i32 %73, 255
  %75 = mul i32 %65, %74
  %76 = load i32, ptr %37, align 4
  %77 = add i32 %76, %75
  store i32 %77, ptr %37, align 4
  %78 = load ptr addrspace(1), ptr %34, align 8
  %79 = load i32, ptr %39, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds i32, ptr addrspace(1) %78, i64 %80
  %82 = load i32, ptr addrspace(1) %81, align 4
  %83 = load i32, ptr %40, align 4
  %84 = lshr i32 %82, %83
  %85 = trunc i32 %84 to i8
  %86 = sext i8 %85 to i32
  %87 = load ptr addrspace(1), ptr %34, align 8
  %88 = load i32, ptr %39, align 4
  %89 = add nsw i32 %88, 4
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i32, ptr addrspace(1) %87, i64 %90
  %92 = load i32, ptr addrspace(1) %91, align 4
  %93 = load i32, ptr %40, align 4
  %94 = lshr i32 %92, %93
  %95 = trunc i32 %94 to i8
  %96 = sext i8 %95 to i32
  %97 = mul nsw i32 %86, %96
  %98 = load i32, ptr %38, align 4
  %99 = add i32 %98, %97
  store i32 %99, ptr %38, align 4
  %100 = load i32, ptr %40, align 4
  %101 = add nsw i32 %100, 8
  store i32 %101, ptr %40, align 4
  br label %54
102:                                              ; preds = %54
  %103 = load i32, ptr %39, align 4
  %104 = add nsw i32 %103, 1
  store i32 %104, ptr %39, align 4
  br label %50
105:                                              ; preds = %50
  %106 = load i32, ptr %37, align 4
  %107 = load ptr addrspace(1), ptr %35, align 8
  store i32 %106, ptr addrspace(1) %107, align 4
  %108 = load i32, ptr %38, align 4
  %109 = load ptr addrspace(1), ptr %35, align 8
  %110 = getelementptr inbounds i32, ptr addrspace(1) %109, i64 1
  store i32 %108, ptr addrspace(1) %110, align 4
  store i32 0, ptr %41, align 4
  store i32 0, ptr %42, align 4
  br label %111
111:                                              ; preds = %134, %105
  %112 = load i32, ptr %42, align 4
  %113 = icmp slt i32 %112, 32
  br i1 %113, label %114, label %140
114:                                              ; preds = %111
  %115 = load ptr addrspace(1), ptr %34, align 8
  %116 = load i32, ptr addrspace(1) %115, align 4
  %117 = load i32, ptr %42, align 4
  %118 = lshr i32 %116, %117
  %119 = and i32 %118, 255
  %120 = load ptr addrspace(1), ptr %34, align 8
  %121 = getelementptr inbounds i32, ptr addrspace(1) %120, i64 1
  %122 = load i32, ptr addrspace(1) %121, align 4
  %123 = load i32, ptr %42, align 4
  %124 = lshr i32 %122, %123
  %125 = and i32 %124, 255
  %126 = sub nsw i32 %119, %125
  store i32 %126, ptr %43, align 4
  %127 = load i32, ptr %43, align 4
  %128 = icmp slt i32 %127, 0
  br i1 %128, label %129, label %132
129:                                              ; preds = %114
  %130 = load i32, ptr %43, align 4
  %131 = sub nsw i32 0, %130
  br label %134
132:                                              ; preds = %114
  %133 = load i32, ptr %43, align 4
  br label %134
134:                                              ; preds = %132, %129
  %135 = phi i32 [ %131, %129 ], [ %133, %132 ]
  %136 = load i32, ptr %41, align 4
  %137 = add i32 %136, %135
  store i32 %137, ptr %41, align 4
  %138 = load i32, ptr %42, align 4
  %139 = add nsw i32 %138, 8
  store i32 %139, ptr %42, align 4
  br label %111
140:                                              ; preds = %111
  %141 = load i32, ptr %41, align 4
  %142 = load ptr addrspace(1), ptr %35, align 8
  %143 = getelementptr inbounds i32, ptr addrspace(1) %142, i64 2
  store i32 %141, ptr addrspace(1) %143, align 4
  %144 = load ptr addrspace(1), ptr %34, align 8
  %145 = load i32, ptr addrspace(1) %144, align 4
  %146 = and i32 %145, -65536
  %147 = load ptr addrspace(1), ptr %34, align 8
  %148 = getelementptr inbounds i32, ptr addrspace(1) %147, i64 1
  %149 = load i32, ptr addrspace(1) %148, align 4
  %150 = lshr i32 %149, 16
  %151 = or i32 %146, %150
  %152 = load ptr addrspace(1), ptr %35, align 8
  %153 = getelementptr inbounds i32, ptr addrspace(1) %152, i64 3
  store i32 %151, ptr addrspace(1) %153, align 4
  %154 = load ptr addrspace(1), ptr %34, align 8
  %155 = load i32, ptr addrspace(1) %154, align 4
  %156 = shl i32 %155, 24
  %157 = load ptr addrspace(1), ptr %34, align 8
  %158 = getelementptr inbounds i32, ptr addrspace(1) %157, i64 1
  %159 = load i32, ptr addrspace(1) %158, align 4
  %160 = lshr i32 %159, 8
  %161 = or i32 %156, %160
  %162 = load ptr addrspace(1), ptr %35, align 8
  %163 = getelementptr inbounds i32, ptr addrspace(1) %162, i64 4
  store i32 %161, ptr addrspace(1) %163, align 4
  %164 = load i32, ptr %36, align 4
  %165 = load ptr addrspace(1), ptr %35, align 8
  %166 = getelementptr inbounds i32, ptr addrspace(1) %165, i64 5
  store i32 %164, ptr addrspace(1) %166, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
