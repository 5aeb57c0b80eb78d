/// \file
/// Device properties, device attributes and the occupancy calculator.
#include "HostAnalysis.h"

#include "RuntimeCalls.h"

#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

DeviceQueries::DeviceQueries(HostAnalysis &Host) : Host(Host) {}

HostValue DeviceQueries::property(const clang::Expr *E) {
  std::string Index;
  if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    clang::Expr::EvalResult Number;
    if (!Element->getIdx()->EvaluateAsInt(Number, Host.AST))
      return {};
    Index = "[" + llvm::toString(Number.Val.getInt(), 10) + "]";
    E = stripCasts(Element->getBase());
  }
  const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E);
  const auto *Field =
      Member ? llvm::dyn_cast<clang::FieldDecl>(Member->getMemberDecl())
             : nullptr;
  if (!Field || !Field->getParent() ||
      !(Index.empty() ? Field->getType()->isIntegerType()
                      : Field->getType()->isArrayType()))
    return {};
  // The name of HIP's structure contains a version.
  llvm::StringRef Record = Field->getParent()->getName();
  if (Record != "cudaDeviceProp" && !Record.starts_with("hipDeviceProp_t"))
    return {};
  return {Host.Terms.parameter(
              devicePropertyParameter(Field->getNameAsString() + Index)),
          true};
}

const clang::FunctionDecl *DeviceQueries::kernelOf(const clang::Expr *Callee,
                                                   const CallFrame &Frame,
                                                   ProgramPoint Point) {
  const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(stripCasts(
      addressedOperand(Host.Variables.resolve(Callee, Frame, Point))));
  if (!Reference)
    return nullptr;
  const clang::ValueDecl *Named = Reference->getDecl();
  if (const auto *Kernel = llvm::dyn_cast<clang::FunctionDecl>(Named))
    return Kernel->hasAttr<clang::CUDAGlobalAttr>() ? Kernel : nullptr;
  // A wrapper launches what its caller passes.
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(Named);
  const clang::Expr *Passed = Parameter ? Frame.argument(*Parameter) : nullptr;
  return Passed ? kernelOf(Passed, *Frame.Caller, Frame.CallPoint) : nullptr;
}

HostValue DeviceQueries::stored(const clang::CallExpr &Call,
                                const AccessPath &P, const CallFrame &Frame,
                                ProgramPoint Point) {
  unsigned Answers = queryResultCount(*Call.getDirectCallee());
  llvm::StringRef Name = Call.getDirectCallee()->getName();
  if (Name.ends_with("DeviceGetAttribute"))
    return attribute(Call);
  Query New;
  New.Kernel = kernelOf(Call.getArg(Answers), Frame, Point);
  auto argument = [&](unsigned Index) {
    return Index < Call.getNumArgs()
               ? Host.Expressions.evaluate(Call.getArg(Index), Frame, Point).E
               : Host.Terms.constant(0);
  };
  std::string What = "activeBlocks";
  if (Answers == 1) { // (&blocks, kernel, threads, shared memory)
    New.Occupancy.Threads = argument(2);
    New.Occupancy.DynamicSharedBytes = argument(3);
    if (!New.Occupancy.Threads)
      return {};
  } else { // (&grid, &block, kernel, shared memory, most threads)
    bool First = accessPathOf(addressedOperand(Call.getArg(0))).Base == P.Base;
    New.Occupancy.Kind =
        First ? OccupancyQuery::GridSize : OccupancyQuery::BlockSize;
    New.Occupancy.DynamicSharedBytes = argument(3);
    New.Occupancy.Threads = argument(4);
    What = First ? "minGridSize" : "blockSize";
  }
  return add(New, What);
}

HostValue DeviceQueries::activeBlocks(const clang::FunctionDecl &Kernel,
                                      Expr Threads, Expr DynamicSharedBytes) {
  Query New;
  New.Kernel = &Kernel;
  New.Occupancy.Threads = Threads;
  New.Occupancy.DynamicSharedBytes = DynamicSharedBytes;
  return add(New, "activeBlocks");
}

HostValue DeviceQueries::add(const Query &New, llvm::StringRef What) {
  std::string Kernel = New.Kernel ? New.Kernel->getNameAsString() : "kernel";
  std::string Plain =
      devicePropertyParameter((What + "(" + Kernel + ")").str());
  std::string Free = Plain;
  auto same = [&](const Query &Old) {
    return Old.Kernel == New.Kernel &&
           Old.Occupancy.Kind == New.Occupancy.Kind &&
           Old.Occupancy.Threads == New.Occupancy.Threads &&
           Old.Occupancy.DynamicSharedBytes == New.Occupancy.DynamicSharedBytes;
  };
  for (unsigned N = 2; Queries.contains(Free) && !same(Queries[Free]); ++N)
    Free = Plain + "#" + std::to_string(N);
  Queries.try_emplace(Free, New);
  return {Host.Terms.parameter(Free), true};
}

HostValue DeviceQueries::attribute(const clang::CallExpr &Query) {
  const auto *Asked =
      llvm::dyn_cast<clang::DeclRefExpr>(stripCasts(Query.getArg(1)));
  const auto *Enumerator =
      Asked ? llvm::dyn_cast<clang::EnumConstantDecl>(Asked->getDecl())
            : nullptr;
  if (!Enumerator)
    return {};
  std::optional<llvm::StringRef> Field =
      fieldOfDeviceAttribute(Enumerator->getName());
  if (!Field)
    return {};
  return {Host.Terms.parameter(devicePropertyParameter(*Field)), true};
}

} // namespace gpuestimate
