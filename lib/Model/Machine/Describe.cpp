/// \file
/// Rows, model file text and reference page: three walks over the key table.
#include "gpu-estimate/Model/Machine/Describe.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace gpuestimate {

std::vector<GpuValueRow> describe(const GpuModel &Model) {
  std::vector<GpuValueRow> Rows;
  for (const GpuKey &Key : gpuKeys()) {
    GpuValueRow Row{Key.Path, "", "", "", Key.Meaning};
    std::optional<KeyValue> Value = Key.Get(Model);
    auto Origin = Model.Sources.find(Key.Path);
    if (Origin != Model.Sources.end()) {
      Row.Value = Origin->second.Text;
      Row.Source = Origin->second.Source;
      if (!Origin->second.Note.empty())
        Row.Source += (Row.Source.empty() ? "" : "; ") + Origin->second.Note;
      if (!Origin->second.FittedOn.empty())
        Row.Source +=
            "; fitted on " + llvm::join(Origin->second.FittedOn, ", ");
      Row.Kind = Origin->second.Kind;
    } else if (Key.Identity && Value) {
      Row.Value = printKeyValue(Key, *Value);
    } else if (Key.Dim == KeyDimension::PipeName) {
      Row.Value = printKeyValue(Key, *Value);
      Row.Source = "usual pipe of the class";
      Row.Kind = "derived";
    }
    Rows.push_back(std::move(Row));
  }
  return Rows;
}

ValueOrigins valueOrigins(const GpuModel &Model) {
  ValueOrigins Result;
  for (const auto &Entry : Model.Sources) {
    ++Result.All;
    llvm::StringRef Kind = Entry.second.Kind;
    Result.OfOtherGpus += Kind == "inherited" || Kind == "measured-arch";
  }
  return Result;
}

namespace {

/// Single quotes are the YAML style without escapes, except for themselves.
std::string quotedYaml(llvm::StringRef Text) {
  std::string Result = "'";
  for (char C : Text) {
    Result += C;
    if (C == '\'')
      Result += C;
  }
  return Result + "'";
}

bool isListKey(const GpuKey &Key) {
  return Key.Dim == KeyDimension::TextList ||
         Key.Dim == KeyDimension::BytesList || Key.Dim == KeyDimension::Extent;
}

std::string scalarOrList(const GpuKey &Key, llvm::StringRef Text) {
  if (!isListKey(Key))
    return quotedYaml(Text);
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, ',');
  std::vector<std::string> Items;
  for (llvm::StringRef Part : Parts)
    Items.push_back(quotedYaml(Part.trim()));
  return "[" + llvm::join(Items, ", ") + "]";
}

/// Opens the groups that lead to Path, below those that are open already.
std::string openGroups(llvm::raw_ostream &OS, llvm::StringRef Path,
                       std::vector<std::string> &Open) {
  llvm::SmallVector<llvm::StringRef> Parts;
  Path.split(Parts, '.');
  size_t Common = 0;
  while (Common < Open.size() && Common + 1 < Parts.size() &&
         Open[Common] == Parts[Common])
    ++Common;
  Open.resize(Common);
  for (; Common + 1 < Parts.size(); ++Common) {
    OS << std::string(2 * Common, ' ') << Parts[Common] << ":\n";
    Open.push_back(Parts[Common].str());
  }
  return std::string(2 * Common, ' ') + Parts.back().str() + ": ";
}

/// Short names of citations in a file: those that its values had where they
/// come from, unless two citations have one name.
class SourceNames {
public:
  explicit SourceNames(const GpuModel &Model) {
    for (const GpuKey &Key : gpuKeys())
      if (auto It = Model.Sources.find(Key.Path); It != Model.Sources.end())
        if (const Provenance &P = It->second; !P.SourceName.empty())
          Citations.insert({P.SourceName, P.Source});
  }
  std::string cite(const Provenance &P) const {
    auto It = Citations.find(P.SourceName);
    bool IsNamed = It != Citations.end() && It->second == P.Source;
    return IsNamed ? P.SourceName : quotedYaml(P.Source);
  }
  /// The first time that it is called.
  void print(llvm::raw_ostream &OS) {
    if (Citations.empty() || IsPrinted)
      return;
    IsPrinted = true;
    OS << "sources:\n";
    for (const auto &[Name, Citation] : Citations)
      OS << "  " << Name << ": " << quotedYaml(Citation) << "\n";
  }

private:
  std::map<std::string, std::string> Citations;
  bool IsPrinted = false;
};

} // namespace

