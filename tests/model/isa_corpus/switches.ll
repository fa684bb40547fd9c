; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_switches(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
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
  store i32 0, ptr %33, align 4
  br label %36
36:                                               ; preds = %74, %2
  %37 = load i32, ptr %33, align 4
  %38 = icmp slt i32 %37, 8
  br i1 %38, label %39, label %82
39:                                               ; preds = %36
  %40 = load ptr addrspace(1), ptr %30, align 8
  %41 = load i32, ptr %33, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr addrspace(1) %40, i64 %42
  %44 = load i32, ptr addrspace(1) %43, align 4
  store i32 %44, ptr %34, align 4
  %45 = load i32, ptr %34, align 4
  %46 = and i32 %45, 15
  switch i32 %46, label %73 [
    i32 0, label %47
    i32 1, label %50
    i32 2, label %53
    i32 3, label %56
    i32 4, label %59
    i32 5, label %62
    i32 6, label %65
    i32 9, label %68
    i32 12, label %71
  ]
47:                                               ; preds = %39
  %48 = load i32, ptr %34, align 4
  %49 = mul i32 %48, 3
  store i32 %49, ptr %35, align 4
  br label %74
50:                                               ; preds = %39
  %51 = load i32, ptr %34, align 4
  %52 = udiv i32 %51, 7
  store i32 %52, ptr %35, align 4
  br label %74
53:                                               ; preds = %39
  %54 = load i32, ptr %34, align 4
  %55 = xor i32 %54, 85
  store i32 %55, ptr %35, align 4
  br label %74
56:                                               ; preds = %39
  %57 = load i32, ptr %34, align 4
  %58 = add i32 %57, 100
  store i32 %58, ptr %35, align 4
  br label %59
59:                                               ; preds = %56, %39
  %60 = load i32, ptr %34, align 4
  %61 = shl i32 %60, 3
  store i32 %61, ptr %35, align 4
  br label %74
62:                                               ; preds = %39
  %63 = load i32, ptr %34, align 4
  %64 = lshr i32 %63, 2
  store i32 %64, ptr %35, align 4
  br label %74
65:                                               ; preds = %39
  %66 = load i32, ptr %34, align 4
  %67 = sub i32 0, %66
  store i32 %67, ptr %35, align 4
  br label %74
68:                                               ; preds = %39
  %69 = load i32, ptr %34, align 4
  %70 = urem i32 %69, 11
  store i32 %70, ptr %35, align 4
  br label %74
71:                                               ; preds = %39
  %72 = load i32, ptr %32, align 4
  store i32 %72, ptr %35, align 4
  br label %74
73:                                               ; preds = %39
  store i32 0, ptr %35, align 4
  br label %74
74:                                               ; preds = %73, %71, %68, %65, %62, %59, %53, %50, %47
  %75 = load i32, ptr %35, align 4
  %76 = load ptr addrspace(1), ptr %31, align 8
  %77 = load i32, ptr %33, align 4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds i32, ptr addrspace(1) %76, i64 %78
  store i32 %75, ptr addrspace(1) %79, align 4
  %80 = load i32, ptr %33, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %33, align 4
  br label %36
82:                                               ; preds = %36
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
