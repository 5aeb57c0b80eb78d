/// \file
/// TranslationUnit to bitcode and back.
#include "gpu-estimate/Frontend/DeviceImage.h"

#include "DeviceFile.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral UnitMetadata = "gpu-estimate.unit";

/// LLVM's library reads 64-bit integers only.
static bool mapNumber(json::ObjectMapper &O, StringLiteral Name,
                      unsigned &Into) {
  uint64_t Wide = 0;
  if (!O.map(Name, Wide))
    return false;
  Into = unsigned(Wide);
  return true;
}

// LLVM's JSON library finds these by argument-dependent lookup.
static json::Value toJSON(const SourceLocation &L) {
  return json::Object{{"file", L.File}, {"line", L.Line}, {"column", L.Column}};
}
static bool fromJSON(const json::Value &V, SourceLocation &L, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", L.File) && mapNumber(O, "line", L.Line) &&
         mapNumber(O, "column", L.Column);
}

static json::Value toJSON(const SourceAnnotation &A) {
  return json::Object{{"place", toJSON(A.Place)}, {"text", A.Text}};
}
static bool fromJSON(const json::Value &V, SourceAnnotation &A, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("place", A.Place) && O.map("text", A.Text);
}

static json::Value toJSON(const KernelArgument &A) {
  return json::Object{{"name", A.Name},         {"kind", int(A.Kind)},
                      {"bytes", A.Bytes},       {"element", A.ElementBytes},
                      {"restrict", A.Restrict}, {"const", A.Const},
                      {"unsigned", A.Unsigned}};
}
static bool fromJSON(const json::Value &V, KernelArgument &A, json::Path P) {
  json::ObjectMapper O(V, P);
  int Kind = 0;
  if (!O || !O.map("name", A.Name) || !O.map("kind", Kind) ||
      !mapNumber(O, "bytes", A.Bytes) ||
      !mapNumber(O, "element", A.ElementBytes) ||
      !O.map("restrict", A.Restrict) || !O.map("const", A.Const) ||
      !O.map("unsigned", A.Unsigned))
    return false;
  if (Kind < 0 || Kind > KernelArgument::Texture) {
    P.field("kind").report("not a kind of argument");
    return false;
  }
  A.Kind = KernelArgument::KindType(Kind);
  return true;
}

static json::Value toJSON(const AggregateMember &M) {
  return json::Object{{"argument", M.Argument},
                      {"offset", M.Offset},
                      {"name", M.Name},
                      {"value", toJSON(M.Value)}};
}
static bool fromJSON(const json::Value &V, AggregateMember &M, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapNumber(O, "argument", M.Argument) &&
         O.map("offset", M.Offset) && O.map("name", M.Name) &&
         O.map("value", M.Value);
}

/// Not json::Array(Range): lookup by argument finds our conversions only here.
template <typename T> static json::Array list(const std::vector<T> &Values) {
  json::Array Result;
  for (const T &V : Values)
    Result.push_back(toJSON(V));
  return Result;
}

static json::Value toJSON(const KernelSource &K) {
  return json::Object{
      {"mangled", K.Mangled},           {"name", K.Name},
      {"location", toJSON(K.Location)}, {"arguments", list(K.Arguments)},
      {"members", list(K.Members)},     {"max_threads", K.MaxThreadsPerBlock},
      {"min_blocks", K.MinBlocksPerSm}, {"notes", list(K.Notes)}};
}
static bool fromJSON(const json::Value &V, KernelSource &K, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("mangled", K.Mangled) && O.map("name", K.Name) &&
         O.map("location", K.Location) && O.map("arguments", K.Arguments) &&
         O.map("members", K.Members) &&
         mapNumber(O, "max_threads", K.MaxThreadsPerBlock) &&
         mapNumber(O, "min_blocks", K.MinBlocksPerSm) &&
         O.map("notes", K.Notes);
}

static json::Value toJSON(const SourceAnchor &A) {
  return json::Object{{"kind", int(A.Kind)},
                      {"name", A.Name},
                      {"location", toJSON(A.Location)},
                      {"relation", A.Relation},
                      {"against_constant", A.AgainstConstant},
                      {"notes", list(A.Notes)}};
}
static bool fromJSON(const json::Value &V, SourceAnchor &A, json::Path P) {
  json::ObjectMapper O(V, P);
  int Kind = 0;
  if (!O || !O.map("kind", Kind) || !O.map("name", A.Name) ||
      !O.map("location", A.Location) || !O.map("relation", A.Relation) ||
      !O.map("against_constant", A.AgainstConstant) || !O.map("notes", A.Notes))
    return false;
  if (Kind < 0 || Kind > SourceAnchor::Access) {
    P.field("kind").report("not a kind of place");
    return false;
  }
  A.Kind = SourceAnchor::KindType(Kind);
  return true;
}

