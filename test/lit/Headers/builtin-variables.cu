// Builtin variables are special-register reads, and convert to dim3 and uint3.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @fields(
extern "C" __global__ void fields(unsigned *out) {
  // CHECK-DAG: @llvm.nvvm.read.ptx.sreg.tid.x()
  // CHECK-DAG: @llvm.nvvm.read.ptx.sreg.ctaid.y()
  // CHECK-DAG: @llvm.nvvm.read.ptx.sreg.ntid.z()
  // CHECK-DAG: @llvm.nvvm.read.ptx.sreg.nctaid.x()
  out[0] = threadIdx.x + blockIdx.y + blockDim.z + gridDim.x;
  // warpSize is the constant 32.
  // CHECK: store i32 32
  out[1] = warpSize;
}

__device__ unsigned sum(dim3 d) { return d.x + d.y + d.z; }
__device__ unsigned product(uint3 u) { return u.x * u.y * u.z; }

// CHECK-LABEL: @conversions(
extern "C" __global__ void conversions(unsigned *out) {
  // CHECK-DAG: sreg.ntid.x()
  // CHECK-DAG: sreg.ntid.y()
  // CHECK-DAG: sreg.ntid.z()
  out[0] = sum(blockDim);
  // CHECK-DAG: sreg.ctaid.x()
  // CHECK-DAG: sreg.ctaid.y()
  // CHECK-DAG: sreg.ctaid.z()
  out[1] = product(blockIdx);
}
