/// \file
/// Instructions that become one: products with sums, shifts with additions,
/// logic of three inputs, extensions inside wide factors and indices.
#include "Plan.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"

namespace gpuestimate {

using namespace llvm::PatternMatch;

void Plan::fuseReals() {
  llvm::DenseMap<const llvm::Instruction *, bool> OnlySummed;
  auto Product = [&](const llvm::Value *V) -> const llvm::Instruction * {
    const auto *M = llvm::dyn_cast<llvm::Instruction>(V);
    if (M && M->getOpcode() == llvm::Instruction::FNeg && M->hasOneUse())
      M = llvm::dyn_cast<llvm::Instruction>(M->getOperand(0));
    if (!M || M->getOpcode() != llvm::Instruction::FMul ||
        !M->hasAllowContract())
      return nullptr;
    auto [Known, New] = OnlySummed.try_emplace(M, false);
    if (!New)
      return Known->second ? M : nullptr;
    // Multiplied again for every sum that uses it: worth it only if that
    // makes the product itself unnecessary.
    for (const llvm::User *U : M->users()) {
      spendWork();
      const auto *Sum = llvm::dyn_cast<llvm::Instruction>(U);
      if (Sum && Sum->getOpcode() == llvm::Instruction::FNeg &&
          Sum->hasOneUse())
        Sum = llvm::dyn_cast<llvm::Instruction>(*Sum->user_begin());
      bool IsSum = Sum && (Sum->getOpcode() == llvm::Instruction::FAdd ||
                           Sum->getOpcode() == llvm::Instruction::FSub);
      if (!IsSum || !Sum->hasAllowContract())
        return nullptr;
    }
    Known->second = true;
    return M;
  };
  // 1/sqrt(x) is one special function where accuracy may be given up.
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      const llvm::Value *X;
      if (I.getOpcode() != llvm::Instruction::FDiv || !I.hasApproxFunc() ||
          !I.getType()->isFloatTy() ||
          !match(&I,
                 m_FDiv(m_FPOne(), m_OneUse(m_Intrinsic<llvm::Intrinsic::sqrt>(
                                       m_Value(X))))))
        continue;
      Free.insert(llvm::cast<llvm::Instruction>(I.getOperand(1)));
      Replaced[&I] = "frsqrt.fast.f32";
    }
  llvm::DenseMap<const llvm::Instruction *, unsigned> Absorbed;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if ((I.getOpcode() != llvm::Instruction::FAdd &&
           I.getOpcode() != llvm::Instruction::FSub) ||
          !I.hasAllowContract())
        continue;
      const llvm::Instruction *L = Product(I.getOperand(0)),
                              *R = Product(I.getOperand(1));
      const llvm::Instruction *M =
          L && R ? (L->hasOneUse() ? L : R) : (L ? L : R);
      if (!M)
        continue;
      Replaced[&I] = "fma." + typeKey(I.getType());
      ++Absorbed[M];
    }
  // A product stays when one of its sums took another one instead.
  for (auto [M, Count] : Absorbed)
    if (Count == M->getNumUses())
      Free.insert(M);
}

