#include "ModuleAdapter.h"

#include "NewerIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace gpuestimate {

std::string dataLayoutFor(const Triple &Target) {
  if (Target.isAMDGCN())
    return "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-"
           "p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:"
           "32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
           "v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
  return "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";
}

/// The name in LLVM 19 of an intrinsic with the same operands.
static StringRef nameInLlvm19(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      // LLVM 21
      .Case("llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.n")
      .Case("llvm.nvvm.barrier.cta.sync.aligned.count", "llvm.nvvm.barrier")
      .Case("llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.sync")
      .Case("llvm.nvvm.barrier.cta.sync.count", "llvm.nvvm.barrier.sync.cnt")
      .Case("llvm.nvvm.fabs.f32", "llvm.fabs.f32")
      .Case("llvm.nvvm.fabs.f64", "llvm.fabs.f64")
      .Case("llvm.nvvm.fabs.ftz.f32", "llvm.nvvm.fabs.ftz.f")
      .Case("llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.f")
      .Case("llvm.nvvm.ex2.approx.ftz.f32", "llvm.nvvm.ex2.approx.ftz.f")
      // LLVM 20
      .Case("llvm.stepvector", "llvm.experimental.stepvector")
      .Default("");
}

static void eraseCalls(Function &F) {
  for (User *U : make_early_inc_range(F.users()))
    if (auto *Call = dyn_cast<CallInst>(U); Call && Call->use_empty())
      Call->eraseFromParent();
}

/// Calls of `llvm.nvvm.ptr.gen.to.global` and the like, which became casts.
static void replaceWithCasts(Function &F) {
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || !Call->getType()->isPointerTy() || Call->arg_size() != 1 ||
        !Call->getArgOperand(0)->getType()->isPointerTy())
      continue;
    IRBuilder<> Builder(Call);
    Call->replaceAllUsesWith(
        Builder.CreateAddrSpaceCast(Call->getArgOperand(0), Call->getType()));
    Call->eraseFromParent();
  }
}

/// Does an intrinsic have the types that LLVM 19 gives it?
static bool hasKnownTypes(Function &F) {
  SmallVector<Type *> Overloads;
  return Intrinsic::getIntrinsicSignature(F.getIntrinsicID(),
                                          F.getFunctionType(), Overloads);
}

void adaptIntrinsics(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    StringRef Name = F.getName();
    if (!F.isDeclaration() || !Name.starts_with("llvm."))
      continue;
    if (StringRef Known = nameInLlvm19(Name); !Known.empty()) {
      if (Function *Other = M.getFunction(Known);
          Other && Other->getFunctionType() == F.getFunctionType()) {
        F.replaceAllUsesWith(Other);
        F.eraseFromParent();
        continue;
      }
      F.setName(Known);
    } else if (Name.starts_with("llvm.nvvm.ptr.") &&
               !Name.contains("gen.to.param")) {
      replaceWithCasts(F);
    }
    if (F.getIntrinsicID() == Intrinsic::not_intrinsic) {
      replaceWithAssembly(F);
      continue;
    }
    if (hasKnownTypes(F))
      continue;
    if (Name.starts_with("llvm.lifetime.")) // without a size since LLVM 22
      eraseCalls(F);
    F.setName(F.getName().drop_front(StringRef("llvm.").size()));
    F.setAttributes(AttributeList()); // of other parameters
  }
}

std::string setArchitecture(Module &M, const std::string &Arch) {
  std::string Target;
  for (Function &F : M) {
    if (Target.empty())
      Target = F.getFnAttribute("target-cpu").getValueAsString().str();
    if (F.isIntrinsic())
      continue;
    F.removeFnAttr("target-features");
    F.addFnAttr("target-cpu", Arch);
    if (StringRef(Arch).starts_with("sm_"))
      F.addFnAttr("target-features", "+ptx85,+" + Arch);
  }
  return Target;
}

} // namespace gpuestimate
