/// \file
/// What a cache makes of footprints: reuse that it provides, within a launch
/// and from one launch to the next, and what it writes back.
#include "TrafficLevels.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double LayerModel::ofMember(unsigned Group, unsigned Member) const {
  const AccessGroup &G = *Groups[Group];
  const double &Start = G.Starts[Member];
  auto of = [&] { return footprint(G, Start, 0, View.Resident, View.Line); };
  // Whole lines away it is the same.
  double InLine = Start - View.Line * std::floor(Start / View.Line);
  if (InLine != std::floor(InLine) || InLine < 0 || InLine >= View.Line)
    return of();
  std::vector<double> &Known = OfMembers[G.Kind];
  if (Known.empty())
    Known.assign(View.Line, -1);
  double &Bytes = Known[unsigned(InLine)];
  if (Bytes < 0)
    Bytes = of();
  return Bytes;
}

double LayerModel::passing(unsigned Group) const {
  const AccessGroup &G = *Groups[Group];
  double Own = ofMember(Group, 0), Between = 0;
  unsigned First = G.Members.front(), Last = G.Members.back();
  if (First == Last || !spendWork(1 + Groups.size() / 16))
    return Own;
  for (auto [Index, Other] : llvm::enumerate(Groups)) {
    if (Other == &G || Other->Pattern.Chain != G.Pattern.Chain)
      continue;
    auto begin = llvm::upper_bound(Other->Members, First);
    for (unsigned I = begin - Other->Members.begin();
         I < Other->Members.size() && Other->Members[I] < Last; ++I)
      Between += ofMember(Index, I);
  }
  return Own + Between / std::max<size_t>(1, G.Members.size() - 1);
}

double LayerModel::capturedAfter(double Blocks) const {
  auto Known = After.find(Blocks);
  return Known != After.end() ? Known->second
                              : After[Blocks] = windowCaptured(Blocks);
}

double LayerModel::windowCaptured(double Blocks) const {
  if (Blocks >= View.All)
    return View.captured(everything());
  double Waves = std::max(1.0, Blocks / View.Resident);
  double Fewer = std::floor(Waves), Share = Waves - Fewer;
  auto of = [&](double Whole) {
    return capturedOver(std::min(View.All, Whole * View.Resident));
  };
  return (1 - Share) * of(Fewer) + (Share > 0 ? Share * of(Fewer + 1) : 0);
}

double LayerModel::capturedOver(double Blocks, double Copies) const {
  auto captured = [&](double Room) { return View.captured(Room, Copies); };
  auto room = [&](RowsMet Rows) { return volume(-1, Blocks, -1, Rows); };
  double Mean = room(RowsMet::Mean);
  double Fewest = room(RowsMet::Fewest), Most = room(RowsMet::Most);
  if (Most <= Fewest)
    return captured(Mean);
  double OfMost = std::clamp((Mean - Fewest) / (Most - Fewest), 0.0, 1.0);
  return (1 - OfMost) * captured(Fewest) + OfMost * captured(Most);
}

double LayerModel::ofResident(
    llvm::function_ref<double(double Blocks)> Captured) const {
  double Fewer = std::floor(View.All), Share = View.All - Fewer, Sum = 0,
         Work = 0;
  // Caches with so many blocks, of which some are in the last row.
  auto add = [&](double Caches, double Blocks, double InLastRow) {
    if (Caches * Blocks <= 1e-9)
      return;
    double Rest = Blocks - std::ceil(Blocks / View.Slots - 1) * View.Slots,
           Full = Blocks - Rest;
    Rest -= std::min(InLastRow, Rest) * (1 - View.LastShare);
    Sum += Caches * Rest * Captured(Rest);
    if (Full > 0)
      Sum += Caches * Full * Captured(View.Slots);
    Work += Caches * (Full + Rest);
  };
  // Those that have one block more have it at the end.
  double Whole = View.LastShare < 1 ? std::floor(View.LastRow) : 0,
         Part = View.LastShare < 1 ? View.LastRow - Whole : 0,
         More = std::min(Part, Share);
  add(More, Fewer + 1, Whole + 1);
  add(Share - More, Fewer + 1, Whole);
  add(Part - More, Fewer, Whole + 1);
  add(1 - Share - (Part - More), Fewer, Whole);
  return Work > 0 ? Sum / Work : 0;
}

llvm::ArrayRef<double> LayerModel::phases(int Loop) const {
  auto [Slot, New] = Phases.try_emplace(Loop);
  std::vector<double> &Ends = Slot->second;
  if (!New)
    return Ends;
  for (unsigned I = 0; Inner && Loop >= 0 && I < Groups.size(); ++I) {
    const AccessPattern &P = Groups[I]->Pattern;
    auto At = llvm::find(P.Chain, unsigned(Loop));
    if (At == P.Chain.end() || !InInner[I] || !isFreshAtOnce(I))
      continue;
    double Fresh = freshShare(I, At - P.Chain.begin(), View.Resident);
    if (Fresh > 0 && Fresh < 1)
      Ends.push_back(Fresh);
  }
  llvm::sort(Ends);
  Ends.erase(std::unique(Ends.begin(), Ends.end()), Ends.end());
  Ends.push_back(1);
  return Ends;
}

