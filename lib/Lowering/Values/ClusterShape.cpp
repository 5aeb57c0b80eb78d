#include "ClusterShape.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

std::optional<std::array<unsigned, 3>> clusterShape(const Function &F) {
  std::array<unsigned, 3> Shape = {1, 1, 1};
  const NamedMDNode *List = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!List)
    return std::nullopt;
  bool IsKnown = false;
  for (const MDNode *Node : List->operands()) {
    if (Node->getNumOperands() < 3 ||
        mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &F)
      continue;
    for (unsigned N = 1; N + 1 < Node->getNumOperands(); N += 2) {
      const auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(N));
      const auto *Size =
          mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(N + 1));
      StringRef Axis = Name ? Name->getString() : "";
      if (!Size || !Axis.consume_front("cluster_dim_") || Axis.size() != 1 ||
          Axis[0] < 'x' || Axis[0] > 'z')
        continue;
      constexpr uint64_t Largest = 1024; // more blocks have no GPU in common
      Shape[Axis[0] - 'x'] =
          std::clamp<uint64_t>(Size->getLimitedValue(Largest), 1, Largest);
      IsKnown = true;
    }
  }
  return IsKnown ? std::optional(Shape) : std::nullopt;
}

Expr clusterRegister(ExprContext &C, StringRef Register,
                     const std::array<unsigned, 3> &Shape) {
  auto Blocks = [&](unsigned D) { return C.constant(Shape[D]); };
  auto Of = [&](const char *Name, unsigned D) {
    return C.parameter(std::string(Name) + "." + "xyz"[D]);
  };
  auto Place = [&](unsigned D) { return C.mod(Of("blockIdx", D), Blocks(D)); };
  if (Register == "cluster.ctarank")
    return Place(0) + double(Shape[0]) * Place(1) +
           double(Shape[0]) * double(Shape[1]) * Place(2);
  if (Register == "cluster.nctarank")
    return C.constant(double(Shape[0]) * Shape[1] * Shape[2]);
  auto [Name, Axis] = Register.rsplit('.');
  if (Axis.size() != 1 || Axis[0] < 'x' || Axis[0] > 'z')
    return Expr();
  unsigned D = Axis[0] - 'x';
  if (Name == "cluster.ctaid")
    return Place(D);
  if (Name == "cluster.nctaid")
    return Blocks(D);
  if (Name == "clusterid")
    return C.floorDiv(Of("blockIdx", D), Blocks(D));
  if (Name == "nclusterid")
    return C.floorDiv(Of("gridDim", D), Blocks(D));
  return Expr();
}

} // namespace gpuestimate
