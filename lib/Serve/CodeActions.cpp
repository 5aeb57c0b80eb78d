#include "CodeActions.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Values that are tried for the threads of a block, or for one side of it:
/// powers of 2, as reductions in shared memory need them.
static constexpr uint64_t BlockSizesToTry[] = {16, 32, 64, 128, 256, 512, 1024};
static constexpr uint64_t MaxThreadsPerBlock = 1024;
/// Resident blocks beyond the present ones that __launch_bounds__ asks for.
static constexpr unsigned MoreBlocksToTry = 2;

std::string applyEdits(const Document &To, ArrayRef<SourceEdit> Edits) {
  std::string Text = To.Text;
  std::vector<std::pair<size_t, const SourceEdit *>> Places;
  for (const SourceEdit &Edit : Edits)
    Places.emplace_back(To.offsetAt(Edit.At.Line, Edit.At.Column), &Edit);
  stable_sort(Places, [](auto &A, auto &B) { return A.first < B.first; });
  for (const auto &[Offset, Edit] : reverse(Places))
    Text.replace(Offset, Edit->Length, Edit->Text);
  return Text;
}

std::vector<const ExplainedPrediction *>
EditSearch::estimatesOf(StringRef Kernel) const {
  std::vector<const ExplainedPrediction *> Found;
  for (const ExplainedPrediction &E : D.result().Estimates)
    if (E.Estimate.Kernel == Kernel)
      Found.push_back(&E);
  return Found;
}

std::vector<std::string> EditSearch::kernelsAt(unsigned First,
                                               unsigned Last) const {
  std::vector<std::string> Kernels;
  auto IsHere = [&](const SourceLocation &At) {
    return D.has(At) && First <= At.Line && At.Line <= Last;
  };
  for (const ExplainedPrediction &E : D.result().Estimates)
    if ((IsHere(E.Estimate.Location) || IsHere(E.Estimate.Used.Location) ||
         any_of(E.Findings,
                [&](const Finding &F) { return IsHere(F.Location); })) &&
        !is_contained(Kernels, E.Estimate.Kernel))
      Kernels.push_back(E.Estimate.Kernel);
  return Kernels;
}

bool EditSearch::hasFinding(StringRef Kernel,
                            std::initializer_list<StringRef> Groups) const {
  return any_of(estimatesOf(Kernel), [&](const ExplainedPrediction *E) {
    return any_of(E->Findings, [&](const Finding &F) {
      return is_contained(Groups, F.Group);
    });
  });
}

/// Blocks of another size may help where a multiprocessor has room for more
/// warps, the last wave is short, or blocks cannot be started fast enough.
bool EditSearch::mayGainByBlock(StringRef Kernel) const {
  return hasFinding(Kernel, {"occupancy", "tail"}) ||
         any_of(estimatesOf(Kernel), [](const ExplainedPrediction *E) {
           return E->Estimate.Occ.Fraction < 1 ||
                  E->Estimate.Bottleneck == "dispatch";
         });
}

/// Bounds that all visible launches keep. A launch that is assumed tells
/// nothing.
void EditSearch::addBounds(const EditSite &Site,
                           std::vector<Candidate> &Into) const {
  uint64_t Threads = 0;
  unsigned Blocks = 0;
  for (const ExplainedPrediction *E : estimatesOf(Site.Kernel)) {
    if (E->Estimate.Used.Source == "default")
      return;
    Threads = std::max(Threads, E->Estimate.Used.threadsPerBlock());
    Blocks = std::max(Blocks, E->Estimate.Occ.BlocksPerSm);
  }
  for (unsigned More = 0; More <= MoreBlocksToTry; ++More)
    Into.push_back(
        {&Site, "__launch_bounds__(" + std::to_string(Threads) +
                    (More ? ", " + std::to_string(Blocks + More) : "") + ")"});
}

std::vector<EditSearch::Candidate>
EditSearch::candidates(StringRef Kernel) const {
  std::vector<Candidate> All;
  for (const EditSite &Site : D.result().Edits) {
    if (Site.Kernel != Kernel ||
        !all_of(Site.Edits, [&](const SourceEdit &E) { return D.has(E.At); }))
      continue;
    switch (Site.Kind) {
    case EditSite::RestrictPointers:
      if (none_of(estimatesOf(Kernel), [](const ExplainedPrediction *E) {
            return any_of(E->Estimate.SharedBuffers, [](const SharedBuffer &B) {
              return B.Pointers.size() > 1;
            });
          }))
        All.push_back({&Site, ""});
      break;
    case EditSite::LaunchBounds:
      if (hasFinding(Kernel, {"occupancy", "spill"}))
        addBounds(Site, All);
      break;
    case EditSite::SharedPadding:
      if (hasFinding(Kernel, {"bank-conflict"}))
        All.push_back({&Site, ""});
      break;
    case EditSite::BlockSize:
      if (mayGainByBlock(Kernel))
        for (uint64_t Size : BlockSizesToTry)
          if (Size != Site.Value)
            All.push_back({&Site, std::to_string(Size)});
      break;
    }
  }
  return All;
}

std::vector<SourceEdit> EditSearch::editsOf(const Candidate &C) const {
  std::vector<SourceEdit> Edits = C.Site->Edits;
  for (SourceEdit &Edit : Edits) {
    if (Edit.Text.empty())
      Edit.Text = C.Text;
    if (C.Site->Kind == EditSite::LaunchBounds && Edit.Length == 0)
      Edit.Text += " ";
  }
  return Edits;
}

