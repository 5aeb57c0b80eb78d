/// \file
/// The table of diagnostic groups and the page made from it.
#include "gpu-estimate/Report/DiagnosticTable.h"

#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <iterator>

using namespace llvm;

namespace gpuestimate {

static constexpr DiagnosticGroupInfo Table[] = {
    {DiagnosticGroup::Time, "time", DiagnosticSeverity::Remark,
     "The predicted time of a kernel at one launch, what bounds it, and the "
     "launch that was used.",
     "Once per kernel, launch and GPU.",
     "matmul.cu:23:17: remark: 'matmulNaive' takes 1.23 ms on NVIDIA A100, "
     "bound by l1-bandwidth (grid 64x64, block 16x16 from host-code)"},
    {DiagnosticGroup::Uncoalesced, "uncoalesced", DiagnosticSeverity::Remark,
     "The lanes of a warp touch more memory sectors than their data needs, so "
     "bandwidth is spent on bytes that nobody asked for.",
     "A global access that moves at least twice the ideal number of sectors "
     "per request, and at least 5 % of the kernel's sectors.",
     "transpose.cu:24:5: remark: store to 'out' touches 32 sectors per request "
     "where 4 would do"},
    {DiagnosticGroup::BankConflict, "bank-conflict", DiagnosticSeverity::Remark,
     "Lanes of a warp read different words of one shared-memory bank, so the "
     "request takes several passes.",
     "A shared access with at least 1.5 times the passes that its width needs, "
     "and at least 5 % of the kernel's passes.",
     "transpose.cu:36:5: remark: load from 'tile' takes 32 passes per request "
     "where 1 would do"},
    {DiagnosticGroup::Occupancy, "occupancy", DiagnosticSeverity::Remark,
     "Few warps share a multiprocessor, so latencies stay exposed.",
     "Registers or shared memory hold occupancy below 50 %.",
     "fft.cu:12:17: remark: 'fft' fills 25.0 % of a multiprocessor's warps, "
     "limited by shared (65536 bytes of shared memory per block)"},
    {DiagnosticGroup::Divergence, "divergence", DiagnosticSeverity::Remark,
     "Lanes of a warp take different ways, so the warp walks both while part "
     "of its lanes idle.",
     "At most 24 of 32 lanes are active on average in code that takes at least "
     "10 % of the issue cycles.",
     "mandelbrot.cu:30:5: remark: 9.5 of 32 lanes are active here on average, "
     "in 80.0 % of the kernel's issue cycles"},
    {DiagnosticGroup::Assumption, "assumption", DiagnosticSeverity::Remark,
     "What the source does not tell and was assumed, with the option that "
     "settles it.",
     "Notes of the time remark, one per assumption that moves the time.",
     "spmv.cu:28:3: note: assumed trip count of the loop at spmv.cu:28 = 16 "
     "(its bound is loaded from memory); settle with --param "
     "'trip@spmv.cu:28=VALUE'"},
    {DiagnosticGroup::Unresolved, "unresolved", DiagnosticSeverity::Remark,
     "A kernel without an estimate, and why.",
     "Once per kernel, or launch of it, that could not be predicted.",
     "ring.cu:9:17: remark: no estimate for 'ring': the kernel calls itself"},
    {DiagnosticGroup::Input, "input", DiagnosticSeverity::Remark,
     "Something that was said to this tool and has no effect.",
     "A parameter that names nothing, an annotation that cannot be read.",
     "remark: --param m: no kernel has an argument or unknown of this name; "
     "did you mean 'n'?"},
};

static_assert(std::size(Table) ==
              static_cast<unsigned>(DiagnosticGroup::Input) + 1);

ArrayRef<DiagnosticGroupInfo> diagnosticTable() { return Table; }

const DiagnosticGroupInfo &info(DiagnosticGroup Group) {
  const DiagnosticGroupInfo &Row = Table[static_cast<unsigned>(Group)];
  assert(Row.Group == Group && "the table follows the enumeration");
  return Row;
}

const DiagnosticGroupInfo *findDiagnosticGroup(StringRef Name) {
  Name.consume_front("gpu-estimate-");
  for (const DiagnosticGroupInfo &Row : Table)
    if (Row.Name == Name)
      return &Row;
  return nullptr;
}

std::string diagnosticGroupNames() {
  std::string Names;
  for (const DiagnosticGroupInfo &Row : Table)
    Names += (Names.empty() ? "" : ", ") + Row.Name.str();
  return Names;
}

std::string diagnosticReference() {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "# Diagnostics\n\n"
        "<!-- Written by gpu-estimate-docs from the table in "
        "lib/Report/DiagnosticTable.cpp. -->\n\n"
        "The plugin gives these to clang, and `gpu-estimate analyze --format "
        "diagnostics` prints\nthem. All are remarks: a prediction never stops "
        "a build, not even under `-Werror`.\n\n"
        "A group is silenced with `-fplugin-arg-gpu_estimate-no-warning=NAME`, "
        "on the command line\nwith `--no-warning NAME`, or with `no-warning: "
        "[NAME]` in `.gpu-estimate.yaml`; `all` silences\nevery group.\n";
  for (const DiagnosticGroupInfo &Row : Table)
    OS << "\n## `-Wgpu-estimate-" << Row.Name << "`\n\n"
       << Row.Says << "\n\n*When:* " << Row.When << "\n\n```\n"
       << Row.Example << " [-Wgpu-estimate-" << Row.Name << "]\n```\n";
  return Page;
}

} // namespace gpuestimate
