#include "gpu-estimate/Support/Invariants.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>

using namespace llvm;

namespace gpuestimate {

/// EX_SOFTWARE of sysexits.h. A crash guard does not catch an exit.
static constexpr int InternalError = 70;

void InvariantList::amount(const Twine &Name, double Value) {
  if (!std::isfinite(Value) || Value < 0)
    require(false, formatv("{0} is {1}", Name, Value).str());
}

void InvariantList::fraction(const Twine &Name, double Value) {
  if (!(Value >= 0 && Value <= 1 + SumTolerance))
    require(false, formatv("{0} is {1}, no fraction", Name, Value).str());
}

void InvariantList::sum(const Twine &Name, double Parts, double Whole) {
  if (!(std::abs(Parts - Whole) <= SumTolerance * std::abs(Whole)))
    require(false, formatv("{0} is {1}, its parts {2}", Name, Whole, Parts));
}

void InvariantList::within(const Twine &Name, double Part, double Whole) {
  if (!(Part <= Whole + SumTolerance * std::abs(Whole)))
    require(false, formatv("{0} is {1} of {2}", Name, Part, Whole).str());
}

/// The value of GPU_ESTIMATE_CHECK.
static StringRef request() {
  static const char *Value = std::getenv("GPU_ESTIMATE_CHECK");
  return Value ? Value : "";
}

static bool checksInvariants() {
#ifndef NDEBUG
  return true;
#else
  return !request().empty();
#endif
}

void atBorder(const Twine &Record, function_ref<std::string()> Check) {
  if (!checksInvariants())
    return;
  std::string Problem = Check();
  if (Problem.empty())
    return;
  errs() << "gpu-estimate: internal error: the " << Record
         << " is inconsistent: " << Problem << '\n';
  if (request() != "report")
    std::_Exit(InternalError);
}

} // namespace gpuestimate
