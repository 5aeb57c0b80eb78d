#include "Libdevice.h"

#include "OpTable.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

void foldNvvmReflect(llvm::Module &M) {
  llvm::SmallVector<llvm::CallInst *> Calls;
  for (llvm::Function &F : M)
    if (F.getName() == "__nvvm_reflect" ||
        F.getName() == "__nvvm_reflect_ocl" ||
        F.getName().starts_with("llvm.nvvm.reflect"))
      for (llvm::User *U : F.users())
        if (auto *Call = llvm::dyn_cast<llvm::CallInst>(U))
          Calls.push_back(Call);
  if (Calls.empty())
    return;
  unsigned Arch = 800;
  for (const llvm::Function &F : M) {
    llvm::StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
    unsigned Sm;
    if (Cpu.consume_front("sm_") && !Cpu.consumeInteger(10, Sm)) {
      Arch = Sm * 10;
      break;
    }
  }
  auto Flag = [&](llvm::StringRef Name, unsigned Otherwise) -> unsigned {
    if (auto *C = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
            M.getModuleFlag(Name)))
      return C->getZExtValue();
    return Otherwise;
  };
  for (llvm::CallInst *Call : Calls) {
    llvm::StringRef Key;
    const auto *Name = llvm::dyn_cast<llvm::GlobalVariable>(
        Call->getArgOperand(0)->stripPointerCasts());
    if (Name && Name->hasInitializer())
      if (const auto *Text = llvm::dyn_cast<llvm::ConstantDataSequential>(
              Name->getInitializer()))
        if (Text->isString())
          Key = Text->getAsString().rtrim('\0');
    unsigned Value = Key == "__CUDA_FTZ"         ? Flag("nvvm-reflect-ftz", 0)
                     : Key == "__CUDA_ARCH"      ? Arch
                     : Key == "__CUDA_PREC_DIV"  ? 1
                     : Key == "__CUDA_PREC_SQRT" ? 1
                                                 : 0;
    Call->replaceAllUsesWith(llvm::ConstantInt::get(Call->getType(), Value));
    Call->eraseFromParent();
  }
}

std::string cudaLibraryName(llvm::StringRef Name) {
  llvm::StringRef Rest = Name;
  if (!Rest.consume_front("__ocml_"))
    return Name.str();
  bool Fast = Rest.consume_front("native_");
  bool IsDouble = Rest.ends_with("_f64");
  if (!IsDouble && !Rest.ends_with("_f32") && !Rest.ends_with("_f16"))
    return Name.str();
  Rest = Rest.drop_back(4);
  return (llvm::Twine("__nv_") + (Fast && !IsDouble ? "fast_" : "") + Rest +
          (IsDouble ? "" : "f"))
      .str();
}

