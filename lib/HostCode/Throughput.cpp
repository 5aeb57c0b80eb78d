#include "Throughput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/Support/SourceMgr.h"

namespace gpuestimate {

namespace {

/// The pipeline has filled after the first repetitions; the difference to the
/// second count is the steady state.
constexpr unsigned Warm = 50, Long = 150;
/// Cycles of a call, which the simulation cannot follow: llvm-mca's own number.
constexpr unsigned CallLatency = 100;

/// Keeps instructions, forgets everything else.
class InstructionCollector final : public llvm::MCStreamer {
public:
  explicit InstructionCollector(llvm::MCContext &Context)
      : MCStreamer(Context) {}

  std::vector<llvm::MCInst> Found;

  void emitInstruction(const llvm::MCInst &I,
                       const llvm::MCSubtargetInfo &) override {
    Found.push_back(I);
  }
  bool emitSymbolAttribute(llvm::MCSymbol *, llvm::MCSymbolAttr) override {
    return true;
  }
  void emitCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection *, llvm::MCSymbol *, uint64_t, llvm::Align,
                    llvm::SMLoc) override {}
};

class Simulator {
public:
  explicit Simulator(const llvm::TargetMachine &Machine)
      : Machine(Machine), Info(*Machine.getMCSubtargetInfo()),
        Instructions(*Machine.getMCInstrInfo()),
        Registers(*Machine.getMCRegisterInfo()),
        Analysis(Machine.getTarget().createMCInstrAnalysis(&Instructions)) {}

  llvm::Expected<BlockThroughput> run(const std::string &Text);

private:
  llvm::Expected<double> cycles(llvm::ArrayRef<llvm::MCInst> Code,
                                unsigned Repetitions);

  const llvm::TargetMachine &Machine;
  const llvm::MCSubtargetInfo &Info;
  const llvm::MCInstrInfo &Instructions;
  const llvm::MCRegisterInfo &Registers;
  std::unique_ptr<llvm::MCInstrAnalysis> Analysis;
};

} // namespace

llvm::Expected<BlockThroughput> Simulator::run(const std::string &Text) {
  const llvm::Target &T = Machine.getTarget();
  llvm::MCTargetOptions Options;
  llvm::SourceMgr Sources;
  Sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text), {});
  std::string Problem;
  Sources.setDiagHandler(
      [](const llvm::SMDiagnostic &D, void *Into) {
        auto &First = *static_cast<std::string *>(Into);
        if (First.empty())
          First = D.getMessage().str() + ": " + D.getLineContents().str();
      },
      &Problem);
  llvm::MCContext Context(Machine.getTargetTriple(), Machine.getMCAsmInfo(),
                          &Registers, &Info, &Sources);
  std::unique_ptr<llvm::MCObjectFileInfo> Sections(
      T.createMCObjectFileInfo(Context, /*PIC=*/false));
  Context.setObjectFileInfo(Sections.get());
  InstructionCollector Collector(Context);
  T.createNullTargetStreamer(Collector);
  std::unique_ptr<llvm::MCAsmParser> Parser(llvm::createMCAsmParser(
      Sources, Context, Collector, *Machine.getMCAsmInfo()));
  std::unique_ptr<llvm::MCTargetAsmParser> TargetParser(
      T.createMCAsmParser(Info, *Parser, Instructions, Options));
  if (!TargetParser)
    return llvm::createStringError("LLVM has no assembler for it");
  Parser->setTargetParser(*TargetParser);
  if (Parser->Run(/*NoInitialTextSection=*/false) || !Problem.empty())
    return llvm::createStringError("its assembly is not understood: " +
                                   Problem);

  BlockThroughput Result;
  Result.Instructions = static_cast<unsigned>(Collector.Found.size());
  // Calls stand apart from the pipeline; the simulation would warn of them.
  auto Leaves = [&](const llvm::MCInst &I) {
    const llvm::MCInstrDesc &D = Instructions.get(I.getOpcode());
    return D.isCall() || D.isReturn();
  };
  double Calls = static_cast<double>(
      llvm::count_if(Collector.Found, [&](const llvm::MCInst &I) {
        return Instructions.get(I.getOpcode()).isCall();
      }));
  llvm::erase_if(Collector.Found, Leaves);
  Result.Cycles = Calls * CallLatency;
  if (Collector.Found.empty())
    return Result;
  llvm::Expected<double> First = cycles(Collector.Found, Warm);
  if (!First)
    return First.takeError();
  llvm::Expected<double> Second = cycles(Collector.Found, Long);
  if (!Second)
    return Second.takeError();
  Result.Cycles += (*Second - *First) / (Long - Warm);
  return Result;
}

llvm::Expected<double> Simulator::cycles(llvm::ArrayRef<llvm::MCInst> Code,
                                         unsigned Repetitions) {
  namespace mca = llvm::mca;
  mca::InstrumentManager Instruments(Info, Instructions);
  mca::InstrBuilder Builder(Info, Instructions, Registers, Analysis.get(),
                            Instruments, CallLatency);
  llvm::SmallVector<std::unique_ptr<mca::Instruction>> Lowered;
  for (const llvm::MCInst &I : Code) {
    llvm::Expected<std::unique_ptr<mca::Instruction>> One =
        Builder.createInstruction(I, {});
    if (!One)
      return llvm::createStringError("LLVM's scheduling data of " +
                                     Machine.getTargetCPU() +
                                     " has no entry for the instruction " +
                                     Instructions.getName(I.getOpcode()) +
                                     ": " + llvm::toString(One.takeError()));
    Lowered.push_back(std::move(*One));
  }
  mca::CircularSourceMgr Source(Lowered, Repetitions);
  mca::CustomBehaviour Behaviour(Info, Source, Instructions);
  mca::PipelineOptions Options(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
  mca::Context Hardware(Registers, Info);
  std::unique_ptr<mca::Pipeline> Pipeline =
      Hardware.createDefaultPipeline(Options, Source, Behaviour);
  llvm::Expected<unsigned> Cycles = Pipeline->run();
  if (!Cycles)
    return Cycles.takeError();
  return static_cast<double>(*Cycles);
}

llvm::Expected<std::vector<BlockThroughput>>
measureThroughput(const llvm::TargetMachine &Machine,
                  llvm::ArrayRef<std::string> Texts) {
  if (!Machine.getMCSubtargetInfo()->getSchedModel().hasInstrSchedModel())
    return llvm::createStringError("LLVM has no scheduling data for " +
                                   Machine.getTargetCPU());
  Simulator S(Machine);
  std::vector<BlockThroughput> Result;
  for (const std::string &Text : Texts) {
    llvm::Expected<BlockThroughput> One = S.run(Text);
    if (!One)
      return One.takeError();
    Result.push_back(*One);
  }
  return Result;
}

} // namespace gpuestimate
