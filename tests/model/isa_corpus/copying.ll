; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_copying(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca ptr addrspace(1), align 8, addrspace(5)
  %4 = alloca ptr addrspace(1), align 8, addrspace(5)
  %5 = alloca i32, align 4, addrspace(5)
  %6 = alloca [48 x i8], align 1, addrspace(5)
  %7 = alloca [48 x i8], align 1, addrspace(5)
  %8 = alloca i32, align 4, addrspace(5)
  %9 = alloca i32, align 4, addrspace(5)
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
  store i32 0, ptr %36, align 4
  br label %38
38:                                               ; preds = %41, %2
  %39 = load i32, ptr %36, align 4
  %40 = icmp ult i32 %39, 48
  br i1 %40, label %41, label %64
41:                                               ; preds = %38
  %42 = load ptr addrspace(1), ptr %31, align 8
  %43 = load i32, ptr %36, align 4
  %44 = udiv i32 %43, 4
  %45 = urem i32 %44, 12
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr addrspace(1) %42, i64 %46
  %48 = load i32, ptr addrspace(1) %47, align 4
  %49 = load i32, ptr %36, align 4
  %50 = urem i32 %49, 4
  %51 = mul i32 %50, 8
  %52 = lshr i32 %48, %51
  %53 = trunc i32 %52 to i8
  %54 = load i32, ptr %36, align 4
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw [48 x i8], ptr %34, i64 0, i64 %55
  store i8 %53, ptr %56, align 1
  %57 = load i32, ptr %36, align 4
  %58 = trunc i32 %57 to i8
  %59 = load i32, ptr %36, align 4
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds nuw [48 x i8], ptr %35, i64 0, i64 %60
  store i8 %58, ptr %61, align 1
  %62 = load i32, ptr %36, align 4
  %63 = add i32 %62, 1
  store i32 %63, ptr %36, align 4
  br label %38
64:                                               ; preds = %38
  %65 = getelementptr inbounds i8, ptr %35, i64 3
  %66 = getelementptr inbounds i8, ptr %34, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %65, ptr align 1 %66, i64 37, i1 false)
  %67 = getelementptr inbounds i8, ptr %35, i64 5
  %68 = getelementptr inbounds i8, ptr %35, i64 2
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %67, ptr align 1 %68, i64 19, i1 false)
  %69 = getelementptr inbounds i8, ptr %35, i64 30
  %70 = load ptr addrspace(1), ptr %31, align 8
  %71 = getelementptr inbounds i32, ptr addrspace(1) %70, i64 13
  %72 = load i32, ptr addrspace(1) %71, align 4
  %73 = and i32 %72, 255
  %74 = trunc i32 %73 to i8
  call void @llvm.memset.p0.i64(ptr align 1 %69, i8 %74, i64 11, i1 false)
  store i32 0, ptr %37, align 4
  br label %75
75:                                               ; preds = %78, %64
  %76 = load i32, ptr %37, align 4
  %77 = icmp ult i32 %76, 12
  br i1 %77, label %78, label %118
78:                                               ; preds = %75
  %79 = load i32, ptr %37, align 4
  %80 = mul i32 4, %79
  %81 = zext i32 %80 to i64
  %82 = getelementptr inbounds nuw [48 x i8], ptr %35, i64 0, i64 %81
  %83 = load i8, ptr %82, align 1
  %84 = zext i8 %83 to i32
  %85 = load i32, ptr %37, align 4
  %86 = mul i32 4, %85
  %87 = add i32 %86, 1
  %88 = zext i32 %87 to i64
  %89 = getelementptr inbounds nuw [48 x i8], ptr %35, i64 0, i64 %88
  %90 = load i8, ptr %89, align 1
  %91 = zext i8 %90 to i32
  %92 = shl i32 %91, 8
  %93 = or i32 %84, %92
  %94 = load i32, ptr %37, align 4
  %95 = mul i32 4, %94
  %96 = add i32 %95, 2
  %97 = zext i32 %96 to i64
  %98 = getelementptr inbounds nuw [48 x i8], ptr %35, i64 0, i64 %97
  %99 = load i8, ptr %98, align 1
  %100 = zext i8 %99 to i32
  %101 = shl i32 %100, 16
  %102 = or i32 %93, %101
  %103 = load i32, ptr %37, align 4
  %104 = mul i32 4, %103
  %105 = add i32 %104, 3
  %106 = zext i32 %105 to i64
  %107 = getelementptr inbounds nuw [48 x i8], ptr %35, i64 0, i64 %106
  %108 = load i8, ptr %107, align 1
  %109 = zext i8 %108 to i32
  %110 = shl i32 %109, 24
  %111 = or i32 %102, %110
  %112 = load ptr addrspace(1), ptr %32, align 8
  %113 = load i32, ptr %37, align 4
  %114 = zext i32 %113 to i64
  %115 = getelementptr inbounds nuw i32, ptr addrspace(1) %112, i64 %114
  store i32 %111, ptr addrspace(1) %115, align 4
  %116 = load i32, ptr %37, align 4
  %117 = add i32 %116, 1
  store i32 %117, ptr %37, align 4
  br label %75
118:                                              ; preds = %75
  %119 = load i32, ptr %33, align 4
  %120 = load ptr addrspace(1), ptr %32, align 8
  %121 = getelementptr inbounds i32, ptr addrspace(1) %120, i64 12
  store i32 %119, ptr addrspace(1) %121, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr writeonly captures(none), ptr readonly captures(none), i64, i1 immarg)
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)
