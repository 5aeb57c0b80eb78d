/// \file
/// Loads, stores and atomic operations of a warp, and their requests.
#include "Warp.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuestimate {

/// Private memory of one lane.
static constexpr uint64_t MostPrivate = uint64_t(1) << 20;
/// Requests of one access that a warp keeps.
static constexpr size_t KeptRequests = 32;
static constexpr uint64_t SectorBytes = 32;

static uint8_t *within(std::vector<uint8_t> &Memory, uint64_t At,
                       unsigned Bytes) {
  return At + Bytes <= Memory.size() ? Memory.data() + At : nullptr;
}

bool Warp::wild(uint64_t Address, const Instruction *At) {
  if (Launch.Memory.isFull())
    return stop(
        "the launch touches more than " +
            Twine(DeviceMemory::MaxPages * DeviceMemory::PageBytes >> 20) +
            " MiB",
        At);
  std::string Name = Launch.Memory.nameOf(Address);
  if (!Name.empty())
    return stop("byte " + Twine(DeviceMemory::offsetOf(Address)) + " of " +
                    Name + " is beyond its end",
                At);
  if (Address >= SharedBase && Address < SharedLimit)
    return stop("byte " + Twine(Address - SharedBase) +
                    " of shared memory is beyond its end",
                At);
  return stop("the address 0x" + Twine::utohexstr(Address) + " is in no buffer",
              At);
}

bool Warp::readBytes(unsigned Lane, uint64_t Address, void *Into,
                     unsigned Bytes, const Instruction *At) {
  uint8_t *From = nullptr;
  if (Address >= SharedBase && Address < SharedLimit)
    From = within(Block.Shared, Address - SharedBase, Bytes);
  else if (Address >= LocalBase && Address < LocalLimit)
    From = within(Private[Lane], Address - LocalBase, Bytes);
  else if (Launch.Memory.read(Address, Into, Bytes))
    return true;
  if (!From)
    return wild(Address, At);
  std::memcpy(Into, From, Bytes);
  return true;
}

bool Warp::writeBytes(unsigned Lane, uint64_t Address, const void *From,
                      unsigned Bytes, const Instruction *At) {
  uint8_t *To = nullptr;
  if (Address >= SharedBase && Address < SharedLimit)
    To = within(Block.Shared, Address - SharedBase, Bytes);
  else if (Address >= LocalBase && Address < LocalLimit)
    To = within(Private[Lane], Address - LocalBase, Bytes);
  else if (Launch.Memory.write(Address, From, Bytes))
    return true;
  if (!To)
    return wild(Address, At);
  std::memcpy(To, From, Bytes);
  return true;
}

static MemorySpace spaceOf(uint64_t Address) {
  return Address >= SharedBase && Address < SharedLimit ? MemorySpace::Shared
         : Address >= LocalBase && Address < LocalLimit ? MemorySpace::Local
                                                        : MemorySpace::Global;
}

/// Counts a request and keeps some, evenly: one of N is kept with the same
/// chance as every other one before it.
void Warp::request(const Decoded &D, unsigned AddressCell, unsigned Bytes,
                   uint64_t Mask) {
  if (!counts())
    return;
  WarpCounts::Access &A = Counts.Accesses[D.Counter];
  ++A.Requests;
  A.Lanes += popcount(Mask);
  SmallVector<uint64_t, 64> Sectors;
  each(Mask, [&](unsigned L) {
    uint64_t First = cell(AddressCell, L) / SectorBytes,
             Last = (cell(AddressCell, L) + Bytes - 1) / SectorBytes;
    for (; First <= Last; ++First)
      Sectors.push_back(First);
  });
  sort(Sectors);
  A.Sectors += unique(Sectors) - Sectors.begin();

  auto Offset = [&](unsigned L) -> uint64_t {
    uint64_t Address = cell(AddressCell, L);
    switch (spaceOf(Address)) {
    case MemorySpace::Shared:
      return Address - SharedBase;
    case MemorySpace::Local:
      return Address - LocalBase;
    default:
      return DeviceMemory::offsetOf(Address);
    }
  };
  size_t Keep = A.Samples.size();
  if (Keep == KeptRequests)
    Keep = (A.Requests * 0x9e3779b97f4a7c15ULL >> 20) % A.Requests;
  if (Keep < KeptRequests) {
    if (Keep == A.Samples.size())
      A.Samples.emplace_back();
    A.Samples[Keep].assign(Lanes, NAN);
    each(Mask, [&](unsigned L) {
      A.Samples[Keep][L] = static_cast<double>(Offset(L));
    });
  }
  if (!Launch.Request.OnRequest)
    return;
  Reported.At = D.I;
  Reported.Space = spaceOf(cell(AddressCell, countr_zero(Mask)));
  Reported.Bytes = Bytes;
  Reported.Mask = Mask;
  Reported.Addresses.assign(Lanes, 0);
  each(Mask, [&](unsigned L) { Reported.Addresses[L] = Offset(L); });
  Launch.Request.OnRequest(Reported);
}

