/// \file
/// What host code asks the device for: values of the GPU that a launch is
/// estimated on.
#include "HostValues.h"

#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

HostValue HostValues::deviceField(const clang::Expr *E) {
  std::string Index;
  if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    clang::Expr::EvalResult Number;
    if (!Element->getIdx()->EvaluateAsInt(Number, AST))
      return {};
    Index = "[" + llvm::toString(Number.Val.getInt(), 10) + "]";
    E = strip(Element->getBase());
  }
  const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E);
  const auto *Field =
      Member ? llvm::dyn_cast<clang::FieldDecl>(Member->getMemberDecl())
             : nullptr;
  if (!Field || !Field->getParent() ||
      !(Index.empty() ? Field->getType()->isIntegerType()
                      : Field->getType()->isArrayType()))
    return {};
  // HIP's structure has the version of its layout in its name.
  llvm::StringRef Record = Field->getParent()->getName();
  if (Record != "cudaDeviceProp" && !Record.starts_with("hipDeviceProp_t"))
    return {};
  return {Terms.parameter(
              devicePropertyParameter(Field->getNameAsString() + Index)),
          true,
          {},
          {}};
}

const clang::FunctionDecl *HostValues::kernelOf(const clang::Expr *Callee,
                                                const Frame &F, Position At) {
  const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(
      strip(addressed(resolve(Callee, F, At))));
  const auto *Kernel =
      Reference ? llvm::dyn_cast<clang::FunctionDecl>(Reference->getDecl())
                : nullptr;
  return Kernel && Kernel->hasAttr<clang::CUDAGlobalAttr>() ? Kernel : nullptr;
}

HostValue HostValues::answer(const clang::CallExpr &Call, const Place &P,
                             const Frame &F, Position At) {
  unsigned Answers = deviceAnswers(*Call.getDirectCallee());
  llvm::StringRef Name = Call.getDirectCallee()->getName();
  if (Name.ends_with("DeviceGetAttribute"))
    return deviceAttribute(Call);
  Query New;
  New.Kernel = kernelOf(Call.getArg(Answers), F, At);
  auto argument = [&](unsigned Index) {
    return Index < Call.getNumArgs() ? evaluate(Call.getArg(Index), F, At).E
                                     : Terms.constant(0);
  };
  std::string What = "activeBlocks";
  if (Answers == 1) { // (&blocks, kernel, threads, shared memory)
    New.Asked.Threads = argument(2);
    New.Asked.DynamicSharedBytes = argument(3);
    if (!New.Asked.Threads)
      return {};
  } else { // (&grid, &block, kernel, shared memory, most threads)
    bool First = placeOf(addressed(Call.getArg(0))).Root == P.Root;
    New.Asked.Kind =
        First ? OccupancyQuery::GridSize : OccupancyQuery::BlockSize;
    New.Asked.DynamicSharedBytes = argument(3);
    New.Asked.Threads = argument(4);
    What = First ? "minGridSize" : "blockSize";
  }
  std::string Kernel = New.Kernel ? New.Kernel->getNameAsString() : "kernel";
  std::string Plain = devicePropertyParameter(What + "(" + Kernel + ")");
  // The same question twice has one answer.
  std::string Free = Plain;
  auto same = [&](const Query &Old) {
    return Old.Kernel == New.Kernel && Old.Asked.Kind == New.Asked.Kind &&
           Old.Asked.Threads == New.Asked.Threads &&
           Old.Asked.DynamicSharedBytes == New.Asked.DynamicSharedBytes;
  };
  for (unsigned N = 2; Queries.contains(Free) && !same(Queries[Free]); ++N)
    Free = Plain + "#" + std::to_string(N);
  Queries.try_emplace(Free, New);
  return {Terms.parameter(Free), true, {}, {}};
}

HostValue HostValues::deviceAttribute(const clang::CallExpr &Query) {
  const auto *Asked =
      llvm::dyn_cast<clang::DeclRefExpr>(strip(Query.getArg(1)));
  const auto *Enumerator =
      Asked ? llvm::dyn_cast<clang::EnumConstantDecl>(Asked->getDecl())
            : nullptr;
  if (!Enumerator)
    return {};
  std::optional<llvm::StringRef> Field =
      fieldOfDeviceAttribute(Enumerator->getName());
  if (!Field)
    return {};
  return {Terms.parameter(devicePropertyParameter(*Field)), true, {}, {}};
}

} // namespace gpuestimate
