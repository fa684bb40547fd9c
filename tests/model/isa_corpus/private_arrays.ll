; Function Attrs: convergent noinline nounwind
define protected amdgpu_kernel void @corpus_private_arrays(ptr addrspace(1) noundef %0, ptr addrspace(1) noundef %1) {
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca half, align 2, addrspace(5)
  %5 = alloca i16, align 2, addrspace(5)
  %6 = alloca ptr addrspace(1), align 8, addrspace(5)
  %7 = alloca i64, align 8, addrspace(5)
  %8 = alloca ptr addrspace(1), align 8, addrspace(5)
  %9 = alloca ptr addrspace(1), align 8, addrspace(5)
  %10 = alloca i32, align 4, addrspace(5)
  %11 = alloca [64 x i8], align 1, addrspace(5)
  %12 = alloca [20 x i16], align 2, addrspace(5)
  %13 = alloca [10 x i64], align 8, addrspace(5)
  %14 = alloca [8 x half], align 2, addrspace(5)
  %15 = alloca i32, align 4, addrspace(5)
  %16 = alloca i32, align 4, addrspace(5)
  %17 = alloca i32, align 4, addrspace(5)
  %18 = alloca i32, align 4, addrspace(5)
  %19 = alloca ptr addrspace(1), align 8, addrspace(5)
  %20 = alloca ptr addrspace(1), align 8, addrspace(5)
  %21 = alloca i32, align 4, addrspace(5)
  %22 = addrspacecast ptr addrspace(5) %19 to ptr
  %23 = addrspacecast ptr addrspace(5) %20 to ptr
  %24 = addrspacecast ptr addrspace(5) %21 to ptr
  store ptr addrspace(1) %0, ptr %22, align 8
  store ptr addrspace(1) %1, ptr %23, align 8
  %25 = call i32 @llvm.amdgcn.workgroup.id.x()
  %26 = mul i32 %25, 64
  %27 = call i32 @llvm.amdgcn.workitem.id.x()
  %28 = add i32 %26, %27
  store i32 %28, ptr %24, align 4
  %29 = load ptr addrspace(1), ptr %22, align 8
  %30 = load i32, ptr %24, align 4
  %31 = mul i32 %30, 16
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspace(1) %29, i64 %32
  %34 = load ptr addrspace(1), ptr %23, align 8
  %35 = load i32, ptr %24, align 4
  %36 = mul i32 %35, 32
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw i32, ptr addrspace(1) %34, i64 %37
  %39 = load i32, ptr %24, align 4
  %40 = addrspacecast ptr addrspace(5) %8 to ptr
  %41 = addrspacecast ptr addrspace(5) %9 to ptr
  %42 = addrspacecast ptr addrspace(5) %10 to ptr
  %43 = addrspacecast ptr addrspace(5) %11 to ptr
  %44 = addrspacecast ptr addrspace(5) %12 to ptr
  %45 = addrspacecast ptr addrspace(5) %13 to ptr
  %46 = addrspacecast ptr addrspace(5) %14 to ptr
  %47 = addrspacecast ptr addrspace(5) %15 to ptr
  %48 = addrspacecast ptr addrspace(5) %16 to ptr
  %49 = addrspacecast ptr addrspace(5) %17 to ptr
  %50 = addrspacecast ptr addrspace(5) %18 to ptr
  store ptr addrspace(1) %33, ptr %40, align 8
  store ptr addrspace(1) %38, ptr %41, align 8
  store i32 %39, ptr %42, align 4
  store i32 0, ptr %47, align 4
  br label %51
51:                                               ; preds = %54, %2
  %52 = load i32, ptr %47, align 4
  %53 = icmp ult i32 %52, 64
  br i1 %53, label %54, label %66
54:                                               ; preds = %51
  %55 = load ptr addrspace(1), ptr %40, align 8
  %56 = load i32, ptr addrspace(1) %55, align 4
  %57 = load i32, ptr %47, align 4
  %58 = mul i32 %57, 3
  %59 = add i32 %56, %58
  %60 = trunc i32 %59 to i8
  %61 = load i32, ptr %47, align 4
  %62 = zext i32 %61 to i64
  %63 = getelementptr inbounds nuw [64 x i8], ptr %43, i64 0, i64 %62
  store i8 %60, ptr %63, align 1
  %64 = load i32, ptr %47, align 4
  %65 = add i32 %64, 1
  store i32 %65, ptr %47, align 4
  br label %51
66:                                               ; preds = %51
  store i32 0, ptr %48, align 4
  br label %67
67:                                               ; preds = %70, %66
  %68 = load i32, ptr %48, align 4
  %69 = icmp ult i32 %68, 20
  br i1 %69, label %70, label %87
70:                                               ; preds = %67
  %71 = load ptr addrspace(1), ptr %40, align 8
  %72 = load i32, ptr addrspace(1) %71, align 4
  %73 = load i32, ptr %48, align 4
  %74 = add i32 %72, %73
  %75 = and i32 %74, 63
  %76 = zext i32 %75 to i64
  %77 = getelementptr inbounds nuw [64 x i8], ptr %43, i64 0, i64 %76
  %78 = load i8, ptr %77, align 1
  %79 = zext i8 %78 to i32
  %80 = mul nsw i32 %79, 5
  %81 = trunc i32 %80 to i16
  %82 = load i32, ptr %48, align 4
  %83 = zext i32 %82 to i64
  %84 = getelementptr inbounds nuw [20 x i16], ptr %44, i64 0, i64 %83
  store i16 %81, ptr %84, align 2
  %85 = load i32, ptr %48, align 4
  %86 = add i32 %85, 1
  store i32 %86, ptr %48, align 4
  br label %67
87:                                               ; preds = %67
  store i32 0, ptr %49, align 4
  br label %88
88:                                               ; preds = %91, %87
  %89 = load i32, ptr %49, align 4
  %90 = icmp ult i32 %89, 10
  br i1 %90, label %91, label %109
91:                                               ; preds = %88
  %92 = load ptr addrspace(1), ptr %40, align 8
  %93 = getelementptr inbounds i32, ptr addrspace(1) %92, i64 1
  %94 = load i32, ptr addrspace(1) %93, align 4
  %95 = urem i32 %94, 20
  %96 = load i32, ptr %49, align 4
  %97 = add i32 %95, %96
  %98 = urem i32 %97, 20
  %99 = zext i32 %98 to i64
  %100 = getelementptr inbounds nuw [20 x i16], ptr %44, i64 0, i64 %99
  %101 = load i16, ptr %100, align 2
  %102 = zext i16 %101 to i64
  %103 = mul i64 %102, 4294967297
  %104 = load i32, ptr %49, align 4
  %105 = zext i32 %104 to i64
  %106 = getelementptr inbounds nuw [10 x i64], ptr %45, i64 0, i64 %105
  store i64 %103, ptr %106, align 8
  %107 = load i32, ptr %49, align 4
  %108 = add i32 %107, 1
  store i32 %108, ptr %49, align 4
  br label %88
109:                                              ; preds = %88
  store i32 0, ptr %50, align 4
  br label %110
110:                                              ; preds = %113, %109
  %111 = load i32, ptr %50, align 4
  %112 = icmp ult i32 %111, 8
  br i1 %112, label %113, label %125
113:                                              ; preds = %110
  %114 = load i32, ptr %50, align 4
  %115 = zext i32 %114 to i64
  %116 = getelementptr inbounds nuw [20 x i16], ptr %44, i64 0, i64 %115
  %117 = load i16, ptr %116, align 2
  %118 = uitofp i16 %117 to float
  %119 = fptrunc float %118 to half
  %120 = load i32, ptr %50, align 4
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds nuw [8 x half], ptr %46, i64 0, i64 %121
  store half %119, ptr %122, align 2
  %123 = load i32, ptr %50, align 4
  %124 = add i32 %123, 1
  store i32 %124, ptr %50, align 4
  br label %110
125:                                              ; preds = %110
  %126 = load ptr addrspace(1), ptr %41, align 8
  %127 = load ptr addrspace(1), ptr %40, align 8
  %128 = getelementptr inbounds i32, ptr addrspace(1) %127, i64 2
  %129 = load i32, ptr addrspace(1) %128, align 4
  %130 = urem i32 %129, 10
  %131 = zext i32 %130 to i64
  %132 = getelementptr inbounds nuw [10 x i64], ptr %45, i64 0, i64 %131
  %133 = load i64, ptr %132, align 8
  %134 = addrspacecast ptr addrspace(5) %6 to ptr
  %135 = addrspacecast ptr addrspace(5) %7 to ptr
  store ptr addrspace(1) %126, ptr %134, align 8
  store i64 %133, ptr %135, align 8
  %136 = load i64, ptr %135, align 8
  %137 = trunc i64 %136 to i32
  %138 = load ptr addrspace(1), ptr %134, align 8
  store i32 %137, ptr addrspace(1) %138, align 4
  %139 = load i64, ptr %135, align 8
  %140 = lshr i64 %139, 32
  %141 = trunc i64 %140 to i32
  %142 = load ptr addrspace(1), ptr %134, align 8
  %143 = getelementptr inbounds i32, ptr addrspace(1) %142, i64 1
  store i32 %141, ptr addrspace(1) %143, align 4
  %144 = load ptr addrspace(1), ptr %40, align 8
  %145 = getelementptr inbounds i32, ptr addrspace(1) %144, i64 3
  %146 = load i32, ptr addrspace(1) %145, align 4
  %147 = and i32 %146, 63
  %148 = zext i32 %147 to i64
  %149 = getelementptr inbounds nuw [64 x i8], ptr %43, i64 0, i64 %148
  %150 = load i8, ptr %149, align 1
  %151 = zext i8 %150 to i32
  %152 = load ptr addrspace(1), ptr %41, align 8
  %153 = getelementptr inbounds i32, ptr addrspace(1) %152, i64 2
  store i32 %151, ptr addrspace(1) %153, align 4
  %154 = load ptr addrspace(1), ptr %40, align 8
  %155 = getelementptr inbounds i32, ptr addrspace(1) %154, i64 4
  %156 = load i32, ptr addrspace(1) %155, align 4
  %157 = and i32 %156, 7
  %158 = zext i32 %157 to i64
  %159 = getelementptr inbounds nuw [8 x half], ptr %46, i64 0, i64 %158
  %160 = load half, ptr %159, align 2
  %161 = addrspacecast ptr addrspace(5) %3 to ptr
  %162 = addrspacecast ptr addrspace(5) %4 to ptr
  %163 = addrspacecast ptr addrspace(5) %5 to ptr
  store half %160, ptr %162, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %163, ptr align 2 %162, i64 2, i1 false)
  %164 = load half, ptr %162, align 2
  %165 = load half, ptr %162, align 2
  %166 = fcmp une half %164, %165
  br i1 %166, label %167, label %168
