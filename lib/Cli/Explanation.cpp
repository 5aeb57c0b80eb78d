/// \file
/// Topics from the tables of names, their texts from the pages of docs/.
#include "gpu-estimate/Cli/Explanation.h"

#include "gpu-estimate/Advice/Bottleneck.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/OccupancyLimits.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Targets/Nest/LimitNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {
struct EmbeddedPage {
  StringLiteral Name, Text;
};
} // namespace

static constexpr EmbeddedPage Pages[] = {
#include "ExplanationPages.inc"
};

StringRef pageText(StringRef Page) {
  const auto *Embedded =
      find_if(Pages, [&](const EmbeddedPage &P) { return P.Name == Page; });
  return Embedded == std::end(Pages) ? StringRef() : StringRef(Embedded->Text);
}

StringRef describe(TopicKind Kind) {
  switch (Kind) {
  case TopicKind::Diagnostic:
    return "group of diagnostics";
  case TopicKind::Bound:
    return "bound of the time";
  case TopicKind::Component:
    return "part of the time";
  case TopicKind::Occupancy:
    return "limit of the occupancy";
  case TopicKind::Cpu:
    return "limit on a CPU (--against cpu)";
  case TopicKind::Fpga:
    return "limit on an FPGA (--against fpga)";
  case TopicKind::Analysis:
    return "limit of the analysis itself";
  }
  llvm_unreachable("all kinds are described");
}

/// Its own page where it has one, else that of Component's group.
static std::string pageOf(StringRef Name, StringRef Component) {
  for (StringRef Candidate : {Name, Component, componentGroup(Component)}) {
    std::string Page = ("limits/" + Candidate).str();
    if (!pageText(Page).empty())
      return Page;
  }
  return "";
}

static Topic diagnosticTopic(const DiagnosticGroupInfo &Row) {
  return {TopicKind::Diagnostic,
          Row.Name.str(),
          Row.Says.str(),
          {("When: " + Row.When).str(),
           ("Silenced with --no-warning " + Row.Name +
            ", made an error with --error " + Row.Name + ".")
               .str()},
          ("diagnostics/" + Row.Name).str()};
}

static Topic boundTopic(const BottleneckInfo &Row) {
  Topic T{TopicKind::Bound,
          Row.Name.str(),
          Row.Words.str(),
          {},
          pageOf(Row.Name, Row.Component)};
  for (const BoundInfo &B : boundTable())
    if (B.name() == Row.Name)
      T.Facts = {
          ("Formula: " + B.Formula +
           (B.Scope == BoundScope::Chip ? " (of the chip)."
                                        : " (of each multiprocessor)."))
              .str(),
          ("Switched off with --without " + name(B.SwitchedOffBy) + ".").str()};
  return T;
}

static Topic componentTopic(const ComponentInfo &Row) {
  Topic T{TopicKind::Component,
          Row.Name.str(),
          Row.Meaning.str(),
          {("Stall reasons of Nsight Compute: " + Row.StallReasons + ".").str(),
           ("Lines are charged by: " + Row.Demand + ".").str()},
          pageOf(Row.Name, Row.Group)};
  for (const TermInfo &Term : termTable())
    if (Term.Name == Row.Name)
      T.Facts.push_back(
          ("Switched off with --without " + Term.Name + ".").str());
  return T;
}

std::vector<Topic> topics() {
  std::vector<Topic> All;
  for (const DiagnosticGroupInfo &Row : diagnosticTable())
    All.push_back(diagnosticTopic(Row));
  for (const BottleneckInfo &Row : bottleneckTable())
    All.push_back(boundTopic(Row));
  for (const ComponentInfo &Row : componentTable())
    All.push_back(componentTopic(Row));
  for (const OccupancyLimitInfo &Row : occupancyLimitTable())
    All.push_back({TopicKind::Occupancy,
                   Row.Name.str(),
                   Row.Meaning.str(),
                   {},
                   "limits/occupancy"});
  for (const MachineLimitInfo &Row : cpuLimitTable())
    All.push_back(
        {TopicKind::Cpu, Row.Name.str(), Row.Meaning.str(), {}, "limits/cpu"});
  for (const MachineLimitInfo &Row : fpgaLimitTable())
    All.push_back({TopicKind::Fpga,
                   Row.Name.str(),
                   Row.Meaning.str(),
                   {},
                   "limits/fpga"});
  All.push_back({TopicKind::Analysis,
                 "deadline",
                 "the work and the processor time of the analysis",
                 {"Set with --deadline, or the plugin's argument deadline."},
                 "limits/deadline"});
  All.push_back({TopicKind::Analysis,
                 "memory-limit",
                 "the memory of the analysis",
                 {"Set with --memory-limit, or the plugin's argument "
                  "memory-limit."},
                 "limits/deadline"});
  return All;
}

