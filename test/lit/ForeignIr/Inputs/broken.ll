target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @f() {
  br label %a
a:
  %x = phi i32 [ 0, %a ]
  br label %a
}
