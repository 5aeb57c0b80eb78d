/// \file
/// Text in aligned columns.
#ifndef GPU_ESTIMATE_REPORT_TEXT_TABLE_H
#define GPU_ESTIMATE_REPORT_TEXT_TABLE_H

#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A cell of a table. Number: what sorts it; nothing for words.
struct Cell {
  Cell(std::string Text, std::optional<double> Number = std::nullopt)
      : Text(std::move(Text)), Number(Number) {}
  std::string Text;
  std::optional<double> Number;
};

enum class Align : uint8_t { Left, Right };

class Table {
public:
  explicit Table(std::vector<Align> Columns) : Columns(std::move(Columns)) {}
  /// One cell per column.
  void row(std::vector<std::string> Cells);
  /// Every line starts with Indent blanks, columns are two blanks apart, and
  /// no line ends in blanks.
  void print(llvm::raw_ostream &OS, unsigned Indent) const;

private:
  std::vector<Align> Columns;
  std::vector<std::vector<std::string>> Rows;
};

} // namespace gpuestimate

#endif
