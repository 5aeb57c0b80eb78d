/// \file
/// Names of the parts of a predicted time: terms of models and throughput
/// bounds. The names are contracts: `--without`, JSON, datasets.
#ifndef GPU_ESTIMATE_MODEL_RESULT_TERM_H
#define GPU_ESTIMATE_MODEL_RESULT_TERM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace gpuestimate {

/// A component of the time, as a breakdown lists it.
enum class Term : uint8_t {
  Issue, // the terms of the default model, which `--without` switches off
  Pipes,
  Registers,
  Dependency,
  Shared,
  L1,
  Uncoalesced,
  Outstanding,
  L2,
  L3,
  Dram,
  Ecc,
  Link,
  Atomics,
  Barrier,
  Wait,
  Dispatch,
  Tail,
  Cold,
  Migration,
  LoadStore, // components that the default model does not have
  DramQueue,
  Launch,
};

struct TermInfo {
  Term Id;
  llvm::StringRef Name, Meaning;
};

/// The terms of the default model, in the order in which its breakdown adds
/// them; `--without` can switch them off.
llvm::ArrayRef<TermInfo> termTable();
/// The components of all models.
llvm::ArrayRef<TermInfo> timeComponents();

/// "dram-queue"
llvm::StringRef name(Term T);
/// The component of this name, nothing for another name.
std::optional<Term> termFromName(llvm::StringRef Name);

/// A set of terms: those that are switched off.
class TermSet {
public:
  TermSet() = default;
  TermSet(std::initializer_list<Term> Terms) {
    for (Term T : Terms)
      insert(T);
  }
  /// Names that no term has are left out.
  explicit TermSet(const llvm::StringSet<> &Names);
  /// Every term that can be switched off.
  static TermSet all();

  bool contains(Term T) const { return Bits & bit(T); }
  void insert(Term T) { Bits |= bit(T); }
  void erase(Term T) { Bits &= ~bit(T); }

  friend TermSet operator&(TermSet A, TermSet B) {
    A.Bits &= B.Bits;
    return A;
  }
  auto operator<=>(const TermSet &) const = default;

private:
  static constexpr uint32_t bit(Term T) { return 1u << unsigned(T); }
  uint32_t Bits = 0;
};

/// A resource whose throughput bounds the time. Pipes stand in the order of the
/// table of bounds (Bounds.h).
enum class Resource : uint8_t {
  Issue,
  RegisterRead,
  Fp32,
  Fp64,
  Fp16,
  Int,
  Sfu,
  Tensor,
  LoadStore,
  Texture,
  Branch,
  SharedBandwidth,
  L1Bandwidth,
  OutstandingRequests,
  SharedAtomics,
  L2Bandwidth,
  L3Bandwidth,
  DramBandwidth,
  HostLink,
  GlobalAtomics,
  Dispatch,
};

/// The bottleneck name of the JSON contract: "l1-bandwidth".
llvm::StringRef name(Resource R);

} // namespace gpuestimate

#endif
