#include "CodeMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"

using namespace llvm;

namespace gpuestimate {

void CodeMap::add(object::OwningBinary<object::ObjectFile> Object) {
  for (const object::SectionRef &S : Object.getBinary()->sections())
    if (S.isText() && S.getSize())
      Ranges.push_back({S.getAddress(), S.getAddress() + S.getSize(),
                        Objects.size(), S.getIndex()});
  Objects.push_back({std::move(Object), std::move(Lines)});
  Lines.clear();
}

bool CodeMap::contains(uint64_t Address) const {
  for (const Range &R : Ranges)
    if (Address >= R.Begin && Address < R.End)
      return true;
  return false;
}

SourceLocation CodeMap::locate(uint64_t Address) const {
  for (const Range &R : Ranges) {
    if (Address < R.Begin || Address >= R.End)
      continue;
    const Loaded &L = Objects[R.Object];
    std::unique_ptr<DWARFContext> Dwarf =
        DWARFContext::create(*L.Object.getBinary());
    DILineInfo Line = Dwarf->getLineInfoForAddress({Address, R.Section});
    if (Line.Line > 0 && Line.Line <= L.Lines.size())
      return L.Lines[Line.Line - 1];
    return {};
  }
  return {};
}

} // namespace gpuestimate
