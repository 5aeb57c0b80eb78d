/// \file
/// Loads, stores, atomic operations, copies and address arithmetic.
#include "Handlers.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static bool loadCells(WarpState &W, const Decoded &D, unsigned AddressCell,
                      uint64_t Mask) {
  Type *T = D.I->getType();
  const DataLayout &Layout = W.launch().Globals.layout();
  W.request(D, AddressCell, Layout.getTypeStoreSize(T), Mask);
  bool Good = true;
  unsigned C = 0;
  for (const Leaf &Part : leavesOf(T, Layout)) {
    forEachLane(Mask, [&](unsigned L) {
      uint8_t Bytes[8] = {};
      Good = Good && W.readBytes(L, W.cell(AddressCell, L) + Part.Offset, Bytes,
                                 Part.Bytes, D.I);
      W.cell(D.Result + C, L) = support::endian::read64le(Bytes);
    });
    ++C;
  }
  return Good;
}

static bool storeCells(WarpState &W, const Decoded &D, unsigned ValueCell,
                       Type *T, unsigned AddressCell, uint64_t Mask) {
  bool Good = true;
  unsigned C = 0;
  for (const Leaf &Part : leavesOf(T, W.launch().Globals.layout())) {
    forEachLane(Mask, [&](unsigned L) {
      uint8_t Bytes[8];
      support::endian::write64le(Bytes, W.cell(ValueCell + C, L));
      Good = Good && W.writeBytes(L, W.cell(AddressCell, L) + Part.Offset,
                                  Bytes, Part.Bytes, D.I);
    });
    ++C;
  }
  return Good;
}

static uint64_t combined(AtomicRMWInst::BinOp Op, uint64_t Old, uint64_t V,
                         unsigned Bits, CellFormat Format) {
  auto Real = [&](auto Do) {
    return bitsOfReal(Do(realOf(Old, Format), realOf(V, Format)), Format);
  };
  switch (Op) {
  case AtomicRMWInst::Xchg:
    return V;
  case AtomicRMWInst::Add:
    return truncate(Old + V, Bits);
  case AtomicRMWInst::Sub:
    return truncate(Old - V, Bits);
  case AtomicRMWInst::And:
    return Old & V;
  case AtomicRMWInst::Nand:
    return truncate(~(Old & V), Bits);
  case AtomicRMWInst::Or:
    return Old | V;
  case AtomicRMWInst::Xor:
    return Old ^ V;
  case AtomicRMWInst::Max:
    return signExtend(Old, Bits) > signExtend(V, Bits) ? Old : V;
  case AtomicRMWInst::Min:
    return signExtend(Old, Bits) < signExtend(V, Bits) ? Old : V;
  case AtomicRMWInst::UMax:
    return std::max(Old, V);
  case AtomicRMWInst::UMin:
    return std::min(Old, V);
  case AtomicRMWInst::FAdd:
    return Real([](double A, double B) { return A + B; });
  case AtomicRMWInst::FSub:
    return Real([](double A, double B) { return A - B; });
  case AtomicRMWInst::FMax:
    return Real([](double A, double B) { return std::fmax(A, B); });
  case AtomicRMWInst::FMin:
    return Real([](double A, double B) { return std::fmin(A, B); });
  case AtomicRMWInst::UIncWrap:
    return Old >= V ? 0 : Old + 1;
  case AtomicRMWInst::UDecWrap:
    return Old == 0 || Old > V ? V : Old - 1;
  default:
    llvm_unreachable("every operation of LLVM 19 is above");
  }
}

static std::optional<AtomicRMWInst::BinOp> operationOf(StringRef Name,
                                                       bool Real) {
  using Op = AtomicRMWInst;
  if (Name == "add")
    return Real ? Op::FAdd : Op::Add;
  for (auto [Text, Operation] :
       {std::pair("inc", Op::UIncWrap), std::pair("dec", Op::UDecWrap),
        std::pair("max", Op::Max), std::pair("min", Op::Min),
        std::pair("and", Op::And), std::pair("or", Op::Or),
        std::pair("xor", Op::Xor), std::pair("exch", Op::Xchg)})
    if (Name == Text)
      return Operation;
  return std::nullopt;
}

