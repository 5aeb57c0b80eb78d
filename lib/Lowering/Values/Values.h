/// \file
/// IR values as symbolic expressions of coordinates, arguments and counters.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUES_H

#include "IntegerValues.h"
#include "ObjectNames.h"
#include "PointerValues.h"
#include "Recurrences.h"
#include "ScevValues.h"

namespace gpuestimate {

/// The values of one kernel: one translator for each kind of value, and the
/// questions that the later stages ask.
class Values {
public:
  Values(KernelAnalyses &A, const KernelSource &Source, KernelModel &Model,
         Unknowns &Names)
      : Context(A, Source, Model, Names),
        Integers(Context, Pointers, Recurrent, Objects),
        Pointers(Context, Integers, Recurrent, Scevs),
        Recurrent(Context, Integers), Scevs(Context, Integers),
        Objects(Source, Pointers) {}
  Values(const Values &) = delete;

  Expr of(const llvm::Value *V) { return Integers.of(V); }
  Expr ofScev(const llvm::SCEV *S) { return Scevs.of(S); }
  PointerValue pointer(const llvm::Value *V) { return Pointers.of(V); }
  Recurrence recurrence(const llvm::PHINode *Phi) { return Recurrent.of(Phi); }

  Expr counter(const llvm::Loop *L) { return Context.counter(L); }
  bool isInvariant(Expr E, const llvm::Loop *L) {
    return Context.isInvariant(E, L);
  }

  std::string nameOf(const llvm::Value *Base,
                     std::optional<unsigned> &Argument) {
    return Objects.nameOf(Base, Argument);
  }
  std::string argumentName(const llvm::Argument &Arg) const {
    return Objects.argumentName(Arg);
  }

  /// Sets the source of trip counts (TripCounts); call before the first use.
  void setTripCounts(std::function<Expr(const llvm::Loop *)> TripCountOf) {
    Context.TripCountOf = std::move(TripCountOf);
  }
  void setCounterName(const llvm::Loop *L, llvm::StringRef Name) {
    Context.Counters[L] = Name.str();
  }

private:
  ValueContext Context;
  IntegerValues Integers;
  PointerValues Pointers;
  Recurrences Recurrent;
  ScevValues Scevs;
  ObjectNames Objects;
};

} // namespace gpuestimate

#endif
