#include "gpu-estimate/Model/Kernel/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

StringRef name(MachineUnit Unit) {
  static constexpr StringLiteral Names[NumMachineUnits] = {
      "VALU", "transcendental", "MFMA/WMMA", "SALU",
      "SMEM", "VMEM",           "LDS",       "branch"};
  return Names[static_cast<unsigned>(Unit)];
}

std::string describeInstructions(const MachineCode &Code) {
  if (all_of(Code.Instructions, [](unsigned N) { return N == 0; }))
    return "";
  return Code.WhyIr.empty() ? "machine code"
                            : "IR: of the machine code, " + Code.WhyIr;
}

std::string describeCode(const MachineCode &Code) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Code.CodeBytes << " bytes";
  auto Add = [&](unsigned Number, StringRef One, StringRef Many) {
    if (Number > 0)
      OS << ", " << Number << ' ' << (Number == 1 ? One : Many);
  };
  Add(Code.Barriers, "barrier", "barriers");
  Add(Code.ScalarRegisters, "SGPR", "SGPRs");
  Add(Code.AccumulationRegisters, "AGPR", "AGPRs");
  StringRef Before = "; instructions: ";
  for (unsigned Unit = 0; Unit < NumMachineUnits; ++Unit)
    if (unsigned Number = Code.Instructions[Unit]) {
      OS << Before << Number << ' ' << name(static_cast<MachineUnit>(Unit));
      Before = ", ";
    }
  if (Code.DualIssue > 0)
    OS << "; " << Code.DualIssue << " of them dual issue";
  if (Code.Packed > 0)
    OS << "; " << Code.Packed << " of them packed";
  return Text;
}

} // namespace gpuestimate