bool elementAddress(WarpState &W, const Decoded &D, uint64_t Mask) {
  const auto *Gep = cast<GetElementPtrInst>(D.I);
  const DataLayout &Layout = W.launch().Globals.layout();
  if (D.Cells != 1 || Gep->getPointerOperand()->getType()->isVectorTy())
    return W.stop("vectors of pointers are not emulated", D.I);
  uint64_t Fixed = 0;
  forEachLane(Mask, [&](unsigned L) {
    W.cell(D.Result, L) = W.cell(D.Operands[0], L);
  });
  unsigned Operand = 1;
  for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
       ++It, ++Operand) {
    const Value *Index = It.getOperand();
    if (StructType *S = It.getStructTypeOrNull()) {
      Fixed += Layout.getStructLayout(S)
                   ->getElementOffset(cast<ConstantInt>(Index)->getZExtValue())
                   .getFixedValue();
      continue;
    }
    uint64_t Step = It.getSequentialElementStride(Layout);
    if (const auto *N = dyn_cast<ConstantInt>(Index)) {
      Fixed += N->getSExtValue() * Step;
      continue;
    }
    unsigned Bits = bitsOf(Index->getType(), Layout);
    forEachLane(Mask, [&](unsigned L) {
      W.cell(D.Result, L) +=
          signExtend(W.cell(D.Operands[Operand], L), Bits) * Step;
    });
  }
  forEachLane(Mask, [&](unsigned L) { W.cell(D.Result, L) += Fixed; });
  return true;
}

bool allocate(WarpState &W, const Decoded &D, uint64_t Mask) {
  const auto *Object = cast<AllocaInst>(D.I);
  auto Size = Object->getAllocationSize(W.launch().Globals.layout());
  if (!Size || Size->isScalable())
    return W.stop("an array of variable size is not emulated", D.I);
  std::optional<uint64_t> Offset =
      W.allocatePrivate(Size->getFixedValue(), Object->getAlign(), Mask);
  if (!Offset)
    return W.stop("private memory of more than 1 MiB is not emulated", D.I);
  forEachLane(Mask,
              [&](unsigned L) { W.cell(D.Result, L) = LocalBase + *Offset; });
  return true;
}

bool load(WarpState &W, const Decoded &D, uint64_t Mask) {
  return loadCells(W, D, D.Operands[0], Mask);
}

bool store(WarpState &W, const Decoded &D, uint64_t Mask) {
  Type *T = cast<StoreInst>(D.I)->getValueOperand()->getType();
  W.request(D, D.Operands[1], W.launch().Globals.layout().getTypeStoreSize(T),
            Mask);
  return storeCells(W, D, D.Operands[0], T, D.Operands[1], Mask);
}

/// The lanes execute one after the other, in order.
bool atomic(WarpState &W, const Decoded &D, uint64_t Mask) {
  const auto *Rmw = cast<AtomicRMWInst>(D.I);
  if (D.Cells != 1)
    return W.stop("atomic operations on vectors are not emulated", D.I);
  unsigned Bytes = D.ResultBits / 8;
  W.request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Address = W.cell(D.Operands[0], L), Old = 0;
    Good = Good && W.readBytes(L, Address, &Old, Bytes, D.I);
    uint64_t New = combined(Rmw->getOperation(), Old, W.cell(D.Operands[1], L),
                            D.ResultBits, D.ResultFormat);
    Good = Good && W.writeBytes(L, Address, &New, Bytes, D.I);
    W.cell(D.Result, L) = Old;
  });
  return Good;
}

bool compareAndSwap(WarpState &W, const Decoded &D, uint64_t Mask) {
  const auto *Swap = cast<AtomicCmpXchgInst>(D.I);
  unsigned Bytes = bitsOf(Swap->getCompareOperand()->getType(),
                          W.launch().Globals.layout()) /
                   8;
  W.request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Address = W.cell(D.Operands[0], L), Old = 0;
    Good = Good && W.readBytes(L, Address, &Old, Bytes, D.I);
    bool Equal = Old == W.cell(D.Operands[1], L);
    if (Equal)
      Good = Good &&
             W.writeBytes(L, Address, &W.cell(D.Operands[2], L), Bytes, D.I);
    W.cell(D.Result, L) = Old;
    W.cell(D.Result + 1, L) = Equal;
  });
  return Good;
}