static json::Value toJSON(const TranslationUnit &Unit) {
  json::Object Constants;
  for (const auto &[Name, Value] : Unit.Constants)
    Constants[Name] = Value;
  return json::Object{{"main_file", Unit.MainFile},
                      {"arch", Unit.Arch},
                      {"hip", Unit.Hip},
                      {"depends_on_arch", Unit.DependsOnArch},
                      {"max_registers", Unit.MaxRegisters},
                      {"kernels", list(Unit.Kernels)},
                      {"anchors", list(Unit.Anchors)},
                      {"constants", std::move(Constants)}};
}
static bool fromJSON(const json::Value &V, TranslationUnit &Unit,
                     json::Path P) {
  json::ObjectMapper O(V, P);
  std::map<std::string, double> Constants;
  if (!O || !O.map("main_file", Unit.MainFile) || !O.map("arch", Unit.Arch) ||
      !O.map("hip", Unit.Hip) ||
      !O.map("depends_on_arch", Unit.DependsOnArch) ||
      !mapNumber(O, "max_registers", Unit.MaxRegisters) ||
      !O.map("kernels", Unit.Kernels) || !O.map("anchors", Unit.Anchors) ||
      !O.map("constants", Constants))
    return false;
  for (const auto &[Name, Value] : Constants)
    Unit.Constants[Name] = Value;
  return true;
}

std::string writeDeviceImage(const TranslationUnit &Unit) {
  std::unique_ptr<Module> Copy = CloneModule(*Unit.Module);
  LLVMContext &Context = Copy->getContext();
  std::string Facts;
  raw_string_ostream Text(Facts);
  Text << toJSON(Unit);
  // Clang's diagnostics are UTF-8, but a path may be anything.
  NamedMDNode *Node = Copy->getOrInsertNamedMetadata(UnitMetadata);
  Node->addOperand(
      MDNode::get(Context, MDString::get(Context, json::fixUTF8(Facts))));
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*Copy, OS);
  return Bitcode;
}

static Error noFacts() {
  return createStringError("the device image has no facts of its source: "
                           "build the program with gpu-estimate");
}

static Error readFacts(const MDNode &Node, TranslationUnit &Unit) {
  const auto *Facts = Node.getNumOperands() == 1
                          ? dyn_cast_or_null<MDString>(Node.getOperand(0).get())
                          : nullptr;
  if (!Facts)
    return noFacts();
  Expected<json::Value> Parsed = json::parse(Facts->getString());
  if (!Parsed)
    return Parsed.takeError();
  json::Path::Root Root("device image");
  if (!fromJSON(*Parsed, Unit, Root))
    return Root.getError();
  return Error::success();
}

static Expected<TranslationUnit> readImageText(StringRef Text,
                                               const std::string &Arch) {
  ParseRequest Request;
  Request.File = isPtxText(Text) ? "module.ptx" : "module.ll";
  Request.Text = Text.str();
  Request.GpuArch = Request.HipArch = Arch;
  std::string Ignored; // the program has loaded it on this architecture
  return readDeviceFile(Request, Ignored);
}

Expected<TranslationUnit> readDeviceImage(StringRef Image,
                                          const std::string &Arch) {
  if (!isBitcode(reinterpret_cast<const unsigned char *>(Image.begin()),
                 reinterpret_cast<const unsigned char *>(Image.end())))
    return readImageText(Image, Arch);
  TranslationUnit Unit;
  Unit.Context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> Read =
      parseBitcodeFile(MemoryBufferRef(Image, "device image"), *Unit.Context);
  if (!Read)
    return Read.takeError();
  Unit.Module = std::move(*Read);
  const NamedMDNode *Node = Unit.Module->getNamedMetadata(UnitMetadata);
  if (!Node || Node->getNumOperands() == 0)
    return noFacts();
  // A module that several units were linked into has the facts of each.
  for (auto [I, Facts] : enumerate(Node->operands())) {
    if (I == 0) {
      if (Error E = readFacts(*Facts, Unit))
        return std::move(E);
      continue;
    }
    TranslationUnit Linked;
    if (Error E = readFacts(*Facts, Linked))
      return std::move(E);
    append_range(Unit.Kernels, Linked.Kernels);
    append_range(Unit.Anchors, Linked.Anchors);
    for (const auto &C : Linked.Constants)
      Unit.Constants.try_emplace(C.getKey(), C.getValue());
    Unit.DependsOnArch |= Linked.DependsOnArch;
  }
  return std::move(Unit);
}

} // namespace gpuestimate
