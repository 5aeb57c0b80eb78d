#include "LaunchFiles.h"

#include "gpu-estimate/ForeignIr/KernelFunction.h"
#include "gpu-estimate/ForeignIr/ThunkSequence.h"
#include "gpu-estimate/ForeignIr/TritonMetadata.h"
#include "gpu-estimate/Frontend/AssignedRegisters.h"
#include "gpu-estimate/Support/FileMessage.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace gpuestimate {

namespace {

class LaunchFiles {
public:
  LaunchFiles(TranslationUnit &Unit, std::string &Diagnostics)
      : Unit(Unit), Diagnostics(Diagnostics) {}

  void readTriton(std::string &Target);
  void readXla();

private:
  void warn(StringRef File, const FileMessage &Problem) {
    Diagnostics +=
        printMessage(File, Problem.Place, "warning: " + Problem.Text) + "\n";
  }
  LaunchSite siteOf(const KernelSource &Kernel, StringRef File, unsigned Line);
  void addHlo(StringRef Stem, std::vector<SequenceStep> &Steps);
  void addLaunches();

  TranslationUnit &Unit;
  std::string &Diagnostics;
};

} // namespace

/// The contents of a regular file of at most MaxBytes; null if there is none.
static std::unique_ptr<MemoryBuffer> contentsOf(const Twine &File,
                                                uint64_t MaxBytes) {
  sys::fs::file_status Status;
  if (sys::fs::status(File, Status) || !sys::fs::is_regular_file(Status) ||
      Status.getSize() > MaxBytes)
    return nullptr;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(File);
  return Text ? std::move(*Text) : nullptr;
}

/// A text of XLA that is larger is not read.
static constexpr uint64_t MaxTextBytes = 256 << 20;

/// What XLA calls the files of a sequence. The passes over the thunks, if they
/// change anything, combine them to graphs and write the second one.
static constexpr StringLiteral SequenceEndings[] = {
    ".thunk_sequence_after_thunk_passes.txt", ".thunk_sequence.txt"};

/// The names of the files in a folder.
static Expected<std::set<std::string>> filesIn(StringRef Folder) {
  std::set<std::string> Files;
  std::error_code Problem;
  for (sys::fs::directory_iterator
           Entry(Folder.empty() ? "." : Folder, Problem),
       End;
       Entry != End && !Problem; Entry.increment(Problem))
    Files.insert(sys::path::filename(Entry->path()).str());
  if (Problem)
    return createStringError(Folder + ": " + Problem.message());
  return Files;
}

/// A launch that states no size yet.
LaunchSite LaunchFiles::siteOf(const KernelSource &Kernel, StringRef File,
                               unsigned Line) {
  LaunchSite Site;
  Site.Context = std::make_shared<ExprContext>();
  Site.Kernel = Kernel.Mangled;
  Site.Location = {File.str(), Line, 1};
  Site.IsCompilersRecord = true;
  return Site;
}

/// Reads NAME.json beside NAME.ptx, if it is Triton's.
void LaunchFiles::readTriton(std::string &Target) {
  // Triton's own are of two kilobytes.
  constexpr uint64_t MaxBytes = 1 << 20;
  SmallString<256> File(Unit.MainFile);
  sys::path::replace_extension(File, "json");
  std::unique_ptr<MemoryBuffer> Text = contentsOf(File, MaxBytes);
  std::optional<TritonMetadata> Read =
      Text ? readTritonMetadata(Text->getBuffer()) : std::nullopt;
  if (!Read)
    return;
  if (!Read->Problem.empty())
    warn(File, {{}, Read->Problem});
  auto Kernel = find_if(Unit.Kernels, [&](const KernelSource &K) {
    return K.Mangled == Read->Kernel || Unit.Kernels.size() == 1;
  });
  if (Kernel == Unit.Kernels.end())
    return;
  Unit.Files.push_back(File.str().str());
  if (Target.empty())
    Target = Read->Target;
  Function *Code = Unit.Module->getFunction(Kernel->Mangled);
  if (Code) {
    annotateCluster(*Code, Read->Cluster);
    for (auto [Name, Argument, Value] :
         zip(Read->Parameters, Kernel->Arguments, Code->args()))
      if (!Name.empty()) {
        Argument.Name = Name;
        Value.setName(Name);
      }
  }
  if (Code && Read->Registers)
    Code->addFnAttr(AssignedRegistersMark, std::to_string(*Read->Registers));
  if (!Read->ThreadsPerBlock && !Read->DynamicSharedBytes)
    return;
  LaunchSite Site = siteOf(*Kernel, File, /*Line=*/1);
  if (Read->ThreadsPerBlock)
    Site.Block = {Site.Context->constant(*Read->ThreadsPerBlock),
                  Site.Context->constant(1), Site.Context->constant(1)};
  if (Read->DynamicSharedBytes)
    Site.DynamicSharedBytes = Site.Context->constant(*Read->DynamicSharedBytes);
  Unit.Launches.push_back(std::move(Site));
}

