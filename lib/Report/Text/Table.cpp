/// \file
/// Layout of a table.
#include "gpu-estimate/Report/Text/Table.h"

#include "llvm/ADT/StringRef.h"
#include <cassert>

namespace gpuestimate {

void Table::row(std::vector<std::string> Cells) {
  assert(Cells.size() == Columns.size() && "one cell per column");
  Rows.push_back(std::move(Cells));
}

void Table::print(llvm::raw_ostream &OS, unsigned Indent) const {
  std::vector<size_t> Widths(Columns.size(), 0);
  for (const auto &Cells : Rows)
    for (size_t I = 0; I < Cells.size(); ++I)
      Widths[I] = std::max(Widths[I], Cells[I].size());

  for (const auto &Cells : Rows) {
    std::string Line(Indent, ' ');
    for (size_t I = 0; I < Cells.size(); ++I) {
      std::string Padding(Widths[I] - Cells[I].size(), ' ');
      Line += I ? "  " : "";
      Line +=
          Columns[I] == Align::Left ? Cells[I] + Padding : Padding + Cells[I];
    }
    OS << llvm::StringRef(Line).rtrim() << '\n';
  }
}

} // namespace gpuestimate
