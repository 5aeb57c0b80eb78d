#include "DebugPlaces.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static DIFile *fileNamed(DIBuilder &Builder, StringRef Path) {
  return Builder.createFile(Path, "");
}

PtxDebugPlaces::PtxDebugPlaces(Module &M, const PtxFile &File,
                               const std::string &Name)
    : Builder(M), Ptx(fileNamed(Builder, Name)) {
  for (const auto &[Number, Path] : File.Files)
    Files[Number] = fileNamed(Builder, Path);
  Builder.createCompileUnit(dwarf::DW_LANG_C, Ptx, "gpu-estimate",
                            /*isOptimized=*/true, "", 0);
  M.addModuleFlag(Module::Warning, "Debug Info Version",
                  DEBUG_METADATA_VERSION);
}

DIFile *PtxDebugPlaces::file(unsigned Number) {
  auto Entry = Files.find(Number);
  return Entry == Files.end() ? Ptx : Entry->second;
}

SourceLocation PtxDebugPlaces::begin(Function &F, const PtxFunction &Source) {
  Current.reset();
  SourceLocation Place{Ptx->getFilename().str(), Source.Line, 1};
  DIFile *Of = Ptx;
  for (const PtxStatement &S : Source.Body)
    if (S.Kind == PtxStatement::Place && S.At.Line &&
        Files.contains(S.At.File)) {
      bool IsInlined = S.At.InlinedLine != 0;
      Of = file(IsInlined ? S.At.InlinedFile : S.At.File);
      Place = {Of->getFilename().str(),
               IsInlined ? S.At.InlinedLine : S.At.Line,
               IsInlined ? S.At.InlinedColumn : S.At.Column};
      break;
    }
  F.setSubprogram(Builder.createFunction(
      Of, Source.Name, Source.Name, Of, Place.Line,
      Builder.createSubroutineType(Builder.getOrCreateTypeArray({})),
      Place.Line, DINode::FlagZero, DISubprogram::SPFlagDefinition));
  return Place;
}

DebugLoc PtxDebugPlaces::at(Function &F, unsigned Line) {
  LLVMContext &Context = F.getContext();
  DISubprogram *Scope = F.getSubprogram();
  if (!Current)
    return DILocation::get(
        Context, Scope->getFile() == Ptx ? Line : Scope->getLine(), 1, Scope);
  auto In = [&](unsigned File, DISubprogram *Of) -> DIScope * {
    DIFile *Wanted = file(File);
    if (Wanted == Of->getFile())
      return Of;
    return Builder.createLexicalBlockFile(Of, Wanted);
  };
  if (!Current->InlinedLine)
    return DILocation::get(Context, Current->Line, Current->Column,
                           In(Current->File, Scope));
  DILocation *Call = DILocation::getDistinct(Context, Current->InlinedLine,
                                             Current->InlinedColumn,
                                             In(Current->InlinedFile, Scope));
  DIFile *File = file(Current->File);
  DISubprogram *&Callee = Inlined[File];
  if (!Callee)
    Callee = Builder.createFunction(
        File, "inlined", "", File, 1,
        Builder.createSubroutineType(Builder.getOrCreateTypeArray({})), 1,
        DINode::FlagZero, DISubprogram::SPFlagDefinition);
  return DILocation::get(Context, Current->Line, Current->Column, Callee, Call);
}

} // namespace gpuestimate