/// "[text](target)" becomes "text".
static std::string withoutLinks(StringRef Line) {
  std::string Text;
  while (true) {
    size_t Middle = Line.find("](");
    size_t Begin = Line.take_front(Middle).rfind('[');
    size_t End = Line.find(')', Middle);
    if (Middle == StringRef::npos || Begin == StringRef::npos ||
        End == StringRef::npos)
      return Text + Line.str();
    Text += Line.take_front(Begin).str() + Line.slice(Begin + 1, Middle).str();
    Line = Line.drop_front(End + 1);
  }
}

/// The four parts of a page, its code indented.
static void printPage(raw_ostream &OS, StringRef Markdown) {
  static constexpr StringLiteral Parts[] = {"What", "Example", "Why", "Fix"};
  bool Wanted = false, Code = false;
  SmallVector<StringRef, 64> Lines;
  Markdown.rtrim().split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Code && Line.consume_front("## ")) {
      Wanted = is_contained(Parts, Line);
      if (Wanted)
        OS << Line << ":\n";
    } else if (Line.starts_with("```")) {
      Code = !Code;
    } else if (Wanted) {
      OS << (Line.empty() ? ""
             : Code       ? "    "
                          : "")
         << (Code ? Line.str() : withoutLinks(Line)) << '\n';
    }
  }
}

static void printTopic(raw_ostream &OS, const Topic &T) {
  bool Diagnostic = T.Kind == TopicKind::Diagnostic;
  OS << (Diagnostic ? "-Wgpu-estimate-" : "") << T.Name << ", "
     << describe(T.Kind) << ": " << T.Summary << '\n';
  for (const std::string &Fact : T.Facts)
    OS << "  " << Fact << '\n';
}

static std::string listOfTopics() {
  std::string Text;
  std::optional<TopicKind> Before;
  for (const Topic &T : topics()) {
    Text += Before == T.Kind ? ", " : ("\n  " + describe(T.Kind) + ": ").str();
    Text += T.Name;
    Before = T.Kind;
  }
  return Text;
}

/// The topic that Name means; Only is set if it must be a diagnostic.
static std::string normalized(StringRef Name, bool &Only) {
  Name = Name.trim(" []'`\"");
  if (Name.consume_front("-W")) {
    Only = true;
    if (!Name.consume_front("no-error="))
      Name.consume_front("no-");
    Name.consume_front("error=");
  }
  Only |= Name.consume_front("gpu-estimate-");
  return Name.lower();
}

Expected<std::string> explain(StringRef Name) {
  bool Only = false;
  std::string Wanted = normalized(Name, Only);
  if (Wanted.empty())
    return make_error<UsageError>("--explain needs a name; there are:" +
                                  listOfTopics());
  std::vector<std::string> Topics;
  std::vector<Topic> Found;
  for (Topic &T : topics()) {
    if (Only && T.Kind != TopicKind::Diagnostic)
      continue;
    if (!is_contained(Topics, T.Name))
      Topics.push_back(T.Name);
    std::string Dashed = T.Name;
    std::replace(Dashed.begin(), Dashed.end(), ' ', '-');
    if (Wanted == T.Name || Wanted == Dashed)
      Found.push_back(std::move(T));
  }
  if (Found.empty())
    return make_error<UsageError>(
        (Only ? "--explain: no diagnostic group is called '"
              : "--explain: no diagnostic or limit is called '") +
        Name.str() + "'" + didYouMean(Wanted, Topics) +
        "; gpu-estimate --explain lists them");

  std::string Text;
  raw_string_ostream OS(Text);
  for (size_t I = 0; I < Found.size(); ++I) {
    printTopic(OS, Found[I]);
    if (I + 1 < Found.size() && Found[I + 1].Page == Found[I].Page)
      continue; // one page for both
    OS << '\n';
    printPage(OS, pageText(Found[I].Page));
    OS << "\nPage: docs/" << Found[I].Page << ".md\n"
       << (I + 1 < Found.size() ? "\n" : "");
  }
  return Text;
}

std::string limitReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "# Limits\n\n"
        "<!-- Written by gpu-estimate-docs from the tables of "
        "lib/Cli/Explanation.cpp. -->\n\n"
        "The names are those that a report prints: after *bound by*, in *where "
        "the time goes*, after\n*limited by*, and as limits of other machines. "
        "`gpu-estimate --explain NAME` prints the page\nof a name, also of a "
        "[diagnostic](diagnostics.md). For example, `gpu-estimate "
        "--explain\nl1-bandwidth` prints what the bound means, an example, and "
        "what helps.\n";
  std::optional<TopicKind> Before;
  for (const Topic &T : topics()) {
    if (T.Kind == TopicKind::Diagnostic)
      continue;
    if (Before != T.Kind) {
      std::string Title = describe(T.Kind).str();
      Title[0] = toUpper(Title[0]);
      OS << "\n## " << Title << "\n\n| name | meaning |\n| --- | --- |\n";
    }
    Before = T.Kind;
    OS << "| [`" << T.Name << "`](" << T.Page << ".md) | " << T.Summary
       << " |\n";
  }
  return Page;
}

} // namespace gpuestimate
