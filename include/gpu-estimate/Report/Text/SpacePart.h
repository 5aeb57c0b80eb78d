/// \file
/// One part of a space that several processes try (`--shard I/N`).
#ifndef GPU_ESTIMATE_REPORT_TEXT_SPACEPART_H
#define GPU_ESTIMATE_REPORT_TEXT_SPACEPART_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpuestimate {

/// Results that are those of part Index, from 1, of Count. Space: equal for the
/// parts of one space.
struct SpacePart {
  unsigned Index = 1, Count = 1;
  std::string Space;

  bool isWhole() const { return Count == 1; }
};

/// Prints the attribute "part": {"index", "count", "space"}; nothing for a
/// whole space.
void printPart(llvm::json::OStream &J, const SpacePart &Part);

} // namespace gpuestimate

#endif
