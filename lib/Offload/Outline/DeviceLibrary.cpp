#include "DeviceLibrary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

/// Functions of double precision; those of single precision have the suffix
/// `f`. Functions with an intrinsic that the device executes (fma, floor) are
/// included, because they may be called by name.
static constexpr llvm::StringLiteral MathFunctions[] = {
    "acos",      "acosh", "asin",      "asinh",     "atan",   "atan2",
    "atanh",     "cbrt",  "ceil",      "copysign",  "cos",    "cosh",
    "erf",       "erfc",  "exp",       "exp10",     "exp2",   "expm1",
    "fabs",      "fdim",  "floor",     "fma",       "fmax",   "fmin",
    "fmod",      "frexp", "hypot",     "ilogb",     "ldexp",  "lgamma",
    "llround",   "log",   "log10",     "log1p",     "log2",   "logb",
    "lround",    "modf",  "nearbyint", "nextafter", "pow",    "powi",
    "remainder", "rint",  "round",     "scalbn",    "sin",    "sincos",
    "sinh",      "sqrt",  "tan",       "tanh",      "tgamma", "trunc"};

/// Intrinsics without instructions on the device.
static constexpr llvm::StringLiteral Intrinsics[] = {
    "acos", "asin",  "atan", "cos", "cosh", "exp", "exp10", "exp2", "ldexp",
    "log",  "log10", "log2", "pow", "powi", "sin", "sinh",  "tan",  "tanh"};

static void replaceIntrinsic(llvm::Function &F) {
  llvm::StringRef Name = F.getName();
  if (!Name.consume_front("llvm."))
    return;
  auto [Base, Types] = Name.split('.');
  bool Single = F.getReturnType()->isFloatTy();
  if (!llvm::is_contained(Intrinsics, Base) ||
      (!Single && !F.getReturnType()->isDoubleTy()))
    return;
  llvm::FunctionCallee Callee = F.getParent()->getOrInsertFunction(
      ("__nv_" + Base + (Single ? "f" : "")).str(), F.getFunctionType());
  for (llvm::User *U : llvm::make_early_inc_range(F.users()))
    if (auto *Call = llvm::dyn_cast<llvm::CallInst>(U))
      Call->setCalledFunction(Callee);
}

void useDeviceLibrary(llvm::Module &M) {
  for (llvm::StringRef Base : MathFunctions)
    for (bool Single : {false, true}) {
      llvm::Function *F = M.getFunction((Base + (Single ? "f" : "")).str());
      if (F && F->isDeclaration())
        F->setName("__nv_" + Base + (Single ? "f" : ""));
    }
  for (llvm::Function &F : llvm::make_early_inc_range(M))
    if (F.isIntrinsic())
      replaceIntrinsic(F);
}

} // namespace gpuestimate
