#include "GridInterpreter.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

namespace gpuestimate::testing {

namespace {

constexpr unsigned WarpThreads = 32;

unsigned width(const llvm::Type *T) {
  return T->isPointerTy() ? 64 : T->getScalarSizeInBits();
}

uint64_t cut(uint64_t V, const llvm::Type *T) {
  return width(T) < 64 ? V & llvm::maskTrailingOnes<uint64_t>(width(T)) : V;
}

int64_t withSign(uint64_t V, const llvm::Type *T) {
  return llvm::SignExtend64(V, width(T));
}

double real(uint64_t V, const llvm::Type *T) {
  return T->isFloatTy() ? llvm::bit_cast<float>(static_cast<uint32_t>(V))
                        : llvm::bit_cast<double>(V);
}

uint64_t bitsOf(double V, const llvm::Type *T) {
  return T->isFloatTy() ? llvm::bit_cast<uint32_t>(static_cast<float>(V))
                        : llvm::bit_cast<uint64_t>(V);
}

uint64_t peek(uint64_t Address, unsigned Bytes) {
  uint64_t V = 0;
  std::memcpy(&V, reinterpret_cast<void *>(Address), Bytes);
  return V;
}

void poke(uint64_t Address, uint64_t V, unsigned Bytes) {
  std::memcpy(reinterpret_cast<void *>(Address), &V, Bytes);
}

bool isCalled(const llvm::Instruction &I, llvm::StringRef Prefix) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName().starts_with(Prefix);
}

bool isBarrier(const llvm::Instruction &I) {
  return isCalled(I, "llvm.nvvm.barrier0");
}

bool isCollective(const llvm::Instruction &I) {
  return isBarrier(I) || isCalled(I, "llvm.nvvm.shfl.sync") ||
         isCalled(I, "llvm.nvvm.vote.ballot.sync");
}

} // namespace

void GridInterpreter::fail(const llvm::Value &V) {
  if (Problem.empty())
    llvm::raw_string_ostream(Problem) << "not interpreted: " << V;
}

std::string GridInterpreter::run(Size InGrid, Size InBlock) {
  Grid = InGrid;
  Block = InBlock;
  for (unsigned Z = 0; Z < Grid[2]; ++Z)
    for (unsigned Y = 0; Y < Grid[1]; ++Y)
      for (unsigned X = 0; X < Grid[0] && Problem.empty(); ++X) {
        BlockIndex = {X, Y, Z};
        runBlock();
      }
  return Problem;
}

void GridInterpreter::runBlock() {
  std::vector<Thread> Threads(Block[0] * Block[1] * Block[2]);
  for (unsigned I = 0; I < Threads.size(); ++I) {
    Threads[I].Index = {I % Block[0], I / Block[0] % Block[1],
                        I / (Block[0] * Block[1])};
    Threads[I].At = &Kernel.getEntryBlock().front();
  }
  Shared.clear();
  const llvm::DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const llvm::GlobalVariable &G : Kernel.getParent()->globals())
    Shared[&G].resize(Layout.getTypeAllocSize(G.getValueType()));
  for (bool Going = true; Going && Problem.empty();) {
    Going = false;
    for (Thread &T : Threads)
      if (T.At && !T.Waits) {
        advance(T);
        Going = true;
      }
    llvm::MutableArrayRef<Thread> All(Threads);
    for (size_t I = 0; I < All.size(); I += WarpThreads)
      Going |= meet(All.slice(I, std::min<size_t>(WarpThreads, All.size() - I)),
                    /*AtBarrier=*/false);
    Going |= meet(All, /*AtBarrier=*/true);
  }
  if (Problem.empty() &&
      llvm::any_of(Threads, [](const Thread &T) { return T.At; }))
    Problem = "threads wait for each other in different places";
}

