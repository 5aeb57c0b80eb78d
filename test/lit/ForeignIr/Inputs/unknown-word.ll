target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %x, ptr captures(none) %p) {
  ; A flag of an instruction that no version has.
  %y = add newflag i32 %x, 1
  store i32 %y, ptr %p
  ret void
}
