/// \file
/// `gpu-estimate doctor`: what is found on this machine, and what is not.
#include "Doctor.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

bool isComplete(ArrayRef<InstalledComponent> Components) {
  return all_of(Components, [](const InstalledComponent &C) {
    return !C.Required || C.Finding.State == ComponentFinding::Found;
  });
}

/// "12.4, /usr/local/cuda"
static std::string place(const ComponentFinding &F) {
  return F.Version + (F.Version.empty() || F.Path.empty() ? "" : ", ") + F.Path;
}

static void printLine(raw_ostream &OS, StringRef Label, StringRef Text) {
  if (!Text.empty())
    OS << "      " << Label << Text << '\n';
}

static void printFound(raw_ostream &OS, const InstalledComponent &C) {
  OS << "  " << C.Name << ": " << place(C.Finding) << '\n';
  printLine(OS, "note: ", C.Finding.Problem);
}

static void printAbsent(raw_ostream &OS, const InstalledComponent &C) {
  std::string Where = place(C.Finding);
  OS << "  " << C.Name << (Where.empty() ? "" : ": " + Where) << '\n';
  printLine(OS, "why:  ", C.Finding.Problem);
  printLine(OS, "adds: ", C.Adds);
  printLine(OS, "get:  ", C.Install);
}

void printMachine(raw_ostream &OS, ArrayRef<InstalledComponent> Components) {
  OS << "gpu-estimate " << toolVersion()
     << (isComplete(Components) ? ": all of its own parts are here\n"
                                : ": parts of its own are missing\n");
  struct {
    StringLiteral Title;
    bool Required, IsFound;
  } Parts[] = {{"missing parts of gpu-estimate", true, false},
               {"parts of gpu-estimate", true, true},
               {"found on this machine", false, true},
               {"not found, and needed only for what each adds", false, false}};
  for (const auto &Part : Parts) {
    bool First = true;
    for (const InstalledComponent &C : Components) {
      bool IsFound = C.Finding.State == ComponentFinding::Found;
      if (C.Required != Part.Required || IsFound != Part.IsFound)
        continue;
      if (First)
        OS << '\n' << Part.Title << '\n';
      First = false;
      IsFound ? printFound(OS, C) : printAbsent(OS, C);
    }
  }
}

static StringRef stateName(ComponentFinding::StateType S) {
  switch (S) {
  case ComponentFinding::Missing:
    return "missing";
  case ComponentFinding::Broken:
    return "broken";
  case ComponentFinding::Found:
    return "found";
  }
  llvm_unreachable("all states are named");
}

static void printMachineJson(raw_ostream &OS,
                             ArrayRef<InstalledComponent> Components) {
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-doctor/1");
    J.attribute("tool_version", toolVersion());
    J.attribute("complete", isComplete(Components));
    J.attributeArray("components", [&] {
      for (const InstalledComponent &C : Components)
        J.object([&] {
          J.attribute("name", C.Name);
          J.attribute("required", C.Required);
          J.attribute("state", stateName(C.Finding.State));
          J.attribute("version", C.Finding.Version);
          J.attribute("path", C.Finding.Path);
          J.attribute("problem", C.Finding.Problem);
          J.attribute("adds", C.Adds);
          J.attribute("install", C.Install);
        });
    });
  });
  OS << '\n';
}

ExitStatus runDoctor(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  std::vector<InstalledComponent> Components = inspectMachine(O.ModelFolder);
  std::string Text;
  raw_string_ostream OS(Text);
  if (O.Format == OutputFormat::Json)
    printMachineJson(OS, Components);
  else
    printMachine(OS, Components);
  ExitStatus Status = writeOutput(O, OS.str(), Out, Err);
  return Status == Done && !isComplete(Components) ? NotAnalysed : Status;
}

} // namespace gpuestimate
