; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_divergence(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca i32, align 4, addrspace(5)
  %7 = alloca i32, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca ptr addrspace(1), align 8, addrspace(5)
  %11 = alloca i32, align 4, addrspace(5)
  %12 = addrspacecast ptr addrspace(5) %9 to ptr
  %13 = addrspacecast ptr addrspace(5) %10 to ptr
  %14 = addrspacecast ptr addrspace(5) %11 to ptr
  store ptr addrspace(1) %0, ptr %12, align 8
  store ptr addrspace(1) %1, ptr %13, align 8
  %15 = call i32 @llvm.amdgcn.workgroup.id.x()
  %16 = mul i32 %15, 64
  %17 = call i32 @llvm.amdgcn.workitem.id.x()
  %18 = add i32 %16, %17
  store i32 %18, ptr %14, align 4
  %19 = load ptr addrspace(1), ptr %12, align 8
  %20 = load i32, ptr %14, align 4
  %21 = mul i32 %20, 16
  %22 = zext i32 %21 to i64
  %23 = getelementptr inbounds nuw i32, ptr addrspace(1) %19, i64 %22
  %24 = load ptr addrspace(1), ptr %13, align 8
  %25 = load i32, ptr %14, align 4
  %26 = mul i32 %25, 32
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw i32, ptr addrspace(1) %24, i64 %27
  %29 = load i32, ptr %14, align 4
  %30 = addrspacecast ptr addrspace(5) %3 to ptr
  %31 = addrspacecast ptr addrspace(5) %4 to ptr
  %32 = addrspacecast ptr addrspace(5) %5 to ptr
  %33 = addrspacecast ptr addrspace(5) %6 to ptr
  %34 = addrspacecast ptr addrspace(5) %7 to ptr
  %35 = addrspacecast ptr addrspace(5) %8 to ptr
  store ptr addrspace(1) %23, ptr %30, align 8
  store ptr addrspace(1) %28, ptr %31, align 8
  store i32 %29, ptr %32, align 4
  %36 = load ptr addrspace(1), ptr %30, align 8
  %37 = load i32, ptr addrspace(1) %36, align 4
  %38 = and i32 %37, 63
  store i32 %38, ptr %33, align 4
  store i32 0, ptr %34, align 4
  br label %39
39:                                               ; preds = %74, %59, %2
  %40 = load i32, ptr %33, align 4
  %41 = icmp ne i32 %40, 0
  br i1 %41, label %42, label %77
42:                                               ; preds = %39
  %43 = load ptr addrspace(1), ptr %30, align 8
  %44 = load i32, ptr %33, align 4
  %45 = and i32 %44, 15
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr addrspace(1) %43, i64 %46
  %48 = load i32, ptr addrspace(1) %47, align 4
  %49 = and i32 %48, 255
  %50 = load i32, ptr %34, align 4
  %51 = add i32 %50, %49
  store i32 %51, ptr %34, align 4
  %52 = load i32, ptr %34, align 4
  %53 = icmp ugt i32 %52, 1000
  br i1 %53, label %54, label %55
54:                                               ; preds = %42
  br label %77
55:                                               ; preds = %42
  %56 = load i32, ptr %34, align 4
  %57 = and i32 %56, 1
  %58 = icmp ne i32 %57, 0
  br i1 %58, label %59, label %62
59:                                               ; preds = %55
  %60 = load i32, ptr %33, align 4
  %61 = add i32 %60, -1
  store i32 %61, ptr %33, align 4
  br label %39
62:                                               ; preds = %55
  store i32 0, ptr %35, align 4
  br label %63
63:                                               ; preds = %68, %62
  %64 = load i32, ptr %35, align 4
  %65 = load i32, ptr %34, align 4
  %66 = and i32 %65, 3
  %67 = icmp ult i32 %64, %66
  br i1 %67, label %68, label %74
68:                                               ; preds = %63
  %69 = load i32, ptr %35, align 4
  %70 = load i32, ptr %34, align 4
  %71 = add i32 %70, %69
  store i32 %71, ptr %34, align 4
  %72 = load i32, ptr %35, align 4
  %73 = add i32 %72, 1
  store i32 %73, ptr %35, align 4
  br label %63
74:                                               ; preds = %63
  %75 = load i32, ptr %33, align 4
  %76 = lshr i32 %75, 1
  store i32 %76, ptr %33, align 4
  br label %39
77:                                               ; preds = %54, %39
  %78 = load i32, ptr %34, align 4
  %79 = load ptr addrspace(1), ptr %31, align 8
  store i32 %78, ptr addrspace(1) %79, align 4
  %80 = load i32, ptr %33, align 4
  %81 = load ptr addrspace(1), ptr %31, align 8
  %82 = getelementptr inbounds i32, ptr addrspace(1) %81, i64 1
  store i32 %80, ptr addrspace(1) %82, align 4
  %83 = load i32, ptr %34, align 4
  %84 = and i32 %83, 4
  %85 = icmp ne i32 %84, 0
  br i1 %85, label %86, label %94
86:                                               ; preds = %77
  %87 = load ptr addrspace(1), ptr %30, align 8
  %88 = getelementptr inbounds i32, ptr addrspace(1) %87, i64 1
  %89 = load i32, ptr addrspace(1) %88, align 4
  %90 = and i32 %89, 1
  %91 = icmp ne i32 %90, 0
  br i1 %91, label %92, label %94
92:                                               ; preds = %86
  %93 = load i32, ptr %34, align 4
  br label %96
94:                                               ; preds = %86, %77
  %95 = load i32, ptr %32, align 4
  br label %96
96:                                               ; preds = %92, %94
  %97 = phi i32 [ %93, %92 ], [ %95, %94 ]
  %98 = load ptr addrspace(1), ptr %31, align 8
  %99 = getelementptr inbounds i32, ptr addrspace(1) %98, i64 2
  store i32 %97, ptr addrspace(1) %99, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