/// Goes on with threads of which all wait at the same place.
bool GridInterpreter::meet(llvm::MutableArrayRef<Thread> Threads,
                           bool AtBarrier) {
  const llvm::Instruction *At = Threads.front().At;
  if (!At || isBarrier(*At) != AtBarrier ||
      llvm::any_of(Threads,
                   [&](const Thread &T) { return T.At != At || !T.Waits; }))
    return false;
  std::vector<Bits> Results;
  for (size_t Lane = 0; Lane < Threads.size(); ++Lane)
    Results.push_back(AtBarrier ? Bits{} : exchanged(Threads, Lane, *At));
  for (size_t Lane = 0; Lane < Threads.size(); ++Lane) {
    Threads[Lane].Values[At] = Results[Lane];
    Threads[Lane].At = At->getNextNode();
    Threads[Lane].Waits = false;
  }
  return true;
}

Bits GridInterpreter::exchanged(llvm::ArrayRef<Thread> Warp, size_t Lane,
                                const llvm::Instruction &I) {
  const auto &Call = llvm::cast<llvm::CallBase>(I);
  if (isCalled(I, "llvm.nvvm.vote")) {
    uint64_t Votes = 0;
    for (size_t L = 0; L < Warp.size(); ++L)
      Votes |= value(Warp[L], Call.getArgOperand(1))[0] << L;
    return {Votes};
  }
  size_t Distance = value(Warp[Lane], Call.getArgOperand(2))[0], From = Lane;
  if (isCalled(I, "llvm.nvvm.shfl.sync.idx"))
    From = Distance;
  else if (isCalled(I, "llvm.nvvm.shfl.sync.down"))
    From = Lane + Distance;
  else if (Distance <= Lane)
    From = Lane - Distance;
  return value(Warp[From < Warp.size() ? From : Lane], Call.getArgOperand(1));
}

void GridInterpreter::advance(Thread &T) {
  while (T.At && Problem.empty()) {
    if (isCollective(*T.At)) {
      T.Waits = true;
      return;
    }
    const llvm::Instruction &I = *T.At;
    if (execute(T, I))
      T.At = I.getNextNode();
  }
}

void GridInterpreter::enter(Thread &T, const llvm::BasicBlock &From,
                            const llvm::BasicBlock &To) {
  std::vector<std::pair<const llvm::Value *, Bits>> New;
  for (const llvm::PHINode &Phi : To.phis())
    New.push_back({&Phi, value(T, Phi.getIncomingValueForBlock(&From))});
  for (auto &[Phi, V] : New)
    T.Values[Phi] = V;
  T.At = &*To.getFirstNonPHIIt();
}

uint64_t GridInterpreter::coordinate(const Thread &T,
                                     llvm::StringRef Register) const {
  unsigned Axis = Register.back() - 'x';
  if (Register.contains(".nctaid."))
    return Grid[Axis];
  if (Register.contains(".ctaid."))
    return BlockIndex[Axis];
  return Register.contains(".ntid.") ? Block[Axis] : T.Index[Axis];
}

uint64_t GridInterpreter::address(const Thread &T, const llvm::Value *V) {
  const auto *Gep = llvm::cast<llvm::GEPOperator>(V);
  const llvm::DataLayout &Layout = Kernel.getParent()->getDataLayout();
  uint64_t Address = value(T, Gep->getPointerOperand())[0];
  for (auto It = llvm::gep_type_begin(Gep), End = llvm::gep_type_end(Gep);
       It != End; ++It) {
    const llvm::Value *Index = It.getOperand();
    int64_t N = withSign(value(T, Index)[0], Index->getType());
    if (llvm::StructType *Struct = It.getStructTypeOrNull())
      Address += Layout.getStructLayout(Struct)->getElementOffset(N);
    else
      Address += N * Layout.getTypeAllocSize(It.getIndexedType());
  }
  return Address;
}

