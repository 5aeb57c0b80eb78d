/// \file
/// The table of architectures. It lacks RDNA, whose limits depend on whether
/// work-groups run in compute units or in pairs of them.
#include "KnownArchitectures.h"

namespace gpuestimate {

// clang-format off
static constexpr KnownArchitecture Architectures[] = {
    // name, warps, blocks, registers, shared, L1, fp32 lanes
    {"2.0", 48, 8, 32768, 48, 64, 32},
    {"3.0", 64, 16, 65536, 48, 64, 192},
    {"3.2", 64, 16, 65536, 48, 64, 192},
    {"3.5", 64, 16, 65536, 48, 64, 192},
    {"3.7", 64, 16, 131072, 112, 128, 192},
    {"5.0", 64, 32, 65536, 64, 24, 128},
    {"5.2", 64, 32, 65536, 96, 24, 128},
    {"6.0", 64, 32, 65536, 64, 24, 64},
    {"6.1", 64, 32, 65536, 96, 48, 128},
    {"7.0", 64, 32, 65536, 96, 128, 64},
    {"7.5", 32, 16, 65536, 64, 96, 64},
    {"8.0", 64, 32, 65536, 164, 192, 64},
    {"8.6", 48, 16, 65536, 100, 128, 128},
    {"8.7", 48, 16, 65536, 164, 192, 128},
    {"8.9", 48, 24, 65536, 100, 128, 128},
    {"9.0", 64, 32, 65536, 228, 256, 128},
    {"10.0", 64, 32, 65536, 228, 256, 128},
    {"12.0", 48, 24, 65536, 100, 128, 128},
    {"gfx803", 40, 16, 65536, 64, 16, 64},
    {"gfx906", 40, 16, 65536, 64, 16, 64},
    {"gfx908", 40, 16, 65536, 64, 16, 64},
    {"gfx90a", 32, 16, 131072, 64, 16, 128},
    {"gfx942", 32, 16, 131072, 64, 32, 128},
};
// clang-format on

const KnownArchitecture *findKnownArchitecture(llvm::StringRef Name) {
  for (const KnownArchitecture &Architecture : Architectures)
    if (Architecture.Name == Name)
      return &Architecture;
  return nullptr;
}

} // namespace gpuestimate
