#include "HtmlParts.h"

#include "Report/Charts/Style.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

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
     << escaped(Title) << "</title>\n<style>" << baseStyle() << chartStyle()
     << reportStyle() << "</style>\n</head>\n<body>\n<header>\n<h1>"
     << escaped(Title) << "</h1>\n<p class=\"pale\">gpu-estimate "
     << escaped(ToolVersion)
     << ". Predicted without a GPU; docs/html-report.md says how to read it. "
        "Tab enters a chart, arrow keys go from point to "
        "point.</p>\n</header>\n";
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
  OS << "<div class=\"wide\">\n<table aria-label=\"" << escaped(Label)
     << "\">\n<thead><tr>";
  for (auto [I, Head] : enumerate(T.Heads))
    OS << "<th scope=\"col\"" << (IsName(I) ? " class=\"name\"" : "")
       << "><button type=\"button\">" << escaped(Head) << "</button></th>";
  OS << "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell> &Row : T.Rows) {
    bool IsUsed = !UsedRow.empty() && Row.front().Text == UsedRow;
    OS << (IsUsed ? "<tr class=\"used\">" : "<tr>");
    for (auto [I, C] : enumerate(Row)) {
      OS << "<td" << (IsName(I) ? " class=\"name\"" : "");
      if (C.Number)
        OS << " data-value=\"" << format("%.9g", *C.Number) << '"';
      OS << '>' << escaped(C.Text) << "</td>";
    }
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

void printFact(raw_ostream &OS, StringRef Name, StringRef Value) {
  OS << "<dt>" << escaped(Name) << "</dt><dd>" << escaped(Value) << "</dd>\n";
}

} // namespace gpuestimate
