#include "PackHalves.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <vector>

namespace gpuestimate {

using namespace llvm::PatternMatch;

namespace {

constexpr unsigned HalfBits = 16;

bool isFma(const llvm::Instruction &I) {
  const auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == llvm::Intrinsic::fma ||
                  Call->getIntrinsicID() == llvm::Intrinsic::fmuladd);
}

/// Is I an operation whose packed form is one instruction?
bool isPackable(const llvm::Instruction &I) {
  if (!I.getType()->is16bitFPTy())
    return false;
  switch (I.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return true;
  default:
    return isFma(I);
  }
}

class HalfPacker {
public:
  explicit HalfPacker(llvm::Function &F) : F(F) {}
  void run();

private:
  /// Takes the halves of words as elements of a vector, of which it is seen
  /// that they are one register: `bitcast (trunc (lshr i32 %w, 16)) to half`
  /// becomes `extractelement (bitcast i32 %w to <2 x half>), 1`. Code that
  /// loads `int4` through a pointer to `__half` is full of them.
  void takeHalvesFromVectors();
  void packBlock(llvm::BasicBlock &BB);
  /// Replaces First and Second, which comes later, by one operation.
  void pack(llvm::Instruction &First, llvm::Instruction &Second);
  /// The vector <Low, High>; a new one is made before Place.
  llvm::Value *pair(llvm::Value *Low, llvm::Value *High,
                    llvm::Instruction &Place);
  /// The vector <Low, High> if it is there, else null.
  llvm::Value *existingPair(llvm::Value *Low, llvm::Value *High,
                            llvm::Instruction &Place);
  /// Loop-carried values in one register where both are results of a pair.
  void packPhis();
  /// Vectors put together of what has become the halves of one.
  void foldPairs();

  /// insertelement (insertelement poison, low, 0), high, 1.
  struct MadePair {
    llvm::WeakTrackingVH Vector;
    llvm::WeakTrackingVH Low, High;
  };

  llvm::Function &F;
  std::vector<llvm::Instruction *> Packed; ///< the vector operations
  std::vector<MadePair> Made;
  llvm::SmallVector<llvm::WeakTrackingVH> Dead;
};

} // namespace

void HalfPacker::takeHalvesFromVectors() {
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Type *>, llvm::Value *> Vectors;
  for (llvm::Instruction &I : llvm::instructions(F)) {
    llvm::Value *Word, *Narrow;
    if (!I.getType()->is16bitFPTy() ||
        !match(&I, m_BitCast(m_Trunc(m_Value(Narrow)))))
      continue;
    uint64_t First = 0, Element = 0;
    if (!match(Narrow, m_LShr(m_Value(Word), m_ConstantInt(First))))
      Word = Narrow;
    llvm::Value *Whole;
    if (match(Word, m_ExtractElt(m_Value(Whole), m_ConstantInt(Element)))) {
      First += Element * Word->getType()->getScalarSizeInBits();
      Word = Whole;
    }
    const uint64_t Bits = Word->getType()->getPrimitiveSizeInBits();
    auto *Definition = llvm::dyn_cast<llvm::Instruction>(Word);
    if (!Definition || Bits % (2 * HalfBits) != 0 || First % HalfBits != 0 ||
        First >= Bits)
      continue;
    llvm::Value *&Vector = Vectors[{Word, I.getType()}];
    if (!Vector) {
      auto Place = Definition->getInsertionPointAfterDef();
      if (!Place)
        continue;
      Vector = llvm::IRBuilder<>((*Place)->getParent(), *Place)
                   .CreateBitCast(Word, llvm::FixedVectorType::get(
                                            I.getType(), Bits / HalfBits));
    }
    I.replaceAllUsesWith(
        llvm::IRBuilder<>(&I).CreateExtractElement(Vector, First / HalfBits));
    Dead.push_back(&I);
  }
}

