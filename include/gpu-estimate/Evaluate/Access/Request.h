/// \file
/// Cost of one warp-level memory request, computed from the addresses of its
/// lanes: sectors, cache lines, and passes through banked memories.
///
/// Addresses are in bytes. Objects are assumed to be aligned to 256 bytes, as
/// cudaMalloc and the shared-memory allocator guarantee, so that the offset in
/// the object determines the alignment. An inactive lane is left out or NaN;
/// NaN keeps the positions of the other lanes, which matter where the hardware
/// splits a request by lane number.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_REQUEST_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_REQUEST_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace gpuestimate {

/// How the caches handle a request.
enum class CacheRole : uint8_t {
  None,       ///< shared and constant memory: bypasses L1 and L2
  CachedLoad, ///< looked up in L1
  Load,       ///< goes to L2
  Store,      ///< written through L1 to L2
  Atomic,     ///< done in L2
  Private,    ///< local memory: L1 holds its loads and stores
};
CacheRole cacheRole(const MemoryAccess &A, const GpuModel &Gpu);

/// Sector size in bytes at which the access's data leave the SM: that of L1, or
/// that of L2 (if smaller) for requests that bypass L1. It is the unit of
/// AccessTotals::Sectors.
unsigned sectorBytes(const MemoryAccess &A, const GpuModel &Gpu);

/// Distinct sectors of one request (Nsight: sectors/request). SectorBytes may
/// also be the size of a cache line or of a word. Example: 32 lanes that read
/// consecutive floats from an aligned address need 4 sectors of 32 bytes.
unsigned sectorsPerRequest(llvm::ArrayRef<double> LaneAddresses,
                           unsigned BytesPerThread, unsigned SectorBytes);

/// Passes of one warp request through shared memory (Nsight: wavefronts); 1
/// pass is free of bank conflicts. A request is split into groups of as many
/// neighbouring lanes as all banks together serve (Banks * BankWidth /
/// BytesPerThread): accesses of 8 (16) bytes into 2 (4) groups, and 64 lanes on
/// 32 banks into two groups already for 4 bytes. Within a group, a pass serves
/// one word of each bank; lanes that read one word share it. Words of one bank
/// do not conflict within an aligned Segment of bytes
/// (GpuModel::SharedConflictFreeSegment; 0: one word of each bank). If
/// PairsMerge holds, a group is twice as many lanes provided that all active
/// lanes l and l ^ 1, or all l and l ^ 2, have one address. Inactive lanes are
/// NaN, or left out at the end.
unsigned bankPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, unsigned Banks, unsigned BankWidth,
                    unsigned Segment = 0, bool PairsMerge = false);

/// Expected number of distinct sectors if lane l is active with Probability[l],
/// independently of other lanes: the sum over sectors s of
/// 1 - product over the lanes that access s of (1 - Probability[l]). With
/// probabilities of 0 and 1 it equals sectorsPerRequest.
double expectedSectorsPerRequest(llvm::ArrayRef<double> LaneAddresses,
                                 llvm::ArrayRef<double> Probability,
                                 unsigned BytesPerThread, unsigned SectorBytes);

/// sectorsPerRequest() for sectors of SectorBytes and for cache lines of
/// LineBytes, in one pass if a line is a whole number of sectors.
std::pair<unsigned, unsigned>
distinctSectorsAndLines(llvm::ArrayRef<double> LaneAddresses,
                        unsigned BytesPerThread, unsigned SectorBytes,
                        unsigned LineBytes);

/// Number of sectors of which the request covers every byte. Addresses are
/// assumed to be multiples of min(4, BytesPerThread) bytes.
unsigned fullyCoveredSectors(llvm::ArrayRef<double> LaneAddresses,
                             unsigned BytesPerThread, unsigned SectorBytes);

/// Largest number of lanes with one address, by which atomics are serialised; 0
/// without lanes.
unsigned maxLanesPerAddress(llvm::ArrayRef<double> LaneAddresses);

/// Whether wide loads from shared memory serve pairs of lanes with one address
/// together (PairsMerge of bankPasses). True from compute capability 5.0 on.
/// Sources: NVIDIA staff about 7.0 to 7.5 (developer forum, "Unexpected shared
/// memory bank conflict"); for Maxwell, that 16 bytes take at least two passes,
/// each of half a warp (NervanaSystems/maxas, issue 8). Later GPUs are assumed
/// to behave like 7.5.
bool mergesLanePairs(const MemoryAccess &A, const GpuModel &Gpu);

/// Ratio of the passes of a shared-memory access to bankPasses(). It is 1.51 on
/// compute capability 2.x for accesses of 16 bytes, most of which conflict with
/// themselves (CUDA C Programming Guide 4.2, F.4.3.3): on a GTX 480 they move
/// 982 GB/s, narrower accesses 1483 GB/s (gpumembench). It is 1 elsewhere.
double wideAccessPassFactor(const MemoryAccess &A, const GpuModel &Gpu);

/// Passes of a global request through the L1 data stage. One pass is the time
/// of one full line of coalesced data (128 bytes on NVIDIA GPUs).
///  - compute capability 7.0 and later, where the data stage shares its array
///    with shared memory, and AMD's wavefronts of 32 (RDNA): the tag stage
///    serves 4 lines per pass, and the data stage is banked like shared memory:
///    max(ceil(lines / 4), bank passes);
///  - 5.x and 6.x: the warp is split into requests of 8, 4 or 2 lanes for 4, 8
///    and 16 bytes; each takes a quarter of a pass per sector;
///  - 3.x and earlier: one pass per line and per 32, 16 or 8 lanes;
///  - other AMD: one pass per line, no fewer than one per 16 lanes.
/// Source: tag and split rules as NVIDIA staff state them on the developer
/// forum and in the Nsight Compute guide; GCN: GCN 3 ISA and hardware guides;
/// RDNA: gpu-strides on RX 6900 XT (te42kyfo/gpu-benches), within 11 % at 32 of
/// 34 strides of 4 and 8 bytes.
double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu);
/// The most passes of a request through a data stage that L1 and shared memory
/// share: its lanes are then served one after the other, a word a cycle. Where
/// a pass takes two cycles (Turing), lanes of 32 words of one bank take 32
/// cycles, not 64: 33 cycles an iteration of a product of a matrix and a
/// vector whose lanes walk along rows (dataset textbook, GTX 1650, RTX 2060).
/// Two and four words of a bank take two cycles each there.
double serialPasses(unsigned Lanes, unsigned BytesPerThread,
                    const GpuModel &Gpu);
/// Whether the GPU follows the first rule of globalPasses().
bool hasBankedDataStage(const GpuModel &Gpu);
/// globalPasses() of a request whose number of distinct lines is known.
double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu,
                    unsigned Lines);

/// Lower bound of the passes of a global load on AMD GPUs; 0 for other
/// accesses. Four lanes of 8 bytes take as long as four lanes of 16 bytes, for
/// which the data path is designed (gpu-cache and gpu-strides of
/// te42kyfo/gpu-benches: MI100, MI210 and RX 6900 XT move half as many bytes
/// per second by 8-byte loads).
double minWideLoadPasses(const MemoryAccess &A,
                         llvm::ArrayRef<double> LaneAddresses,
                         const GpuModel &Gpu);

/// Address of byte Offset of a thread's local memory, relative to the warp's
/// region. Consecutive 4-byte words of one thread are WarpSize words apart, so
/// that equal offsets of all lanes are contiguous.
double interleavedLocalAddress(double Offset, unsigned Lane, unsigned WarpSize);

} // namespace gpuestimate

#endif