/// llvm.nvvm.atomic.load.inc.32, llvm.nvvm.atomic.add.gen.i.sys, ...
bool atomicCall(WarpState &W, const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.atomic.");
  Name.consume_front("load.");
  StringRef What = Name.split('.').first;
  unsigned Bytes = D.ResultBits / 8;
  bool Cas = What == "cas";
  auto Operation = operationOf(What, D.ResultFormat != CellFormat::Integer);
  if (!Cas && !Operation)
    return refuseCall(W, D, Mask);
  W.request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Address = W.cell(D.Operands[0], L), Old = 0;
    Good = Good && W.readBytes(L, Address, &Old, Bytes, D.I);
    uint64_t V = W.cell(D.Operands[1], L);
    uint64_t New =
        !Cas       ? combined(*Operation, Old, V, D.ResultBits, D.ResultFormat)
        : Old == V ? W.cell(D.Operands[2], L)
                   : Old;
    Good = Good && W.writeBytes(L, Address, &New, Bytes, D.I);
    W.cell(D.Result, L) = Old;
  });
  return Good;
}

bool loadCall(WarpState &W, const Decoded &D, uint64_t Mask) {
  return loadCells(W, D, D.Operands[0], Mask);
}

/// Copies at once; a later wait has nothing to do.
bool asyncCopy(WarpState &W, const Decoded &D, uint64_t Mask) {
  const unsigned Bytes = D.Extra;
  W.request(D, D.Operands[1], Bytes, Mask);
  bool Good = true;
  forEachLane(Mask, [&](unsigned L) {
    uint8_t Data[16] = {};
    // The third operand limits the bytes that are read; the others become zero.
    uint64_t Read = D.Operands.size() > 2
                        ? std::min<uint64_t>(Bytes, W.cell(D.Operands[2], L))
                        : Bytes;
    Good = Good && W.readBytes(L, W.cell(D.Operands[1], L), Data, Read, D.I) &&
           W.writeBytes(L, W.cell(D.Operands[0], L), Data, Bytes, D.I);
  });
  return Good;
}

/// memcpy, memmove and memset; no request is counted.
bool bulkCopy(WarpState &W, const Decoded &D, uint64_t Mask) {
  constexpr uint64_t MaxBytes = 1 << 20;
  const bool Fills = D.Extra == 1;
  bool Good = true;
  std::vector<uint8_t> Data;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Bytes = W.cell(D.Operands[2], L);
    if (Good && Bytes > MaxBytes)
      Good = W.stop("a copy of more than 1 MiB is not emulated", D.I);
    if (!Good)
      return;
    Data.assign(Bytes, Fills ? uint8_t(W.cell(D.Operands[1], L)) : 0);
    if (!Fills)
      Good = W.readBytes(L, W.cell(D.Operands[1], L), Data.data(), Bytes, D.I);
    Good = Good &&
           W.writeBytes(L, W.cell(D.Operands[0], L), Data.data(), Bytes, D.I);
  });
  return Good;
}

bool testAddressSpace(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t A = W.cell(D.Operands[0], L);
    bool Shared = A >= SharedBase && A < SharedLimit;
    bool Local = A >= LocalBase && A < LocalLimit;
    W.cell(D.Result, L) = D.Extra == 0   ? Shared
                          : D.Extra == 1 ? Local
                          : D.Extra == 2 ? !Shared && !Local
                                         : false;
  });
  return true;
}

ArrayRef<CallRow> memoryCalls() {
  static const CallRow Rows[] = {
      {"llvm.nvvm.ldg.global.*", loadCall},
      {"llvm.nvvm.ldu.global.*", loadCall},
      {"llvm.nvvm.cp.async.ca.shared.global.4*", asyncCopy, 4},
      {"llvm.nvvm.cp.async.ca.shared.global.8*", asyncCopy, 8},
      {"llvm.nvvm.cp.async.ca.shared.global.16*", asyncCopy, 16},
      {"llvm.nvvm.cp.async.cg.shared.global.16*", asyncCopy, 16},
      {"llvm.nvvm.atomic.*", atomicCall},
      {"llvm.memcpy.*", bulkCopy, 0},
      {"llvm.memmove.*", bulkCopy, 0},
      {"llvm.memset.*", bulkCopy, 1},
      {"llvm.nvvm.isspacep.shared", testAddressSpace, 0},
      {"llvm.nvvm.isspacep.local", testAddressSpace, 1},
      {"llvm.nvvm.isspacep.global", testAddressSpace, 2},
      {"llvm.nvvm.isspacep.const", testAddressSpace, 3},
      {"llvm.amdgcn.is.shared", testAddressSpace, 0},
      {"llvm.amdgcn.is.private", testAddressSpace, 1},
  };
  return Rows;
}

} // namespace gpuestimate