/// The sizes of a launch that several steps share.
static bool sameLaunch(const SequenceStep &A, const SequenceStep &B) {
  return A.Grid == B.Grid && A.Block == B.Block &&
         A.DynamicSharedBytes == B.DynamicSharedBytes;
}

/// How often a part of a step is executed, if the step itself is Executions
/// times; nothing: run time decides.
static std::optional<double> executionsIn(const SequenceStep &Step,
                                          StringRef Part,
                                          std::optional<double> Executions) {
  if (Step.Role == SequenceStep::Choice)
    return std::nullopt;
  if (Step.Role != SequenceStep::Loop || !Executions)
    return Executions;
  if (!Step.Iterations)
    return std::nullopt;
  return Part == "condition" ? 0 : *Executions * double(*Step.Iterations);
}

/// Adds one launch site for all equal launches of a kernel. A kernel of XLA has
/// one shape of launch, or a few where several fusions share its code.
void LaunchFiles::addLaunches() {
  constexpr size_t MaxShapes = 16;
  struct Shape {
    const SequenceStep *First;
    std::optional<double> Count = 0; ///< nothing: a loop decides it
  };
  MapVector<StringRef, std::vector<Shape>> Kernels;
  bool HasMore = false;
  const std::vector<SequenceStep> &Steps = Unit.Sequence.Steps;
  std::vector<std::optional<double>> Executions(Steps.size(), 1);
  for (const auto &[I, Step] : enumerate(Steps)) {
    if (Step.Parent)
      Executions[I] = executionsIn(Steps[*Step.Parent], Step.Part,
                                   Executions[*Step.Parent]);
    if (!Step.isLaunch() || !Step.Grid || !Step.Block)
      continue;
    std::vector<Shape> &Known = Kernels[Step.Kernel];
    auto Same = find_if(
        Known, [&](const Shape &S) { return sameLaunch(*S.First, Step); });
    if (Same == Known.end()) {
      if (Known.size() == MaxShapes) {
        if (!std::exchange(HasMore, true))
          warn(Unit.Sequence.File,
               {{Step.Line, 0},
                "'" + Step.Kernel + "' has more than " +
                    std::to_string(MaxShapes) +
                    " shapes of launches: the first ones are evaluated"});
        continue;
      }
      Same = Known.insert(Same, {&Step});
    }
    if (!Executions[I])
      Same->Count = std::nullopt;
    else if (Same->Count)
      *Same->Count += *Executions[I];
  }
  for (KernelSource &Kernel : Unit.Kernels) {
    auto Known = Kernels.find(Kernel.Mangled);
    if (Known == Kernels.end())
      continue;
    // Facts of the file replace those of the code.
    erase_if(Kernel.Notes, [](const SourceAnnotation &Note) {
      return StringRef(Note.Text).starts_with("grid=") ||
             StringRef(Note.Text).starts_with("block=");
    });
    if (Function *Code = Unit.Module->getFunction(Kernel.Mangled))
      annotateCluster(*Code, Known->second.front().First->Cluster);
    for (const Shape &S : Known->second) {
      LaunchSite Site = siteOf(Kernel, Unit.Sequence.File, S.First->Line);
      ExprContext &Context = *Site.Context;
      for (unsigned I = 0; I < 3; ++I) {
        Site.Grid[I] = Context.constant((*S.First->Grid)[I]);
        Site.Block[I] = Context.constant((*S.First->Block)[I]);
      }
      Site.DynamicSharedBytes = Context.constant(S.First->DynamicSharedBytes);
      if (S.Count)
        Site.Repeats = Context.constant(*S.Count);
      Unit.Launches.push_back(std::move(Site));
    }
  }
}

/// Adds what the HLO of the module tells of its copies and loops. Its name has
/// the architecture in it, so that it is searched, where there are any.
void LaunchFiles::addHlo(StringRef Stem, std::vector<SequenceStep> &Steps) {
  if (none_of(Steps, [](const SequenceStep &Step) {
        return Step.Role == SequenceStep::Loop ||
               Step.Role == SequenceStep::Copy ||
               Step.Role == SequenceStep::Memset;
      }))
    return;
  std::unique_ptr<MemoryBuffer> Metadata =
      contentsOf(Stem + ".thunk_metadata.txt", MaxTextBytes);
  Expected<std::set<std::string>> Files =
      Metadata ? filesIn(sys::path::parent_path(Stem))
               : Expected<std::set<std::string>>(std::set<std::string>());
  if (!Files)
    return consumeError(Files.takeError());
  std::string Begin = (sys::path::filename(Stem) + ".").str();
  for (auto File = Files->lower_bound(Begin);
       File != Files->end() && StringRef(*File).starts_with(Begin); ++File) {
    if (!StringRef(*File).ends_with("after_optimizations.txt"))
      continue;
    SmallString<256> Path(sys::path::parent_path(Stem));
    sys::path::append(Path, *File);
    if (auto Hlo = contentsOf(Path, MaxTextBytes))
      addHloFacts(Steps, Metadata->getBuffer(), Hlo->getBuffer());
    return;
  }
}