std::string writeGpuModel(const GpuModel &Model) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::vector<std::string> Open;
  SourceNames Names(Model);
  for (const GpuKey &Key : gpuKeys()) {
    std::optional<KeyValue> Value = Key.Get(Model);
    auto Origin = Model.Sources.find(Key.Path);
    if (!Value || (!Key.Identity && Origin == Model.Sources.end()))
      continue;
    if (!Key.Identity)
      Names.print(OS);
    OS << openGroups(OS, Key.Path, Open);
    if (Key.Identity) {
      OS << scalarOrList(Key, printKeyValue(Key, *Value)) << "\n";
      continue;
    }
    const Provenance &P = Origin->second;
    OS << "{value: " << scalarOrList(Key, P.Text) << ", kind: " << P.Kind;
    if (!P.Source.empty())
      OS << ", source: " << Names.cite(P);
    if (!P.FittedOn.empty())
      OS << ", fitted_on: ['" << llvm::join(P.FittedOn, "', '") << "']";
    if (!P.Note.empty())
      OS << ", note: " << quotedYaml(P.Note);
    OS << "}\n";
  }
  return withValidation(Text, Model.Validation);
}

// NOLINTNEXTLINE(readability-function-size): a page, line by line.
std::string gpuModelReference() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "# GPU model files\n\n"
        "A GPU model is one YAML file with the values of one GPU, each with "
        "its unit, its source and how far\n"
        "to trust it. The models of the project are in `hwmodels/`; `--gpu` "
        "also takes the path of a file of\n"
        "your own. A dot in the name of a key is a level of nesting in the "
        "file, and a value is a map:\n\n"
        "```yaml\n"
        "sources:\n"
        "  query: deviceQuery of CUDA 12.6 on the card\n"
        "l2:\n"
        "  size: {value: 40 MiB, kind: vendor, source: query}\n"
        "operations:\n"
        "  fp32_fma:\n"
        "    latency: {value: 4 cycles, kind: measured, source: query, note: "
        "what else a reader should know}\n"
        "    throughput: {value: 64 /cycle, kind: vendor, source: query}\n"
        "    pipe: fp32\n"
        "```\n\n"
        "`gpu-estimate gpus ID` prints the values of a model, and "
        "`gpu-estimate gpus --check FILE` checks a\n"
        "file. Unknown and repeated keys, missing required keys, wrong units "
        "and values out of range are\n"
        "errors.\n\n"
        "## Where a value comes from\n\n"
        "`source` is a short name from `sources` or a citation. `kind` says "
        "how far to trust the value:\n\n"
        "| kind | meaning |\n"
        "| --- | --- |\n";
  for (const ProvenanceKind &Kind : provenanceKinds())
    OS << "| `" << Kind.Name << "` | " << Kind.Meaning << " |\n";
  OS << "\n"
        "- A value of kind `inherited` or `assumed` must have a `note` that "
        "says from where and why.\n"
        "- A value of kind `fitted` must have a list `fitted_on` of the cases "
        "from which it was computed,\n"
        "  such as `[streams/a40/fma/double/*]`: the dataset, then the name of "
        "the case; `*` stands for\n"
        "  anything. A value that was taken over from a fitted one of another "
        "GPU may have this list, too.\n"
        "  [fitted.md](fitted.md) lists all of them.\n"
        "- A list `validation` at the end of a file is written by "
        "`gpu-estimate validate --record`. For each\n"
        "  dataset of measured times it has the cases, the mean absolute error "
        "as a fraction, and the date.\n\n"
        "## Changing a value for one run\n\n"
        "`--set KEY=VALUE` changes a value for one run, for example `--set "
        "core_clock=1200MHz`. Dots may be\n"
        "written as underscores. The keys from `id` to `aliases` cannot be "
        "set. Some values change others:\n\n"
        "- `dram_bandwidth` sets `dram.read_bandwidth`, and scales the other "
        "DRAM bandwidths and\n"
        "  `dram.clock` by the same factor. `l2_bandwidth` does the same for "
        "L2.\n"
        "- `core_clock` and `memory_clock` move other values as the column "
        "*at another clock* says: L2 runs at\n"
        "  the core clock, so its bandwidths follow; DRAM and what lies beyond "
        "L2 take the same time, so the\n"
        "  cycles of `dram.latency` follow; the bandwidths of DRAM follow "
        "`memory_clock`. Values that were set\n"
        "  stay as set.\n"
        "- `memory_clock` is in the unit of `dram.clock`: peak bandwidth = 2 * "
        "clock * bus width. NVIDIA's\n"
        "  drivers report it so for every type of memory. AMD's tools show "
        "half of it for GDDR5 and a\n"
        "  quarter or less for newer GDDR: convert by the peak bandwidth.\n"
        "- `sm_count` moves `power.clock_tree` in proportion, and nothing "
        "else: L2, DRAM, the distributor of\n"
        "  blocks and leakage remain those of the chip.\n\n"
        "`--set` may describe a GPU that does not exist; a report then says "
        "what exceeds the keys of `limits`\n"
        "under *taken for granted*. `sweep --vary` walks over configurations "
        "of a "
        "card, so it refuses what\n"
        "exceeds them, unless they are set as well: `--set "
        "limits.sm_count=160 --vary sm_count=80:160:8`. If\n"
        "a file does not state a limit of a clock, a twentieth and twice the "
        "clock of the file are the limits.\n\n"
        "## A GPU from its sibling\n\n"
        "A GPU of which no file exists is made from one with the same "
        "multiprocessor:\n\n"
        "```\n"
        "gpu-estimate gpus --derive nvidia-rtx-4090 --set id=nvidia-rtx-4080 "
        "--set 'name=NVIDIA GeForce RTX 4080' \\\n"
        "  --set sm_count=76 --set 'core_clock=2505 MHz' --set 'l2.size=64 "
        "MiB' --set 'dram.size=16 GB' \\\n"
        "  --set 'dram.peak_bandwidth=717 GB/s' --set 'dram.bus_width=32 B "
        "[vendor: its deviceQuery]' \\\n"
        "  --source 'board data of the vendor' > nvidia-rtx-4080.yaml\n"
        "```\n\n"
        "Each `--set` states a value of the new GPU; `[SOURCE]` behind it, or "
        "`--source` for all of them, says who\n"
        "states it, with the kind before a colon (`secondary` if none). The "
        "seven keys of the example must be stated,\n"
        "and `l3.size` where the sibling has one. The file goes to standard "
        "output with its command as a comment; what\n"
        "was stated, scaled, inherited and left out goes to standard error. "
        "The other values:\n\n"
        "| keys | rule, with ratios of the new GPU to the sibling |\n"
        "| --- | --- |\n"
        "| `l2.read_bandwidth`, `l2.write_bandwidth` | times the width of the "
        "memory interface times the core clock, since slices of L2 go with "
        "channels of memory |\n"
        "| `l2.miss_bandwidth`, `l3.bandwidth`, `dram.channels`, "
        "`atomics.rate` | times the width of the memory interface |\n"
        "| `dram.read_bandwidth`, `dram.write_bandwidth`, "
        "`dram.copy_bandwidth` | the same share of the peak bandwidth |\n"
        "| `dram.clock` | from peak bandwidth and width |\n"
        "| `dram.latency`, `l3.latency` | the part beyond `l2.latency` is "
        "constant in time |\n"
        "| `sm`, `occupancy`, `shared`, `l1`, `constant`, `texture`, `memory`, "
        "`barrier`, `operations` | those of the same multiprocessor; what was "
        "measured on the sibling has the kind `measured-arch` |\n"
        "| `limits`, `power`, `roofline` | of one board: left out |\n"
        "| all others | as the sibling has them, kind `inherited` |\n\n"
        "The models of `hwmodels/` whose first line says *derived* were made "
        "so. [gpus.md](gpus.md) says how many\n"
        "values of each model are another GPU's, and which models have been "
        "held against measured times.\n\n"
        "## Keys\n\n"
        "| key | value | required | at another clock | meaning |\n"
        "| --- | --- | --- | --- | --- |\n";
  for (const GpuKey &Key : gpuKeys())
    OS << "| `" << Key.Path << "` | " << expectation(Key.Dim) << " | "
       << (Key.Required ? "yes" : "no") << " | "
       << (Key.Identity ? "" : describe(Key.Moves)) << " | " << Key.Meaning
       << " |\n";
  return Text;
}

} // namespace gpuestimate
