/// \file
/// Changes of a source that make its kernels faster, as code actions of the
/// Language Server Protocol.
///
/// The front end finds where a change is possible (Model/Kernel/EditSite.h).
/// Each candidate is applied to the text, and the changed text is analysed: it
/// must compile, launch as many threads as before, and save at least
/// MinimumGain of the time of its kernel. What is told is that gain.
#ifndef GPU_ESTIMATE_LIB_SERVE_CODEACTIONS_H
#define GPU_ESTIMATE_LIB_SERVE_CODEACTIONS_H

#include "EditorAnswers.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

struct CheckedEdit {
  std::string Title; ///< with the gain
  std::vector<SourceEdit> Edits;
  double Gain = 0; ///< 1 - T'/T, where T' is the time after the change
};

/// The text after edits of it; those of one place in their order.
std::string applyEdits(const Document &To, llvm::ArrayRef<SourceEdit> Edits);

class EditSearch {
public:
  /// The analysis of a text in place of the document's, or an error.
  using Analyser =
      llvm::function_ref<llvm::Expected<SharedAnalysis>(const std::string &)>;
  /// Is told how many candidates of how many are analysed; false: stop.
  using Watcher = llvm::function_ref<bool(size_t Done, size_t Of)>;

  EditSearch(const AnalysedDocument &D, Analyser Analyse, Watcher Watch)
      : D(D), Analyse(Analyse), Watch(Watch) {}

  /// For the kernels of which a definition, launch or finding stands on the
  /// lines from First to Last, which count from 1; the largest gain first.
  std::vector<CheckedEdit> run(unsigned First, unsigned Last);

private:
  struct Candidate {
    const EditSite *Site;
    std::string Text; ///< to write where the site has none
  };
  std::vector<std::string> kernelsAt(unsigned First, unsigned Last) const;
  std::vector<const ExplainedPrediction *> estimatesOf(llvm::StringRef) const;
  bool hasFinding(llvm::StringRef Kernel,
                  std::initializer_list<llvm::StringRef> Groups) const;
  bool mayGainByBlock(llvm::StringRef Kernel) const;
  std::vector<Candidate> candidates(llvm::StringRef Kernel) const;
  void addBounds(const EditSite &Site, std::vector<Candidate> &Into) const;
  std::vector<SourceEdit> editsOf(const Candidate &C) const;
  std::optional<double> gainOf(const Candidate &C,
                               const Analysis &Changed) const;
  std::string titleOf(const Candidate &C, double Gain) const;

  const AnalysedDocument &D;
  Analyser Analyse;
  Watcher Watch;
};

/// Items of the answer to textDocument/codeAction.
llvm::json::Array codeActions(const AnalysedDocument &D,
                              llvm::ArrayRef<CheckedEdit> Edits,
                              PositionUnit Unit);

} // namespace gpuestimate

#endif
