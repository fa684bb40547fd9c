%struct.Record = type { [6 x i32], float, i64, i8, i16 }
; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_structs(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca %struct.Record, align 8, addrspace(5)
  %7 = alloca %struct.Record, align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = addrspacecast ptr addrspace(5) %8 to ptr
  %12 = addrspacecast ptr addrspace(5) %9 to ptr
  %13 = addrspacecast ptr addrspace(5) %10 to ptr
  store ptr addrspace(1) %0, ptr %11, align 8
  store ptr addrspace(1) %1, ptr %12, align 8
  %14 = call i32 @llvm.amdgcn.workgroup.id.x()
  %15 = mul i32 %14, 64
  %16 = call i32 @llvm.amdgcn.workitem.id.x()
  %17 = add i32 %15, %16
  store i32 %17, ptr %13, align 4
  %18 = load ptr addrspace(1), ptr %11, align 8
  %19 = load i32, ptr %13, align 4
  %20 = mul i32 %19, 16
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %21
  %23 = load ptr addrspace(1), ptr %12, align 8
  %24 = load i32, ptr %13, align 4
  %25 = mul i32 %24, 32
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr addrspace(1) %23, i64 %26
  %28 = load i32, ptr %13, align 4
  %29 = addrspacecast ptr addrspace(5) %3 to ptr
  %30 = addrspacecast ptr addrspace(5) %4 to ptr
  %31 = addrspacecast ptr addrspace(5) %5 to ptr
  %32 = addrspacecast ptr addrspace(5) %6 to ptr
  %33 = addrspacecast ptr addrspace(5) %7 to ptr
  store ptr addrspace(1) %22, ptr %29, align 8
  store ptr addrspace(1) %27, ptr %30, align 8
  store i32 %28, ptr %31, align 4
  %34 = load ptr addrspace(1), ptr %29, align 8
  %35 = load i32, ptr addrspace(1) %34, align 4
  %36 = call %struct.Record @make(i32 noundef %35)
  %37 = extractvalue %struct.Record %36, 0
  store [6 x i32] %37, ptr %32, align 8
  %38 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 1
  %39 = extractvalue %struct.Record %36, 1
  store float %39, ptr %38, align 8
  %40 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 2
  %41 = extractvalue %struct.Record %36, 2
  store i64 %41, ptr %40, align 8
  %42 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 3
  %43 = extractvalue %struct.Record %36, 3
  store i8 %43, ptr %42, align 8
  %44 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 4
  %45 = extractvalue %struct.Record %36, 4
  store i16 %45, ptr %44, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %33, ptr align 8 %32, i64 48, i1 false)
  %46 = load ptr addrspace(1), ptr %29, align 8
  %47 = getelementptr inbounds i32, ptr addrspace(1) %46, i64 1
  %48 = load i32, ptr addrspace(1) %47, align 4
  %49 = urem i32 %48, 6
  %50 = zext i32 %49 to i64
  %51 = getelementptr inbounds nuw [6 x i32], ptr %32, i64 0, i64 %50
  store i32 7, ptr %51, align 4
  %52 = load ptr addrspace(1), ptr %29, align 8
  %53 = getelementptr inbounds i32, ptr addrspace(1) %52, i64 2
  %54 = load i32, ptr addrspace(1) %53, align 4
  %55 = load [6 x i32], ptr %32, align 8
  %56 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 1
  %57 = load float, ptr %56, align 8
  %58 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 2
  %59 = load i64, ptr %58, align 8
  %60 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 3
  %61 = load i8, ptr %60, align 8
  %62 = getelementptr inbounds nuw %struct.Record, ptr %32, i32 0, i32 4
  %63 = load i16, ptr %62, align 2
  %64 = call i32 @use([6 x i32] %55, float %57, i64 %59, i8 %61, i16 %63, i32 noundef %54)
  %65 = load ptr addrspace(1), ptr %30, align 8
  store i32 %64, ptr addrspace(1) %65, align 4
  %66 = load ptr addrspace(1), ptr %29, align 8
  %67 = getelementptr inbounds i32, ptr addrspace(1) %66, i64 3
  %68 = load i32, ptr addrspace(1) %67, align 4
  %69 = load [6 x i32], ptr %33, align 8
  %70 = getelementptr inbounds nuw %struct.Record, ptr %33, i32 0, i32 1
  %71 = load float, ptr %70, align 8
  %72 = getelementptr inbounds nuw %struct.Record, ptr %33, i32 0, i32 2
  %73 = load i64, ptr %72, align 8
  %74 = getelementptr inbounds nuw %struct.Record, ptr %33, i32 0, i32 3
  %75 = load i8, ptr %74, align 8
  %76 = getelementptr inbounds nuw %struct.Record, ptr %33, i32 0, i32 4
  %77 = load i16, ptr %76, align 2
  %78 = call i32 @use([6 x i32] %69, float %71, i64 %73, i8 %75, i16 %77, i32 noundef %68)
  %79 = load ptr addrspace(1), ptr %30, align 8
  %80 = getelementptr inbounds i32, ptr addrspace(1) %79, i64 1
  store i32 %78, ptr addrspace(1) %80, align 4
  %81 = load ptr addrspace(1), ptr %30, align 8
  %82 = getelementptr inbounds i32, ptr addrspace(1) %81, i64 2
  store i32 48, ptr addrspace(1) %82, align 4
  %83 = load i32, ptr %31, align 4
  %84 = load ptr addrspace(1), ptr %30, align 8
  %85 = getelementptr inbounds i32, ptr addrspace(1) %84, i64 3
  store i32 %83, ptr addrspace(1) %85, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: convergent noinline nounwind
