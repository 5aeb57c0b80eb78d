/// \file
/// A place in the user's source, as plain data (no clang types).
#ifndef GPU_ESTIMATE_SUPPORT_SOURCELOCATION_H
#define GPU_ESTIMATE_SUPPORT_SOURCELOCATION_H

#include <string>

namespace gpuestimate {

/// Line and Column count from 1; Line 0 means that the place is unknown.
struct SourceLocation {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  bool isValid() const { return Line != 0; }
  /// "file.cu:12", with the file's last path component only; "?" when unknown.
  std::string brief() const;
  bool operator==(const SourceLocation &) const = default;
};

} // namespace gpuestimate

#endif
