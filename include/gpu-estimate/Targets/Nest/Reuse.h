/// \file
/// Bytes of a loop nest that miss a memory of a given capacity, in closed form:
/// layer conditions over the footprints of Evaluate/Access/Footprint.h.
///
///   l*  the outermost loop of which one iteration's footprint, of all arrays
///       together, fits the capacity (the whole nest, if that fits)
///   bytes = iterations of the loops outside l* x distinct granules over l*
///           and the loops inside
///
/// An iteration of l* hits data of the previous one; no data survive an
/// iteration of a loop outside l*.
///
/// Example: c[i][j] += a[i][k] * b[k][j], n = 1024, floats, lines of 64 bytes,
/// capacity 1 MiB: an iteration of j touches 68 KiB, one of i 4 MiB, so l* is j
/// and b passes n times: 1024 x 4 MiB.
#ifndef GPU_ESTIMATE_TARGETS_NEST_REUSE_H
#define GPU_ESTIMATE_TARGETS_NEST_REUSE_H

#include "gpu-estimate/Support/Units.h"
#include "gpu-estimate/Targets/Nest/Nest.h"

namespace gpuestimate {

struct PassedBytes {
  Bytes Read, Written;
  Bytes both() const { return Read + Written; }
};

/// Returns the bytes that pass a memory of this Capacity. Granule is the size
/// of a line, or of the smallest fetch, in bytes. An access at a data-dependent
/// address takes a granule per execution if its object does not fit, else the
/// whole object once. WriteAllocate: a line is read before it is written.
/// Sharers is the number of cores that share the memory, each with its part of
/// the outermost loop; they have those arrays in common that do not move along
/// this loop. The result is one core's part.
PassedBytes bytesBeyond(const LoopNestNumbers &Nest, Bytes Capacity,
                        double Granule, bool WriteAllocate,
                        unsigned Sharers = 1);

/// Bytes that all Sharers together touch, in whole granules.
Bytes touchedBytes(const LoopNestNumbers &Nest, double Granule,
                   unsigned Sharers = 1);

/// Distinct bytes that the nest reads and writes, which must be copied to
/// another memory before the nest and back after it. An array counts as a whole
/// if its size is known and smaller than the span of the addresses.
PassedBytes distinctBytes(const LoopNestNumbers &Nest);

} // namespace gpuestimate

#endif
