/// \file
/// How many bytes of a loop nest pass a memory of a given capacity, in closed
/// form: layer conditions over the footprints that the GPU side uses too
/// (Evaluate/Access/Footprint.h).
///
///   l*  the outermost loop of which one iteration's footprint, of all arrays
///       together, fits the capacity (the whole nest, if that fits)
///   bytes = iterations of the loops outside l* x distinct granules over l*
///           and the loops inside
///
/// so that what an iteration of l* leaves behind is found by the next one, and
/// nothing survives an iteration of a loop further out.
///
/// Example: of c[i][j] += a[i][k] * b[k][j], n = 1024, floats, lines of 64
/// bytes, capacity 1 MiB: an iteration of j touches 68 KiB, one of i 4 MiB, so
/// l* is j and b passes n times: 1024 x 4 MiB.
#ifndef GPU_ESTIMATE_TARGETS_NEST_REUSE_H
#define GPU_ESTIMATE_TARGETS_NEST_REUSE_H

#include "gpu-estimate/Support/Units.h"
#include "gpu-estimate/Targets/Nest/Nest.h"

namespace gpuestimate {

struct PassedBytes {
  Bytes Read, Written;
  Bytes both() const { return Read + Written; }
};

/// Granule: bytes of a line, or of the smallest piece that is fetched. Accesses
/// whose address data decide take a granule each where their object does not
/// fit (and all of it once where it does). WriteAllocate: a line is read before
/// it is written. Sharers: so many cores, each with a nest like this one but
/// for its part of the outermost loop, share the memory; arrays that do not
/// move along that loop are common to them. The result is one core's part.
PassedBytes bytesBeyond(const LoopNestNumbers &Nest, Bytes Capacity,
                        double Granule, bool WriteAllocate,
                        unsigned Sharers = 1);

/// What all Sharers together touch, in whole granules.
Bytes touchedBytes(const LoopNestNumbers &Nest, double Granule,
                   unsigned Sharers = 1);

/// Distinct bytes of each direction: what must be copied to another memory
/// before and back after the nest. Whole arrays where their size is known and
/// smaller than what the addresses span.
PassedBytes distinctBytes(const LoopNestNumbers &Nest);

} // namespace gpuestimate

#endif
