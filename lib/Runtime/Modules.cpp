/// \file
/// Finds bitcode in a fat binary's place, and reads declarations from it.
#include "Modules.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace gpuestimate {

using namespace llvm;

bool Kernel::wantsTrace(StringRef Shape, ArrayRef<std::string> Arguments) {
  if (!WantsTraces)
    return false;
  std::string All = Shape.str();
  for (const std::string &Bytes : Arguments) {
    All += ' ';
    All += Bytes;
  }
  uint64_t Number = ++Launches[xxh3_64bits(All)];
  uint64_t Sets = Number == 1 ? ++ArgumentSets[xxh3_64bits(Shape)] : 1;
  return TraceCost < MaxTraceCost ||
         (isPowerOf2_64(Number) && isPowerOf2_64(Sets));
}

Expected<StringRef> findBitcode(const void *Data) {
  const char *Bytes = static_cast<const char *>(Data);
  constexpr StringRef Magic = "GEBC0001";
  if (StringRef(Bytes, 4) == StringRef(Magic.data(), 4)) {
    if (StringRef(Bytes, Magic.size()) != Magic)
      return createStringError("its device code has another version; build it "
                               "again");
    uint64_t Length = support::endian::read64le(Bytes + Magic.size());
    return StringRef(Bytes + Magic.size() + 8, Length);
  }
  if (support::endian::read32le(Bytes) == 0x0B17C0DE) {
    uint32_t Offset = support::endian::read32le(Bytes + 8);
    uint32_t Length = support::endian::read32le(Bytes + 12);
    return StringRef(Bytes + Offset, Length);
  }
  return createStringError("its device code is not LLVM bitcode; build it by "
                           "`gpu-estimate cc --run`");
}

namespace {

/// The module with declarations alone; bodies are not read.
Expected<std::unique_ptr<Module>> readDeclarations(StringRef Bitcode,
                                                   LLVMContext &Context) {
  return getLazyBitcodeModule(MemoryBufferRef(Bitcode, "device code"), Context,
                              /*ShouldLazyLoadMetadata=*/true);
}

std::vector<KernelParameter> parametersOf(const Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  std::vector<KernelParameter> Result;
  uint64_t Offset = 0;
  for (const Argument &A : F.args()) {
    // clang passes structures "byval" for NVIDIA, "byref" for AMD.
    Type *T = A.getParamByValType();
    if (!T)
      T = A.getParamByRefType();
    Align Alignment = T ? A.getParamAlign().value_or(Layout.getABITypeAlign(T))
                        : Layout.getABITypeAlign(A.getType());
    uint64_t Bytes = Layout.getTypeAllocSize(T ? T : A.getType());
    Offset = alignTo(Offset, Alignment);
    Result.push_back({Offset, Bytes});
    Offset += Bytes;
  }
  return Result;
}

} // namespace

Expected<std::vector<KernelParameter>> readParameters(StringRef Bitcode,
                                                      StringRef Mangled) {
  LLVMContext Context;
  auto M = readDeclarations(Bitcode, Context);
  if (!M)
    return M.takeError();
  const Function *F = (*M)->getFunction(Mangled);
  if (!F)
    return createStringError("the device code has no kernel " + Mangled);
  return parametersOf(*F);
}

Error markManaged(DeviceModule &Target) {
  Target.ManagedKnown = true;
  if (all_of(Target.Variables, [](const auto &V) { return V->IsConstant; }))
    return Error::success();
  LLVMContext Context;
  auto M = readDeclarations(Target.Bitcode, Context);
  if (!M)
    return M.takeError();
  const GlobalVariable *Notes =
      (*M)->getGlobalVariable("llvm.global.annotations");
  const auto *List = Notes && Notes->hasInitializer()
                         ? dyn_cast<ConstantArray>(Notes->getInitializer())
                         : nullptr;
  if (!List)
    return Error::success();
  // Each is the variable, its annotation, a file and a line.
  for (const Use &Entry : List->operands()) {
    const auto *Fields = dyn_cast<ConstantStruct>(Entry.get());
    if (!Fields || Fields->getNumOperands() < 2)
      continue;
    const llvm::Value *Name = Fields->getOperand(0)->stripPointerCasts();
    const auto *Text =
        dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    const auto *Word =
        Text && Text->hasInitializer()
            ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
            : nullptr;
    if (!Word || !Word->isCString() || Word->getAsCString() != "managed")
      continue;
    for (const auto &V : Target.Variables)
      if (V->Mangled == Name->getName())
        V->IsManaged = true;
  }
  return Error::success();
}

Error readSymbols(DeviceModule &Target) {
  LLVMContext Context;
  auto M = readDeclarations(Target.Bitcode, Context);
  if (!M)
    return M.takeError();
  const DataLayout &Layout = (*M)->getDataLayout();
  for (const Function &F : **M) {
    if (F.isDeclaration() && !F.isMaterializable())
      continue;
    auto K = std::make_unique<Kernel>();
    K->Module = Target.Number;
    K->Mangled = F.getName().str();
    K->Parameters = parametersOf(F);
    Target.Kernels.push_back(std::move(K));
  }
  for (const GlobalVariable &G : (*M)->globals()) {
    unsigned Space = G.getAddressSpace();
    if (!G.hasName() || (Space != 1 && Space != 4))
      continue;
    auto V = std::make_unique<Variable>();
    V->Module = Target.Number;
    V->Mangled = G.getName().str();
    V->Bytes = Layout.getTypeAllocSize(G.getValueType());
    V->IsConstant = Space == 4;
    Target.Variables.push_back(std::move(V));
  }
  return Error::success();
}

} // namespace gpuestimate