define internal %struct.Record @make(i32 noundef %0) {
  %2 = alloca %struct.Record, align 8, addrspace(5)
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca i32, align 4, addrspace(5)
  %5 = addrspacecast ptr addrspace(5) %2 to ptr
  %6 = addrspacecast ptr addrspace(5) %3 to ptr
  %7 = addrspacecast ptr addrspace(5) %4 to ptr
  store i32 %0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %8
8:                                                ; preds = %19, %1
  %9 = load i32, ptr %7, align 4
  %10 = icmp ult i32 %9, 6
  br i1 %10, label %11, label %22
11:                                               ; preds = %8
  %12 = load i32, ptr %6, align 4
  %13 = load i32, ptr %7, align 4
  %14 = add i32 %12, %13
  %15 = getelementptr inbounds nuw %struct.Record, ptr %5, i32 0, i32 0
  %16 = load i32, ptr %7, align 4
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [6 x i32], ptr %15, i64 0, i64 %17
  store i32 %14, ptr %18, align 4
  br label %19
19:                                               ; preds = %11
  %20 = load i32, ptr %7, align 4
  %21 = add i32 %20, 1
  store i32 %21, ptr %7, align 4
  br label %8
22:                                               ; preds = %8
  %23 = load i32, ptr %6, align 4
  %24 = and i32 %23, 1023
  %25 = uitofp i32 %24 to float
  %26 = getelementptr inbounds nuw %struct.Record, ptr %5, i32 0, i32 1
  store float %25, ptr %26, align 8
  %27 = load i32, ptr %6, align 4
  %28 = zext i32 %27 to i64
  %29 = load i32, ptr %6, align 4
  %30 = zext i32 %29 to i64
  %31 = mul i64 %28, %30
  %32 = getelementptr inbounds nuw %struct.Record, ptr %5, i32 0, i32 2
  store i64 %31, ptr %32, align 8
  %33 = load i32, ptr %6, align 4
  %34 = trunc i32 %33 to i8
  %35 = getelementptr inbounds nuw %struct.Record, ptr %5, i32 0, i32 3
  store i8 %34, ptr %35, align 8
  %36 = load i32, ptr %6, align 4
  %37 = lshr i32 %36, 3
  %38 = trunc i32 %37 to i16
  %39 = getelementptr inbounds nuw %struct.Record, ptr %5, i32 0, i32 4
  store i16 %38, ptr %39, align 2
  %40 = load %struct.Record, ptr %5, align 8
  ret %struct.Record %40
}
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
; Function Attrs: convergent noinline nounwind
define internal i32 @use([6 x i32] %0, float %1, i64 %2, i8 %3, i16 %4, i32 noundef %5) {
  %7 = alloca i32, align 4, addrspace(5)
  %8 = alloca %struct.Record, align 8, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = addrspacecast ptr addrspace(5) %7 to ptr
  %11 = addrspacecast ptr addrspace(5) %8 to ptr
  %12 = addrspacecast ptr addrspace(5) %9 to ptr
  %13 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 0
  store [6 x i32] %0, ptr %13, align 8
  %14 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 1
  store float %1, ptr %14, align 8
  %15 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 2
  store i64 %2, ptr %15, align 8
  %16 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 3
  store i8 %3, ptr %16, align 8
  %17 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 4
  store i16 %4, ptr %17, align 2
  store i32 %5, ptr %12, align 4
  %18 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 0
  %19 = load i32, ptr %12, align 4
  %20 = urem i32 %19, 6
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw [6 x i32], ptr %18, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 1
  %25 = load float, ptr %24, align 8
  %26 = fptoui float %25 to i32
  %27 = add i32 %23, %26
  %28 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 2
  %29 = load i64, ptr %28, align 8
  %30 = trunc i64 %29 to i32
  %31 = add i32 %27, %30
  %32 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 3
  %33 = load i8, ptr %32, align 8
  %34 = zext i8 %33 to i32
  %35 = add i32 %31, %34
  %36 = getelementptr inbounds nuw %struct.Record, ptr %11, i32 0, i32 4
  %37 = load i16, ptr %36, align 2
  %38 = sext i16 %37 to i32
  %39 = add i32 %35, %38
  ret i32 %39
}
