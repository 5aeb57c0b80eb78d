/// \file
/// Comma separated values as RFC 4180 has them: a cell in double quotes may
/// hold commas, line ends and doubled quotes.
#ifndef GPU_ESTIMATE_SUPPORT_CSV_H
#define GPU_ESTIMATE_SUPPORT_CSV_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct CsvCell {
  std::string Text;
  unsigned Line = 0, Column = 0; ///< of its first character, from 1
};

using CsvRow = std::vector<CsvCell>;

/// Every row that is not blank. Errors say "file:line:column: ".
llvm::Expected<std::vector<CsvRow>> readCsv(llvm::StringRef File,
                                            llvm::StringRef Text);

/// Text as one cell, in quotes where it must be.
std::string csvCell(llvm::StringRef Text);

} // namespace gpuestimate

#endif
