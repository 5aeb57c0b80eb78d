#include "LaunchArguments.h"

#include "ScalarParts.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include <cstring>

using namespace llvm;

namespace gpuestimate {

namespace {

class ArgumentBinder {
public:
  ArgumentBinder(const BufferNames &Names, const Launch &L,
                 const Bindings &Values, ArrayRef<BufferInput> Given,
                 SampleRequest &Request)
      : Names(Names), L(L), Values(Values), Given(Given), Request(Request),
        Layout(Names.function().getParent()->getDataLayout()) {}

  Error run();

private:
  /// The bits of a number, or the address of a buffer.
  Expected<uint64_t> bitsFor(const std::string &Name, Type *T,
                             unsigned DeclaredBytes);
  uint64_t scalar(StringRef Name, const Type *T) const;
  /// Size: of a variable.
  Expected<BufferData> contents(const std::string &Name, unsigned DeclaredBytes,
                                std::optional<uint64_t> Size) const;
  /// The bytes of an argument of type T, member by member.
  Error aggregate(const Argument &A, Type *T, std::string &Bytes);
  Error variables();

  const BufferNames &Names;
  const Launch &L;
  const Bindings &Values;
  ArrayRef<BufferInput> Given;
  SampleRequest &Request;
  const DataLayout &Layout;
};

} // namespace

/// V in the format of T.
static uint64_t realBits(double V, const Type *T) {
  APFloat Number(V);
  bool Lost;
  Number.convert(T->getFltSemantics(), APFloat::rmNearestTiesToEven, &Lost);
  return Number.bitcastToAPInt().extractBitsAsZExtValue(
      std::min(64u, unsigned(T->getPrimitiveSizeInBits().getFixedValue())), 0);
}

static uint64_t integerBits(double V) {
  if (V < 0)
    return static_cast<uint64_t>(static_cast<int64_t>(std::max(V, -0x1p63)));
  return V < 0x1p64 ? static_cast<uint64_t>(V) : UINT64_MAX;
}

uint64_t ArgumentBinder::scalar(StringRef Name, const Type *T) const {
  auto Entry = Values.find(Name);
  if (T->isFloatingPointTy())
    return realBits(Entry == Values.end() ? 1 : Entry->second, T);
  return integerBits(Entry == Values.end()
                         ? double(L.Grid[0]) * double(L.Block[0])
                         : Entry->second);
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

Expected<BufferData>
ArgumentBinder::contents(const std::string &Name, unsigned DeclaredBytes,
                         std::optional<uint64_t> Size) const {
  BufferData Data;
  Data.Type = Names.elementOf(Name, DeclaredBytes);
  Data.Size = Size;
  uint64_t Bytes = DeclaredBytes ? DeclaredBytes : Data.Type.Size;
  auto Count = Values.find(Name);
  if (!Data.Size && Count != Values.end() && Count->second >= 0)
    Data.Size = integerBits(Count->second * double(Bytes));
  Data.Limit = Data.Size ? std::max<uint64_t>(1, *Data.Size / Data.Type.Size)
                         : L.blocks() * L.threadsPerBlock();
  for (const BufferInput &B : Given) {
    if (B.Name != Name)
      continue;
    Data.Fill = B.Fill;
    if (B.Fill != BufferData::File)
      continue;
    if (Error E = checkElements(B, Data.Type))
      return E;
    Data.Array = B.Array;
    if (!Size)
      Data.Size = B.Array->Bytes.size();
  }
  return Data;
}

Expected<uint64_t> ArgumentBinder::bitsFor(const std::string &Name, Type *T,
                                           unsigned DeclaredBytes) {
  if (!T->isPointerTy())
    return scalar(Name, T);
  Expected<BufferData> Data = contents(Name, DeclaredBytes, std::nullopt);
  if (!Data)
    return Data.takeError();
  SampleBuffer &B = Request.Buffers.emplace_back();
  B.Address = SampleBuffer::FirstWindow +
              (Request.Buffers.size() - 1) * SampleBuffer::WindowBytes;
  B.Name = Name;
  B.Data = std::move(*Data);
  return B.Address;
}

Error ArgumentBinder::aggregate(const Argument &A, Type *T,
                                std::string &Bytes) {
  Bytes.assign(Layout.getTypeAllocSize(T), 0);
  for (const ScalarPart &P : scalarParts(T, Layout)) {
    const AggregateMember *Member = nullptr;
    for (const AggregateMember &M : Names.source().Members)
      if (M.Argument == A.getArgNo() && M.Offset == P.Offset)
        Member = &M;
    if (!Member)
      continue;
    Expected<uint64_t> Bits =
        bitsFor(Names.model().Arguments[A.getArgNo()].Name + "." + Member->Name,
                P.Type, 0);
    if (!Bits)
      return Bits.takeError();
    std::memcpy(&Bytes[P.Offset], &*Bits, std::min(P.Bytes, 8u));
  }
  return Error::success();
}

Error ArgumentBinder::variables() {
  for (const GlobalVariable &G : Names.function().getParent()->globals()) {
    std::string Name = Names.of(&G);
    if (Name.empty() ||
        none_of(Given, [&](const BufferInput &B) { return B.Name == Name; }))
      continue;
    Expected<BufferData> Data =
        contents(Name, 0, Layout.getTypeAllocSize(G.getValueType()));
    if (!Data)
      return Data.takeError();
    Request.Buffers.push_back({0, G.getName().str(), std::move(*Data)});
  }
  return Error::success();
}

Error ArgumentBinder::run() {
  for (const Argument &A : Names.function().args()) {
    const KernelArgument &K = Names.model().Arguments[A.getArgNo()];
    std::string &Bytes = Request.Arguments.emplace_back();
    Type *T = A.hasPassPointeeByValueCopyAttr()
                  ? A.getPointeeInMemoryValueType()
                  : A.getType();
    if (T->isAggregateType() || T->isVectorTy()) {
      if (Error E = aggregate(A, T, Bytes))
        return E;
      continue;
    }
    Expected<uint64_t> Bits = bitsFor(K.Name, T, K.ElementBytes);
    if (!Bits)
      return Bits.takeError();
    Bytes.assign(std::max<uint64_t>(8, Layout.getTypeAllocSize(T)), 0);
    std::memcpy(Bytes.data(), &*Bits, 8);
  }
  return variables();
}

Expected<SampleRequest> launchRequest(const BufferNames &Names, const Launch &L,
                                      const Bindings &Values,
                                      ArrayRef<BufferInput> Given) {
  SampleRequest Request;
  Request.Kernel = Names.function().getName().str();
  Request.Grid = L.Grid;
  Request.Block = L.Block;
  Request.DynamicSharedBytes = L.DynamicSharedBytes;
  if (Error E = ArgumentBinder(Names, L, Values, Given, Request).run())
    return std::move(E);
  return Request;
}

} // namespace gpuestimate
