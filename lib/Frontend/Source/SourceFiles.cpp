#include "SourceFiles.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace gpuestimate {

std::vector<std::string> filesRead(clang::CompilerInstance &Compiler) {
  std::vector<std::string> Files;
  const clang::SourceManager &Sources = Compiler.getSourceManager();
  for (auto File = Sources.fileinfo_begin(); File != Sources.fileinfo_end();
       ++File)
    if (!File->first.getName().starts_with("<")) {
      llvm::SmallString<256> Path(File->first.getName());
      Compiler.getFileManager().makeAbsolutePath(Path);
      Files.push_back(Path.str().str());
    }
  llvm::sort(Files);
  return Files;
}

std::string mainFileOf(const clang::SourceManager &Sources) {
  auto File = Sources.getFileEntryRefForID(Sources.getMainFileID());
  return File ? File->getName().str() : "<stdin>";
}

} // namespace gpuestimate
