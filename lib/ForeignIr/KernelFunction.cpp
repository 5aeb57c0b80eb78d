#include "gpu-estimate/ForeignIr/KernelFunction.h"

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
#include <limits>

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

namespace {

/// The pairs of `nvvm.annotations` about F.
template <typename EachType>
void forEachAnnotation(const Function &F, EachType Each) {
  const NamedMDNode *Annotations =
      F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return;
  for (const MDNode *Node : Annotations->operands()) {
    if (Node->getNumOperands() < 3 || !Node->getOperand(0) ||
        mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &F)
      continue;
    for (unsigned N = 1; N + 1 < Node->getNumOperands(); N += 2) {
      const auto *Key = dyn_cast_or_null<MDString>(Node->getOperand(N));
      const auto *Value =
          mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(N + 1));
      if (Key && Value)
        Each(Key->getString(), static_cast<unsigned>(Value->getLimitedValue(
                                   std::numeric_limits<unsigned>::max())));
    }
  }
}

/// "256,1,1" of an attribute; zeros where it has none.
std::array<unsigned, 3> sizesOf(const Function &F, StringRef Attribute) {
  std::array<unsigned, 3> Sizes = {};
  SmallVector<StringRef> Parts;
  F.getFnAttribute(Attribute).getValueAsString().split(Parts, ',');
  for (unsigned N = 0; N < std::min<size_t>(3, Parts.size()); ++N)
    if (Parts[N].trim().getAsInteger(10, Sizes[N]))
      return {};
  return Sizes;
}

} // namespace

bool isKernelFunction(const Function &F) {
  if (F.getCallingConv() == CallingConv::PTX_Kernel ||
      F.getCallingConv() == CallingConv::AMDGPU_KERNEL)
    return true;
  bool IsKernel = false;
  forEachAnnotation(F, [&](StringRef Key, unsigned Value) {
    IsKernel |= Key == "kernel" && Value;
  });
  return IsKernel;
}

LaunchBounds launchBoundsOf(const Function &F) {
  LaunchBounds Bounds;
  Bounds.MaxThreads = sizesOf(F, "nvvm.maxntid");
  Bounds.RequiredThreads = sizesOf(F, "nvvm.reqntid");
  Bounds.MinBlocks = sizesOf(F, "nvvm.minctasm")[0];
  Bounds.Cluster = sizesOf(F, "nvvm.cluster_dim");
  // "1,256": at least, at most. 1024 is what the compiler allows anyway.
  if (unsigned Most = sizesOf(F, "amdgpu-flat-work-group-size")[1];
      Most && Most < 1024 && F.getCallingConv() == CallingConv::AMDGPU_KERNEL)
    Bounds.MaxThreads = {Most, 1, 1};
  if (const MDNode *Sizes = F.getMetadata("reqd_work_group_size"))
    for (unsigned N = 0; N < std::min(3u, Sizes->getNumOperands()); ++N)
      if (const auto *Size =
              mdconst::dyn_extract_or_null<ConstantInt>(Sizes->getOperand(N)))
        Bounds.RequiredThreads[N] = Size->getLimitedValue(1u << 16);
  forEachAnnotation(F, [&](StringRef Key, unsigned Value) {
    for (unsigned N = 0; N < 3; ++N) {
      char Axis = "xyz"[N];
      if (Key == std::string("maxntid") + Axis)
        Bounds.MaxThreads[N] = Value;
      if (Key == std::string("reqntid") + Axis)
        Bounds.RequiredThreads[N] = Value;
      if (Key == std::string("cluster_dim_") + Axis)
        Bounds.Cluster[N] = Value;
    }
    if (Key == "minctasm")
      Bounds.MinBlocks = Value;
  });
  return Bounds;
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
