/// \file
/// What clang's host code calls before main: it hands over the device code, and
/// the host's address that stands for each kernel and variable.
#include "Process.h"

using namespace gpuestimate;

namespace {

/// The structure that the compiler emits for one translation unit.
struct FatBinaryWrapper {
  unsigned Magic, Version;
  const void *Data;
  void *Unused;
};

DeviceModule &moduleOf(void **Handle) {
  return *reinterpret_cast<DeviceModule *>(Handle);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void **__cudaRegisterFatBinary(void *Wrapper) {
  ApiCall Call("__cudaRegisterFatBinary");
  DeviceModule &Module = Call->addModule();
  auto *Binary = static_cast<FatBinaryWrapper *>(Wrapper);
  auto Bitcode = findBitcode(Binary->Data);
  if (!Bitcode)
    Module.Problem = llvm::toString(Bitcode.takeError());
  else
    Module.Bitcode = *Bitcode;
  if (Call->active())
    Call.record(RunModule{Module.Number, Module.Bitcode.str()});
  return reinterpret_cast<void **>(&Module);
}

void __cudaRegisterFatBinaryEnd(void **) {}

/// A function of gpu-estimate's own: objects call it whose device code has
/// neither kernels nor variables, so that the compiler does not register it.
void __cudaRegisterDeviceLibrary(const void *Data) {
  ApiCall Call("__cudaRegisterDeviceLibrary");
  if (auto Bitcode = findBitcode(Data))
    Call->DeviceLibraries.push_back(*Bitcode);
  else
    Call.notice("device code: " + llvm::toString(Bitcode.takeError()));
}

void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **Handle, const void *HostFunction, char *,
                            const char *Mangled, int, void *, void *, void *,
                            void *, int *) {
  ApiCall Call("__cudaRegisterFunction");
  DeviceModule &Module = moduleOf(Handle);
  auto K = std::make_unique<Kernel>();
  K->Module = Module.Number;
  K->Mangled = Mangled;
  Call->Kernels[HostFunction] = K.get();
  Module.Kernels.push_back(std::move(K));
}

void __cudaRegisterVar(void **Handle, char *HostVariable, char *,
                       const char *Mangled, int, size_t Bytes, int IsConstant,
                       int) {
  ApiCall Call("__cudaRegisterVar");
  DeviceModule &Module = moduleOf(Handle);
  auto V = std::make_unique<Variable>();
  V->Module = Module.Number;
  V->Mangled = Mangled;
  V->Bytes = Bytes;
  V->IsConstant = IsConstant;
  V->HostVariable = HostVariable;
  Call->Variables[HostVariable] = V.get();
  Module.Variables.push_back(std::move(V));
}

void __cudaRegisterTexture(void **Handle, const void *HostVariable,
                           const void **, const char *Mangled, int,
                           int ReadAsUnit, int) {
  auto *Host = const_cast<char *>(static_cast<const char *>(HostVariable));
  __cudaRegisterVar(Handle, Host, nullptr, Mangled, 0, sizeof(uint64_t), 0, 0);
  Variable &V = *Process::get().Variables[Host];
  V.IsTexture = true;
  V.ReadAsUnit = ReadAsUnit;
}

void __cudaRegisterSurface(void **Handle, const void *HostVariable,
                           const void **, const char *Mangled, int, int) {
  auto *Host = const_cast<char *>(static_cast<const char *>(HostVariable));
  __cudaRegisterVar(Handle, Host, nullptr, Mangled, 0, sizeof(uint64_t), 0, 0);
}

char __cudaInitModule(void **) { return 1; }

} // extern "C"
#pragma GCC visibility pop

GPU_ESTIMATE_ALIAS(__hipRegisterFatBinary, __cudaRegisterFatBinary);
GPU_ESTIMATE_ALIAS(__hipUnregisterFatBinary, __cudaUnregisterFatBinary);
GPU_ESTIMATE_ALIAS(__hipRegisterFunction, __cudaRegisterFunction);
GPU_ESTIMATE_ALIAS(__hipRegisterVar, __cudaRegisterVar);
GPU_ESTIMATE_ALIAS(__hipRegisterTexture, __cudaRegisterTexture);
GPU_ESTIMATE_ALIAS(__hipRegisterSurface, __cudaRegisterSurface);
