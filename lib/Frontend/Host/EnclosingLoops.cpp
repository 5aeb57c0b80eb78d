/// \file
/// Repetitions and variants of a launch in loops.
#include "EnclosingLoops.h"

#include "IterationSpace.h"
#include <algorithm>

namespace gpuestimate {

EnclosingRegions enclosingRegions(const CallFrame &Frame, ProgramPoint Point) {
  EnclosingRegions Result;
  const CallFrame *Caller = &Frame;
  while (Caller) {
    for (const Scope *S = Point.Enclosing; S; S = S->Parent)
      if (S->Kind == Scope::Loop)
        Result.Loops.push_back({S, Caller});
      else if (S->Condition)
        Result.Branches.push_back({S, Caller});
    Point = Caller->CallPoint;
    Caller = Caller->Call ? Caller->Caller : nullptr;
  }
  std::reverse(Result.Loops.begin(), Result.Loops.end());
  return Result;
}

namespace {

bool same(const llvm::StringMap<double> &A, const llvm::StringMap<double> &B) {
  for (const auto &Entry : A)
    if (auto It = B.find(Entry.getKey());
        It == B.end() || It->second != Entry.getValue())
      return false;
  return true;
}

void chooseVariants(const std::vector<llvm::StringMap<double>> &Iterations,
                    LaunchSite &Site) {
  std::vector<LaunchVariant> Different;
  for (const auto &Point : Iterations) {
    auto It = llvm::find_if(Different, [&](const LaunchVariant &V) {
      return same(V.Values, Point);
    });
    if (It != Different.end())
      It->Weight += 1;
    else if (Different.size() <= LaunchSite::MaxVariants)
      Different.push_back({Point, 1});
  }
  if (Different.size() <= LaunchSite::MaxVariants) {
    Site.Variants = std::move(Different);
    return;
  }
  size_t Total = Iterations.size();
  for (unsigned I = 0; I < LaunchSite::MaxVariants; ++I) {
    size_t Begin = Total * I / LaunchSite::MaxVariants;
    size_t End = Total * (I + 1) / LaunchSite::MaxVariants;
    Site.Variants.push_back(
        {Iterations[(Begin + End - 1) / 2], static_cast<double>(End - Begin)});
  }
}

} // namespace

void describeLoops(HostAnalysis &Host, const EnclosingRegions &Enclosing,
                   const std::vector<std::string> &Used, LaunchSite &Site) {
  ExprContext &Terms = Host.Terms;
  IterationSpace N(Host, Enclosing);
  bool Depends = llvm::any_of(
      Used, [&](const std::string &Name) { return N.levelOf(Name) >= 0; });

  // Find the largest number of inner loops that can be enumerated.
  size_t First = 0;
  while (First < N.size() && !N.enumerate(First, Used))
    ++First;
  if (First == N.size())
    N.enumerate(First, {}); // no loops, but conditions
  Site.Repeats = Terms.constant(N.iterations().size());
  for (size_t I = 0; I < First && Site.Repeats; ++I) {
    Expr Count = N.tripCount(I);
    Site.Repeats = Count ? Site.Repeats * Count : Expr();
  }
  if (!Depends)
    return;
  if (First < N.size())
    chooseVariants(N.iterations(), Site);
  for (const std::string &Name : Used)
    if (int Level = N.levelOf(Name);
        Level >= 0 && Level < static_cast<int>(First))
      if (LaunchSite::Range Range; N.range(Name, Range))
        Site.Ranges[Name] = Range;
}

} // namespace gpuestimate
