#include "SpecialRegisters.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Metadata.h"
#include <algorithm>
#include <optional>

namespace gpuestimate {

namespace {

/// The largest extents of a thread block along x and y, and along z.
constexpr uint64_t MaxExtent = 1024, MaxDepth = 64;

/// The extents of a thread block that a kernel is annotated with; 0: there is
/// no such annotation.
struct BlockAnnotations {
  uint64_t Required[3] = {}, Largest[3] = {};

  void add(llvm::StringRef Key, uint64_t Value) {
    const bool IsRequired = Key.consume_front("reqntid");
    if (!IsRequired && !Key.consume_front("maxntid"))
      return;
    if (Key.size() == 1 && Key[0] >= 'x' && Key[0] <= 'z')
      (IsRequired ? Required : Largest)[Key[0] - 'x'] = Value;
  }

  /// The most threads of a block, if the annotations say it.
  std::optional<uint64_t> threads() const {
    for (const auto &Extents : {Required, Largest})
      if (llvm::any_of(llvm::ArrayRef(Extents, 3),
                       [](uint64_t E) { return E != 0; }))
        return std::max<uint64_t>(Extents[0], 1) *
               std::max<uint64_t>(Extents[1], 1) *
               std::max<uint64_t>(Extents[2], 1);
    return std::nullopt;
  }
};

/// The annotations of a module's functions: a function, then keys and values.
llvm::DenseMap<const llvm::Function *, BlockAnnotations>
annotationsOf(const llvm::Module &M) {
  llvm::DenseMap<const llvm::Function *, BlockAnnotations> All;
  const llvm::NamedMDNode *Nodes = M.getNamedMetadata("nvvm.annotations");
  if (!Nodes)
    return All;
  for (const llvm::MDNode *Node : Nodes->operands()) {
    if (Node->getNumOperands() == 0)
      continue;
    const auto *F =
        llvm::mdconst::dyn_extract_or_null<llvm::Function>(Node->getOperand(0));
    for (unsigned N = 1; F && N + 1 < Node->getNumOperands(); N += 2) {
      const auto *Key =
          llvm::dyn_cast_or_null<llvm::MDString>(Node->getOperand(N));
      const auto *Value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(
          Node->getOperand(N + 1));
      if (Key && Value)
        All[F].add(Key->getString(), Value->getLimitedValue(MaxExtent));
    }
  }
  return All;
}

/// The values of a special register in blocks of at most Threads; nullopt:
/// nothing is known.
std::optional<llvm::ConstantRange> rangeOf(llvm::Intrinsic::ID Register,
                                           uint64_t Threads) {
  auto Values = [](uint64_t First, uint64_t Last) {
    return llvm::ConstantRange(llvm::APInt(32, First),
                               llvm::APInt(32, Last + 1));
  };
  const uint64_t Extent = std::min(Threads, MaxExtent),
                 Depth = std::min(Threads, MaxDepth);
  using namespace llvm::Intrinsic;
  switch (Register) {
  case nvvm_read_ptx_sreg_tid_x:
  case nvvm_read_ptx_sreg_tid_y:
    return Values(0, Extent - 1);
  case nvvm_read_ptx_sreg_tid_z:
    return Values(0, Depth - 1);
  case nvvm_read_ptx_sreg_ntid_x:
  case nvvm_read_ptx_sreg_ntid_y:
    return Values(1, Extent);
  case nvvm_read_ptx_sreg_ntid_z:
    return Values(1, Depth);
  case nvvm_read_ptx_sreg_ctaid_x:
    return Values(0, INT32_MAX - 1);
  case nvvm_read_ptx_sreg_ctaid_y:
  case nvvm_read_ptx_sreg_ctaid_z:
    return Values(0, UINT16_MAX - 1);
  case nvvm_read_ptx_sreg_nctaid_x:
    return Values(1, INT32_MAX);
  case nvvm_read_ptx_sreg_nctaid_y:
  case nvvm_read_ptx_sreg_nctaid_z:
    return Values(1, UINT16_MAX);
  case nvvm_read_ptx_sreg_laneid:
    return Values(0, 31);
  case nvvm_read_ptx_sreg_warpsize:
    return Values(32, 32);
  default:
    return std::nullopt;
  }
}

} // namespace

void limitSpecialRegisters(llvm::Module &M) {
  const auto Annotations = annotationsOf(M);
  for (llvm::Function &F : M) {
    const BlockAnnotations Own = Annotations.lookup(&F);
    const uint64_t Threads = Own.threads().value_or(UINT64_MAX);
    for (llvm::Instruction &I : llvm::instructions(F)) {
      auto *Read = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
      if (!Read || Read->getMetadata(llvm::LLVMContext::MD_range))
        continue;
      std::optional<llvm::ConstantRange> Range =
          rangeOf(Read->getIntrinsicID(), Threads);
      if (!Range)
        continue;
      if (std::optional<llvm::ConstantRange> Known = Read->getRange())
        Range = Range->intersectWith(*Known);
      if (!Range->isEmptySet())
        Read->addRangeRetAttr(*Range);
    }
  }
}

} // namespace gpuestimate
