/// \file
/// Limits on the work of an analysis, so that no input makes a compile wait.
///
/// Work is counted in *units*: one visit of an IR instruction, of an expression
/// node, of a sampled memory request or of some simulated operations, some 10
/// to 100 ns each. A limit in units gives one result on every machine and under
/// every load. A limit in processor time stands behind it, for work whose units
/// cost more than usual.
///
/// Every loop that can grow with the input calls spendWork() and ends when it
/// returns false; its result is then incomplete and must not be reported. The
/// function that opened the scope asks WorkBudget::exhausted() and reports the
/// limit instead:
/// \code
///   WorkBudget Budget({.Units = 50'000'000});
///   {
///     WorkScope Scope(Budget);
///     Result = analyse(Kernel); // calls spendWork() in its loops
///   }
///   if (Budget.exhausted())
///     return makeUnresolved(Kernel, Budget.reason());
/// \endcode
#ifndef GPU_ESTIMATE_SUPPORT_WORKBUDGET_H
#define GPU_ESTIMATE_SUPPORT_WORKBUDGET_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace gpuestimate {

/// Limits of an analysis; the default is unlimited.
struct WorkLimits {
  uint64_t Units = std::numeric_limits<uint64_t>::max();
  /// Processor time of the thread that spends.
  std::chrono::nanoseconds CpuTime = std::chrono::nanoseconds::max();
  /// Memory that the process takes beyond what it had at the beginning.
  uint64_t MemoryBytes = std::numeric_limits<uint64_t>::max();
  /// Becomes true, in another thread, when nobody waits for the result any
  /// more; null: never.
  const std::atomic<bool> *Cancelled = nullptr;
};

/// A counter of work with limits. Used by one thread at a time.
class WorkBudget {
public:
  explicit WorkBudget(const WorkLimits &Limits);

  /// Adds to the counter. False when a limit has been passed; it stays false.
  bool spend(uint64_t Units) {
    Spent += Units;
    if (Spent >= NextCheck)
      check();
    return !exhausted();
  }

  bool exhausted() const { return Ended != Limit::None; }

  uint64_t spent() const { return Spent; }

  /// Which limit was passed, to stand after "the analysis was ended early: ".
  std::string reason() const;

private:
  enum class Limit { None, Units, CpuTime, Memory, Cancelled };

  void check();
  bool passedCpuTime();

  WorkLimits Limits;
  std::chrono::nanoseconds Began;    ///< processor time of the thread
  uint64_t MemoryAtBegin;            ///< bytes of the process
  std::chrono::nanoseconds LastRead; ///< of the clock
  uint64_t Interval;                 ///< units to the next read of it
  uint64_t Spent = 0;
  uint64_t NextCheck = 0; ///< the clock is read again at this many units
  unsigned Checks = 0;
  Limit Ended = Limit::None;
};

/// Makes Budget the budget of spendWork() on this thread while the scope lives.
/// Scopes nest: work spent in an inner scope counts for all outer budgets.
class WorkScope {
public:
  explicit WorkScope(WorkBudget &Budget);
  ~WorkScope();
  WorkScope(const WorkScope &) = delete;
  WorkScope &operator=(const WorkScope &) = delete;

  bool spend(uint64_t Units) {
    bool IsWithin = Budget.spend(Units);
    return Outer ? Outer->spend(Units) && IsWithin : IsWithin;
  }
  bool exhausted() const {
    return Budget.exhausted() || (Outer && Outer->exhausted());
  }
  /// The innermost budget that is exhausted, or null.
  const WorkBudget *exhaustedBudget() const {
    return Budget.exhausted() ? &Budget
           : Outer            ? Outer->exhaustedBudget()
                              : nullptr;
  }

private:
  WorkBudget &Budget;
  WorkScope *Outer;
};

/// The innermost scope of this thread, or null.
WorkScope *currentWorkScope();

/// Spends from the budgets of this thread. False when one of them is
/// exhausted; always true where no scope is open.
inline bool spendWork(uint64_t Units = 1) {
  WorkScope *Scope = currentWorkScope();
  return !Scope || Scope->spend(Units);
}

/// Is a budget of this thread exhausted? Spends nothing.
inline bool workExhausted() {
  WorkScope *Scope = currentWorkScope();
  return Scope && Scope->exhausted();
}

/// Why the work of this thread must end: WorkBudget::reason() of the innermost
/// budget that is exhausted; "" when none is.
std::string workLimitPassed();

} // namespace gpuestimate

#endif
