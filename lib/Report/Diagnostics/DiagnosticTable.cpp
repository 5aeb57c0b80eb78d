/// \file
/// The table of diagnostic groups and the page made from it.
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"

#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <iterator>

using namespace llvm;

namespace gpuestimate {

static constexpr DiagnosticGroupInfo GroupTable[] = {
    {DiagnosticGroup::Time, "time", DiagnosticSeverity::Remark,
     "The predicted time of a kernel at one launch with its interval, what "
     "bounds it, and the launch that was used.",
     "Once per kernel, launch and GPU; for the instantiations of a template, "
     "the slowest. The kernels of a file without a known launch are named in "
     "one remark, and kernels of system headers in one for each function that "
     "leads to them.",
     "matmul.cu:23:17: remark: 'matmulNaive' takes 1.23 ms (1.1-1.8 ms) on "
     "NVIDIA A100, bound by l1-bandwidth (grid 64x64, block 16x16 from "
     "host-code); launched at matmul.cu:64"},
    {DiagnosticGroup::Budget, "budget", DiagnosticSeverity::Warning,
     "A launch is predicted to take longer than its budget, or a kernel with a "
     "budget has no estimate.",
     "Once per kernel, launch and GPU that has a budget and exceeds it or has "
     "no estimate.",
     "matmul.cu:23:17: warning: 'matmulNaive' takes 1.85 ms on NVIDIA A100, "
     "23.3% over its budget of 1.5 ms (from config): l1-bandwidth 1.1 ms, "
     "latency 0.5 ms"},
    {DiagnosticGroup::Against, "against", DiagnosticSeverity::Remark,
     "The time of a loop nest of plain C on another machine, compared with the "
     "GPU, with and without copies of its arrays.",
     "Once per kernel, launch, GPU and machine of --against.",
     "gemm.c:3:3: remark: 'gemm' takes 1.34 s on Xilinx ZC702, bound by axi, "
     "5.5 times as long as on NVIDIA Tegra K1"},
    {DiagnosticGroup::Uncoalesced, "uncoalesced", DiagnosticSeverity::Remark,
     "The lanes of a warp touch more memory sectors than their data needs, so "
     "bandwidth is spent on bytes that no lane uses.",
     "A global access that moves at least twice the ideal number of sectors "
     "per request, and at least 5 % of the kernel's sectors; where accesses "
     "beside it use the rest of them, only if a change would save 2 % of the "
     "time.",
     "transpose.cu:24:5: remark: store to 'out' touches 32 sectors per request "
     "where 4 would do; predicted gain 63.2%"},
    {DiagnosticGroup::Indirect, "indirect", DiagnosticSeverity::Remark,
     "Loaded data decide which elements the lanes of a warp touch; if they are "
     "random, each lane has a sector of its own.",
     "As for uncoalesced, where the address depends on loaded data; once per "
     "kernel, for the access that touches the most.",
     "spmv.cu:30:23: remark: load from 'x' has data-dependent addresses: 32 "
     "sectors per request if they are random, 4 if they are in order; settle "
     "with --assume access@spmv.cu:30=sequential"},
    {DiagnosticGroup::Misaligned, "misaligned", DiagnosticSeverity::Remark,
     "Warps begin in the middle of a sector, so that each request touches one "
     "sector more than its data needs.",
     "A global access with 1.1 to 2 times the ideal number of sectors per "
     "request, at least 5 % of the kernel's, which aligned warps would not "
     "touch.",
     "shift.cu:8:12: remark: load from 'in' touches 5 sectors per request "
     "where 4 would do if its warps began at a multiple of 32 bytes; "
     "predicted gain 3.1%"},
    {DiagnosticGroup::Stride, "stride", DiagnosticSeverity::Remark,
     "The stride of the lanes is a large power of two of bytes, so that all of "
     "them use few banks of L1's data array.",
     "An uncoalesced access that would take at most half of its passes through "
     "L1 if its lanes were one element further apart, which would save at "
     "least "
     "2 % of the time.",
     "column.cu:9:14: remark: load from 'in' takes 32 passes through L1 per "
     "request, because the stride of its lanes puts them into few banks; with "
     "one element more it takes 8; predicted gain 12.0%"},
    {DiagnosticGroup::BankConflict, "bank-conflict", DiagnosticSeverity::Remark,
     "Lanes of a warp read different words of one shared-memory bank, so the "
     "request takes several passes.",
     "A shared access with at least 1.5 times the passes that its width needs, "
     "and at least 5 % of the kernel's passes.",
     "transpose.cu:36:5: remark: load from 'tile' takes 32 passes per request "
     "where 1 would do: a 32-way bank conflict; predicted gain 41.5%"},
    {DiagnosticGroup::ConstantDivergence, "constant-divergence",
     DiagnosticSeverity::Remark,
     "Lanes of a warp read different words of constant memory, which serves "
     "one word at a time.",
     "A constant access with at least 1.5 times as many words per request as "
     "its width has, and at least 5 % of the kernel's.",
     "lookup.cu:9:18: remark: load from 'table' reads 32 different words per "
     "request, one after the other; predicted gain 28.4%"},
    {DiagnosticGroup::AtomicContention, "atomic-contention",
     DiagnosticSeverity::Remark,
     "Atomic operations of many threads on one address are done one after the "
     "other.",
     "Spreading the atomics of an access over addresses of their own would "
     "save at least 2 % of the time.",
     "count.cu:7:5: remark: atomic on 'counter': 32 lanes of a request meet "
     "on one address, 32.8 K requests; predicted gain 92.1%"},
    {DiagnosticGroup::RedundantLoad, "redundant-load",
     DiagnosticSeverity::Remark,
     "Threads of a block load the same elements of global memory "
     "redundantly.",
     "At least two threads of a block load each element, and a tile in shared "
     "memory would save at least 2 % of the time.",
     "matmul.cu:9:14: remark: threads of a block load each element of 'a' 16 "
     "times and each element of 'b' 16 times; predicted gain 35.0%"},
    {DiagnosticGroup::LocalArray, "local-array", DiagnosticSeverity::Remark,
     "A private array is indexed with values that the compiler does not know, "
     "so it lives in local memory instead of registers.",
     "Its accesses are at least 5 % of the kernel's sectors of local memory.",
     "sort.cu:12:9: remark: 'buffer' lives in local memory, because its index "
     "is not a constant: 2.1 M requests; predicted gain 55.0%"},
    {DiagnosticGroup::Spill, "spill", DiagnosticSeverity::Remark,
     "A thread needs more registers than it has, so some of them move to local "
     "memory and back.",
     "ptxas reports spills, or the estimate of registers exceeds by 10 % what "
     "__launch_bounds__ or the GPU leaves.",
     "fft.cu:12:17: remark: 'fft' needs about 96 registers per thread and has "
     "64: 32 are spilled to local memory, because of __launch_bounds__(1024); "
     "predicted gain 12.0%"},
    {DiagnosticGroup::Occupancy, "occupancy", DiagnosticSeverity::Remark,
     "Few warps share a multiprocessor, so latencies stay exposed.",
     "Registers, shared memory or the number of blocks hold occupancy below "
     "50 %, or another block would save at least 2 % of the time.",
     "fft.cu:12:17: remark: 'fft' fills 25.0% of a multiprocessor's warps, "
     "limited by shared (65536 bytes of shared memory per block); predicted "
     "gain 18.3%"},
    {DiagnosticGroup::Launch, "launch", DiagnosticSeverity::Remark,
     "A kernel is shorter than its launch.",
     "Launching takes longer than executing.",
     "step.cu:20:3: remark: 'step' runs for 1.3 us, its launch takes 2.2 us; "
     "predicted gain 62.9%"},
    {DiagnosticGroup::Tail, "tail", DiagnosticSeverity::Remark,
     "The last blocks of a launch leave most of the GPU idle.",
     "The last wave and its slowest warp are at least 10 % of the time.",
     "step.cu:20:3: remark: 217 blocks are 1 full wave and 0.46% of another; "
     "predicted gain 32.5%"},
    {DiagnosticGroup::Mapping, "mapping", DiagnosticSeverity::Remark,
     "Another mapping of the work to threads would be faster: exchanged "
     "coordinates, more work per thread, blocks of another shape, fused loop "
     "nests.",
     "The changed kernel was evaluated and saves at least 2 % of the time.",
     "gemm.c:9:3: remark: threads of 'gemm' that differ in 'i' load the same "
     "elements; predicted gain 58.1%"},
    {DiagnosticGroup::Divergence, "divergence", DiagnosticSeverity::Remark,
     "Lanes of a warp take different branches, so the warp executes both while "
     "part of its lanes are idle.",
     "At most 24 of 32 lanes are active on average in code that takes at least "
     "10 % of the issue cycles.",
     "mandelbrot.cu:30:5: remark: 9.5 of 32 lanes are active here on average, "
     "in 80.0 % of the kernel's issue cycles"},
    {DiagnosticGroup::Energy, "energy", DiagnosticSeverity::Remark,
     "A launch would draw more than the power limit of the board, so the "
     "driver lowers the core clock.",
     "The predicted board power at the clock of the GPU model exceeds "
     "power.limit, and the launch is longer at the clock that keeps to it.",
     "gemm.cu:9:17: remark: 'gemm' would draw 291 W of 250 W: the clock falls "
     "to 1.21 GHz, where it takes 1.42 ms and 355 mJ; most of it is fp32 "
     "31%, dram 24%"},
    {DiagnosticGroup::Assumption, "assumption", DiagnosticSeverity::Remark,
     "A value that the source does not determine and that was assumed, with "
     "the option that sets it.",
     "A note of the time remark: the assumption that moves the time most, with "
     "the number of the others.",
     "spmv.cu:28:3: note: assumed trip count of the loop at spmv.cu:28 = 16 "
     "(its bound is loaded from memory); settle with --param "
     "'trip@spmv:j=VALUE'"},
    {DiagnosticGroup::Unresolved, "unresolved", DiagnosticSeverity::Remark,
     "A kernel without an estimate, and why.",
     "Once per file and reason, with the kernels that could not be predicted.",
     "ring.cu:9:17: remark: no estimate for 'ring': the kernel calls itself"},
    {DiagnosticGroup::Input, "input", DiagnosticSeverity::Remark,
     "A setting or an annotation that has no effect, or a part of the program "
     "that is not modelled.",
     "A parameter that names nothing, an annotation that cannot be read, calls "
     "of cuBLAS, cuFFT, cuDNN, cuSPARSE or cuSOLVER.",
     "remark: --param m: no kernel has an argument or unknown of this name; "
     "did you mean 'n'?"},
};

static_assert(std::size(GroupTable) ==
              static_cast<unsigned>(DiagnosticGroup::Input) + 1);

ArrayRef<DiagnosticGroupInfo> diagnosticTable() { return GroupTable; }

const DiagnosticGroupInfo &info(DiagnosticGroup Group) {
  const DiagnosticGroupInfo &Row = GroupTable[static_cast<unsigned>(Group)];
  assert(Row.Group == Group && "the table follows the enumeration");
  return Row;
}

const DiagnosticGroupInfo *findDiagnosticGroup(StringRef Name) {
  Name.consume_front("gpu-estimate-");
  for (const DiagnosticGroupInfo &Row : GroupTable)
    if (Row.Name == Name)
      return &Row;
  return nullptr;
}

bool containsGroup(ArrayRef<std::string> Names, DiagnosticGroup Group) {
  for (StringRef Name : Names)
    if (Name == "all" || findDiagnosticGroup(Name) == &info(Group))
      return true;
  return false;
}

std::string diagnosticGroupNames() {
  std::string Names;
  for (const DiagnosticGroupInfo &Row : GroupTable)
    Names += (Names.empty() ? "" : ", ") + Row.Name.str();
  return Names;
}

std::string diagnosticReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "# Diagnostics\n\n"
        "<!-- Written by gpu-estimate-docs from the table in "
        "lib/Report/Diagnostics/DiagnosticTable.cpp. -->\n\n"
        "The plugin gives these diagnostics to clang, and `gpu-estimate "
        "analyze --format diagnostics`\n"
        "prints them. For example, `-Wgpu-estimate-uncoalesced` names the line "
        "of an uncoalesced load,\n"
        "and `gpu-estimate --explain uncoalesced` prints its page.\n\n"
        "All of them but budgets are remarks. None stops a build, not even "
        "under `-Werror`, unless its\n"
        "group is made an error: with `-fplugin-arg-gpu_estimate-error=NAME` "
        "or\n"
        "`-Werror=gpu-estimate-NAME` the compile fails, and with `--error "
        "NAME` `gpu-estimate analyze`\n"
        "ends with status 1.\n\n"
        "No diagnostic matches a pattern in the source. Each is computed from "
        "the kernel model and its\n"
        "evaluation on the GPU at the launch in question. A *predicted gain* "
        "is the share of the time\n"
        "that is saved when a copy of the kernel model is changed (the access "
        "coalesced, the tile in\n"
        "shared memory) and evaluated again; a note says which change. In each "
        "group the three worst\n"
        "places are evaluated.\n\n"
        "What matters little is left out, and what has one cause is said once: "
        "[which findings are\n"
        "diagnostics](diagnostics-selection.md). With `--all-findings` nothing "
        "is left out. JSON and HTML\n"
        "reports always have everything.\n\n"
        "A group is silenced with `-fplugin-arg-gpu_estimate-no-warning=NAME`, "
        "on the command line with\n"
        "`--no-warning NAME`, or with `no-warning: [NAME]` in "
        "`.gpu-estimate.yaml`; `all` silences every\n"
        "group.\n";
  for (const DiagnosticGroupInfo &Row : GroupTable)
    OS << "\n## [`-Wgpu-estimate-" << Row.Name << "`](diagnostics/" << Row.Name
       << ".md)\n\n"
       << Row.Says << "\n\n*When:* " << Row.When << "\n\n```\n"
       << Row.Example << " [-Wgpu-estimate-" << Row.Name << "]\n```\n";
  return Page;
}

} // namespace gpuestimate
