/// \file
/// The order in which a program that a compiler has made executes its kernels.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_LAUNCHSEQUENCE_H
#define GPU_ESTIMATE_MODEL_KERNEL_LAUNCHSEQUENCE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

struct SequenceStep {
  enum RoleType : uint8_t {
    Launch, ///< of Kernel
    Group,  ///< steps inside it are done in their order
    Graph,  ///< the same, as one launch of a graph
    Loop,   ///< parts "condition" and "body"
    Choice, ///< one of its parts
    Copy,   ///< within the GPU's memory
    Memset,
    Marker, ///< no work: the end of an asynchronous step
    Other   ///< a call of a library
  } Role = Other;
  std::string Kind;    ///< as the compiler calls it: "kGemm"
  unsigned Line = 0;   ///< of the file, from 1
  unsigned Number = 0; ///< by which other files name it; 0 = none
  std::string Kernel;  ///< mangled name; "" = it launches none
  /// Thread blocks, and threads of one; nothing: the file does not tell.
  std::optional<std::array<uint64_t, 3>> Grid, Block;
  std::array<unsigned, 3> Cluster = {}; ///< blocks; 0 = no cluster
  uint64_t DynamicSharedBytes = 0;
  /// Bytes that a copy or a memset writes; iterations of a loop, whose
  /// condition is then not executed. Nothing: no file tells.
  std::optional<uint64_t> Bytes, Iterations;
  /// The step that contains it, and which of its parts does.
  std::optional<size_t> Parent;
  std::string Part;

  bool isLaunch() const { return Role == Launch; }
};

struct LaunchSequence {
  std::string Name; ///< "module_0001.jit_f"
  std::string File; ///< that states it
  /// A step stands behind the one that contains it.
  std::vector<SequenceStep> Steps;
};

} // namespace gpuestimate

#endif
