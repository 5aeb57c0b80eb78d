#include "FatbinDump.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace gpuestimate {

/// "Fatbin ptx code:", "Fatbin elf code:"
static bool isHeading(StringRef Line) {
  return Line.starts_with("Fatbin ") && Line.rtrim().ends_with(" code:");
}

/// Calls Line(its text, its number) for each line of Text.
static void forEachLine(StringRef Text,
                        function_ref<void(StringRef, unsigned)> Line) {
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    size_t Length = std::min(Text.find('\n'), Text.size());
    Line(Text.take_front(Length), Number);
    Text = Text.drop_front(std::min(Length + 1, Text.size()));
  }
}

bool isFatbinDump(StringRef Text) {
  StringRef Start = Text.ltrim();
  // In the dump of an archive the name of its first member comes before.
  if (Start.starts_with("member "))
    Start = Start.split('\n').second.ltrim();
  return isHeading(Start.split('\n').first);
}

std::vector<DumpedPtx> dumpedPtx(StringRef Dump, unsigned Capability) {
  std::vector<DumpedPtx> Modules;
  enum { Outside, InHeader, InPtx } Place = Outside;
  unsigned Arch = 0;
  forEachLine(Dump, [&](StringRef Line, unsigned Number) {
    if (isHeading(Line) || Line.starts_with("member ")) {
      Place = Line.starts_with("Fatbin ptx ") ? InHeader : Outside;
      Arch = 0;
      return;
    }
    if (Place == InHeader) {
      StringRef Value = Line;
      if (Value.consume_front("arch = sm_"))
        Value.consumeInteger(10, Arch);
      StringRef First = Line.ltrim();
      if (!First.starts_with(".version") && !First.starts_with("//"))
        return;
      Place = InPtx;
      Modules.push_back({Line, Number, Arch});
    }
    if (Place == InPtx) {
      StringRef &Text = Modules.back().Text;
      Text = StringRef(Text.data(), Line.end() - Text.data());
    }
  });
  stable_sort(Modules, [&](const DumpedPtx &A, const DumpedPtx &B) {
    auto Rank = [&](const DumpedPtx &M) {
      bool Runs = M.Capability <= Capability;
      return std::tuple(!Runs,
                        Runs ? -int64_t(M.Capability) : int64_t(M.Capability));
    };
    return Rank(A) < Rank(B);
  });
  return Modules;
}

} // namespace gpuestimate
