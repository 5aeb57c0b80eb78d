/// \file
/// What one warp-level memory request costs, from the addresses of its lanes.
///
/// Addresses are bytes; an object's base is taken to be aligned to 256 bytes
/// (what cudaMalloc and the shared-memory allocator guarantee), so an offset
/// decides the alignment. A lane that does not take part is left out or NaN;
/// NaN keeps the position of the other lanes, which matters where the hardware
/// splits a request by lane number.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_REQUEST_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_REQUEST_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace gpuestimate {

/// What a request does at the caches.
enum class CacheRole : uint8_t {
  None,       ///< shared and constant memory: not here
  CachedLoad, ///< looks into L1
  Load,       ///< goes to L2
  Store,      ///< written through L1 to L2
  Atomic,     ///< done in L2
  Private,    ///< local memory: L1 holds its loads and stores
};
CacheRole cacheRole(const MemoryAccess &A, const GpuModel &Gpu);

/// Bytes of the pieces in which the access's data leave the multiprocessor:
/// the sector of L1, or of L2 (if smaller) for requests that do not look into
/// L1. The unit of AccessTotals::Sectors.
unsigned sectorBytes(const MemoryAccess &A, const GpuModel &Gpu);

/// Distinct 32-byte (Granule) units touched by one request: lane addresses in
/// bytes (inactive lanes left out or NaN) and the access width.
unsigned distinctGranules(llvm::ArrayRef<double> LaneAddresses,
                          unsigned BytesPerThread, unsigned Granule);

/// Shared-memory passes of one warp request: accesses of 8 (16) bytes are
/// split into 2 (4) groups of lanes as the hardware does; within a group a
/// pass serves one word of each bank, lanes that read the same word share it.
/// A group is as many neighbouring lanes as all banks together can serve
/// (Banks * BankWidth / BytesPerThread), so 64 lanes on 32 banks are two groups
/// for 4 bytes already. Words of one bank do not conflict within an aligned
/// Segment of bytes (GpuModel::SharedConflictFreeSegment; 0: one word of each
/// bank). Where PairsMerge, a group is twice as many lanes if for all active
/// lanes l and l ^ 1, or for all l and l ^ 2, have the same address. Inactive
/// lanes: NaN, or left out at the end.
unsigned bankPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, unsigned Banks, unsigned BankWidth,
                    unsigned Segment = 0, bool PairsMerge = false);

/// Expected number of distinct granules when lane l takes part with
/// Probability[l], independently: the sum over granules g of
/// 1 - prod over the lanes that touch g of (1 - p). With probabilities of 0
/// and 1 it equals distinctGranules.
double expectedGranules(llvm::ArrayRef<double> LaneAddresses,
                        llvm::ArrayRef<double> Probability,
                        unsigned BytesPerThread, unsigned Granule);

/// distinctGranules for sectors and for lines, at one price where a line is a
/// whole number of sectors.
std::pair<unsigned, unsigned>
distinctSectorsAndLines(llvm::ArrayRef<double> LaneAddresses,
                        unsigned BytesPerThread, unsigned Sector,
                        unsigned Line);

/// Number of granules every byte of which is covered. Lanes are taken to lie at
/// multiples of 4 bytes or of their width, whichever is less.
unsigned fullGranules(llvm::ArrayRef<double> LaneAddresses,
                      unsigned BytesPerThread, unsigned Granule);

/// Largest number of lanes that name one address (atomics are serialised by
/// it); 0 without lanes.
unsigned largestMultiplicity(llvm::ArrayRef<double> LaneAddresses);

/// Do wide loads from shared memory return two lanes' data at once where pairs
/// of lanes have one address? From compute capability 5.0 on: NVIDIA staff of
/// 7.0 to 7.5 (developer forum, "Unexpected shared memory bank conflict"); of
/// Maxwell, that 16 bytes take at least two passes, each of half a warp
/// (NervanaSystems/maxas, issue 8). Later parts, of which nothing is said, are
/// taken to do the same.
bool mergesPairs(const MemoryAccess &A, const GpuModel &Gpu);

/// By how much more passes an access to shared memory takes than bankPasses
/// counts: on compute capability 2.x most accesses of 16 bytes conflict with
/// themselves (CUDA C Programming Guide 4.2, F.4.3.3). Loads and stores of
/// GTX 480 together move 982 GB/s, of narrower ones 1483 (gpumembench).
double wideAccessPasses(const MemoryAccess &A, const GpuModel &Gpu);

/// Passes of a global request through the L1 data stage, in units of the time
/// that one full line of coalesced data takes (128 bytes on NVIDIA GPUs).
///  - compute capability 7.0 and later, where the data stage shares its array
///    with shared memory, and AMD's wavefronts of 32 (RDNA): the tag stage
///    serves 4 lines per pass, and the data stage is banked like shared memory:
///    max(ceil(lines / 4), bank passes);
///  - 5.x and 6.x: the warp is split into requests of 8, 4 or 2 lanes for 4, 8
///    and 16 bytes; each takes a quarter of a pass per sector that it touches;
///  - 3.x and earlier: one pass per line and per 32, 16 or 8 lanes;
///  - other AMD: one pass per line, no fewer than one per 16 lanes.
/// Source: tag and split rules as NVIDIA staff state them on the developer
/// forum and in the Nsight Compute guide; GCN: GCN 3 ISA and hardware guides;
/// RDNA: gpu-strides on RX 6900 XT (te42kyfo/gpu-benches), within 11 % at 32 of
/// 34 strides of 4 and 8 bytes.
double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu);
/// Whether that is the first of these rules.
bool hasBankedDataStage(const GpuModel &Gpu);
/// The same where the number of lines that it touches is known.
double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu,
                    unsigned Lines);

/// What passes of a global load come to at least: on AMD four lanes of 8 bytes
/// take as long as four of 16, which the bandwidth is made for (gpu-cache and
/// gpu-strides of te42kyfo/gpu-benches: MI100, MI210 and RX 6900 XT move half
/// as many bytes by loads of 8). 0 for other accesses.
double wideLoadPasses(const MemoryAccess &A,
                      llvm::ArrayRef<double> LaneAddresses,
                      const GpuModel &Gpu);

/// A private variable's byte Offset to its place in memory, relative to the
/// warp's region: consecutive 4-byte words of one thread are WarpSize words
/// apart, so that equal offsets of all lanes are contiguous.
double interleavedLocal(double Offset, unsigned Lane, unsigned WarpSize);

} // namespace gpuestimate

#endif