167:                                              ; preds = %125
  br label %171
168:                                              ; preds = %125
  %169 = load i16, ptr %163, align 2
  %170 = zext i16 %169 to i32
  br label %171
171:                                              ; preds = %167, %168
  %172 = phi i32 [ 32256, %167 ], [ %170, %168 ]
  %173 = load ptr addrspace(1), ptr %41, align 8
  %174 = getelementptr inbounds i32, ptr addrspace(1) %173, i64 3
  store i32 %172, ptr addrspace(1) %174, align 4
  %175 = load ptr addrspace(1), ptr %40, align 8
  %176 = getelementptr inbounds i32, ptr addrspace(1) %175, i64 5
  %177 = load i32, ptr addrspace(1) %176, align 4
  %178 = and i32 %177, 63
  %179 = zext i32 %178 to i64
  %180 = getelementptr inbounds nuw [64 x i8], ptr %43, i64 0, i64 %179
  %181 = load i8, ptr %180, align 1
  %182 = sext i8 %181 to i32
  %183 = load ptr addrspace(1), ptr %41, align 8
  %184 = getelementptr inbounds i32, ptr addrspace(1) %183, i64 4
  store i32 %182, ptr addrspace(1) %184, align 4
  %185 = load ptr addrspace(1), ptr %40, align 8
  %186 = getelementptr inbounds i32, ptr addrspace(1) %185, i64 6
  %187 = load i32, ptr addrspace(1) %186, align 4
  %188 = urem i32 %187, 20
  %189 = zext i32 %188 to i64
  %190 = getelementptr inbounds nuw [20 x i16], ptr %44, i64 0, i64 %189
  %191 = load i16, ptr %190, align 2
  %192 = sext i16 %191 to i32
  %193 = load ptr addrspace(1), ptr %41, align 8
  %194 = getelementptr inbounds i32, ptr addrspace(1) %193, i64 5
  store i32 %192, ptr addrspace(1) %194, align 4
  %195 = load i32, ptr %42, align 4
  %196 = load ptr addrspace(1), ptr %41, align 8
  %197 = getelementptr inbounds i32, ptr addrspace(1) %196, i64 6
  store i32 %195, ptr addrspace(1) %197, align 4
  ret void
}
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.amdgcn.workgroup.id.x()
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x()
; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
