#include "Throughput.h"

#include "LibraryCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCSymbol.h"
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

/// Repetitions after which the pipeline is full, and repetitions of the whole
/// simulation; their difference is the steady state.
constexpr unsigned Warm = 50, Long = 150;
/// Repetitions of outer iterations, which have some hundred instructions each.
constexpr unsigned NestedWarm = 8, NestedLong = 24;
/// Latency of calls in the simulation, which never sees one (LibraryCalls.h).
constexpr unsigned CallLatency = 100;

/// A streamer that collects instructions.
class InstructionCollector final : public llvm::MCStreamer {
public:
  explicit InstructionCollector(llvm::MCContext &Context)
      : MCStreamer(Context) {}

  std::vector<llvm::MCInst> Collected;

  void emitInstruction(const llvm::MCInst &I,
                       const llvm::MCSubtargetInfo &) override {
    Collected.push_back(I);
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
  llvm::Expected<std::vector<double>> nested(const std::string &Outer,
                                             const std::string &Inner);

private:
  /// Assembles Text; the instructions live as long as the Simulator.
  llvm::Expected<std::vector<llvm::MCInst>> assemble(const std::string &Text);
  bool calls(const llvm::MCInst &I) const {
    return Instructions.get(I.getOpcode()).isCall();
  }
  /// Cycles of all calls in Code.
  double callsOf(llvm::ArrayRef<llvm::MCInst> Code) const;
  /// Cycles of one repetition of Code once Few have filled the pipeline.
  llvm::Expected<double> steady(llvm::ArrayRef<llvm::MCInst> Code, unsigned Few,
                                unsigned Many);
  llvm::Expected<double> cycles(llvm::ArrayRef<llvm::MCInst> Code,
                                unsigned Repetitions);

  const llvm::TargetMachine &Machine;
  const llvm::MCSubtargetInfo &Info;
  const llvm::MCInstrInfo &Instructions;
  const llvm::MCRegisterInfo &Registers;
  std::unique_ptr<llvm::MCInstrAnalysis> Analysis;
  /// Owners of the data that instructions refer to.
  std::vector<std::unique_ptr<llvm::SourceMgr>> Buffers;
  std::vector<std::unique_ptr<llvm::MCContext>> Contexts;
};

} // namespace

llvm::Expected<std::vector<llvm::MCInst>>
Simulator::assemble(const std::string &Text) {
  const llvm::Target &T = Machine.getTarget();
  llvm::MCTargetOptions Options;
  llvm::SourceMgr &Sources =
      *Buffers.emplace_back(std::make_unique<llvm::SourceMgr>());
  Sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text), {});
  std::string Problem;
  Sources.setDiagHandler(
      [](const llvm::SMDiagnostic &D, void *Into) {
        auto &First = *static_cast<std::string *>(Into);
        if (First.empty())
          First = D.getMessage().str() + ": " + D.getLineContents().str();
      },
      &Problem);
  llvm::MCContext &Context =
      *Contexts.emplace_back(std::make_unique<llvm::MCContext>(
          Machine.getTargetTriple(), Machine.getMCAsmInfo(), &Registers, &Info,
          &Sources));
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
    return llvm::createStringError("LLVM has no assembly parser for target " +
                                   Machine.getTargetTriple().str());
  Parser->setTargetParser(*TargetParser);
  if (Parser->Run(/*NoInitialTextSection=*/false) || !Problem.empty())
    return llvm::createStringError("LLVM cannot parse its own assembly: " +
                                   Problem);

  // Returns leave the loop.
  llvm::erase_if(Collector.Collected, [&](const llvm::MCInst &I) {
    return Instructions.get(I.getOpcode()).isReturn();
  });
  return std::move(Collector.Collected);
}

static llvm::StringRef calledFunction(const llvm::MCInst &Call) {
  for (const llvm::MCOperand &Operand : Call)
    if (Operand.isExpr())
      if (const auto *Symbol =
              llvm::dyn_cast<llvm::MCSymbolRefExpr>(Operand.getExpr()))
        return Symbol->getSymbol().getName();
  return "";
}

double Simulator::callsOf(llvm::ArrayRef<llvm::MCInst> Code) const {
  double Sum = 0;
  for (const llvm::MCInst &I : Code)
    if (calls(I))
      Sum += callCycles(calledFunction(I));
  return Sum;
}

llvm::Expected<BlockThroughput> Simulator::run(const std::string &Text) {
  llvm::Expected<std::vector<llvm::MCInst>> Code = assemble(Text);
  if (!Code)
    return Code.takeError();
  BlockThroughput Result;
  Result.Instructions = static_cast<unsigned>(Code->size());
  // Calls are added separately; the simulation would warn about them.
  Result.Cycles = callsOf(*Code);
  llvm::erase_if(*Code, [&](const llvm::MCInst &I) { return calls(I); });
  if (Code->empty())
    return Result;
  llvm::Expected<double> Steady = steady(*Code, Warm, Long);
  if (!Steady)
    return Steady.takeError();
  Result.Cycles += *Steady;
  return Result;
}

llvm::Expected<std::vector<double>>
Simulator::nested(const std::string &Outer, const std::string &Inner) {
  std::vector<double> Result;
  llvm::Expected<std::vector<llvm::MCInst>> Code = assemble(Outer);
  if (!Code)
    return Code.takeError();
  llvm::Expected<std::vector<llvm::MCInst>> Body = assemble(Inner);
  if (!Body)
    return Body.takeError();
  auto Calls = [&](const llvm::MCInst &I) { return calls(I); };
  size_t Buffer = std::max(1u, Info.getSchedModel().MicroOpBufferSize);
  // No overlap: the code between two inner loops fills the reorder buffer.
  if (Body->empty() || Code->size() > 2 * Buffer ||
      llvm::any_of(*Code, Calls) || llvm::any_of(*Body, Calls))
    return Result;
  size_t Copies = 0;
  for (size_t Trips = 1; Copies * Body->size() < 2 * Buffer; Trips *= 2) {
    for (; Copies < Trips; ++Copies)
      llvm::append_range(*Code, *Body);
    llvm::Expected<double> Steady = steady(*Code, NestedWarm, NestedLong);
    if (!Steady)
      return Steady.takeError();
    Result.push_back(*Steady);
  }
  return Result;
}

llvm::Expected<double> Simulator::steady(llvm::ArrayRef<llvm::MCInst> Code,
                                         unsigned Few, unsigned Many) {
  llvm::Expected<double> First = cycles(Code, Few);
  if (!First)
    return First.takeError();
  llvm::Expected<double> Second = cycles(Code, Many);
  if (!Second)
    return Second.takeError();
  return (*Second - *First) / (Many - Few);
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

llvm::Expected<std::vector<std::vector<double>>>
measureNested(const llvm::TargetMachine &Machine,
              llvm::ArrayRef<std::string> Texts,
              llvm::ArrayRef<LoopPair> Pairs) {
  Simulator S(Machine);
  std::vector<std::vector<double>> Result;
  for (const LoopPair &Pair : Pairs) {
    llvm::Expected<std::vector<double>> One =
        S.nested(Texts[Pair.Outer], Texts[Pair.Inner]);
    if (!One)
      return One.takeError();
    Result.push_back(std::move(*One));
  }
  return Result;
}

} // namespace gpuestimate