llvm::Value *HalfPacker::existingPair(llvm::Value *Low, llvm::Value *High,
                                      llvm::Instruction &Place) {
  auto *A = llvm::dyn_cast<llvm::Constant>(Low);
  auto *B = llvm::dyn_cast<llvm::Constant>(High);
  if (A && B)
    return llvm::ConstantVector::get({A, B});
  llvm::Value *Vector;
  uint64_t First, Second;
  if (!match(Low, m_ExtractElt(m_Value(Vector), m_ConstantInt(First))) ||
      !match(High, m_ExtractElt(m_Specific(Vector), m_ConstantInt(Second))) ||
      First % 2 != 0 || Second != First + 1)
    return nullptr;
  if (llvm::cast<llvm::FixedVectorType>(Vector->getType())->getNumElements() ==
      2)
    return Vector;
  return llvm::IRBuilder<>(&Place).CreateShuffleVector(
      Vector, {static_cast<int>(First), static_cast<int>(Second)});
}

llvm::Value *HalfPacker::pair(llvm::Value *Low, llvm::Value *High,
                              llvm::Instruction &Place) {
  if (llvm::Value *There = existingPair(Low, High, Place))
    return There;
  llvm::IRBuilder<> Builder(&Place);
  if (Low == High) // a modifier of the operand
    return Builder.CreateVectorSplat(2, Low);
  auto *Type = llvm::FixedVectorType::get(Low->getType(), 2);
  llvm::Value *Vector = Builder.CreateInsertElement(
      Builder.CreateInsertElement(llvm::PoisonValue::get(Type), Low,
                                  uint64_t(0)),
      High, uint64_t(1));
  if (llvm::isa<llvm::Instruction>(Vector))
    Made.push_back({Vector, Low, High});
  return Vector;
}

void HalfPacker::pack(llvm::Instruction &First, llvm::Instruction &Second) {
  llvm::SmallVector<llvm::Value *, 3> Operands;
  for (unsigned N = 0; N < (isFma(First) ? 3 : 2); ++N)
    Operands.push_back(pair(First.getOperand(N), Second.getOperand(N), Second));
  llvm::IRBuilder<> Builder(&Second);
  llvm::Value *Result;
  if (isFma(First))
    Result = Builder.CreateIntrinsic(
        Operands[0]->getType(),
        llvm::cast<llvm::IntrinsicInst>(First).getIntrinsicID(), Operands);
  else
    Result =
        Builder.CreateBinOp(llvm::cast<llvm::BinaryOperator>(First).getOpcode(),
                            Operands[0], Operands[1]);
  auto *Operation = llvm::dyn_cast<llvm::Instruction>(Result);
  if (!Operation) // of constants
    return;
  Operation->copyIRFlags(&First);
  Operation->andIRFlags(&Second);
  Packed.push_back(Operation);
  for (auto [Scalar, Index] : {std::pair{&First, 0}, std::pair{&Second, 1}}) {
    Scalar->replaceAllUsesWith(
        Builder.CreateExtractElement(Operation, uint64_t(Index)));
    Dead.push_back(Scalar);
  }
}

void HalfPacker::packBlock(llvm::BasicBlock &BB) {
  // Place: where the operation is in the end, at the later one of its pair.
  llvm::DenseMap<const llvm::Instruction *, unsigned> Place, Depth;
  for (llvm::Instruction &I : BB) {
    Place[&I] = Place.size();
    unsigned Longest = 0;
    if (!llvm::isa<llvm::PHINode>(I))
      for (const llvm::Value *Operand : I.operands())
        if (const auto *Before = llvm::dyn_cast<llvm::Instruction>(Operand))
          Longest = std::max(Longest, Depth.lookup(Before));
    Depth[&I] = Longest + isPackable(I);
  }
  // By operation, type and depth: results of the same depth do not wait for
  // each other. From the end, so that the places of users are known.
  std::map<std::tuple<unsigned, llvm::Type *, unsigned>, llvm::Instruction *>
      Alone;
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>> Pairs;
  for (llvm::Instruction &I : llvm::reverse(BB)) {
    if (!isPackable(I) || !spendWork())
      continue;
    llvm::Instruction *&Later =
        Alone[{I.getOpcode(), I.getType(), Depth.lookup(&I)}];
    const bool IsUsedBefore =
        Later && llvm::any_of(I.users(), [&](const llvm::User *U) {
          const auto *User = llvm::cast<llvm::Instruction>(U);
          return User->getParent() == &BB && !llvm::isa<llvm::PHINode>(User) &&
                 Place.lookup(User) <= Place.lookup(Later);
        });
    if (!Later || IsUsedBefore) {
      Later = &I;
      continue;
    }
    Place[&I] = Place.lookup(Later);
    Pairs.push_back({&I, Later});
    Later = nullptr;
  }
  llvm::sort(Pairs, [&](const auto &A, const auto &B) {
    return Place.lookup(A.second) < Place.lookup(B.second);
  });
  for (auto [First, Second] : Pairs)
    pack(*First, *Second);
}