namespace {

struct Equivalent {
  llvm::StringLiteral Name; ///< without "__nv_"
  llvm::Intrinsic::ID Id;
};

/// Library functions whose meaning is that of one intrinsic.
constexpr Equivalent Equivalents[] = {
    {"fmaf", llvm::Intrinsic::fma},
    {"fma", llvm::Intrinsic::fma},
    {"fmaf_rn", llvm::Intrinsic::fma},
    {"fma_rn", llvm::Intrinsic::fma},
    {"fabsf", llvm::Intrinsic::fabs},
    {"fabs", llvm::Intrinsic::fabs},
    {"fminf", llvm::Intrinsic::minnum},
    {"fmin", llvm::Intrinsic::minnum},
    {"fmaxf", llvm::Intrinsic::maxnum},
    {"fmax", llvm::Intrinsic::maxnum},
    {"floorf", llvm::Intrinsic::floor},
    {"floor", llvm::Intrinsic::floor},
    {"ceilf", llvm::Intrinsic::ceil},
    {"ceil", llvm::Intrinsic::ceil},
    {"truncf", llvm::Intrinsic::trunc},
    {"trunc", llvm::Intrinsic::trunc},
    {"rintf", llvm::Intrinsic::rint},
    {"rint", llvm::Intrinsic::rint},
    {"nearbyintf", llvm::Intrinsic::rint},
    {"nearbyint", llvm::Intrinsic::rint},
    {"copysignf", llvm::Intrinsic::copysign},
    {"copysign", llvm::Intrinsic::copysign},
    {"sqrtf", llvm::Intrinsic::sqrt},
    {"sqrt", llvm::Intrinsic::sqrt},
    {"min", llvm::Intrinsic::smin},
    {"max", llvm::Intrinsic::smax},
    {"umin", llvm::Intrinsic::umin},
    {"umax", llvm::Intrinsic::umax},
    {"llmin", llvm::Intrinsic::smin},
    {"llmax", llvm::Intrinsic::smax},
    {"ullmin", llvm::Intrinsic::umin},
    {"ullmax", llvm::Intrinsic::umax},
};

llvm::Intrinsic::ID equivalentOf(llvm::StringRef Full) {
  std::string Common = cudaLibraryName(Full);
  llvm::StringRef Name = Common;
  if (!Name.consume_front("__nv_"))
    return llvm::Intrinsic::not_intrinsic;
  for (const Equivalent &E : Equivalents)
    if (E.Name == Name)
      return E.Id;
  return llvm::Intrinsic::not_intrinsic;
}

void replaceCalls(llvm::Function &F, llvm::Intrinsic::ID Id) {
  for (llvm::User *U : llvm::make_early_inc_range(F.users())) {
    auto *Call = llvm::dyn_cast<llvm::CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F)
      continue;
    llvm::IRBuilder<> Builder(Call);
    llvm::SmallVector<llvm::Value *> Arguments(Call->args());
    llvm::Value *New =
        Builder.CreateIntrinsic(Id, {Call->getType()}, Arguments);
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

void simplifyAbsolute(llvm::Function &F) {
  for (llvm::User *U : llvm::make_early_inc_range(F.users())) {
    auto *Call = llvm::dyn_cast<llvm::CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F)
      continue;
    llvm::IRBuilder<> Builder(Call);
    llvm::Value *New = Builder.CreateBinaryIntrinsic(
        llvm::Intrinsic::abs, Call->getArgOperand(0), Builder.getFalse());
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

/// Functions with several results write all but one through pointers; in
/// registers they are a structure. F(x, &a, &b) becomes a call of "F.values"
/// that returns {result of F if any, a, b} and the stores of a and b.
void returnResults(llvm::Function &F) {
  llvm::StringRef Name = F.getName();
  llvm::Type *Pointee = nullptr;
  if (Name.contains("sincos") || Name.contains("modf"))
    Pointee = F.arg_size() ? F.getArg(0)->getType() : nullptr;
  else if (Name.contains("frexp") || Name.contains("remquo"))
    Pointee = llvm::Type::getInt32Ty(F.getContext());
  if (!Pointee)
    return;
  llvm::SmallVector<llvm::Type *> Results, Inputs;
  if (!F.getReturnType()->isVoidTy())
    Results.push_back(F.getReturnType());
  for (const llvm::Argument &A : F.args())
    if (A.getType()->isPointerTy())
      Results.push_back(Pointee);
    else
      Inputs.push_back(A.getType());
  auto *Type = llvm::FunctionType::get(
      llvm::StructType::get(F.getContext(), Results), Inputs, false);
  auto *New = llvm::cast<llvm::Function>(
      F.getParent()
          ->getOrInsertFunction((Name + ".values").str(), Type)
          .getCallee());
  for (llvm::User *U : llvm::make_early_inc_range(F.users())) {
    auto *Call = llvm::dyn_cast<llvm::CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F)
      continue;
    llvm::IRBuilder<> Builder(Call);
    llvm::SmallVector<llvm::Value *> Arguments, Pointers;
    for (llvm::Value *A : Call->args())
      (A->getType()->isPointerTy() ? Pointers : Arguments).push_back(A);
    llvm::CallInst *Values = Builder.CreateCall(New, Arguments);
    unsigned Next = 0;
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(Builder.CreateExtractValue(Values, Next++));
    for (llvm::Value *P : Pointers)
      Builder.CreateStore(Builder.CreateExtractValue(Values, Next++), P);
    Call->eraseFromParent();
  }
}

void markWithoutEffect(llvm::Function &F) {
  bool Writes = llvm::any_of(F.args(), [](const llvm::Argument &A) {
    return A.getType()->isPointerTy();
  });
  if (Writes)
    F.setOnlyAccessesArgMemory();
  else
    F.setDoesNotAccessMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  F.addFnAttr(llvm::Attribute::NoSync);
  F.addFnAttr(llvm::Attribute::NoFree);
  F.removeFnAttr(llvm::Attribute::Convergent);
  for (llvm::User *U : F.users())
    if (auto *Call = llvm::dyn_cast<llvm::CallBase>(U))
      Call->removeFnAttr(llvm::Attribute::Convergent);
}

/// Functions in whose place nvcc's -use_fast_math calls a faster one. clang's
/// headers do that for sinf, cosf, sincosf, logf and log2f only.
constexpr llvm::StringLiteral Approximated[] = {
    "__nv_expf", "__nv_exp10f", "__nv_log10f", "__nv_powf", "__nv_tanf"};

/// -use_fast_math permits approximate functions and flushes denormals, but
/// never reorders a sum. clang's -ffast-math does, and calls the slow
/// functions.
bool hasFastMath(const llvm::CallInst &Call) {
  return llvm::isa<llvm::FPMathOperator>(Call) && Call.hasApproxFunc() &&
         !Call.hasAllowReassoc() &&
         Call.getFunction()
             ->getFnAttribute("denormal-fp-math-f32")
             .getValueAsString()
             .starts_with("preserve-sign");
}

void approximate(llvm::Function &F) {
  std::string Fast = ("__nv_fast_" + F.getName().drop_front(5)).str();
  for (llvm::User *U : llvm::make_early_inc_range(F.users())) {
    auto *Call = llvm::dyn_cast<llvm::CallInst>(U);
    if (Call && Call->getCalledOperand() == &F && hasFastMath(*Call))
      Call->setCalledFunction(F.getParent()->getOrInsertFunction(
          Fast, F.getFunctionType(), F.getAttributes()));
  }
}

} // namespace

void canonicaliseLibrary(llvm::Module &M) {
  for (llvm::StringRef Name : Approximated)
    if (llvm::Function *F = M.getFunction(Name))
      approximate(*F);
  llvm::SmallVector<llvm::Function *> Several;
  for (llvm::Function &F : M)
    if (F.getName().starts_with("__nv_") && !F.getName().ends_with(".values") &&
        findOpRow(F.getName()) &&
        llvm::any_of(F.args(), [](const llvm::Argument &A) {
          return A.getType()->isPointerTy();
        }))
      Several.push_back(&F);
  for (llvm::Function *F : Several)
    returnResults(*F);

  for (llvm::Function &F : llvm::make_early_inc_range(M)) {
    llvm::StringRef Name = F.getName();
    if (!Name.starts_with("__nv_") && !Name.starts_with("__ocml_") &&
        !Name.starts_with("__ockl_get_"))
      continue;
    if (auto Id = equivalentOf(Name); Id != llvm::Intrinsic::not_intrinsic) {
      replaceCalls(F, Id);
      continue;
    }
    if (Name == "__nv_abs" || Name == "__nv_llabs") {
      simplifyAbsolute(F);
      continue;
    }
    if (!findOpRow(Name))
      continue;
    if (!F.isDeclaration()) {
      F.deleteBody();
      F.setComdat(nullptr);
      F.removeFnAttr(llvm::Attribute::AlwaysInline);
    }
    markWithoutEffect(F);
  }
}

} // namespace gpuestimate