bool Warp::loadCells(const Decoded &D, unsigned AddressCell, uint64_t Mask) {
  Type *T = D.I->getType();
  const DataLayout &Layout = Launch.Globals.layout();
  request(D, AddressCell, Layout.getTypeStoreSize(T), Mask);
  bool Good = true;
  unsigned C = 0;
  for (const Leaf &Part : leavesOf(T, Layout)) {
    each(Mask, [&](unsigned L) {
      uint8_t Bytes[8] = {};
      Good = Good && readBytes(L, cell(AddressCell, L) + Part.Offset, Bytes,
                               Part.Bytes, D.I);
      cell(D.Result + C, L) = support::endian::read64le(Bytes);
    });
    ++C;
  }
  return Good;
}

bool Warp::storeCells(const Decoded &D, unsigned ValueCell, Type *T,
                      unsigned AddressCell, uint64_t Mask) {
  bool Good = true;
  unsigned C = 0;
  for (const Leaf &Part : leavesOf(T, Launch.Globals.layout())) {
    each(Mask, [&](unsigned L) {
      uint8_t Bytes[8];
      support::endian::write64le(Bytes, cell(ValueCell + C, L));
      Good = Good && writeBytes(L, cell(AddressCell, L) + Part.Offset, Bytes,
                                Part.Bytes, D.I);
    });
    ++C;
  }
  return Good;
}

bool Warp::load(const Decoded &D, uint64_t Mask) {
  return loadCells(D, D.Operands[0], Mask);
}

bool Warp::store(const Decoded &D, uint64_t Mask) {
  Type *T = cast<StoreInst>(D.I)->getValueOperand()->getType();
  request(D, D.Operands[1], Launch.Globals.layout().getTypeStoreSize(T), Mask);
  return storeCells(D, D.Operands[0], T, D.Operands[1], Mask);
}

bool Warp::addresses(const Decoded &D, uint64_t Mask) {
  const auto *Gep = cast<GetElementPtrInst>(D.I);
  const DataLayout &Layout = Launch.Globals.layout();
  if (D.Cells != 1 || Gep->getPointerOperand()->getType()->isVectorTy())
    return stop("vectors of pointers are not emulated", D.I);
  uint64_t Fixed = 0;
  each(Mask, [&](unsigned L) { cell(D.Result, L) = cell(D.Operands[0], L); });
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
    each(Mask, [&](unsigned L) {
      cell(D.Result, L) += withSign(cell(D.Operands[Operand], L), Bits) * Step;
    });
  }
  each(Mask, [&](unsigned L) { cell(D.Result, L) += Fixed; });
  return true;
}