void HalfPacker::packPhis() {
  for (llvm::Instruction *Operation : Packed) {
    llvm::SmallVector<llvm::PHINode *> OfLow, OfHigh;
    for (llvm::User *U : Operation->users()) {
      uint64_t Index;
      if (!match(U, m_ExtractElt(m_Value(), m_ConstantInt(Index))))
        continue;
      for (llvm::User *User : U->users())
        if (auto *Phi = llvm::dyn_cast<llvm::PHINode>(User))
          (Index == 0 ? OfLow : OfHigh).push_back(Phi);
    }
    for (llvm::PHINode *Low : OfLow)
      for (llvm::PHINode *High : OfHigh) {
        if (Low == High || Low->getParent() != High->getParent() ||
            Low->use_empty() || High->use_empty() || !spendWork())
          continue;
        llvm::SmallVector<std::pair<llvm::Value *, llvm::BasicBlock *>>
            Incoming;
        for (auto [Value, From] :
             llvm::zip_equal(Low->incoming_values(), Low->blocks()))
          Incoming.push_back(
              {existingPair(Value, High->getIncomingValueForBlock(From),
                            *From->getTerminator()),
               From});
        if (llvm::any_of(Incoming, [](auto &In) { return !In.first; }))
          continue;
        auto *Type = llvm::FixedVectorType::get(Low->getType(), 2);
        llvm::PHINode *Both = llvm::PHINode::Create(Type, Incoming.size(), "",
                                                    Low->getIterator());
        for (auto [Value, From] : Incoming)
          Both->addIncoming(Value, From);
        llvm::IRBuilder<> Builder(Low->getParent(),
                                  Low->getParent()->getFirstInsertionPt());
        Low->replaceAllUsesWith(
            Builder.CreateExtractElement(Both, uint64_t(0)));
        High->replaceAllUsesWith(
            Builder.CreateExtractElement(Both, uint64_t(1)));
        Dead.push_back(Low);
        Dead.push_back(High);
      }
  }
}

void HalfPacker::foldPairs() {
  for (MadePair &P : Made) {
    auto *Vector = llvm::dyn_cast_or_null<llvm::Instruction>(
        static_cast<llvm::Value *>(P.Vector));
    if (!Vector || !P.Low || !P.High)
      continue;
    if (llvm::Value *There = existingPair(P.Low, P.High, *Vector)) {
      Vector->replaceAllUsesWith(There);
      Dead.push_back(Vector);
    }
  }
}

void HalfPacker::run() {
  takeHalvesFromVectors();
  for (llvm::BasicBlock &BB : F)
    packBlock(BB);
  foldPairs();
  packPhis();
  foldPairs();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

llvm::PreservedAnalyses PackHalves::run(llvm::Function &F,
                                        llvm::FunctionAnalysisManager &) {
  const llvm::Triple Target(F.getParent()->getTargetTriple());
  if (!Target.isNVPTX() || llvm::none_of(llvm::instructions(F), isPackable))
    return llvm::PreservedAnalyses::all();
  HalfPacker(F).run();
  llvm::PreservedAnalyses Preserved;
  Preserved.preserveSet<llvm::CFGAnalyses>();
  return Preserved;
}

} // namespace gpuestimate
