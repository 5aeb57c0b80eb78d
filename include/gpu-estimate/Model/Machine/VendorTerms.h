/// \file
/// The vendor's words for the parts of a GPU. The product thinks in CUDA's.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_VENDORTERMS_H
#define GPU_ESTIMATE_MODEL_MACHINE_VENDORTERMS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Words texts about one GPU as its vendor's documentation does. For AMD, a
/// warp is a wavefront, shared memory is LDS, a register of a thread is a VGPR,
/// and a multiprocessor is a compute unit or, for the RDNA architectures, a
/// workgroup processor (the models hold pairs of compute units there).
class VendorTerms {
public:
  VendorTerms() = default; ///< CUDA's own terms
  VendorTerms(llvm::StringRef Vendor, llvm::StringRef Architecture);

  /// Returns an English text in the vendor's terms: "fills 25 % of a
  /// multiprocessor's warps" becomes "fills 25 % of a compute unit's
  /// wavefronts". Names in single quotes and parts of longer names
  /// ("--warp-order") stay.
  std::string reword(llvm::StringRef Text) const;

private:
  /// What AMD calls a multiprocessor; empty if the terms are CUDA's.
  llvm::StringRef Multiprocessor;
};

} // namespace gpuestimate

#endif
