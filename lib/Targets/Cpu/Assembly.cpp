#include "Assembly.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

namespace {

/// Reads verbose assembly line by line. A block begins with a label, or with a
/// comment in place of a label without jumps to it. Comments name its loop:
///
///   .LBB0_3:                # %nest4_
///                           # =>This Inner Loop Header: Depth=1
///   # %bb.4:                # %nest5_
///                           #   in Loop: Header=BB0_3 Depth=1
class LoopReader {
public:
  explicit LoopReader(llvm::StringRef Comment) : Comment(Comment) {}

  void read(llvm::StringRef Line) {
    bool Begins = !Line.empty() && !llvm::isSpace(Line.front());
    if (Begins)
      begin(Line);
    if (Line.contains("Loop Header: Depth="))
      enter(Label);
    else if (size_t Position = Line.find("in Loop: Header=");
             Position != llvm::StringRef::npos)
      enter(Line.drop_front(Position + 16).take_until(llvm::isSpace).str());
    llvm::StringRef Text = Line.trim();
    bool Instruction = Line.starts_with("\t") && !Text.empty() &&
                       !Text.starts_with(".") && !Text.starts_with(Comment);
    if (Instruction && !Loop.empty())
      (Loops[Loop].Instructions += Text) += '\n';
  }

  std::vector<AssemblyLoop> take() {
    std::vector<AssemblyLoop> Result;
    for (auto &Entry : Loops)
      Result.push_back(std::move(Entry.second));
    return Result;
  }

private:
  void begin(llvm::StringRef Line) {
    Loop.clear();
    Label = Line.take_until([](char C) { return C == ':'; })
                .drop_while([](char C) { return C == '.' || C == 'L'; })
                .str();
    Block.clear();
    size_t Position = Line.rfind((Comment + " %").str());
    if (Position == llvm::StringRef::npos)
      return;
    // Code generation appends a suffix to the name of a block that it splits.
    llvm::StringRef Name = Line.drop_front(Position + Comment.size() + 2);
    Block = Name.take_front(Name.find('_') + 1).str();
  }

  void enter(std::string Header) {
    if (Header == Label)
      Loops[Header].Header = Block;
    Loop = std::move(Header);
  }

  llvm::StringRef Comment;
  std::string Label, Block; ///< of the current block
  std::string Loop;         ///< label of the innermost loop's header
  llvm::StringMap<AssemblyLoop> Loops;
};

} // namespace

llvm::Expected<std::vector<AssemblyLoop>>
assembleLoops(llvm::Module &M, llvm::TargetMachine &Machine) {
  llvm::StripDebugInfo(M); // lines would stand between the instructions
  Machine.Options.MCOptions.AsmVerbose = true;
  llvm::SmallString<0> Buffer;
  llvm::raw_svector_ostream OS(Buffer);
  llvm::legacy::PassManager Passes;
  if (Machine.addPassesToEmitFile(Passes, OS, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("LLVM has no assembly printer for target " +
                                   Machine.getTargetTriple().str());
  Passes.run(M);

  LoopReader Reader(Machine.getMCAsmInfo()->getCommentString());
  llvm::SmallVector<llvm::StringRef> Lines;
  Buffer.str().split(Lines, '\n');
  for (llvm::StringRef Line : Lines)
    Reader.read(Line);
  return Reader.take();
}

} // namespace gpuestimate
