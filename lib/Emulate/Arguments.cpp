#include "gpu-estimate/Emulate/Arguments.h"
#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned SharedSpace = 3;

BufferNames::BufferNames(const Function &F, const KernelModel &Model,
                         const KernelSource &Source)
    : F(F), Model(Model), Source(Source) {}

/// The name without its scope: "weights" for "ns::weights".
static std::string variableName(const GlobalVariable &G) {
  std::string Full = demangle(G.getName());
  size_t Scope = Full.rfind("::");
  return Scope == std::string::npos ? Full : Full.substr(Scope + 2);
}

static const Type *inMemoryType(const Argument &A) {
  return A.hasPassPointeeByValueCopyAttr() ? A.getPointeeInMemoryValueType()
                                           : nullptr;
}

std::string BufferNames::of(const Value *Pointer) const {
  if (const auto *A = dyn_cast<Argument>(Pointer))
    return A->getType()->isPointerTy() && !inMemoryType(*A)
               ? Model.Arguments[A->getArgNo()].Name
               : "";
  if (const auto *G = dyn_cast<GlobalVariable>(Pointer))
    return G->getAddressSpace() == SharedSpace ? "" : variableName(*G);
  const auto *Load = dyn_cast<LoadInst>(Pointer);
  if (!Load || !Load->getType()->isPointerTy())
    return "";
  APInt Offset(64, 0);
  const Value *Base =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          F.getParent()->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  const auto *A = dyn_cast<Argument>(Base);
  if (!A || !inMemoryType(*A))
    return "";
  for (const AggregateMember &M : Source.Members)
    if (M.Argument == A->getArgNo() && M.Offset == Offset.getZExtValue())
      return Model.Arguments[A->getArgNo()].Name + "." + M.Name;
  return "";
}

SmallVector<const Value *> BufferNames::valuesOf(StringRef Name) const {
  SmallVector<const Value *> Pointers;
  for (const Argument &A : F.args())
    if (of(&A) == Name)
      Pointers.push_back(&A);
  for (const GlobalVariable &G : F.getParent()->globals())
    if (of(&G) == Name)
      Pointers.push_back(&G);
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst>(I) && of(&I) == Name)
      Pointers.push_back(&I);
  return Pointers;
}

std::vector<std::string> BufferNames::all() const {
  std::vector<std::string> Names;
  auto Add = [&](const Value *V) {
    if (std::string Name = of(V); !Name.empty() && !is_contained(Names, Name))
      Names.push_back(Name);
  };
  for (const Argument &A : F.args())
    Add(&A);
  for (const Instruction &I : instructions(F))
    Add(&I);
  for (const GlobalVariable &G : F.getParent()->globals())
    if (!G.isConstant())
      Add(&G);
  return Names;
}

/// Calls Visit on the types that are read or written through Pointer.
template <typename Function>
static void visitAccesses(ArrayRef<const Value *> Pointers, Function Visit) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work(Pointers);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode,
              SelectInst, FreezeInst>(U))
        Work.push_back(U);
      else if (const auto *Load = dyn_cast<LoadInst>(U))
        Visit(Load->getType());
      else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getPointerOperand() == V)
          Visit(Store->getValueOperand()->getType());
      } else if (const auto *Rmw = dyn_cast<AtomicRMWInst>(U))
        Visit(Rmw->getValOperand()->getType());
      else if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(U))
        Visit(Swap->getCompareOperand()->getType());
      else if (const auto *Call = dyn_cast<CallBase>(U))
        if (const auto *Callee = Call->getCalledFunction();
            Callee && Callee->getName().starts_with("llvm.nvvm.ld"))
          Visit(Call->getType());
    }
  }
}

