/// \file
/// The annotated source: every line with its share of the time.
#include "HtmlParts.h"

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

class AnnotatedSource {
public:
  AnnotatedSource(raw_ostream &OS, const Analysis &A,
                  const ExplainedPrediction &E, ArrayRef<std::string> Silenced,
                  unsigned Section)
      : OS(OS), E(E), Section(Section) {
    for (const LineCost &Line : E.Estimate.Lines)
      Costs[{Line.Where.File, Line.Where.Line}] = &Line;
    Analysis One;
    One.Estimates.push_back(E);
    One.Errors = A.Errors;
    One.AllFindings = true;
    for (const BudgetCheck &C : A.Budgets)
      if (C.Kernel == E.Estimate.Kernel && C.Gpu == E.Estimate.Gpu &&
          C.Time == E.Estimate.Time)
        One.Budgets.push_back(C);
    for (Diagnostic &D : diagnose(One, Silenced))
      if (D.Location.isValid())
        Said[{D.Location.File, D.Location.Line}].push_back(std::move(D));
  }
  void print();

private:
  using Place = std::pair<std::string, unsigned>;
  void excerpt(const SourceExcerpt &Text);
  void line(const Place &Where, StringRef Text);
  void notes(const Place &Where);

  raw_ostream &OS;
  const ExplainedPrediction &E;
  unsigned Section;
  std::map<Place, const LineCost *> Costs;
  std::map<Place, std::vector<Diagnostic>> Said;
};

} // namespace

void AnnotatedSource::line(const Place &Where, StringRef Text) {
  auto Cost = Costs.find(Where);
  OS << "<tr id=\""
     << lineAnchor(E, Section, SourceLocation{Where.first, Where.second})
     << "\"><td class=\"number\">" << Where.second << "</td>";
  if (Cost == Costs.end()) {
    OS << "<td class=\"cost\"></td><td class=\"code\">" << escaped(Text)
       << "</td><td></td></tr>\n";
    return;
  }
  const LineCost &Line = *Cost->second;
  OS << "<td class=\"cost\" style=\"--share: "
     << format("%.1f%%", 100 * Line.Share) << "\">"
     << escaped(formatPercent(Line.Share)) << "</td><td class=\"code\">"
     << escaped(Text) << "</td><td class=\"parts\">";
  ListSeparator Comma;
  for (const auto &[Component, Fraction] : Line.Parts)
    if (Fraction >= 0.005)
      OS << StringRef(Comma) << escaped(Component) << ' '
         << formatPercent(Fraction);
  OS << "</td></tr>\n";
}

void AnnotatedSource::notes(const Place &Where) {
  auto Entry = Said.find(Where);
  if (Entry == Said.end())
    return;
  for (const Diagnostic &D : Entry->second) {
    OS << "<tr class=\"note\"><td></td><td></td><td colspan=\"2\"><div>"
       << escaped(D.textWithGroup());
    for (const DiagnosticNote &N : D.Notes)
      OS << "<br>" << escaped(N.Text)
         << (N.Location.isValid() ? " (" + escaped(N.Location.brief()) + ")"
                                  : "");
    OS << "</div></td></tr>\n";
  }
}

void AnnotatedSource::excerpt(const SourceExcerpt &Text) {
  OS << "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\""
     << "Source of " << escaped(Text.File)
     << "\">\n<table class=\"source\"><caption class=\"pale name\">"
     << escaped(Text.File)
     << "</caption>\n<thead><tr><th scope=\"col\">line</th><th "
        "scope=\"col\">time</th><th scope=\"col\" class=\"name\">source</th>"
        "<th scope=\"col\" class=\"name\">components</th></tr></thead>\n"
        "<tbody>\n";
  for (auto [I, Line] : enumerate(Text.Lines)) {
    Place Where = {Text.File, Text.First + static_cast<unsigned>(I)};
    line(Where, Line);
    notes(Where);
  }
  OS << "</tbody>\n</table>\n</div>\n";
}

void AnnotatedSource::print() {
  OS << "<h3>Source with its costs</h3>\n";
  double OffLineShare = 0;
  std::string Parts;
  for (const auto &[Component, Fraction] : E.Estimate.OffLine) {
    OffLineShare += Fraction;
    Parts +=
        (Parts.empty() ? "" : ", ") + Component + " " + formatPercent(Fraction);
  }
  OS << "<p class=\"pale\">Share of the predicted time. ";
  if (OffLineShare > 0)
    OS << "No line: " << escaped(formatPercent(OffLineShare)) << " ("
       << escaped(Parts) << ").";
  OS << "</p>\n";
  for (const SourceExcerpt &Text : E.Charts->Source)
    excerpt(Text);
}

void printSource(raw_ostream &OS, const Analysis &A,
                 const ExplainedPrediction &E, ArrayRef<std::string> Silenced,
                 unsigned Section) {
  if (E.Charts)
    AnnotatedSource(OS, A, E, Silenced, Section).print();
}

std::string lineAnchor(const ExplainedPrediction &E, unsigned Section,
                       const SourceLocation &Where) {
  if (E.Charts)
    for (auto [I, Text] : enumerate(E.Charts->Source))
      if (Text.File == Where.File && Where.Line >= Text.First &&
          Where.Line < Text.First + Text.Lines.size())
        return ("s" + Twine(Section) + "-f" + Twine(I + 1) + "-" +
                Twine(Where.Line))
            .str();
  return "";
}

} // namespace gpuestimate