double LayerModel::copies(double Sharers) const {
  double Parts = View.Partitions;
  return Parts * (1 - std::pow(1 - 1 / Parts, Sharers));
}

double LayerModel::capturedIn(int Loop, double Held, double Copies) const {
  llvm::ArrayRef<double> Ends = phases(Loop);
  return ofResident([&](double Blocks) {
    double Sum = 0, Begin = 0;
    for (double End : Ends) {
      double Phase = Ends.size() > 1 ? (Begin + End) / 2 : -1;
      Sum +=
          (End - Begin) * capturedAt(volume(Loop, Blocks, Phase), Held, Copies);
      Begin = End;
    }
    return Sum;
  });
}

double LayerModel::capturedAt(double Distance, double Held,
                              double Copies) const {
  return View.captured(std::min(Distance, 2 * std::max(0.0, Distance - Held)),
                       Copies);
}

double LayerModel::heldInside(unsigned Group, int Loop) const {
  const AccessGroup &G = *Groups[Group];
  if (!Inner || G.Pattern.Role != CacheRole::Private)
    return 0;
  bool Modified = llvm::any_of(Groups, [&](const AccessGroup *Other) {
    return Other->Footprint == G.Footprint && Other->Modifies &&
           (Loop < 0 || llvm::is_contained(Other->Pattern.Chain, Loop));
  });
  if (!Modified)
    return 0;
  double Caches = Inner->View.Blocks / Inner->View.All;
  return std::min(Inner->View.capacity() * Caches,
                  footprint(Group, G.Pattern.Chain.size(), View.Resident));
}

double LayerModel::capturedNear(unsigned Group) const {
  const AccessPattern &P = Groups[Group]->Pattern;
  int Innermost = P.Chain.empty() ? -1 : int(P.Chain[0]);
  double Near = passing(Group), Copies = copies(1 / distinctInStep(Group));
  return ofResident([&](double Blocks) {
    return View.captured(std::min(volume(Innermost, Blocks), Near), Copies);
  });
}

double
LayerModel::beyondInner(unsigned Group, double Captured,
                        llvm::function_ref<double(unsigned)> ByInner) const {
  if (!InInner[Group])
    return Captured;
  double Before = ByInner(*InInner[Group]);
  return Before < 1 ? std::max(0.0, Captured - Before) / (1 - Before)
                    : Captured;
}

double LayerModel::caughtNear(unsigned Group) const {
  return beyondInner(Group, capturedNear(Group),
                     [&](unsigned Same) { return Inner->capturedNear(Same); });
}

double LayerModel::caughtIn(unsigned Group, int Loop) const {
  double Copies = copies(1 / distinctInStep(Group));
  return beyondInner(Group, capturedIn(Loop, heldInside(Group, Loop), Copies),
                     [&](unsigned) { return Inner->capturedIn(Loop); });
}

int LayerModel::section(unsigned Group) const {
  const std::vector<unsigned> &Chain = Groups[Group]->Pattern.Chain;
  return Chain.empty() ? -1 - int(Group) : int(Chain.back());
}

double LayerModel::capturedBetween(unsigned Earlier, unsigned Later,
                                   double Held) const {
  double Copies = copies(1 / distinctInStep(Earlier));
  // Blocks get out of step by more than the time of a few requests.
  if (section(Earlier) == section(Later) || section(Earlier) < 0 ||
      section(Later) < 0)
    return capturedIn(-1, Held, Copies);
  return ofResident([&](double Blocks) {
    PartsBetween Parts = partsBetween(Earlier, Later, Blocks, false);
    return Parts.mean([&](double Place) {
      return capturedAt(Parts.passing(Place), Held, Copies);
    });
  });
}

bool LayerModel::isStoredBefore(unsigned Group) const {
  return !Groups[Group]->Writes &&
         llvm::any_of(Groups, [&](const AccessGroup *Other) {
           return Other->Writes && Other->Base == Groups[Group]->Base &&
                  Other->Members.front() < Groups[Group]->Members.front();
         });
}

static bool reads(const AccessGroup &G) {
  CacheRole Role = G.Pattern.Role;
  return Role == CacheRole::CachedLoad || Role == CacheRole::Load ||
         (Role == CacheRole::Private && !G.Writes);
}

