/// \file
/// Places of the source where a kernel can be tuned by a change of a few
/// characters. The front end finds them in the AST; an editor decides what to
/// write there, and whether it pays.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_EDITSITE_H
#define GPU_ESTIMATE_MODEL_KERNEL_EDITSITE_H

#include "gpu-estimate/Support/SourceLocation.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuestimate {

/// Replaces Length bytes, all on one line, at a place of the source by Text.
struct SourceEdit {
  SourceLocation At;
  unsigned Length = 0; ///< 0: an insertion
  std::string Text;
};

struct EditSite {
  enum KindType : uint8_t {
    /// `__restrict__` before the names of all pointer parameters without it.
    RestrictPointers,
    /// `__launch_bounds__(...)` before the kernel's name, or in place of the
    /// one that is there. Text is empty: the numbers are to be chosen.
    LaunchBounds,
    /// One more element in the rows of a shared array of constant extents,
    /// each use of which names a single element.
    SharedPadding,
    /// Another value of the named constant by which a launch says how many
    /// threads its blocks have. Text is empty.
    BlockSize
  };

  KindType Kind = RestrictPointers;
  std::string Kernel;            ///< mangled name
  std::string Name;              ///< of the array or constant
  uint64_t Value = 0;            ///< of the constant
  std::vector<SourceEdit> Edits; ///< in the order of the source
};

} // namespace gpuestimate

#endif
