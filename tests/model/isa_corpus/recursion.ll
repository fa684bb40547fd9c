; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_recursion(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca ptr, align 8, addrspace(5)
  %7 = alloca ptr addrspace(1), align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = addrspacecast ptr addrspace(5) %7 to ptr
  %11 = addrspacecast ptr addrspace(5) %8 to ptr
  %12 = addrspacecast ptr addrspace(5) %9 to ptr
  store ptr addrspace(1) %0, ptr %10, align 8
  store ptr addrspace(1) %1, ptr %11, align 8
  %13 = call i32 @llvm.amdgcn.workgroup.id.x()
  %14 = mul i32 %13, 64
  %15 = call i32 @llvm.amdgcn.workitem.id.x()
  %16 = add i32 %14, %15
  store i32 %16, ptr %12, align 4
  %17 = load ptr addrspace(1), ptr %10, align 8
  %18 = load i32, ptr %12, align 4
  %19 = mul i32 %18, 16
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw i32, ptr addrspace(1) %17, i64 %20
  %22 = load ptr addrspace(1), ptr %11, align 8
  %23 = load i32, ptr %12, align 4
  %24 = mul i32 %23, 32
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds nuw i32, ptr addrspace(1) %22, i64 %25
  %27 = load i32, ptr %12, align 4
  %28 = addrspacecast ptr addrspace(5) %3 to ptr
  %29 = addrspacecast ptr addrspace(5) %4 to ptr
  %30 = addrspacecast ptr addrspace(5) %5 to ptr
  %31 = addrspacecast ptr addrspace(5) %6 to ptr
  store ptr addrspace(1) %21, ptr %28, align 8
  store ptr addrspace(1) %26, ptr %29, align 8
  store i32 %27, ptr %30, align 4
  %32 = load ptr addrspace(1), ptr %28, align 8
  %33 = load i32, ptr addrspace(1) %32, align 4
  %34 = urem i32 %33, 3
  %35 = load ptr addrspace(1), ptr %28, align 8
  %36 = getelementptr inbounds i32, ptr addrspace(1) %35, i64 1
  %37 = load i32, ptr addrspace(1) %36, align 4
  %38 = urem i32 %37, 4
  %39 = call i32 @ackermann(i32 noundef %34, i32 noundef %38)
  %40 = load ptr addrspace(1), ptr %29, align 8
  store i32 %39, ptr addrspace(1) %40, align 4
  %41 = load ptr addrspace(1), ptr %28, align 8
  %42 = getelementptr inbounds i32, ptr addrspace(1) %41, i64 2
  %43 = load i32, ptr addrspace(1) %42, align 4
  %44 = and i32 %43, 1
  %45 = icmp ne i32 %44, 0
  %46 = zext i1 %45 to i64
  %47 = select i1 %45, ptr @twice, ptr @ackermann
  store ptr %47, ptr %31, align 8
  %48 = load ptr, ptr %31, align 8
  %49 = load ptr addrspace(1), ptr %28, align 8
  %50 = getelementptr inbounds i32, ptr addrspace(1) %49, i64 3
  %51 = load i32, ptr addrspace(1) %50, align 4
  %52 = urem i32 %51, 5
  %53 = call i32 %48(i32 noundef 1, i32 noundef %52)
  %54 = load ptr addrspace(1), ptr %29, align 8
  %55 = getelementptr inbounds i32, ptr addrspace(1) %54, i64 1
  store i32 %53, ptr addrspace(1) %55, align 4
  %56 = load i32, ptr %30, align 4
  %57 = load ptr addrspace(1), ptr %29, align 8
  %58 = getelementptr inbounds i32, ptr addrspace(1) %57, i64 2
  store i32 %56, ptr addrspace(1) %58, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: convergent noinline nounwind
define internal i32 @ackermann(i32 noundef %0, i32 noundef %1) {
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = addrspacecast ptr addrspace(5) %3 to ptr
  %7 = addrspacecast ptr addrspace(5) %4 to ptr
  %8 = addrspacecast ptr addrspace(5) %5 to ptr
  store i32 %0, ptr %7, align 4
  store i32 %1, ptr %8, align 4
  %9 = load i32, ptr %7, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %14
11:                                               ; preds = %2
  %12 = load i32, ptr %8, align 4
  %13 = add i32 %12, 1
  store i32 %13, ptr %6, align 4
  br label %29
14:                                               ; preds = %2
  %15 = load i32, ptr %8, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %21
17:                                               ; preds = %14
  %18 = load i32, ptr %7, align 4
  %19 = sub i32 %18, 1
  %20 = call i32 @ackermann(i32 noundef %19, i32 noundef 1)
  store i32 %20, ptr %6, align 4
  br label %29
21:                                               ; preds = %14
  %22 = load i32, ptr %7, align 4
  %23 = sub i32 %22, 1
  %24 = load i32, ptr %7, align 4
  %25 = load i32, ptr %8, align 4
  %26 = sub i32 %25, 1
  %27 = call i32 @ackermann(i32 noundef %24, i32 noundef %26)
  %28 = call i32 @ackermann(i32 noundef %23, i32 noundef %27)
  store i32 %28, ptr %6, align 4
  br label %29
29:                                               ; preds = %21, %17, %11
  %30 = load i32, ptr %6, align 4
  ret i32 %30
}
; Function Attrs: convergent noinline nounwind
define internal i32 @twice(i32 noundef %0, i32 noundef %1) {
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = addrspacecast ptr addrspace(5) %3 to ptr
  %7 = addrspacecast ptr addrspace(5) %4 to ptr
  %8 = addrspacecast ptr addrspace(5) %5 to ptr
  store i32 %0, ptr %7, align 4
  store i32 %1, ptr %8, align 4
  %9 = load i32, ptr %7, align 4
  %10 = mul i32 2, %9
  %11 = load i32, ptr %8, align 4
  %12 = add i32 %10, %11
  ret i32 %12
}
