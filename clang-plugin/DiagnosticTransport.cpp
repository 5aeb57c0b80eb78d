/// \file
/// Diagnostics to JSON and back.
#include "DiagnosticTransport.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

namespace json = llvm::json;

// llvm::json finds these by argument-dependent lookup.
static bool fromJSON(const json::Value &V, SourceLocation &L, json::Path P) {
  json::ObjectMapper Map(V, P);
  int64_t Line = 0, Column = 0;
  if (!Map || !Map.map("file", L.File) || !Map.map("line", Line) ||
      !Map.map("column", Column))
    return false;
  L.Line = static_cast<unsigned>(Line);
  L.Column = static_cast<unsigned>(Column);
  return true;
}
static bool fromJSON(const json::Value &V, DiagnosticNote &N, json::Path P) {
  json::ObjectMapper Map(V, P);
  return Map && Map.map("location", N.Location) && Map.map("text", N.Text);
}
static bool fromJSON(const json::Value &V, Diagnostic &D, json::Path P) {
  json::ObjectMapper Map(V, P);
  int64_t Group = 0, Severity = 0;
  if (!Map || !Map.map("group", Group) || !Map.map("severity", Severity) ||
      !Map.map("location", D.Location) || !Map.map("text", D.Text) ||
      !Map.map("notes", D.Notes) || !Map.map("function", D.Function))
    return false;
  D.Group = static_cast<DiagnosticGroup>(Group);
  D.Severity = static_cast<DiagnosticSeverity>(Severity);
  return true;
}

/// File names and source text may hold bytes that are not UTF-8.
static std::string text(llvm::StringRef Bytes) { return json::fixUTF8(Bytes); }

static json::Object toJson(const SourceLocation &L) {
  return json::Object{
      {"file", text(L.File)}, {"line", L.Line}, {"column", L.Column}};
}

std::string writeFindings(const PluginFindings &Findings) {
  json::Array All;
  for (const Diagnostic &D : Findings.Diagnostics) {
    json::Array Notes;
    for (const DiagnosticNote &Note : D.Notes)
      Notes.push_back(json::Object{{"location", toJson(Note.Location)},
                                   {"text", text(Note.Text)}});
    All.push_back(json::Object{{"group", static_cast<unsigned>(D.Group)},
                               {"severity", static_cast<unsigned>(D.Severity)},
                               {"location", toJson(D.Location)},
                               {"text", text(D.Text)},
                               {"notes", std::move(Notes)},
                               {"function", text(D.Function)}});
  }
  return llvm::formatv("{0}", json::Value(json::Object{
                                  {"diagnostics", std::move(All)},
                                  {"usage_error", text(Findings.UsageError)}}))
      .str();
}

llvm::Expected<PluginFindings> readFindings(llvm::StringRef Text) {
  llvm::Expected<json::Value> Read = json::parse(Text);
  if (!Read)
    return Read.takeError();
  PluginFindings Findings;
  json::Path::Root Root("findings");
  json::ObjectMapper Map(*Read, Root);
  if (!Map || !Map.map("diagnostics", Findings.Diagnostics) ||
      !Map.map("usage_error", Findings.UsageError))
    return Root.getError();
  return Findings;
}

} // namespace gpuestimate
