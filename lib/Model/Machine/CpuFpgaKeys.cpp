/// \file
/// The key tables of CPU and FPGA models, and the reference page made from
/// them.
#include "CpuFpgaKeys.h"

#include "KeyTableBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

namespace {

template <typename Model> void addIdentity(KeyTableBuilder<Model> &Table) {
  Table.text("id", true, "name on the command line; equal to the file's name",
             FIELD(Id));
  Table.text("name", true, "full product name", FIELD(Name));
}

} // namespace

static std::vector<KeyOf<CpuModel>> buildCpuKeys() {
  using enum KeyDimension;
  KeyTableBuilder<CpuModel> T;
  addIdentity(T);
  T.text("triple", true, "LLVM's target triple", FIELD(Triple));
  T.text("target_cpu", true,
         "LLVM's name of the core: its instructions and scheduling data",
         FIELD(TargetCpu));
  T.text("features", false, "further LLVM target features", FIELD(Features));
  T.text("scheduling_cpu", false,
         "LLVM's name of a core whose scheduling data stand for this one's",
         FIELD(SchedulingCpu));
  T.number("cores", Count, 1, 1024, "cores of the socket", FIELD(Cores));
  T.number("clock", Frequency, 50 * Mega, 10 * Giga,
           "clock that all cores sustain", FIELD(Clock));
  T.optionalNumber("single_core_clock", Frequency, 50 * Mega, 10 * Giga,
                   "clock of one core while the others are idle; default: "
                   "`clock`",
                   FIELD(SingleCoreClock));
  T.number("line", Bytes, 16, 256, "cache line", FIELD(Line));
  T.number("core_to_core", Time, 1e-9, 1e-5,
           "a line from one core's cache to another core, on average",
           FIELD(CoreToCore));
  static constexpr const char *Names[] = {"l1", "l2", "l3"};
  for (unsigned I = 0; I < 3; ++I) {
    std::string Name = Names[I];
    bool Required = I == 0;
    T.number(Name + ".size", Bytes, KiB, 4 * GiB, "data capacity",
             [I](auto &M) -> auto & { return M.Caches[I].Size; })
        .Required = Required;
    T.number(Name + ".shared_by", Count, 1, 1024, "cores that share it",
             [I](auto &M) -> auto & { return M.Caches[I].SharedBy; })
        .Required = Required;
    T.number(Name + ".bandwidth", BytesPerCycle, 0.5, 1024,
             I == 0 ? "loads of one core per cycle"
                    : "what one core fetches from it per cycle",
             [I](auto &M) -> auto & { return M.Caches[I].Bandwidth; })
        .Required = Required;
  }
  T.number("dram.bandwidth", Bandwidth, 0.1 * Giga, 100e12,
           "sustained by all cores together", FIELD(DramBandwidth));
  T.number("dram.core_bandwidth", Bandwidth, 0.1 * Giga, 1e12,
           "sustained by one core", FIELD(CoreDramBandwidth));
  T.flag("unified_memory",
         "the GPU works on this memory, so that nothing is copied",
         FIELD(UnifiedMemory))
      .Required = false;
  T.number("pcie.generation", Count, 1, 6, "of the GPU's slot",
           FIELD(PcieGeneration))
      .Required = false;
  T.number("pcie.lanes", Count, 1, 32, "of the GPU's slot", FIELD(PcieLanes))
      .Required = false;
  return std::move(T.Keys);
}

static std::vector<KeyOf<FpgaModel>> buildFpgaKeys() {
  using enum KeyDimension;
  KeyTableBuilder<FpgaModel> T;
  addIdentity(T);
  T.number("clock", Frequency, Mega, 2 * Giga, "clock of the design",
           FIELD(Clock));
  T.number("dsp.slices", Count, 1, 100000, "DSP slices", FIELD(DspSlices));
  T.number("bram.blocks", Count, 1, 100000,
           "memories on the chip, each with ports of its own",
           FIELD(BramBlocks));
  T.number("bram.block", Bytes, 64, MiB, "data of one memory",
           FIELD(BramBlock));
  T.number("bram.ports", Count, 1, 16, "accesses of one memory per cycle",
           FIELD(BramPorts));
  T.number("axi.ports", Count, 1, 64, "ports from the fabric to DRAM",
           FIELD(AxiPorts));
  T.number("axi.width", Bytes, 1, 128,
           "of one port, per cycle and direction; also the smallest piece that "
           "is fetched",
           FIELD(AxiWidth));
  T.number("dram.bandwidth", Bandwidth, 0.1 * Giga, 10e12, "of the pins",
           FIELD(DramBandwidth));
  T.number("dram.efficiency", Factor, 0.05, 1,
           "share of the pins' bandwidth that the controller sustains",
           FIELD(DramEfficiency));
  auto Operator = [&](const std::string &Name, auto Op,
                      const std::string &What) {
    T.number(Name + ".latency", Cycles, 0, 1000, What + ": operand to result",
             [Op](auto &M) -> auto & { return Op(M).Latency; });
    T.number(Name + ".dsp", Count, 0, 1000,
             What + ": DSP slices of a pipelined instance",
             [Op](auto &M) -> auto & { return Op(M).Dsp; });
  };
  Operator("fp32_add", FIELD(Fp32Add), "addition in single precision");
  Operator("fp32_mul", FIELD(Fp32Mul), "multiplication in single precision");
  Operator("fp64_add", FIELD(Fp64Add), "addition in double precision");
  Operator("fp64_mul", FIELD(Fp64Mul), "multiplication in double precision");
  Operator("special", FIELD(Special), "reciprocal, root, exponential, sine");
  Operator("int_mul", FIELD(IntMul), "multiplication of integers");
  T.number("logic.latency", Cycles, 0, 100,
           "addition, comparison, selection of integers", FIELD(Logic));
  T.number("load.latency", Cycles, 0, 100, "load from memory on the chip",
           FIELD(Load));
  T.number("store.latency", Cycles, 0, 100, "store to memory on the chip",
           FIELD(Store));
  return std::move(T.Keys);
}

llvm::ArrayRef<KeyOf<CpuModel>> cpuKeys() {
  static const std::vector<KeyOf<CpuModel>> Keys = buildCpuKeys();
  return Keys;
}

llvm::ArrayRef<KeyOf<FpgaModel>> fpgaKeys() {
  static const std::vector<KeyOf<FpgaModel>> Keys = buildFpgaKeys();
  return Keys;
}

template <typename Key>
static void printTable(llvm::raw_ostream &OS, llvm::ArrayRef<Key> Keys) {
  OS << "| key | value | required | meaning |\n| --- | --- | --- | --- |\n";
  for (const MachineKey &K : Keys)
    OS << "| `" << K.Path << "` | " << expectation(K.Dim) << " | "
       << (K.Required ? "yes" : "no") << " | " << K.Meaning << " |\n";
}

std::string machineReference() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "# Files of CPU and FPGA models\n\n"
        "What `--against cpu=NAME` and `--against fpga=NAME` compare with: "
        "files of `cpumodels/` and\n`fpgamodels/`, or one of your own by its "
        "path. They are written as GPU models are\n"
        "([gpu-model.md](gpu-model.md)): each number is a map of `value`, "
        "`kind`, `source` and `note`;\ntexts stand alone. Unknown keys, "
        "missing required ones and wrong units are errors.\n\n## CPUs\n\n";
  printTable(OS, cpuKeys());
  OS << "\nA CPU states either `unified_memory` or both of `pcie`.\n\n"
        "## FPGA boards\n\n";
  printTable(OS, fpgaKeys());
  return Text;
}

} // namespace gpuestimate
