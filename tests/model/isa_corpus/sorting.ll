; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_sorting(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca [16 x i32], align 4, addrspace(5)
  %7 = alloca i32, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = alloca ptr addrspace(1), align 8, addrspace(5)
  %13 = alloca ptr addrspace(1), align 8, addrspace(5)
  %14 = alloca i32, align 4, addrspace(5)
  %15 = addrspacecast ptr addrspace(5) %12 to ptr
  %16 = addrspacecast ptr addrspace(5) %13 to ptr
  %17 = addrspacecast ptr addrspace(5) %14 to ptr
  store ptr addrspace(1) %0, ptr %15, align 8
  store ptr addrspace(1) %1, ptr %16, align 8
  %18 = call i32 @llvm.amdgcn.workgroup.id.x()
  %19 = mul i32 %18, 64
  %20 = call i32 @llvm.amdgcn.workitem.id.x()
  %21 = add i32 %19, %20
  store i32 %21, ptr %17, align 4
  %22 = load ptr addrspace(1), ptr %15, align 8
  %23 = load i32, ptr %17, align 4
  %24 = mul i32 %23, 16
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds nuw i32, ptr addrspace(1) %22, i64 %25
  %27 = load ptr addrspace(1), ptr %16, align 8
  %28 = load i32, ptr %17, align 4
  %29 = mul i32 %28, 32
  %30 = zext i32 %29 to i64
  %31 = getelementptr inbounds nuw i32, ptr addrspace(1) %27, i64 %30
  %32 = load i32, ptr %17, align 4
  %33 = addrspacecast ptr addrspace(5) %3 to ptr
  %34 = addrspacecast ptr addrspace(5) %4 to ptr
  %35 = addrspacecast ptr addrspace(5) %5 to ptr
  %36 = addrspacecast ptr addrspace(5) %6 to ptr
  %37 = addrspacecast ptr addrspace(5) %7 to ptr
  %38 = addrspacecast ptr addrspace(5) %8 to ptr
  %39 = addrspacecast ptr addrspace(5) %9 to ptr
  %40 = addrspacecast ptr addrspace(5) %10 to ptr
  %41 = addrspacecast ptr addrspace(5) %11 to ptr
  store ptr addrspace(1) %26, ptr %33, align 8
  store ptr addrspace(1) %31, ptr %34, align 8
  store i32 %32, ptr %35, align 4
  store i32 0, ptr %37, align 4
  br label %42
42:                                               ; preds = %45, %2
  %43 = load i32, ptr %37, align 4
  %44 = icmp slt i32 %43, 16
  br i1 %44, label %45, label %56
45:                                               ; preds = %42
  %46 = load ptr addrspace(1), ptr %33, align 8
  %47 = load i32, ptr %37, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i32, ptr addrspace(1) %46, i64 %48
  %50 = load i32, ptr addrspace(1) %49, align 4
  %51 = load i32, ptr %37, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %52
  store i32 %50, ptr %53, align 4
  %54 = load i32, ptr %37, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %37, align 4
  br label %42
56:                                               ; preds = %42
  store i32 0, ptr %38, align 4
  br label %57
57:                                               ; preds = %99, %56
  %58 = load i32, ptr %38, align 4
  %59 = icmp slt i32 %58, 16
  br i1 %59, label %60, label %102
60:                                               ; preds = %57
  store i32 0, ptr %39, align 4
  br label %61
61:                                               ; preds = %96, %60
  %62 = load i32, ptr %39, align 4
  %63 = add nsw i32 %62, 1
  %64 = load i32, ptr %38, align 4
  %65 = sub nsw i32 16, %64
  %66 = icmp slt i32 %63, %65
  br i1 %66, label %67, label %99
67:                                               ; preds = %61
  %68 = load i32, ptr %39, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %69
  %71 = load i32, ptr %70, align 4
  %72 = load i32, ptr %39, align 4
  %73 = add nsw i32 %72, 1
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %74
  %76 = load i32, ptr %75, align 4
  %77 = icmp ugt i32 %71, %76
  br i1 %77, label %78, label %96
78:                                               ; preds = %67
  %79 = load i32, ptr %39, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %80
  %82 = load i32, ptr %81, align 4
  store i32 %82, ptr %40, align 4
  %83 = load i32, ptr %39, align 4
  %84 = add nsw i32 %83, 1
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %85
  %87 = load i32, ptr %86, align 4
  %88 = load i32, ptr %39, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %89
  store i32 %87, ptr %90, align 4
  %91 = load i32, ptr %40, align 4
  %92 = load i32, ptr %39, align 4
  %93 = add nsw i32 %92, 1
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %94
  store i32 %91, ptr %95, align 4
  br label %96
96:                                               ; preds = %78, %67
  %97 = load i32, ptr %39, align 4
  %98 = add nsw i32 %97, 1
  store i32 %98, ptr %39, align 4
  br label %61
99:                                               ; preds = %61
  %100 = load i32, ptr %38, align 4
  %101 = add nsw i32 %100, 1
  store i32 %101, ptr %38, align 4
  br label %57
102:                                              ; preds = %57
  store i32 0, ptr %41, align 4
  br label %103
103:                                              ; preds = %106, %102
  %104 = load i32, ptr %41, align 4
  %105 = icmp slt i32 %104, 16
  br i1 %105, label %106, label %117
106:                                              ; preds = %103
  %107 = load i32, ptr %41, align 4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [16 x i32], ptr %36, i64 0, i64 %108
  %110 = load i32, ptr %109, align 4
  %111 = load ptr addrspace(1), ptr %34, align 8
  %112 = load i32, ptr %41, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds i32, ptr addrspace(1) %111, i64 %113
  store i32 %110, ptr addrspace(1) %114, align 4
  %115 = load i32, ptr %41, align 4
  %116 = add nsw i32 %115, 1
  store i32 %116, ptr %41, align 4
  br label %103
117:                                              ; preds = %103
  %118 = load i32, ptr %35, align 4
  %119 = load ptr addrspace(1), ptr %34, align 8
  %120 = getelementptr inbounds i32, ptr addrspace(1) %119, i64 16
  store i32 %118, ptr addrspace(1) %120, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