void Plan::fuseIntegers() {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Taken; // has absorbed one
  auto Single = [&](const llvm::Value *V,
                    auto Matches) -> const llvm::Instruction * {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    // Through an extension of a factor.
    if (I && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I) && I->hasOneUse())
      I = llvm::dyn_cast<llvm::Instruction>(I->getOperand(0));
    return I && I->hasOneUse() && !Free.contains(I) && Matches(*I) ? I
                                                                   : nullptr;
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (isDead(I) || !I.getType()->isIntOrIntVectorTy())
        continue;
      std::string Type = typeKey(I.getType());
      switch (I.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub: {
        // The counter of a loop stays an addition of its own.
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K) {
          const llvm::Value *Operand = I.getOperand(K);
          if (const auto *M = Single(Operand, [](const llvm::Instruction &X) {
                return X.getOpcode() == llvm::Instruction::Mul &&
                       X.getType()->getScalarSizeInBits() <= 32;
              })) {
            Free.insert(M);
            Taken.insert(&I);
            Replaced[&I] = Type == "i64" ? "mulwide.i64" : "mul.i32";
          }
        }
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K)
          if (const auto *S =
                  Single(I.getOperand(K), [](const llvm::Instruction &X) {
                    return X.getOpcode() == llvm::Instruction::Shl &&
                           llvm::isa<llvm::ConstantInt>(X.getOperand(1));
                  })) {
            Free.insert(S);
            Taken.insert(&I);
            Replaced[&I] = Type == "i64" ? "lea.i64" : "lea.i32";
          }
        // Three-input addition.
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K)
          if (const auto *S =
                  Single(I.getOperand(K), [&](const llvm::Instruction &X) {
                    return (X.getOpcode() == llvm::Instruction::Add ||
                            X.getOpcode() == llvm::Instruction::Sub) &&
                           !Taken.contains(&X) && X.getType() == I.getType();
                  })) {
            Free.insert(S);
            Taken.insert(&I);
          }
        break;
      }
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        if (Type == "i1") {
          // A comparison combines its result with another predicate.
          for (const llvm::Value *Operand : I.operands()) {
            const auto *C = llvm::dyn_cast<llvm::CmpInst>(Operand);
            if (C && C->hasOneUse())
              Free.insert(&I);
          }
          break;
        }
        for (const llvm::Value *Operand : I.operands())
          if (const auto *X =
                  Single(Operand,
                         [&](const llvm::Instruction &Y) {
                           return (Y.getOpcode() == llvm::Instruction::And ||
                                   Y.getOpcode() == llvm::Instruction::Or ||
                                   Y.getOpcode() == llvm::Instruction::Xor) &&
                                  !Taken.contains(&Y) &&
                                  Y.getType() == I.getType();
                         });
              X && !Taken.contains(&I)) {
            Free.insert(X);
            Taken.insert(&I);
          }
        break;
      case llvm::Instruction::Select:
        if (Type == "i1" &&
            (match(&I, m_LogicalAnd()) || match(&I, m_LogicalOr())))
          for (const llvm::Value *Operand : I.operands())
            if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Operand);
                C && C->hasOneUse())
              Free.insert(&I);
        break;
      case llvm::Instruction::Mul: {
        auto Extended = [](const llvm::Value *V) {
          if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V))
            return C->getValue().getSignificantBits() <= 32;
          return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(V);
        };
        if (Type == "i64" && Extended(I.getOperand(0)) &&
            Extended(I.getOperand(1)))
          Replaced[&I] = "mulwide.i64";
        break;
      }
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
        if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(I.getOperand(1));
            C && Type != "i128")
          Replaced[&I] = std::string(I.getOpcodeName()) +
                         (C->getValue().isPowerOf2() &&
                                  I.getOpcode() != llvm::Instruction::UDiv &&
                                  I.getOpcode() != llvm::Instruction::URem
                              ? ".pow2."
                              : ".const.") +
                         Type;
        break;
      default:
        break;
      }
    }
}

void Plan::freeConversions() {
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I))
        continue;
      const llvm::Value *From = I.getOperand(0);
      bool ToWide = I.getType()->getScalarSizeInBits() > 32;
      // A load or a conversion fills the register as the type says.
      if (llvm::isa<llvm::LoadInst>(From) &&
          !(ToWide && llvm::isa<llvm::SExtInst>(I))) {
        Free.insert(&I);
        continue;
      }
      // So does arithmetic that was narrowed because its values are small.
      if (llvm::isa<llvm::ZExtInst>(I) && !From->getType()->isIntegerTy(1) &&
          From->getType()->getScalarSizeInBits() < 32 &&
          !llvm::isa<llvm::TruncInst>(From)) {
        Free.insert(&I);
        continue;
      }
      // IMAD.WIDE and address arithmetic take 32-bit factors.
      bool OnlyWide =
          ToWide && llvm::all_of(I.users(), [&](const llvm::User *U) {
            const auto *By = llvm::dyn_cast<llvm::Instruction>(U);
            return By &&
                   (llvm::isa<llvm::GetElementPtrInst>(By) || isDead(*By) ||
                    (Replaced.contains(By) &&
                     Replaced.lookup(By) == "mulwide.i64"));
          });
      if (OnlyWide)
        Free.insert(&I);
    }
}

} // namespace gpuestimate
