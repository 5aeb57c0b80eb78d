/// \file
/// Elements of buffers, by rule and from files.
#include "gpu-estimate/Run/BufferData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace llvm;

namespace gpuestimate {

std::string ElementType::str() const {
  StringRef Name = Kind == Integer ? " integer" : Kind == Real ? " real" : "";
  return std::to_string(Size) + "-byte" +
         (Kind == Bytes ? " element" : Name.str());
}

uint64_t NpyArray::elements() const {
  uint64_t N = 1;
  for (uint64_t Extent : Shape)
    N *= Extent;
  return N;
}

static Error badFile(StringRef File, const Twine &Problem) {
  return createStringError(inconvertibleErrorCode(), File + ": " + Problem);
}

/// What follows "'Key':" in the header, a Python dictionary.
static StringRef entryOf(StringRef Header, StringRef Key) {
  size_t Position = Header.find(("'" + Key + "'").str());
  if (Position == StringRef::npos)
    return "";
  return Header.drop_front(Position + Key.size() + 2).ltrim(" :");
}

static Expected<ElementType> elementType(StringRef File, StringRef Dtype) {
  ElementType Type;
  StringRef Remaining = Dtype;
  bool Big = Remaining.consume_front(">");
  if (!Big && !Remaining.consume_front("<"))
    Remaining.consume_front("|");
  char Kind = Remaining.empty() ? ' ' : Remaining.front();
  unsigned Size = 0;
  if (StringRef("iubf").contains(Kind) &&
      !Remaining.drop_front().getAsInteger(10, Size) && isPowerOf2_32(Size) &&
      Size <= 8 && (!Big || Size == 1)) {
    Type.Kind = Kind == 'f' ? ElementType::Real : ElementType::Integer;
    Type.Size = Size;
    return Type;
  }
  return badFile(File, "elements of type '" + Dtype +
                           "' cannot be read: integers and reals of up to 8 "
                           "bytes in little-endian order can, as "
                           "array.astype('<i4') makes them");
}

Expected<NpyArray> parseNpy(StringRef File, StringRef Text) {
  StringRef Remaining = Text;
  if (!Remaining.consume_front("\x93NUMPY") || Remaining.size() < 4)
    return badFile(File, "it is no .npy file; numpy.save writes one");
  unsigned Major = uint8_t(Remaining[0]);
  if (Major != 1 && Major != 2)
    return badFile(File, "its format version is " + Twine(Major) +
                             "; versions 1 and 2 can be read");
  Remaining = Remaining.drop_front(2);
  unsigned Field = Major == 1 ? 2 : 4;
  if (Remaining.size() < Field)
    return badFile(File, "its header ends early");
  uint64_t Length = Major == 1 ? support::endian::read16le(Remaining.data())
                               : support::endian::read32le(Remaining.data());
  Remaining = Remaining.drop_front(Field);
  if (Remaining.size() < Length)
    return badFile(File, "its header ends early");
  StringRef Header = Remaining.take_front(Length);
  Remaining = Remaining.drop_front(Length);

  NpyArray Array;
  StringRef Dtype = entryOf(Header, "descr");
  if (!Dtype.consume_front("'"))
    return badFile(File, "its elements are records; only plain numbers can be "
                         "read");
  Array.Dtype = Dtype.take_until([](char C) { return C == '\''; }).str();
  auto Type = elementType(File, Array.Dtype);
  if (!Type)
    return Type.takeError();
  Array.Type = *Type;
  if (!entryOf(Header, "fortran_order").starts_with("False"))
    return badFile(File, "it is stored in Fortran order; "
                         "numpy.ascontiguousarray makes a copy in C order");
  StringRef Shape = entryOf(Header, "shape");
  if (!Shape.consume_front("("))
    return badFile(File, "its header has no shape");
  SmallVector<StringRef> Extents;
  Shape.take_until([](char C) { return C == ')'; })
      .split(Extents, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Extent : Extents) {
    uint64_t N;
    if (Extent.trim().empty())
      continue;
    if (Extent.trim().getAsInteger(10, N))
      return badFile(File, "its shape cannot be read: '" + Extent + "'");
    Array.Shape.push_back(N);
  }
  // The product of the extents must not wrap around.
  uint64_t MaxElements = Remaining.size() / Array.Type.Size, Elements = 1;
  for (uint64_t N : Array.Shape) {
    if (N == 0) {
      Elements = 0;
      break;
    }
    Elements = Elements > MaxElements / N ? MaxElements + 1 : Elements * N;
    if (Elements > MaxElements)
      break;
  }
  if (Elements > MaxElements)
    return badFile(File, "it has fewer elements than its shape says");
  Array.Bytes.assign(Remaining.bytes_begin(),
                     Remaining.bytes_begin() + Elements * Array.Type.Size);
  return Array;
}

/// A hash of the element's number (the finaliser of SplitMix64).
static uint64_t mixed(uint64_t X) {
  X += 0x9e3779b97f4a7c15ULL;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9ULL;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebULL;
  return X ^ (X >> 31);
}

static uint64_t realBits(double V, unsigned Size) {
  switch (Size) {
  case 8:
    return bit_cast<uint64_t>(V);
  case 4:
    return bit_cast<uint32_t>(static_cast<float>(V));
  default:
    return 0; // two bytes may be of two formats
  }
}

void BufferData::fill(uint64_t First, MutableArrayRef<uint8_t> Into) const {
  std::memset(Into.data(), 0, Into.size());
  if (Fill == Zeros)
    return;
  if (Fill == File) {
    if (First < Array->Bytes.size())
      std::memcpy(Into.data(), Array->Bytes.data() + First,
                  std::min<uint64_t>(Into.size(), Array->Bytes.size() - First));
    return;
  }
  for (uint64_t At = First / Type.Size * Type.Size; At < First + Into.size();
       At += Type.Size) {
    uint64_t Number = At / Type.Size, Hash = mixed(Number), Bits;
    if (Type.Kind == ElementType::Real)
      Bits = realBits(Fill == Iota ? static_cast<double>(Number)
                                   : static_cast<double>(Hash >> 11) * 0x1p-53,
                      Type.Size);
    else
      Bits = Fill == Iota    ? Number
             : Type.Size > 1 ? Hash % std::max<uint64_t>(1, Limit)
                             : Hash;
    uint8_t Bytes[8];
    support::endian::write64le(Bytes, Bits);
    for (unsigned B = 0; B < Type.Size; ++B)
      if (At + B >= First && At + B < First + Into.size())
        Into[At + B - First] = Bytes[B];
  }
}

} // namespace gpuestimate