bool Warp::allocate(const Decoded &D, uint64_t Mask) {
  const auto *Object = cast<AllocaInst>(D.I);
  auto Size = Object->getAllocationSize(Launch.Globals.layout());
  if (!Size || Size->isScalable())
    return stop("an array of variable size is not emulated", D.I);
  LocalTop = alignTo(LocalTop, std::max(Object->getAlign(), Align(4)));
  uint64_t At = LocalTop;
  LocalTop += Size->getFixedValue();
  if (LocalTop > MostPrivate)
    return stop("private memory of more than 1 MiB is not emulated", D.I);
  each(Mask, [&](unsigned L) {
    if (Private[L].size() < LocalTop)
      Private[L].resize(LocalTop);
    cell(D.Result, L) = LocalBase + At;
  });
  return true;
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
    return cut(Old + V, Bits);
  case AtomicRMWInst::Sub:
    return cut(Old - V, Bits);
  case AtomicRMWInst::And:
    return Old & V;
  case AtomicRMWInst::Nand:
    return cut(~(Old & V), Bits);
  case AtomicRMWInst::Or:
    return Old | V;
  case AtomicRMWInst::Xor:
    return Old ^ V;
  case AtomicRMWInst::Max:
    return withSign(Old, Bits) > withSign(V, Bits) ? Old : V;
  case AtomicRMWInst::Min:
    return withSign(Old, Bits) < withSign(V, Bits) ? Old : V;
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

/// One after the other, in the order of the lanes.
bool Warp::atomic(const Decoded &D, uint64_t Mask) {
  const auto *Rmw = cast<AtomicRMWInst>(D.I);
  if (D.Cells != 1)
    return stop("atomic operations on vectors are not emulated", D.I);
  unsigned Bytes = D.ResultBits / 8;
  request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  each(Mask, [&](unsigned L) {
    uint64_t Address = cell(D.Operands[0], L), Old = 0;
    Good = Good && readBytes(L, Address, &Old, Bytes, D.I);
    uint64_t New = combined(Rmw->getOperation(), Old, cell(D.Operands[1], L),
                            D.ResultBits, D.ResultFormat);
    Good = Good && writeBytes(L, Address, &New, Bytes, D.I);
    cell(D.Result, L) = Old;
  });
  return Good;
}

bool Warp::swap(const Decoded &D, uint64_t Mask) {
  const auto *Swap = cast<AtomicCmpXchgInst>(D.I);
  unsigned Bytes =
      bitsOf(Swap->getCompareOperand()->getType(), Launch.Globals.layout()) / 8;
  request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  each(Mask, [&](unsigned L) {
    uint64_t Address = cell(D.Operands[0], L), Old = 0;
    Good = Good && readBytes(L, Address, &Old, Bytes, D.I);
    bool Equal = Old == cell(D.Operands[1], L);
    if (Equal)
      Good =
          Good && writeBytes(L, Address, &cell(D.Operands[2], L), Bytes, D.I);
    cell(D.Result, L) = Old;
    cell(D.Result + 1, L) = Equal;
  });
  return Good;
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

/// llvm.nvvm.atomic.load.inc.32, llvm.nvvm.atomic.add.gen.i.sys, ...
bool Warp::atomicCall(const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.atomic.");
  Name.consume_front("load.");
  StringRef What = Name.split('.').first;
  unsigned Bytes = D.ResultBits / 8;
  bool Cas = What == "cas";
  auto Operation = operationOf(What, D.ResultFormat != CellFormat::Integer);
  if (!Cas && !Operation)
    return refuseCall(D, Mask);
  request(D, D.Operands[0], Bytes, Mask);
  bool Good = true;
  each(Mask, [&](unsigned L) {
    uint64_t Address = cell(D.Operands[0], L), Old = 0;
    Good = Good && readBytes(L, Address, &Old, Bytes, D.I);
    uint64_t V = cell(D.Operands[1], L);
    uint64_t New =
        !Cas       ? combined(*Operation, Old, V, D.ResultBits, D.ResultFormat)
        : Old == V ? cell(D.Operands[2], L)
                   : Old;
    Good = Good && writeBytes(L, Address, &New, Bytes, D.I);
    cell(D.Result, L) = Old;
  });
  return Good;
}

bool Warp::loadCall(const Decoded &D, uint64_t Mask) {
  return loadCells(D, D.Operands[0], Mask);
}

/// Copies at once: whoever waits for it later finds it done.
bool Warp::asyncCopy(const Decoded &D, uint64_t Mask) {
  const unsigned Bytes = D.Extra;
  request(D, D.Operands[1], Bytes, Mask);
  bool Good = true;
  each(Mask, [&](unsigned L) {
    uint8_t Data[16] = {};
    // With a third operand only so many bytes are read, the rest is zero.
    uint64_t Read = D.Operands.size() > 2
                        ? std::min<uint64_t>(Bytes, cell(D.Operands[2], L))
                        : Bytes;
    Good = Good && readBytes(L, cell(D.Operands[1], L), Data, Read, D.I) &&
           writeBytes(L, cell(D.Operands[0], L), Data, Bytes, D.I);
  });
  return Good;
}

/// Copies and fills of a block of bytes: no request is counted.
bool Warp::bulk(const Decoded &D, uint64_t Mask) {
  constexpr uint64_t Most = 1 << 20;
  const bool Fills = D.Extra == 1;
  bool Good = true;
  std::vector<uint8_t> Data;
  each(Mask, [&](unsigned L) {
    uint64_t Bytes = cell(D.Operands[2], L);
    if (Good && Bytes > Most)
      Good = stop("a copy of more than 1 MiB is not emulated", D.I);
    if (!Good)
      return;
    Data.assign(Bytes, Fills ? uint8_t(cell(D.Operands[1], L)) : 0);
    if (!Fills)
      Good = readBytes(L, cell(D.Operands[1], L), Data.data(), Bytes, D.I);
    Good =
        Good && writeBytes(L, cell(D.Operands[0], L), Data.data(), Bytes, D.I);
  });
  return Good;
}

} // namespace gpuestimate
