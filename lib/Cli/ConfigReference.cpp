/// \file
/// docs/config.md and the JSON schema of the configuration file, both from the
/// option table.
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static json::Object ofType(StringRef Type) {
  return json::Object{{"type", Type}};
}

static json::Object oneOf(json::Array Names) {
  return json::Object{{"enum", std::move(Names)}};
}

static json::Object listOf(json::Object Item) {
  json::Object List = ofType("array");
  List["items"] = std::move(Item);
  return List;
}

/// JSON schemas of one value of an option, by its metavariable.
static json::Array valueSchemas(const OptionSpec &Spec) {
  StringRef Form = Spec.Metavariable;
  if (Form.empty())
    return json::Array{ofType("boolean")};
  if (Form.contains("[,")) { // sizes
    json::Object Size = ofType("integer");
    Size["minimum"] = 1;
    json::Object List = listOf(Size);
    List["minItems"] = 1;
    List["maxItems"] = 3;
    return json::Array{std::move(Size), ofType("string"), std::move(List)};
  }
  if (Form == "N" || Form == "BYTES") {
    json::Object Number = ofType("integer");
    Number["minimum"] = 0;
    return json::Array{std::move(Number)};
  }
  if (Form == "GROUP") {
    json::Array Names{"all"};
    for (const DiagnosticGroupInfo &Row : diagnosticTable())
      Names.push_back(Row.Name);
    return json::Array{oneOf(std::move(Names))};
  }
  // "cold|warm": the words themselves.
  if (all_of(Form, [](char C) { return isLower(C) || C == '-' || C == '|'; })) {
    SmallVector<StringRef, 4> Words;
    Form.split(Words, '|');
    json::Array Names;
    for (StringRef Word : Words)
      Names.push_back(Word);
    return json::Array{oneOf(std::move(Names))};
  }
  if (!Form.contains("NAME=VALUE") && !Form.contains("GPUKEY=VALUE") &&
      Spec.Key != "budget")
    return json::Array{ofType("string")};
  // Pairs are written as a mapping.
  json::Object Map = ofType("object");
  Map["additionalProperties"] =
      json::Object{{"type", json::Array{"number", "string"}}};
  return json::Array{std::move(Map), ofType("string")};
}

static json::Object optionSchema(const OptionSpec &Spec) {
  auto Any = [](json::Array Schemas) {
    if (Schemas.size() == 1)
      return std::move(*Schemas.front().getAsObject());
    return json::Object{{"anyOf", std::move(Schemas)}};
  };
  json::Array Schemas = valueSchemas(Spec);
  if (Spec.Repeatable)
    Schemas.push_back(listOf(Any(valueSchemas(Spec))));
  json::Object Schema = Any(std::move(Schemas));
  Schema["description"] = Spec.Help;
  return Schema;
}

static json::Object objectSchema(json::Object Properties) {
  return json::Object{{"type", "object"},
                      {"properties", std::move(Properties)},
                      {"additionalProperties", false}};
}

std::string configSchema() {
  json::Object Entry, Top;
  for (const EntryKey &Key : entryKeys())
    Entry[Key.Name] =
        json::Object{{"type", "string"}, {"description", Key.Help}};
  for (const OptionSpec &Spec : optionTable()) {
    if (Spec.inKernel())
      Entry[Spec.Key] = optionSchema(Spec);
    if (Spec.inFile())
      Top[Spec.Key] = optionSchema(Spec);
  }
  Top["kernels"] =
      json::Object{{"type", "array"},
                   {"description", "What holds for single kernels."},
                   {"items", objectSchema(std::move(Entry))}};
  json::Object Schema = objectSchema(std::move(Top));
  Schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  Schema["title"] = ".gpu-estimate.yaml";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0:2}\n", json::Value(std::move(Schema)));
  return Text;
}

static void printKey(raw_ostream &OS, StringRef Key, StringRef Form,
                     StringRef Help) {
  OS << "| `" << Key << "` | ";
  if (!Form.empty()) {
    std::string Escaped;
    for (char C : Form)
      Escaped += (C == '|' ? "\\|" : std::string(1, C));
    OS << '`' << Escaped << '`';
  }
  OS << " | " << Help << " |\n";
}

static constexpr StringLiteral TableHead =
    "| key | value | meaning |\n| --- | --- | --- |\n";

std::string configReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS <<
#include "ConfigPage/head.md.inc"
     << TableHead;
  printKey(OS, "kernels", "", "A list of entries about single kernels; below.");
  for (const OptionSpec &Spec : optionTable())
    if (Spec.inFile())
      printKey(OS, Spec.Key, Spec.Metavariable, Spec.Help);
  OS << "\n## Keys of an entry of `kernels`\n\n" << TableHead;
  for (const EntryKey &Key : entryKeys())
    printKey(OS, Key.Name, "", Key.Help);
  for (const OptionSpec &Spec : optionTable())
    if (Spec.inKernel())
      printKey(OS, Spec.Key, Spec.Metavariable, Spec.Help);
  OS << "\n"
#include "ConfigPage/tail.md.inc"
      ;
  return Page;
}

} // namespace gpuestimate
