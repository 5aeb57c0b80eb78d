/// \file
/// Which compiled code lies where, and the source lines of its instructions.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_CODEMAP_H
#define GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_CODEMAP_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/Object/ObjectFile.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace gpuestimate {

/// The machine code of all kernels. Code is added only while none executes, so
/// that a signal handler may ask contains().
class CodeMap {
public:
  /// The sections of Object have the addresses at which they were loaded. Its
  /// line numbers count from 1 in Lines, the table of the next kernel that is
  /// added (HostModule::Lines).
  void add(llvm::object::OwningBinary<llvm::object::ObjectFile> Object);
  void setLines(std::vector<SourceLocation> L) { Lines = std::move(L); }

  bool contains(uint64_t Address) const;
  /// Invalid where the code has no line.
  SourceLocation locate(uint64_t Address) const;

private:
  struct Range {
    uint64_t Begin, End;
    size_t Object;
    uint64_t Section; ///< index in the object
  };
  struct Loaded {
    llvm::object::OwningBinary<llvm::object::ObjectFile> Object;
    std::vector<SourceLocation> Lines;
  };
  std::vector<Range> Ranges;
  std::vector<Loaded> Objects;
  std::vector<SourceLocation> Lines;
};

} // namespace gpuestimate

#endif
