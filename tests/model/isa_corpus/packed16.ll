; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_packed16(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca <2 x i16>, align 4, addrspace(5)
  %7 = alloca <2 x i16>, align 4, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
  %10 = alloca <2 x i16>, align 4, addrspace(5)
  %11 = alloca [8 x <2 x i16>], align 4, addrspace(5)
  %12 = alloca <2 x i16>, align 4, addrspace(5)
  %13 = alloca i32, align 4, addrspace(5)
  %14 = alloca ptr addrspace(1), align 8, addrspace(5)
  %15 = alloca ptr addrspace(1), align 8, addrspace(5)
  %16 = alloca i32, align 4, addrspace(5)
  %17 = addrspacecast ptr addrspace(5) %14 to ptr
  %18 = addrspacecast ptr addrspace(5) %15 to ptr
  %19 = addrspacecast ptr addrspace(5) %16 to ptr
  store ptr addrspace(1) %0, ptr %17, align 8
  store ptr addrspace(1) %1, ptr %18, align 8
  %20 = call i32 @llvm.amdgcn.workgroup.id.x()
  %21 = mul i32 %20, 64
  %22 = call i32 @llvm.amdgcn.workitem.id.x()
  %23 = add i32 %21, %22
  store i32 %23, ptr %19, align 4
  %24 = load ptr addrspace(1), ptr %17, align 8
  %25 = load i32, ptr %19, align 4
  %26 = mul i32 %25, 16
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw i32, ptr addrspace(1) %24, i64 %27
  %29 = load ptr addrspace(1), ptr %18, align 8
  %30 = load i32, ptr %19, align 4
  %31 = mul i32 %30, 32
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspace(1) %29, i64 %32
  %34 = load i32, ptr %19, align 4
  %35 = addrspacecast ptr addrspace(5) %3 to ptr
  %36 = addrspacecast ptr addrspace(5) %4 to ptr
  %37 = addrspacecast ptr addrspace(5) %5 to ptr
  %38 = addrspacecast ptr addrspace(5) %6 to ptr
  %39 = addrspacecast ptr addrspace(5) %7 to ptr
  %40 = addrspacecast ptr addrspace(5) %8 to ptr
  %41 = addrspacecast ptr addrspace(5) %9 to ptr
  %42 = addrspacecast ptr addrspace(5) %10 to ptr
  %43 = addrspacecast ptr addrspace(5) %11 to ptr
  %44 = addrspacecast ptr addrspace(5) %12 to ptr
  %45 = addrspacecast ptr addrspace(5) %13 to ptr
  store ptr addrspace(1) %28, ptr %35, align 8
  store ptr addrspace(1) %33, ptr %36, align 8
  store i32 %34, ptr %37, align 4
  %46 = load ptr addrspace(1), ptr %35, align 8
  %47 = load i32, ptr addrspace(1) %46, align 4
  store i32 %47, ptr %40, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %38, ptr align 4 %40, i64 4, i1 false)
  %48 = load ptr addrspace(1), ptr %35, align 8
  %49 = getelementptr inbounds i32, ptr addrspace(1) %48, i64 1
  %50 = load i32, ptr addrspace(1) %49, align 4
  store i32 %50, ptr %41, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %39, ptr align 4 %41, i64 4, i1 false)
  %51 = load <2 x i16>, ptr %39, align 4
  %52 = and <2 x i16> %51, splat (i16 15)
  store <2 x i16> %52, ptr %42, align 4
  %53 = load <2 x i16>, ptr %38, align 4
  %54 = load <2 x i16>, ptr %39, align 4
  %55 = add <2 x i16> %53, %54
  store <2 x i16> %55, ptr %43, align 4
  %56 = getelementptr inbounds <2 x i16>, ptr %43, i64 1
  %57 = load <2 x i16>, ptr %38, align 4
  %58 = load <2 x i16>, ptr %39, align 4
  %59 = sub <2 x i16> %57, %58
  store <2 x i16> %59, ptr %56, align 4
  %60 = getelementptr inbounds <2 x i16>, ptr %43, i64 2
  %61 = load <2 x i16>, ptr %38, align 4
  %62 = load <2 x i16>, ptr %39, align 4
  %63 = mul <2 x i16> %61, %62
  store <2 x i16> %63, ptr %60, align 4
  %64 = getelementptr inbounds <2 x i16>, ptr %43, i64 3
  %65 = load <2 x i16>, ptr %38, align 4
  %66 = load <2 x i16>, ptr %42, align 4
  %67 = shl <2 x i16> %65, %66
  store <2 x i16> %67, ptr %64, align 4
  %68 = getelementptr inbounds <2 x i16>, ptr %43, i64 4
  %69 = load <2 x i16>, ptr %38, align 4
  %70 = load <2 x i16>, ptr %42, align 4
  %71 = lshr <2 x i16> %69, %70
  store <2 x i16> %71, ptr %68, align 4
  %72 = getelementptr inbounds <2 x i16>, ptr %43, i64 5
  %73 = load <2 x i16>, ptr %38, align 4
  %74 = load <2 x i16>, ptr %42, align 4
  %75 = ashr <2 x i16> %73, %74
  store <2 x i16> %75, ptr %72, align 4
  %76 = getelementptr inbounds <2 x i16>, ptr %43, i64 6
  %77 = load <2 x i16>, ptr %38, align 4
  %78 = load <2 x i16>, ptr %39, align 4
  %79 = mul <2 x i16> %77, %78
  %80 = load <2 x i16>, ptr %38, align 4
  %81 = add <2 x i16> %79, %80
  store <2 x i16> %81, ptr %76, align 4
  %82 = getelementptr inbounds <2 x i16>, ptr %43, i64 7
  %83 = load <2 x i16>, ptr %39, align 4
  %84 = extractelement <2 x i16> %83, i32 1
  %85 = insertelement <2 x i16> poison, i16 %84, i32 0
  %86 = load <2 x i16>, ptr %38, align 4
  %87 = extractelement <2 x i16> %86, i32 0
  %88 = insertelement <2 x i16> %85, i16 %87, i32 1
  store <2 x i16> %88, ptr %44, align 4
  %89 = load <2 x i16>, ptr %44, align 4
  store <2 x i16> %89, ptr %82, align 4
  store i32 0, ptr %45, align 4
  br label %90