ElementType BufferNames::elementOf(StringRef Name, unsigned Declared) const {
  ElementType Type{ElementType::Bytes, std::max(1u, Declared)};
  std::optional<ElementType> Seen;
  bool Mixed = false;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  visitAccesses(valuesOf(Name), [&](llvm::Type *T) {
    for (const Leaf &L : leavesOf(T, Layout)) {
      ElementType Part{L.Type->isFloatingPointTy() ? ElementType::Real
                                                   : ElementType::Integer,
                       L.Bytes};
      Mixed |= Seen && *Seen != Part;
      Seen = Part;
    }
  });
  if (!Seen || Mixed)
    return Type;
  // A structure of equal members counts as its member.
  if (Declared && Declared % Seen->Size)
    return Type;
  return *Seen;
}

namespace {

class ArgumentBinder {
public:
  ArgumentBinder(const BufferNames &Names, const Bindings &Values,
                 ArrayRef<BufferInput> Given, EmulationRequest &Request)
      : Names(Names), Values(Values), Given(Given), Request(Request),
        Memory(*Request.Memory),
        Layout(Request.Kernel->getParent()->getDataLayout()) {}

  Error run();

private:
  uint64_t scalar(StringRef Name, const Type *T) const;
  Expected<uint64_t> buffer(const std::string &Name, unsigned DeclaredBytes,
                            std::optional<uint64_t> KnownBytes);
  Expected<uint64_t> bitsFor(const std::string &Name, Type *T,
                             unsigned DeclaredBytes);
  /// The cells of a structure's members in the order of T.
  Expected<SmallVector<uint64_t, 1>> members(const Argument &A, Type *T);
  Expected<uint64_t> structure(const Argument &A);
  Error variables();

  const BufferNames &Names;
  const Bindings &Values;
  ArrayRef<BufferInput> Given;
  EmulationRequest &Request;
  DeviceMemory &Memory;
  const DataLayout &Layout;
};

} // namespace

uint64_t ArgumentBinder::scalar(StringRef Name, const Type *T) const {
  const Launch &L = Request.L;
  auto Entry = Values.find(Name);
  CellFormat Format = formatOf(T);
  if (Format != CellFormat::Integer)
    return bitsOfReal(Entry == Values.end() ? 1 : Entry->second, Format);
  double V = Entry == Values.end() ? double(L.Grid[0]) * double(L.Block[0])
                                   : Entry->second;
  return truncate(uint64_t(int64_t(V)), bitsOf(T, Layout));
}

/// Checks that the elements of a file fit the elements of the parameter.
static Error checkElements(const BufferInput &B, ElementType Want) {
  ElementType Has = B.Array->Type;
  bool Fits =
      Want.Kind == ElementType::Bytes ? Want.Size % Has.Size == 0 : Has == Want;
  if (Fits)
    return Error::success();
  std::string Dtype = Want.Kind == ElementType::Integer ? "<i" : "<f";
  return createStringError(
      inconvertibleErrorCode(),
      "--buffer " + B.Name + "=" + B.Text + ": the kernel's elements are of " +
          Want.str() + "s, the file's of type '" + B.Array->Dtype + "'" +
          (Want.Kind == ElementType::Bytes
               ? std::string()
               : "; numpy.save of array.astype('" + Dtype +
                     std::to_string(Want.Size) + "') writes one that fits"));
}

Expected<uint64_t> ArgumentBinder::buffer(const std::string &Name,
                                          unsigned DeclaredBytes,
                                          std::optional<uint64_t> KnownBytes) {
  BufferData Data;
  Data.Type = Names.elementOf(Name, DeclaredBytes);
  Data.Size = KnownBytes;
  uint64_t Bytes = DeclaredBytes ? DeclaredBytes : Data.Type.Size;
  auto Count = Values.find(Name);
  if (!Data.Size && Count != Values.end() && Count->second >= 0)
    Data.Size = static_cast<uint64_t>(Count->second) * Bytes;
  Data.Limit = Data.Size ? std::max<uint64_t>(1, *Data.Size / Data.Type.Size)
                         : Request.L.blocks() * Request.L.threadsPerBlock();
  for (const BufferInput &B : Given) {
    if (B.Name != Name)
      continue;
    Data.Fill = B.Fill;
    if (B.Fill != BufferData::File)
      continue;
    if (Error E = checkElements(B, Data.Type))
      return E;
    Data.Array = B.Array;
    Data.Size = B.Array->Bytes.size();
  }
  return Memory.allocate(Name, Data);
}