/// Reads NAME.thunk_sequence.txt beside NAME.ptx and NAME.ir-with-opt.ll.
void LaunchFiles::readXla() {
  // "module_0001.jit_f.ir-with-opt.0.ll" has three endings.
  constexpr unsigned MaxEndings = 3;
  SmallString<256> Stem(Unit.MainFile);
  std::unique_ptr<MemoryBuffer> Text;
  std::string File;
  for (unsigned I = 0; I < MaxEndings && !Text; ++I) {
    sys::path::replace_extension(Stem, "");
    for (StringRef Ending : SequenceEndings)
      if (!Text) {
        File = (Stem + Ending).str();
        Text = contentsOf(File, MaxTextBytes);
      }
  }
  if (!Text)
    return;
  ThunkSequence Read = readThunkSequence(Text->getBuffer());
  for (const FileMessage &Problem : Read.Problems)
    warn(File, Problem);
  if (Read.Steps.empty())
    return;
  Unit.Files.push_back(File);
  addHlo(Stem, Read.Steps);
  Unit.Sequence = {sys::path::filename(Stem).str(), File,
                   std::move(Read.Steps)};
  addLaunches();
}

void addStatedLaunches(TranslationUnit &Unit, std::string &Target,
                       std::string &Diagnostics) {
  LaunchFiles Files(Unit, Diagnostics);
  Files.readTriton(Target);
  Files.readXla();
}

/// How near a file of code is to what an estimate needs; nothing: it is none.
/// LLVM IR has the sizes of buffers. Optimised, it has no instruction that does
/// not run. "-noconst" is the same without the values of constants.
static std::optional<unsigned> rankOfCode(StringRef File) {
  if (File.ends_with(".ptx"))
    return 2;
  if (!File.ends_with(".ll") || File.contains("-noconst"))
    return std::nullopt;
  return File.contains(".ir-with-opt.") ? 0 : 1;
}

/// The code of a module: "jit_f.ptx", or in parts "jit_f.0.ptx", "jit_f.1.ptx";
/// the LLVM IR likewise. Empty if it is not among Files.
static std::vector<std::string>
codeOfModule(StringRef Module, const std::set<std::string> &Files) {
  std::string Begin = (Module + ".").str();
  std::vector<std::string> Parts;
  unsigned BestRank = ~0u;
  for (auto File = Files.lower_bound(Begin);
       File != Files.end() && StringRef(*File).starts_with(Begin); ++File) {
    std::optional<unsigned> Rank = rankOfCode(*File);
    if (!Rank || *Rank > BestRank)
      continue;
    if (*Rank < BestRank)
      Parts.clear();
    BestRank = *Rank;
    Parts.push_back(*File);
  }
  return Parts;
}

/// Takes the ending of a sequence from a file's name.
static bool consumeSequenceEnding(StringRef &File) {
  return any_of(SequenceEndings,
                [&](StringRef Ending) { return File.consume_back(Ending); });
}

Expected<std::vector<std::string>> codeFiles(const std::string &Input) {
  StringRef Sequence = sys::path::filename(Input);
  bool IsFolder = sys::fs::is_directory(Input);
  if (!IsFolder && !consumeSequenceEnding(Sequence))
    return std::vector<std::string>{Input};
  StringRef Folder = IsFolder ? Input : sys::path::parent_path(Input);
  Expected<std::set<std::string>> Files = filesIn(Folder);
  if (!Files)
    return Files.takeError();
  std::set<std::string> Modules;
  if (!IsFolder)
    Modules.insert(Sequence.str());
  else
    for (StringRef File : *Files)
      if (consumeSequenceEnding(File))
        Modules.insert(File.str());
  std::vector<std::string> Code;
  for (const std::string &Module : Modules)
    for (const std::string &Part : codeOfModule(Module, *Files)) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Part);
      Code.push_back(Path.str().str());
    }
  if (!Code.empty())
    return Code;
  constexpr StringLiteral WayOut =
      ": dump with XLA_FLAGS=\"--xla_dump_to=DIR --xla_gpu_dump_llvmir\"";
  if (Modules.empty())
    return createStringError(Input + ": no *.thunk_sequence.txt of XLA is in "
                                     "this folder: name a file, or a folder "
                                     "that XLA has dumped into");
  return createStringError(
      Input + ": there is no code, neither " + *Modules.begin() +
      ".ir-with-opt.ll nor .ptx" +
      (Modules.size() > 1
           ? " nor that of " + Twine(Modules.size() - 1) + " other modules"
           : Twine()) +
      WayOut);
}

} // namespace gpuestimate
