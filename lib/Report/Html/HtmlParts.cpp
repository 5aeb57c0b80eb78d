#include "HtmlParts.h"

#include "Report/Charts/Style.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

void beginPage(raw_ostream &OS, StringRef Title, StringRef ToolVersion) {
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"
     << escaped(Title) << "</title>\n<style>" << baseStyle()
     << chartStyle(/*Alone=*/false) << reportStyle()
     << "</style>\n</head>\n<body>\n<header>\n<p class=\"brand\">gpu-estimate "
     << escaped(ToolVersion) << "</p>\n<h1>" << escaped(Title)
     << "</h1>\n<p class=\"pale\">Predicted without a GPU; "
        "docs/html-report.md says how to read it. Tab enters a chart, arrow "
        "keys go from point to point.</p>\n</header>\n";
}

void endPage(raw_ostream &OS, const Analysis &A) {
  if (!A.Unresolveds.empty()) {
    OS << "<section>\n<h2>No estimate</h2>\n<ul>\n";
    for (const Unresolved &U : A.Unresolveds)
      OS << "<li>" << escaped(U.Name) << " (" << escaped(U.Location.brief())
         << "): " << escaped(U.Reason) << "</li>\n";
    OS << "</ul>\n</section>\n";
  }
  if (!A.Notices.empty()) {
    OS << "<section>\n<h2>About the input</h2>\n<ul>\n";
    for (const Notice &N : A.Notices)
      OS << "<li>"
         << (N.Location.isValid() ? escaped(N.Location.brief()) + ": " : "")
         << escaped(N.Text) << "</li>\n";
    OS << "</ul>\n</section>\n";
  }
  OS << "<script>" << reportScript() << "</script>\n</body>\n</html>\n";
}

void printData(raw_ostream &OS, StringRef Id, StringRef Json) {
  OS << "<script type=\"application/json\"";
  if (!Id.empty())
    OS << " id=\"" << Id << '"';
  OS << '>';
  for (char C : Json) // `<` could end the element
    if (C == '<')
      OS << "\\u003c";
    else
      OS << C;
  OS << "</script>\n";
}

void printVersions(raw_ostream &OS, StringRef Before, StringRef After) {
  json::Array Components;
  for (const ComponentInfo &C : componentTable())
    Components.push_back(C.Name);
  printData(OS, "components",
            formatv("{0}", json::Value(std::move(Components))).str());
  if (!Before.empty())
    printData(OS, "before", Before);
  printData(OS, "after", After);
  OS << "<div id=\"comparison\"></div>\n";
}

void printContents(raw_ostream &OS, ArrayRef<std::string> Sections) {
  if (Sections.size() < 2)
    return;
  OS << "<nav aria-label=\"Estimates\">\n<ol>\n";
  for (auto [I, Title] : enumerate(Sections))
    OS << "<li><a href=\"#s" << I + 1 << "\">" << escaped(Title)
       << "</a></li>\n";
  OS << "</ol>\n</nav>\n";
}

void printTable(raw_ostream &OS, const DataTable &T, StringRef Label,
                StringRef UsedRow) {
  auto IsName = [&](size_t Column) {
    return none_of(T.Rows, [&](const std::vector<Cell> &Row) {
      return Row[Column].Number.has_value();
    });
  };
  OS << "<div class=\"wide\">\n<table aria-label=\"" << escaped(Label) << '"';
  // Columns of numbers, from 1, for the style sheet; cells without a class of
  // their own keep pages small.
  std::string Right;
  for (size_t I = 0; I < T.Heads.size(); ++I)
    if (!IsName(I))
      Right += (Right.empty() ? "r" : " r") + std::to_string(I + 1);
  if (!Right.empty())
    OS << " class=\"" << Right << '"';
  OS << ">\n<thead><tr>";
  for (auto [I, Head] : enumerate(T.Heads))
    OS << "<th scope=\"col\"" << (IsName(I) ? " class=\"name\"" : "")
       << "><button>" << escaped(Head) << "</button></th>";
  OS << "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell> &Row : T.Rows) {
    bool IsUsed = !UsedRow.empty() && Row.front().Text == UsedRow;
    OS << (IsUsed ? "<tr class=\"used\">" : "<tr>");
    for (const Cell &C : Row)
      OS << "<td>" << escaped(C.Text) << "</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody>\n</table>\n</div>\n";
}

void addRow(DataTable &To, const CellList &Row) {
  To.Heads = Row.Heads;
  To.Rows.push_back(Row.Cells);
}

void printCharts(raw_ostream &OS, ArrayRef<Chart> Charts, unsigned Section) {
  OS << "<div class=\"charts\">\n";
  for (const Chart &C : Charts) {
    OS << "<figure id=\"s" << Section << '-' << C.Name << "\">\n<h4>"
       << escaped(C.Title) << "</h4>\n<div class=\"picture\">\n"
       << svg(C, /*Alone=*/false)
       << "</div>\n<p class=\"said\" aria-live=\"polite\"></p>\n<figcaption>"
       << escaped(C.Caption) << "</figcaption>\n";
    if (!C.Data.Heads.empty()) {
      OS << "<details><summary>Numbers</summary>\n";
      printTable(OS, C.Data, C.Title);
      OS << "</details>\n";
    }
    OS << "</figure>\n";
  }
  OS << "</div>\n";
}

void printSummary(raw_ostream &OS, ArrayRef<SummaryFigure> Figures,
                  StringRef FindingsTitle, ArrayRef<std::string> Findings,
                  StringRef Nothing) {
  OS << "<div class=\"summary\">\n<dl>\n";
  for (const SummaryFigure &F : Figures)
    OS << "<div><dt>" << escaped(F.Name) << "</dt><dd class=\"value\">"
       << escaped(F.Value) << "</dd><dd class=\"pale\">" << escaped(F.Note)
       << "</dd></div>\n";
  OS << "</dl>\n<h3>" << escaped(FindingsTitle) << "</h3>\n";
  if (Findings.empty()) {
    OS << "<p>" << escaped(Nothing) << "</p>\n</div>\n";
    return;
  }
  OS << "<ol>\n";
  for (const std::string &Finding : Findings)
    OS << "<li>" << Finding << "</li>\n";
  OS << "</ol>\n</div>\n";
}

void printFact(raw_ostream &OS, StringRef Name, StringRef Value) {
  OS << "<dt>" << escaped(Name) << "</dt><dd>" << escaped(Value) << "</dd>\n";
}

} // namespace gpuestimate
