/// \file
/// What host code asks the device for: values of the GPU that a launch is
/// estimated on.
#include "HostValues.h"

#include "gpu-estimate/GpuModel/DeviceProperties.h"
#include "clang/AST/ASTContext.h"
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
