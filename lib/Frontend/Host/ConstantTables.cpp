#include "ConstantTables.h"

#include "HostIndex.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace gpuestimate {

std::vector<double> constantsOf(const clang::Expr *Init,
                                const clang::ASTContext &AST) {
  std::vector<double> Values;
  constexpr unsigned MaxValues = 4096;
  auto take = [&](auto &Self, const clang::Expr *E) -> bool {
    if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E)) {
      if (List->hasArrayFiller() || List->getType()->isRecordType())
        return false;
      return llvm::all_of(List->inits(), [&](const clang::Expr *Inner) {
        return Self(Self, Inner);
      });
    }
    clang::Expr::EvalResult Result;
    if (Values.size() >= MaxValues || E->isValueDependent() ||
        !E->EvaluateAsRValue(Result, AST))
      return false;
    if (Result.Val.isInt())
      Values.push_back(double(Result.Val.getInt().getExtValue()));
    else if (Result.Val.isFloat())
      Values.push_back(Result.Val.getFloat().convertToDouble());
    else
      return false;
    return true;
  };
  if (!Init)
    return {};
  Init = stripCasts(Init);
  if (!llvm::isa<clang::InitListExpr>(Init) || !take(take, Init))
    return {};
  return Values;
}

/// Does Call get a pointer by which it may write the array?
static bool handsOut(const CallSite &Call, const clang::VarDecl &Array) {
  for (unsigned I = 0; I < Call.Call->getNumArgs(); ++I) {
    const clang::Expr *Argument = Call.Call->getArg(I);
    if (bufferPathOf(Argument).Base != &Array)
      continue;
    clang::QualType Type = Argument->getType();
    if (Type->isPointerType() && !Type->getPointeeType().isConstQualified())
      return true;
  }
  return false;
}

bool ConstantTables::isWritten(const clang::VarDecl &Array) const {
  if (AST.getBaseElementType(Array.getType()).isConstQualified())
    return false;
  return llvm::any_of(Index.Functions, [&](const auto &Entry) {
    const HostFunction &F = Entry.second;
    auto Writes = F.Writes.find(&Array);
    return F.ElementWrites.contains(&Array) ||
           F.PointeeWrites.contains(&Array) ||
           (Writes != F.Writes.end() && llvm::any_of(Writes->second,
                                                     [&](const Write &W) {
                                                       return W.Value !=
                                                              Array.getInit();
                                                     })) ||
           llvm::any_of(F.Calls, [&](const CallSite &Call) {
             return handsOut(Call, Array);
           });
  });
}

const std::vector<double> &
ConstantTables::elements(const clang::VarDecl &Array) {
  constexpr size_t MaxElements = 64;
  auto [Entry, IsNew] = Known.try_emplace(&Array);
  if (IsNew && Array.getType()->isConstantArrayType()) {
    std::vector<double> Values = constantsOf(Array.getAnyInitializer(), AST);
    if (Values.size() <= MaxElements && !isWritten(Array))
      Entry->second = std::move(Values);
  }
  return Entry->second;
}

} // namespace gpuestimate