Expected<uint64_t> ArgumentBinder::bitsFor(const std::string &Name, Type *T,
                                           unsigned DeclaredBytes) {
  if (T->isPointerTy())
    return buffer(Name, DeclaredBytes, std::nullopt);
  return scalar(Name, T);
}

Expected<SmallVector<uint64_t, 1>> ArgumentBinder::members(const Argument &A,
                                                           Type *T) {
  SmallVector<uint64_t, 1> Cells;
  for (const Leaf &L : leavesOf(T, Layout)) {
    std::string Member;
    for (const AggregateMember &M : Names.source().Members)
      if (M.Argument == A.getArgNo() && M.Offset == L.Offset)
        Member = Names.model().Arguments[A.getArgNo()].Name + "." + M.Name;
    Expected<uint64_t> Bits = Member.empty() ? 0 : bitsFor(Member, L.Type, 0);
    if (!Bits)
      return Bits.takeError();
    Cells.push_back(*Bits);
  }
  return Cells;
}

Expected<uint64_t> ArgumentBinder::structure(const Argument &A) {
  Type *T = A.getPointeeInMemoryValueType();
  BufferData Data;
  Data.Size = Layout.getTypeAllocSize(T);
  uint64_t Address =
      Memory.allocate(Names.model().Arguments[A.getArgNo()].Name, Data);
  Expected<SmallVector<uint64_t, 1>> Cells = members(A, T);
  if (!Cells)
    return Cells.takeError();
  SmallVector<Leaf, 4> Leaves = leavesOf(T, Layout);
  for (unsigned I = 0; I < Leaves.size(); ++I)
    Memory.write(Address + Leaves[I].Offset, &(*Cells)[I], Leaves[I].Bytes);
  return Address;
}

Error ArgumentBinder::variables() {
  DenseMap<const GlobalVariable *, uint64_t> Addresses;
  for (const GlobalVariable &G : Request.Kernel->getParent()->globals()) {
    std::string Name = Names.of(&G);
    if (none_of(Given, [&](const BufferInput &B) { return B.Name == Name; }))
      continue;
    Expected<uint64_t> Address =
        buffer(Name, 0, Layout.getTypeAllocSize(G.getValueType()));
    if (!Address)
      return Address.takeError();
    Addresses[&G] = *Address;
  }
  Request.Variable = [Addresses](const GlobalVariable &G) {
    return Addresses.lookup(&G);
  };
  return Error::success();
}

Error ArgumentBinder::run() {
  for (const Argument &A : Request.Kernel->args()) {
    const KernelArgument &K = Names.model().Arguments[A.getArgNo()];
    if (A.getType()->isAggregateType()) {
      Expected<SmallVector<uint64_t, 1>> Cells = members(A, A.getType());
      if (!Cells)
        return Cells.takeError();
      Request.Arguments.push_back(*Cells);
      continue;
    }
    Expected<uint64_t> Bits =
        A.hasPassPointeeByValueCopyAttr()
            ? structure(A)
            : bitsFor(K.Name, A.getType(), K.ElementBytes);
    if (!Bits)
      return Bits.takeError();
    Request.Arguments.push_back({*Bits});
  }
  return variables();
}

Error bindArguments(const BufferNames &Names, const Bindings &Values,
                    ArrayRef<BufferInput> Given, EmulationRequest &Request) {
  return ArgumentBinder(Names, Values, Given, Request).run();
}

} // namespace gpuestimate