90:                                               ; preds = %93, %2
  %91 = load i32, ptr %45, align 4
  %92 = icmp slt i32 %91, 8
  br i1 %92, label %93, label %114
93:                                               ; preds = %90
  %94 = load i32, ptr %45, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [8 x <2 x i16>], ptr %43, i64 0, i64 %95
  %97 = load <2 x i16>, ptr %96, align 4
  %98 = extractelement <2 x i16> %97, i32 0
  %99 = zext i16 %98 to i32
  %100 = load i32, ptr %45, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [8 x <2 x i16>], ptr %43, i64 0, i64 %101
  %103 = load <2 x i16>, ptr %102, align 4
  %104 = extractelement <2 x i16> %103, i32 1
  %105 = zext i16 %104 to i32
  %106 = shl i32 %105, 16
  %107 = or i32 %99, %106
  %108 = load ptr addrspace(1), ptr %36, align 8
  %109 = load i32, ptr %45, align 4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds i32, ptr addrspace(1) %108, i64 %110
  store i32 %107, ptr addrspace(1) %111, align 4
  %112 = load i32, ptr %45, align 4
  %113 = add nsw i32 %112, 1
  store i32 %113, ptr %45, align 4
  br label %90
114:                                              ; preds = %90
  %115 = load i32, ptr %37, align 4
  %116 = load ptr addrspace(1), ptr %36, align 8
  %117 = getelementptr inbounds i32, ptr addrspace(1) %116, i64 8
  store i32 %115, ptr addrspace(1) %117, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