double LayerModel::fetchedAlone(unsigned Group, double Asked,
                                bool OneByOne) const {
  const AccessGroup &G = *Groups[Group];
  const AccessPattern &P = G.Pattern;
  // A fill may be larger than what was asked for.
  double Bytes = Asked * std::max(1.0, double(fill(G)) / P.Sector),
         Fetched = Bytes;
  double InStep = OneByOne ? 1 : View.Resident; // blocks
  double Executions = 1; // of a level by each number of blocks
  for (double T : P.Trips)
    Executions *= T;
  // No cache fetches more than each of its blocks alone would.
  auto step = [&](unsigned Loops, double Blocks, double Captured) {
    double Next = std::min({Bytes, Executions * total(Group, Loops, Blocks),
                            Executions * View.Blocks * View.Present *
                                G.Executed * footprint(Group, Loops, 1)});
    Fetched -= Captured * (Bytes - Next);
    Bytes = Next;
  };
  unsigned Depth = P.Chain.size();
  unsigned Loops = P.DrawnSectors > 0 ? P.RegularLoops : Depth;
  if (P.DrawnSectors == 0) {
    step(0, InStep, caughtNear(Group));
  } else {
    // Fields of one element. A warp issues loads that wait for nothing one
    // after the other, before any other warp has its turn.
    auto join = [&](bool OfBlock) {
      double Next = std::min(Bytes, G.Sectors * fill(G) *
                                        perDraw(G, 0, fill(G), OfBlock));
      if (Next < Bytes)
        Fetched -=
            (OfBlock && reads(G) ? 1 : caughtNear(Group)) * (Bytes - Next);
      Bytes = Next;
    };
    join(/*OfBlock=*/true);
    join(/*OfBlock=*/false);
  }
  for (unsigned I = 0; I < Loops; ++I) {
    Executions /= P.Trips[I];
    step(I + 1, InStep, caughtIn(Group, P.Chain[I]));
  }
  if (P.DrawnSectors > 0)
    return fetchedDrawn(Group, Fetched);
  if (isByChance(P)) {
    // Nothing is in any of the caches before it is fetched once.
    double Once =
        std::min(P.ObjectBytes, coveredBy(G, G.Starts, Depth, View.Blocks,
                                          fill(G), RowsMet::Mean)) *
        std::min(1.0, G.Executed);
    Fetched -=
        std::min(savedByChance(Group, Bytes), std::max(0.0, Bytes - Once));
    return std::max(0.0, Fetched);
  }
  if (OneByOne) {
    for (const BlockLevel &Level : levelsOneByOne(Group))
      step(Depth, Level.Blocks, Level.Captured);
    return std::max(0.0, Fetched);
  }
  double Now = View.Resident;
  for (double Next : blockLevels(P)) {
    step(Depth, Next, capturedAfter(Now));
    Now = Next;
  }
  // Every word of a private object is written before it is read, and written
  // without a fetch; it leaves once more after the last use, unless the next
  // block in this place finds it.
  if (P.Role == CacheRole::Private && !isStoredBefore(Group))
    Fetched -= Bytes * capturedIn(-1, heldInside(Group, -1));
  return std::max(0.0, Fetched);
}

double LayerModel::fetchedAlike(unsigned Group, double Asked) const {
  auto [Slot, New] =
      Alone.try_emplace({Groups[Group]->Kind, llvm::bit_cast<uint64_t>(Asked)});
  if (!New)
    return Slot->second;
  double Fetched = fetchedAlone(Group, Asked, /*OneByOne=*/false);
  if (View.InStep < 1 && goesOneByOne(Group))
    Fetched = View.InStep * Fetched +
              (1 - View.InStep) * fetchedAlone(Group, Asked, /*OneByOne=*/true);
  Slot->second = Fetched;
  return Slot->second;
}

double LayerModel::total(unsigned Group, unsigned Loops, double Blocks) const {
  double Fewer = std::floor(View.All), Share = View.All - Fewer, Sum = 0;
  for (auto [Count, Weight] :
       {std::pair(Fewer, 1 - Share), {Fewer + 1, Share}}) {
    // All of a cache's blocks are one window, also where it has one more.
    double Full = Blocks < View.All ? std::floor(Count / Blocks + 1e-9) : 0,
           Rest = Count - Full * Blocks;
    if (Weight > 0 && Full > 0)
      Sum += Weight * Full * footprint(Group, Loops, Blocks);
    if (Weight > 0 && Rest > 1e-6)
      Sum += Weight * footprint(Group, Loops, Rest);
  }
  // Windows beyond the guard find nothing.
  const AccessPattern &P = Groups[Group]->Pattern;
  for (const BlockDigit &D : along(P))
    if (D.Unit >= among(P, Blocks))
      Sum *= D.Reached;
  return Sum * View.Blocks / View.All;
}

std::vector<double> LayerModel::fetched(llvm::ArrayRef<double> Asked) const {
  std::vector<double> Out;
  for (unsigned I = 0; I < Groups.size(); ++I)
    Out.push_back(View.Gone > 0 ? fetchedAlike(I, Asked[I]) : Asked[I]);
  if (View.Gone > 0) {
    shareObjects(Out);
    findWhatWasWritten(Out);
  }
  return Out;
}

} // namespace gpuestimate