/// Does the changed launch cover the same threads, up to a part of a block?
static bool coversTheSame(const Prediction &Old, const Prediction &New) {
  for (unsigned D = 0; D < 3; ++D) {
    auto Before = double(Old.Used.Grid[D] * Old.Used.Block[D]),
         After = double(New.Used.Grid[D] * New.Used.Block[D]);
    if (std::fabs(Before - After) >=
        double(std::max(Old.Used.Block[D], New.Used.Block[D])))
      return false;
  }
  // Shared memory of another size must be that of another number of threads:
  // an array of fixed size may be too small for the new block.
  return New.Used.threadsPerBlock() <= MaxThreadsPerBlock &&
         Old.SharedBytesPerBlock * New.Used.threadsPerBlock() ==
             New.SharedBytesPerBlock * Old.Used.threadsPerBlock();
}

/// What the kernel of the site saves; nothing where the change is not one of
/// the times alone.
std::optional<double> EditSearch::gainOf(const Candidate &C,
                                         const Analysis &Changed) const {
  const Analysis &Old = D.result();
  if (Changed.Estimates.size() != Old.Estimates.size() ||
      Changed.Unresolveds.size() != Old.Unresolveds.size())
    return std::nullopt;
  double Before = 0, After = 0, AllBefore = 0, AllAfter = 0;
  for (const auto &[Was, Is] : zip(Old.Estimates, Changed.Estimates)) {
    const Prediction &P = Was.Estimate, &Q = Is.Estimate;
    if (P.Kernel != Q.Kernel || P.Gpu != Q.Gpu ||
        P.Used.Source != Q.Used.Source)
      return std::nullopt;
    bool IsBlock = C.Site->Kind == EditSite::BlockSize;
    if (IsBlock ? !coversTheSame(P, Q)
                : P.Used.Grid != Q.Used.Grid || P.Used.Block != Q.Used.Block)
      return std::nullopt;
    AllBefore += P.Time.value();
    AllAfter += Q.Time.value();
    if (P.Kernel == C.Site->Kernel) {
      Before += P.Time.value();
      After += Q.Time.value();
    }
  }
  if (Before <= 0 || AllAfter >= AllBefore)
    return std::nullopt;
  return 1 - After / Before;
}

std::string EditSearch::titleOf(const Candidate &C, double Gain) const {
  auto Estimates = estimatesOf(C.Site->Kernel);
  std::string Kernel = "'" + Estimates.front()->Estimate.Name + "'";
  std::string Saves = ": saves " + formatPercent(Gain) + " of its time";
  switch (C.Site->Kind) {
  case EditSite::RestrictPointers:
    return "Add __restrict__ to the pointers of " + Kernel + Saves +
           ", if no two of them overlap";
  case EditSite::LaunchBounds:
    return "Compile " + Kernel + " with " + C.Text + Saves;
  case EditSite::SharedPadding:
    return "Pad the rows of '" + C.Site->Name + "' in " + Kernel + Saves;
  case EditSite::BlockSize:
    return "Launch " + Kernel + " with " + C.Site->Name + " = " + C.Text +
           Saves;
  }
  llvm_unreachable("all kinds have a title");
}

std::vector<CheckedEdit> EditSearch::run(unsigned First, unsigned Last) {
  std::vector<Candidate> All;
  for (const std::string &Kernel : kernelsAt(First, Last))
    append_range(All, candidates(Kernel));
  std::vector<CheckedEdit> Found;
  std::vector<const EditSite *> Sites;
  for (auto [I, C] : enumerate(All)) {
    if (!Watch(I, All.size()))
      return {};
    std::vector<SourceEdit> Edits = editsOf(C);
    Expected<SharedAnalysis> Changed = Analyse(applyEdits(D.Source, Edits));
    if (!Changed) { // it does not compile
      consumeError(Changed.takeError());
      continue;
    }
    std::optional<double> Gain = gainOf(C, **Changed);
    if (!Gain || *Gain < MinimumGain)
      continue;
    CheckedEdit Checked{titleOf(C, *Gain), std::move(Edits), *Gain};
    // A place has its best change only.
    if (auto Same = find(Sites, C.Site); Same != Sites.end()) {
      CheckedEdit &Other = Found[Same - Sites.begin()];
      if (Other.Gain < *Gain)
        Other = std::move(Checked);
      continue;
    }
    Sites.push_back(C.Site);
    Found.push_back(std::move(Checked));
  }
  stable_sort(Found, [](const CheckedEdit &A, const CheckedEdit &B) {
    return A.Gain > B.Gain;
  });
  return Found;
}

json::Array codeActions(const AnalysedDocument &D, ArrayRef<CheckedEdit> Edits,
                        PositionUnit Unit) {
  json::Array Actions;
  for (const CheckedEdit &Checked : Edits) {
    json::Array Changes;
    for (const SourceEdit &Edit : Checked.Edits) {
      size_t From = D.Source.offsetAt(Edit.At.Line, Edit.At.Column);
      Changes.push_back(json::Object{
          {"range", rangeJson(D.Source.positionOf(From, Unit),
                              D.Source.positionOf(From + Edit.Length, Unit))},
          {"newText", Edit.Text}});
    }
    json::Object ByUri;
    ByUri[uriOfPath(D.Source.Path)] = std::move(Changes);
    Actions.push_back(
        json::Object{{"title", Checked.Title},
                     {"kind", "refactor.rewrite"},
                     {"edit", json::Object{{"changes", std::move(ByUri)}}}});
  }
  return Actions;
}

} // namespace gpuestimate
