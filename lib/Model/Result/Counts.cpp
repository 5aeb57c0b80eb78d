/// \file
/// The one list of names of the counts.
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

std::vector<std::pair<std::string, double>> namedCounts(const Counts &C) {
  return {{"warp_instructions", C.WarpInstructions},
          {"flop_fp16", C.FlopFp16},
          {"flop_fp32", C.FlopFp32},
          {"flop_fp64", C.FlopFp64},
          {"global_load_requests", C.GlobalLoadRequests},
          {"global_load_sectors", C.GlobalLoadSectors},
          {"global_store_requests", C.GlobalStoreRequests},
          {"global_store_sectors", C.GlobalStoreSectors},
          {"shared_wavefronts", C.SharedWavefronts},
          {"l2_bytes", C.L2Bytes},
          {"dram_bytes", C.DramBytes},
          {"dram_read_bytes", C.DramReadBytes},
          {"dram_write_bytes", C.DramWriteBytes},
          {"barriers", C.Barriers}};
}

} // namespace gpuestimate
