/// \file
/// The two key tables, and the reference page made from them.
#include "MachineKeys.h"

#include "llvm/Support/raw_ostream.h"
#include <type_traits>

namespace gpuestimate {

namespace {

constexpr double Mega = 1e6, Giga = 1e9, KiB = 1024, MiB = 1024 * KiB,
                 GiB = 1024 * MiB;

template <typename Tag> void assign(Quantity<Tag> &Field, double V) {
  Field = Quantity<Tag>(V);
}
template <typename T>
  requires std::is_arithmetic_v<T>
void assign(T &Field, double V) {
  Field = static_cast<T>(V);
}

template <typename Tag>
void assign(std::optional<Quantity<Tag>> &Field, double V) {
  Field = Quantity<Tag>(V);
}

class Rows {
public:
  std::vector<MachineKey> Keys;

  template <typename T>
  MachineKey &number(std::string Path, GpuDimension Dim, double Min, double Max,
                     std::string Meaning, T &Field) {
    MachineKey &K = row(std::move(Path), Dim, std::move(Meaning));
    K.Min = Min;
    K.Max = Max;
    K.Store = [&Field](const GpuValue &V) {
      assign(Field, std::get<double>(V));
    };
    return K;
  }

  MachineKey &flag(std::string Path, std::string Meaning, bool &Field) {
    MachineKey &K =
        row(std::move(Path), GpuDimension::Flag, std::move(Meaning));
    K.Store = [&Field](const GpuValue &V) { Field = std::get<bool>(V); };
    return K;
  }

