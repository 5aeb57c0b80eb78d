#include "gpu-estimate/Report/Json/Sarif.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral SarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json";

namespace {

/// The lines of the sources, for columns.
class Sources {
public:
  /// Converts columns that count bytes from 1 to columns that count code
  /// points.
  unsigned column(const SourceLocation &L) {
    StringRef Line = line(L);
    unsigned Column = std::max(1u, L.Column), Points = 1;
    for (char C : Line.take_front(Column - 1))
      Points += (C & 0xC0) != 0x80; // continuation bytes are none
    return Line.size() + 1 < Column ? Column : Points;
  }

private:
  StringRef line(const SourceLocation &L) {
    auto [Entry, IsNew] = Files.try_emplace(L.File);
    File &F = Entry->second;
    if (IsNew)
      if (auto Text = MemoryBuffer::getFile(L.File)) {
        F.Text = std::move(*Text);
        F.Text->getBuffer().split(F.Lines, '\n');
      }
    return L.Line >= 1 && L.Line <= F.Lines.size() ? F.Lines[L.Line - 1] : "";
  }

  struct File {
    std::unique_ptr<MemoryBuffer> Text;
    SmallVector<StringRef, 0> Lines;
  };
  StringMap<File> Files;
};

} // namespace

/// A path as a reference of a URI: relative ones stay relative.
static std::string uriOf(StringRef Path) {
  std::string Uri = sys::path::is_absolute(Path) ? "file://" : "";
  for (char C : Path) {
    if (isAlnum(C) || StringRef("/-._~").contains(C))
      Uri += C;
    else
      Uri += "%" + toHex(StringRef(&C, 1));
  }
  return Uri;
}

static StringRef levelOf(DiagnosticSeverity Severity) {
  switch (Severity) {
  case DiagnosticSeverity::Remark:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  }
  llvm_unreachable("all severities are levels");
}

static void message(json::OStream &J, StringRef Key, StringRef Text) {
  J.attributeObject(Key, [&] { J.attribute("text", json::fixUTF8(Text)); });
}

static void physical(json::OStream &J, const SourceLocation &L,
                     Sources &Texts) {
  J.attributeObject("physicalLocation", [&] {
    J.attributeObject("artifactLocation",
                      [&] { J.attribute("uri", uriOf(L.File)); });
    J.attributeObject("region", [&] {
      J.attribute("startLine", L.Line);
      J.attribute("startColumn", Texts.column(L));
    });
  });
}

static void result(json::OStream &J, const Diagnostic &D, Sources &Texts) {
  const DiagnosticGroupInfo &Group = info(D.Group);
  J.attribute("ruleId", ("gpu-estimate-" + Group.Name).str());
  J.attribute("ruleIndex", &Group - diagnosticTable().begin());
  J.attribute("level", levelOf(D.Severity));
  message(J, "message", D.Text);
  if (D.Location.isValid())
    J.attributeArray("locations", [&] {
      J.object([&] {
        physical(J, D.Location, Texts);
        if (!D.Function.empty())
          J.attributeArray("logicalLocations", [&] {
            J.object([&] {
              J.attribute("decoratedName", D.Function);
              J.attribute("kind", "function");
            });
          });
      });
    });
  if (D.Notes.empty())
    return;
  auto Place = [&](const DiagnosticNote &N) {
    return N.Location.isValid() ? N.Location : D.Location;
  };
  J.attributeArray("relatedLocations", [&] {
    ArrayRef<DiagnosticNote> Notes = D.Notes;
    for (auto [I, N] : enumerate(Notes)) {
      // The standard requires unique entries.
      SourceLocation L = Place(N);
      if (any_of(Notes.take_front(I), [&](const DiagnosticNote &Before) {
            return Before.Text == N.Text && Place(Before) == L;
          }))
        continue;
      J.object([&] {
        message(J, "message", N.Text);
        if (L.isValid())
          physical(J, L, Texts);
      });
    }
  });
}

void printSarif(raw_ostream &OS, ArrayRef<Diagnostic> Diagnostics,
                StringRef ToolVersion) {
  Sources Texts;
  json::OStream J(OS, /*IndentSize=*/2);
  auto Driver = [&] {
    J.attribute("name", "gpu-estimate");
    J.attribute("version", ToolVersion);
    J.attributeArray("rules", [&] {
      for (const DiagnosticGroupInfo &Row : diagnosticTable())
        J.object([&] {
          J.attribute("id", ("gpu-estimate-" + Row.Name).str());
          message(J, "shortDescription", Row.Says);
          message(J, "fullDescription", Row.When);
          J.attributeObject("defaultConfiguration", [&] {
            J.attribute("level", levelOf(Row.Severity));
          });
        });
    });
  };
  J.object([&] {
    J.attribute("$schema", SarifSchema);
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        J.attributeObject("tool", [&] { J.attributeObject("driver", Driver); });
        J.attribute("columnKind", "unicodeCodePoints");
        J.attributeArray("results", [&] {
          for (const Diagnostic &D : Diagnostics)
            J.object([&] { result(J, D, Texts); });
        });
      });
    });
  });
  OS << '\n';
}

/// A scalar of YAML in single quotes.
static std::string quoted(StringRef Text) {
  std::string Line = "'";
  for (char C : Text) {
    if (C == '\'')
      Line += '\'';
    Line += C == '\n' || C == '\r' ? ' ' : C;
  }
  return Line + "'";
}

void printOptimisationRecords(raw_ostream &OS,
                              ArrayRef<Diagnostic> Diagnostics) {
  for (const Diagnostic &D : Diagnostics) {
    if (D.Function.empty() || !D.Location.isValid())
      continue;
    StringRef Kind = "Missed";
    if (D.Group == DiagnosticGroup::Time)
      Kind = "Passed";
    else if (D.Group == DiagnosticGroup::Assumption ||
             D.Group == DiagnosticGroup::Against ||
             D.Group == DiagnosticGroup::Unresolved)
      Kind = "Analysis";
    std::string Text = D.Text;
    for (const DiagnosticNote &N : D.Notes)
      Text += "; " + N.Text;
    OS << "--- !" << Kind
       << "\nPass:            gpu-estimate\nName:            "
       << info(D.Group).Name
       << "\nDebugLoc:        { File: " << quoted(D.Location.File)
       << ", Line: " << D.Location.Line
       << ", Column: " << std::max(1u, D.Location.Column)
       << " }\nFunction:        " << quoted(D.Function)
       << "\nArgs:\n  - String:          " << quoted(Text) << "\n...\n";
  }
}

} // namespace gpuestimate
