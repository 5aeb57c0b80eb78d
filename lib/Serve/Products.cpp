#include "Products.h"

#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static Error wrong(const Twine &Text) {
  return make_error<UsageError>("products: " + Text.str());
}

json::Array addProductParameters(json::Object &Properties) {
  auto Add = [&](StringRef Name, StringRef Type, StringRef Help) {
    Properties[Name.str()] =
        json::Object{{"type", Type}, {"description", Help}};
  };
  Add("gpu", "string", "Id or alias of one GPU model.");
  Add("m", "number", "Rows of the result.");
  Add("n", "number", "Columns of the result.");
  Add("k", "number", "Elements of a sum.");
  Add("batch", "number", "Number of products. Default: 1.");
  Add("type", "string",
      "Elements of the operands: fp16, bf16, tf32, fp32, fp64 or int8.");
  Add("result_bytes", "number",
      "Bytes of an element of the result. Default: those of an operand.");
  Properties["tiles"] = json::Object{
      {"type", "array"},
      {"items", json::Object{{"type", "object"}}},
      {"description", "The kernels: each an object with m, n and k, the tile "
                      "of a thread block and its step, warps, stages, and, "
                      "where the sum is split, split."}};
  return json::Array{"gpu", "m", "n", "k", "type", "tiles"};
}

/// A number of at least Least; Default where it is absent.
static Error read(const json::Object &From, StringRef Name, double Least,
                  std::optional<double> Default, double &Into) {
  const json::Value *Value = From.get(Name);
  if (!Value && Default) {
    Into = *Default;
    return Error::success();
  }
  constexpr double Most = 1e12;
  std::optional<double> Number = Value ? Value->getAsNumber() : std::nullopt;
  if (!Number || !(*Number >= Least) || *Number > Most)
    return wrong("'" + Name + "': pass a number of at least " +
                 formatNumber(Least));
  Into = *Number;
  return Error::success();
}

static Expected<ProductTiling> readTiling(const json::Object &From) {
  ProductTiling T;
  struct {
    StringRef Name;
    unsigned &Into;
    std::optional<double> Default;
  } Fields[] = {{"m", T.M, std::nullopt},       {"n", T.N, std::nullopt},
                {"k", T.K, std::nullopt},       {"warps", T.Warps, T.Warps},
                {"stages", T.Stages, T.Stages}, {"split", T.Split, T.Split}};
  for (auto &Field : Fields) {
    constexpr double MostOfTile = 65536;
    double Number = 0;
    if (Error E = read(From, Field.Name, 1, Field.Default, Number))
      return std::move(E);
    Field.Into = unsigned(std::min(Number, MostOfTile));
  }
  return T;
}

Expected<json::Value> productsJson(const Options &Defaults,
                                   const json::Object &Parameters) {
  std::optional<StringRef> Id = Parameters.getString("gpu");
  if (!Id)
    return wrong("'gpu': pass the id of one GPU model");
  Expected<std::string> Folder = findModelFolder(Defaults.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  Expected<GpuModel> Gpu = findGpuModel(*Id, *Folder);
  if (!Gpu)
    return Gpu.takeError();
  StringRef Word = Parameters.getString("type").value_or("");
  struct Kind {
    GemmType Type;
    unsigned Bytes;
  };
  auto Of = StringSwitch<std::optional<Kind>>(Word)
                .Cases("fp16", "bf16", Kind{GemmType::Half, 2})
                .Case("tf32", Kind{GemmType::Tf32, 4})
                .Case("fp32", Kind{GemmType::Single, 4})
                .Case("fp64", Kind{GemmType::Double, 8})
                .Case("int8", Kind{GemmType::Int8, 1})
                .Default(std::nullopt);
  if (!Of)
    return wrong(
        "'type': expected fp16, bf16, tf32, fp32, fp64 or int8, got '" + Word +
        "'");
  GemmProblem P;
  P.Type = Of->Type;
  struct {
    StringRef Name;
    std::optional<double> Default;
    double &Into;
  } Sizes[] = {{"m", std::nullopt, P.M},
               {"n", std::nullopt, P.N},
               {"k", std::nullopt, P.K},
               {"batch", 1, P.Batch},
               {"result_bytes", Of->Bytes, P.ResultBytes}};
  for (auto &Size : Sizes)
    if (Error E = read(Parameters, Size.Name, 1, Size.Default, Size.Into))
      return std::move(E);
  const json::Array *Tiles = Parameters.getArray("tiles");
  if (!Tiles)
    return wrong("'tiles': pass an array of objects");
  json::Array Rows;
  for (size_t I = 0; I < Tiles->size(); ++I) {
    const json::Object *Own = (*Tiles)[I].getAsObject();
    if (!Own)
      return wrong("'tiles': pass an array of objects");
    json::Object Row{{"id", int64_t(I)}};
    if (const json::Value *Name = Own->get("id"))
      Row["id"] = *Name;
    Expected<ProductTiling> Tiling = readTiling(*Own);
    if (!Tiling)
      return Tiling.takeError();
    Expected<LibraryKernelTime> Time = tiledGemmTime(*Gpu, P, *Tiling);
    if (Time) {
      Row["time_ms"] = Time->Time.value() * 1e3;
      Row["bottleneck"] = name(Time->Bound);
      Row["shape"] = Time->Shape;
    } else {
      Row["time_ms"] = nullptr;
      Row["problem"] = toString(Time.takeError());
    }
    Rows.push_back(std::move(Row));
  }
  return json::Object{{"gpu", Gpu->Id}, {"products", std::move(Rows)}};
}

} // namespace gpuestimate