Bits GridInterpreter::value(const Thread &T, const llvm::Value *V) {
  if (const auto *Argument = llvm::dyn_cast<llvm::Argument>(V))
    return {cut(Arguments[Argument->getArgNo()], V->getType())};
  if (const auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(V))
    return {reinterpret_cast<uint64_t>(Shared[Global].data())};
  if (llvm::isa<llvm::Instruction>(V)) {
    auto Known = T.Values.find(V);
    if (Known == T.Values.end())
      fail(*V);
    return Known == T.Values.end() ? Bits{} : Known->second;
  }
  if (llvm::isa<llvm::GEPOperator>(V))
    return {address(T, V)};
  if (const auto *Number = llvm::dyn_cast<llvm::ConstantInt>(V))
    return {Number->getZExtValue()};
  if (const auto *Number = llvm::dyn_cast<llvm::ConstantFP>(V))
    return {Number->getValueAPF().bitcastToAPInt().getZExtValue()};
  if (llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(V))
    return {};
  if (V->getType()->isVectorTy())
    if (const auto *C = llvm::dyn_cast<llvm::Constant>(V))
      return {value(T, C->getAggregateElement(0u))[0],
              value(T, C->getAggregateElement(1u))[0]};
  fail(*V);
  return {};
}

Bits GridInterpreter::binary(Thread &T, const llvm::Instruction &I) {
  const llvm::Type *Type = I.getType();
  uint64_t A = value(T, I.getOperand(0))[0], B = value(T, I.getOperand(1))[0];
  int64_t SA = Type->isIntegerTy() ? withSign(A, Type) : 0;
  int64_t SB = Type->isIntegerTy() ? withSign(B, Type) : 0;
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
    return {cut(A + B, Type)};
  case llvm::Instruction::Sub:
    return {cut(A - B, Type)};
  case llvm::Instruction::Mul:
    return {cut(A * B, Type)};
  case llvm::Instruction::SRem:
    return {cut(SA % SB, Type)};
  case llvm::Instruction::And:
    return {A & B};
  case llvm::Instruction::Or:
    return {A | B};
  case llvm::Instruction::Xor:
    return {A ^ B};
  case llvm::Instruction::Shl:
    return {cut(A << B, Type)};
  case llvm::Instruction::LShr:
    return {A >> B};
  case llvm::Instruction::FAdd:
    return {bitsOf(real(A, Type) + real(B, Type), Type)};
  case llvm::Instruction::FSub:
    return {bitsOf(real(A, Type) - real(B, Type), Type)};
  case llvm::Instruction::FMul:
    return {bitsOf(real(A, Type) * real(B, Type), Type)};
  default:
    fail(I);
    return {};
  }
}

Bits GridInterpreter::atomic(Thread &T, const llvm::Instruction &I) {
  const auto &Rmw = llvm::cast<llvm::AtomicRMWInst>(I);
  const llvm::Type *Type = I.getType();
  uint64_t Address = value(T, Rmw.getPointerOperand())[0];
  uint64_t V = value(T, Rmw.getValOperand())[0];
  uint64_t Old = peek(Address, width(Type) / 8), New = 0;
  using Operation = llvm::AtomicRMWInst;
  switch (Rmw.getOperation()) {
  case Operation::Add:
    New = Old + V;
    break;
  case Operation::FAdd:
    New = bitsOf(real(Old, Type) + real(V, Type), Type);
    break;
  case Operation::Xor:
    New = Old ^ V;
    break;
  case Operation::Max:
    New = withSign(Old, Type) > withSign(V, Type) ? Old : V;
    break;
  case Operation::UMax:
    New = std::max(Old, V);
    break;
  default:
    fail(I);
  }
  poke(Address, New, width(Type) / 8);
  return {Old};
}

Bits GridInterpreter::call(Thread &T, const llvm::Instruction &I) {
  const auto &Call = llvm::cast<llvm::CallBase>(I);
  const llvm::Function *F = Call.getCalledFunction();
  if (F && F->getName().starts_with("llvm.nvvm.read.ptx.sreg"))
    return {coordinate(T, F->getName())};
  if (I.isLifetimeStartOrEnd())
    return {};
  auto operand = [&](unsigned N) { return value(T, Call.getArgOperand(N))[0]; };
  auto number = [&](unsigned N) { return real(operand(N), I.getType()); };
  switch (Call.getIntrinsicID()) {
  case llvm::Intrinsic::maxnum:
    return {bitsOf(std::fmax(number(0), number(1)), I.getType())};
  case llvm::Intrinsic::minnum:
    return {bitsOf(std::fmin(number(0), number(1)), I.getType())};
  case llvm::Intrinsic::fmuladd:
    return {bitsOf(number(0) * number(1) + number(2), I.getType())};
  case llvm::Intrinsic::umax:
    return {std::max(operand(0), operand(1))};
  case llvm::Intrinsic::smax:
    return {withSign(operand(0), I.getType()) >
                    withSign(operand(1), I.getType())
                ? operand(0)
                : operand(1)};
  case llvm::Intrinsic::cttz:
    return {static_cast<uint64_t>(
        std::min<int>(llvm::countr_zero(operand(0)), width(I.getType())))};
  default:
    fail(I);
    return {};
  }
}