  MachineKey &text(std::string Path, std::string Meaning, std::string &Field) {
    MachineKey &K =
        row(std::move(Path), GpuDimension::Text, std::move(Meaning));
    K.Store = [&Field](const GpuValue &V) { Field = std::get<std::string>(V); };
    return K;
  }

private:
  MachineKey &row(std::string Path, GpuDimension Dim, std::string Meaning) {
    MachineKey &K = Keys.emplace_back();
    K.Path = std::move(Path);
    K.Dim = Dim;
    K.Meaning = std::move(Meaning);
    return K;
  }
};

} // namespace

std::vector<MachineKey> keysOf(CpuModel &M) {
  using enum GpuDimension;
  Rows T;
  T.text("id", "name on the command line; equal to the file's name", M.Id);
  T.text("name", "full product name", M.Name);
  T.text("triple", "LLVM's target triple", M.Triple);
  T.text("target_cpu",
         "LLVM's name of the core: its instructions and scheduling data",
         M.TargetCpu);
  T.text("features", "further LLVM target features", M.Features).Required =
      false;
  T.text("scheduling_cpu",
         "LLVM's name of a core whose scheduling data stand for this one's",
         M.SchedulingCpu)
      .Required = false;
  T.number("cores", Count, 1, 1024, "cores of the socket", M.Cores);
  T.number("clock", Frequency, 50 * Mega, 10 * Giga,
           "clock that all cores sustain", M.Clock);
  T.number("single_core_clock", Frequency, 50 * Mega, 10 * Giga,
           "clock of one core while the others rest; default: `clock`",
           M.SingleCoreClock)
      .Required = false;
  T.number("line", Bytes, 16, 256, "cache line", M.Line);
  T.number("core_to_core", Time, 1e-9, 1e-5,
           "a line from one core's cache to another core, on average",
           M.CoreToCore);
  static constexpr const char *Names[] = {"l1", "l2", "l3"};
  for (unsigned I = 0; I < 3; ++I) {
    std::string Name = Names[I];
    CpuCache &C = M.Caches[I];
    bool Required = I == 0;
    T.number(Name + ".size", Bytes, KiB, 4 * GiB, "data capacity", C.Size)
        .Required = Required;
    T.number(Name + ".shared_by", Count, 1, 1024, "cores that share it",
             C.SharedBy)
        .Required = Required;
    T.number(Name + ".bandwidth", BytesPerCycle, 0.5, 1024,
             I == 0 ? "loads of one core per cycle"
                    : "what one core fetches from it per cycle",
             C.Bandwidth)
        .Required = Required;
  }
  T.number("dram.bandwidth", Bandwidth, 0.1 * Giga, 100e12,
           "sustained by all cores together", M.DramBandwidth);
  T.number("dram.core_bandwidth", Bandwidth, 0.1 * Giga, 1e12,
           "sustained by one core", M.CoreDramBandwidth);
  T.flag("unified_memory",
         "the GPU works on this memory, so that nothing is copied",
         M.UnifiedMemory)
      .Required = false;
  T.number("pcie.generation", Count, 1, 6, "of the GPU's slot",
           M.PcieGeneration)
      .Required = false;
  T.number("pcie.lanes", Count, 1, 32, "of the GPU's slot", M.PcieLanes)
      .Required = false;
  return std::move(T.Keys);
}

std::vector<MachineKey> keysOf(FpgaModel &M) {
  using enum GpuDimension;
  Rows T;
  T.text("id", "name on the command line; equal to the file's name", M.Id);
  T.text("name", "full product name", M.Name);
  T.number("clock", Frequency, Mega, 2 * Giga, "clock of the design", M.Clock);
  T.number("dsp.slices", Count, 1, 100000, "DSP slices", M.DspSlices);
  T.number("bram.blocks", Count, 1, 100000,
           "memories on the chip, each with ports of its own", M.BramBlocks);
  T.number("bram.block", Bytes, 64, MiB, "data of one memory", M.BramBlock);
  T.number("bram.ports", Count, 1, 16, "accesses of one memory per cycle",
           M.BramPorts);
  T.number("axi.ports", Count, 1, 64, "ports from the fabric to DRAM",
           M.AxiPorts);
  T.number("axi.width", Bytes, 1, 128,
           "of one port, per cycle and direction; also the smallest piece that "
           "is fetched",
           M.AxiWidth);
  T.number("dram.bandwidth", Bandwidth, 0.1 * Giga, 10e12, "of the pins",
           M.DramBandwidth);
  T.number("dram.efficiency", Factor, 0.05, 1,
           "share of the pins' bandwidth that the controller sustains",
           M.DramEfficiency);
  auto Operator = [&](const std::string &Name, FpgaOperator &Op,
                      const std::string &What) {
    T.number(Name + ".latency", Cycles, 0, 1000, What + ": operand to result",
             Op.Latency);
    T.number(Name + ".dsp", Count, 0, 1000,
             What + ": DSP slices of a pipelined instance", Op.Dsp);
  };
  Operator("fp32_add", M.Fp32Add, "addition in single precision");
  Operator("fp32_mul", M.Fp32Mul, "multiplication in single precision");
  Operator("fp64_add", M.Fp64Add, "addition in double precision");
  Operator("fp64_mul", M.Fp64Mul, "multiplication in double precision");
  Operator("special", M.Special, "reciprocal, root, exponential, sine");
  Operator("int_mul", M.IntMul, "multiplication of integers");
  T.number("logic.latency", Cycles, 0, 100,
           "addition, comparison, selection of integers", M.Logic);
  T.number("load.latency", Cycles, 0, 100, "load from memory on the chip",
           M.Load);
  T.number("store.latency", Cycles, 0, 100, "store to memory on the chip",
           M.Store);
  return std::move(T.Keys);
}

static void table(llvm::raw_ostream &OS, llvm::ArrayRef<MachineKey> Keys) {
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
  CpuModel Cpu;
  table(OS, keysOf(Cpu));
  OS << "\nA CPU states either `unified_memory` or both of `pcie`.\n\n"
        "## FPGA boards\n\n";
  FpgaModel Fpga;
  table(OS, keysOf(Fpga));
  return Text;
}

} // namespace gpuestimate
