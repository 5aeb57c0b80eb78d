#include "gpu-estimate/ForeignIr/KernelFunction.h"

#include "ModuleAdapter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace llvm;

namespace gpuestimate {

std::string readableName(StringRef Mangled) {
  ItaniumPartialDemangler Demangler;
  std::string Name = Mangled.str();
  if (Demangler.partialDemangle(Name.c_str()))
    return Name;
  size_t Size = 0;
  char *Text = Demangler.getFunctionName(nullptr, &Size);
  if (!Text)
    return Name;
  Name = Text;
  std::free(Text);
  return Name;
}

namespace {

/// What the loads and stores through a pointer tell of it.
struct PointerUse {
  unsigned ElementBytes = 0; ///< of the smallest access
  bool IsWritten = false;

  void addAccess(const Type *T) {
    const Type *Scalar = T->getScalarType();
    unsigned Bytes =
        Scalar->isPointerTy()
            ? 8
            : std::max<unsigned>(1, Scalar->getPrimitiveSizeInBits() / 8);
    ElementBytes = ElementBytes ? std::min(ElementBytes, Bytes) : Bytes;
  }
};

} // namespace

static PointerUse usesOf(const Value &Pointer) {
  PointerUse Use;
  SmallPtrSet<const Value *, 16> Visited;
  SmallVector<const Value *> Work = {&Pointer};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Visited.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      if (isa<GEPOperator>(U) || isa<PHINode>(U) || isa<SelectInst>(U) ||
          isa<AddrSpaceCastOperator>(U)) {
        Work.push_back(U);
      } else if (const auto *Load = dyn_cast<LoadInst>(U)) {
        Use.addAccess(Load->getType());
      } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getPointerOperand() != V)
          continue;
        Use.addAccess(Store->getValueOperand()->getType());
        Use.IsWritten = true;
      } else if (const auto *Atomic = dyn_cast<AtomicRMWInst>(U)) {
        Use.addAccess(Atomic->getType());
        Use.IsWritten = true;
      } else {
        Use.IsWritten = true; // who knows
      }
    }
  }
  return Use;
}

void describePointer(const Argument &A, KernelArgument &Into) {
  PointerUse Use = usesOf(A);
  Into.Kind = KernelArgument::Pointer;
  Into.ElementBytes = Use.ElementBytes;
  Into.Const = !Use.IsWritten;
}

unsigned LaunchBounds::threads() const {
  const auto &Limit = RequiredThreads[0] ? RequiredThreads : MaxThreads;
  if (!Limit[0])
    return 0;
  unsigned Threads = 1;
  for (unsigned Size : Limit)
    Threads = SaturatingMultiply(Threads, std::max(Size, 1u));
  return Threads;
}

void setLaunchBounds(KernelSource &K, const LaunchBounds &Bounds) {
  K.MaxThreadsPerBlock = Bounds.threads();
  K.MinBlocksPerSm = Bounds.MinBlocks;
  if (!Bounds.RequiredThreads[0])
    return;
  std::string Sizes;
  for (unsigned Size : Bounds.RequiredThreads)
    Sizes += (Sizes.empty() ? "" : ",") + std::to_string(std::max(Size, 1u));
  K.Notes.push_back({K.Location, "block=" + Sizes});
}

void annotateKernel(Function &F, const LaunchBounds &Bounds) {
  LLVMContext &Context = F.getContext();
  NamedMDNode *Annotations =
      F.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  auto Annotate = [&](StringRef Key, unsigned Value) {
    if (!Value)
      return;
    Annotations->addOperand(MDNode::get(
        Context, {ValueAsMetadata::get(&F), MDString::get(Context, Key),
                  ConstantAsMetadata::get(
                      ConstantInt::get(Type::getInt32Ty(Context), Value))}));
  };
  static constexpr StringLiteral Max[] = {"maxntidx", "maxntidy", "maxntidz"},
                                 Required[] = {"reqntidx", "reqntidy",
                                               "reqntidz"},
                                 Cluster[] = {"cluster_dim_x", "cluster_dim_y",
                                              "cluster_dim_z"};
  Annotate("kernel", 1);
  for (unsigned N = 0; N < 3; ++N) {
    Annotate(Max[N], Bounds.MaxThreads[N]);
    Annotate(Required[N], Bounds.RequiredThreads[N]);
    Annotate(Cluster[N], Bounds.Cluster[N]);
  }
  Annotate("minctasm", Bounds.MinBlocks);
}

void annotateCluster(Function &F, const std::array<unsigned, 3> &Blocks) {
  if (!Blocks[0] || launchBoundsOf(F).Cluster[0])
    return;
  LaunchBounds Bounds;
  Bounds.Cluster = Blocks;
  annotateKernel(F, Bounds);
}

} // namespace gpuestimate