/// False when the instruction has set where to go on.
bool GridInterpreter::execute(Thread &T, const llvm::Instruction &I) {
  auto operand = [&](unsigned N) { return value(T, I.getOperand(N)); };
  Bits Result = {};
  if (const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I)) {
    bool Second =
        Branch->isConditional() && !value(T, Branch->getCondition())[0];
    enter(T, *I.getParent(), *Branch->getSuccessor(Second));
    return false;
  }
  if (llvm::isa<llvm::ReturnInst>(I)) {
    T.At = nullptr;
    return false;
  }
  const llvm::Type *Type = I.getType();
  if (llvm::isa<llvm::AllocaInst>(I)) {
    T.Memory.emplace_back(64);
    Result = {reinterpret_cast<uint64_t>(T.Memory.back().data())};
  } else if (llvm::isa<llvm::LoadInst>(I)) {
    unsigned Bytes = (width(Type) + 7) / 8;
    Result = {peek(operand(0)[0], Bytes),
              Type->isVectorTy() ? peek(operand(0)[0] + Bytes, Bytes) : 0};
  } else if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I)) {
    const llvm::Type *Stored = Store->getValueOperand()->getType();
    unsigned Bytes = (width(Stored) + 7) / 8;
    poke(operand(1)[0], operand(0)[0], Bytes);
    if (Stored->isVectorTy())
      poke(operand(1)[0] + Bytes, operand(0)[1], Bytes);
  } else if (llvm::isa<llvm::GetElementPtrInst>(I)) {
    Result = {address(T, &I)};
  } else if (llvm::isa<llvm::AtomicRMWInst>(I)) {
    Result = atomic(T, I);
  } else if (I.isBinaryOp()) {
    Result = binary(T, I);
  } else if (const auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(&I)) {
    unsigned Width = width(I.getOperand(0)->getType());
    Result = {llvm::ICmpInst::compare(llvm::APInt(Width, operand(0)[0]),
                                      llvm::APInt(Width, operand(1)[0]),
                                      Compare->getPredicate())};
  } else if (const auto *Reals = llvm::dyn_cast<llvm::FCmpInst>(&I)) {
    const llvm::Type *Of = I.getOperand(0)->getType();
    Result = {llvm::FCmpInst::compare(llvm::APFloat(real(operand(0)[0], Of)),
                                      llvm::APFloat(real(operand(1)[0], Of)),
                                      Reals->getPredicate())};
  } else if (llvm::isa<llvm::SelectInst>(I)) {
    Result = operand(0)[0] ? operand(1) : operand(2);
  } else if (llvm::isa<llvm::SExtInst>(I)) {
    Result = {cut(withSign(operand(0)[0], I.getOperand(0)->getType()), Type)};
  } else if (llvm::isa<llvm::ZExtInst, llvm::TruncInst, llvm::BitCastInst,
                       llvm::FreezeInst>(I)) {
    Result = {cut(operand(0)[0], Type)};
  } else if (llvm::isa<llvm::InsertElementInst>(I)) {
    Result = operand(0);
    Result[operand(2)[0]] = operand(1)[0];
  } else if (llvm::isa<llvm::ExtractElementInst>(I)) {
    Result = {operand(0)[operand(1)[0]]};
  } else if (llvm::isa<llvm::CallBase>(I)) {
    Result = call(T, I);
  } else {
    fail(I);
  }
  T.Values[&I] = Result;
  return true;
}

} // namespace gpuestimate::testing
