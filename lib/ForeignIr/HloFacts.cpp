/// \file
/// Bytes of copies and iterations of loops, by the names of HLO instructions.
#include "gpu-estimate/ForeignIr/ThunkSequence.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Calls Line for each line of Text without the blanks around it.
static void forEachLine(StringRef Text, function_ref<void(StringRef)> Line) {
  while (!Text.empty()) {
    auto [First, Rest] = Text.split('\n');
    Line(First.trim());
    Text = Rest;
  }
}

/// The HLO instruction of each thunk by its number, of
///
///   thunk_info {
///     profile_annotation: "copy.9"
///     thunk_id: 2
///   }
static DenseMap<unsigned, StringRef> instructionsOf(StringRef Metadata) {
  DenseMap<unsigned, StringRef> Names;
  StringRef Name;
  forEachLine(Metadata, [&](StringRef Line) {
    if (Line.starts_with("thunk_info"))
      Name = "";
    else if (Line.consume_front("profile_annotation: \""))
      Name = Line.take_until([](char C) { return C == '"'; });
    else if (unsigned Number; Line.consume_front("thunk_id: ") &&
                              !Line.getAsInteger(10, Number) && Number &&
                              Number < ~1u && !Name.empty())
      Names[Number] = Name;
  });
  return Names;
}

/// Bits of an element: "f32", "pred", "f8e4m3fn"; 0 of a tuple.
static unsigned bitsOf(StringRef Type) {
  if (Type == "pred")
    return 8;
  if (Type == "bf16")
    return 16;
  Type = Type.drop_while([](char C) { return isAlpha(C); });
  unsigned Bits = 0;
  return Type.consumeInteger(10, Bits) || Bits > 128 ? 0 : Bits;
}

/// The bytes of "f32[2048,2048]{1,0} copy(...)".
static std::optional<uint64_t> bytesOf(StringRef Shape) {
  auto [Type, Rest] = Shape.split('[');
  uint64_t Bits = bitsOf(Type);
  size_t End = Rest.find(']');
  if (!Bits || End == StringRef::npos)
    return std::nullopt;
  bool Overflowed = false;
  for (StringRef Sizes = Rest.take_front(End); !Sizes.empty();) {
    StringRef Size;
    std::tie(Size, Sizes) = Sizes.split(',');
    uint64_t Elements = 0;
    if (Size.trim().getAsInteger(10, Elements))
      return std::nullopt;
    bool Now = false;
    Bits = SaturatingMultiply(Bits, Elements, &Now);
    Overflowed |= Now;
  }
  if (Overflowed)
    return std::nullopt;
  return divideCeil(Bits, 8);
}

/// The number of "known_trip_count":{"n":"10"}.
static std::optional<uint64_t> tripCountOf(StringRef Instruction) {
  size_t At = Instruction.find("\"known_trip_count\"");
  if (At == StringRef::npos)
    return std::nullopt;
  StringRef Digits = Instruction.drop_front(At).take_front(64);
  Digits = Digits.drop_until([](char C) { return isDigit(C); })
               .take_while([](char C) { return isDigit(C); });
  uint64_t Count = 0;
  // XLA counts in 32 bits where an index is an s32; more is not believed.
  if (Digits.getAsInteger(10, Count) || Count > UINT32_MAX)
    return std::nullopt;
  return Count;
}

void addHloFacts(std::vector<SequenceStep> &Steps, StringRef Metadata,
                 StringRef Hlo) {
  DenseMap<unsigned, StringRef> Names = instructionsOf(Metadata);
  StringMap<std::vector<SequenceStep *>> Wanted;
  for (SequenceStep &Step : Steps)
    if (auto Name = Names.find(Step.Number);
        Step.Number && Name != Names.end() &&
        (Step.Role == SequenceStep::Loop || Step.Role == SequenceStep::Copy ||
         Step.Role == SequenceStep::Memset))
      Wanted[Name->second].push_back(&Step);
  if (Wanted.empty())
    return;
  forEachLine(Hlo, [&](StringRef Line) {
    Line.consume_front("ROOT ");
    Line.consume_front("%");
    auto [Name, Instruction] = Line.split(" = ");
    auto Found = Instruction.empty() ? Wanted.end() : Wanted.find(Name);
    if (Found == Wanted.end())
      return;
    for (SequenceStep *Step : Found->second)
      if (Step->Role == SequenceStep::Loop)
        Step->Iterations = tripCountOf(Instruction);
      else
        Step->Bytes = bytesOf(Instruction);
  });
}

} // namespace gpuestimate
