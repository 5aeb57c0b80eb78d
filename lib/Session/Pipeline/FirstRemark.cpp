#include "gpu-estimate/Session/Pipeline/FirstRemark.h"

#include "gpu-estimate/Session/Settings/Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuestimate {

/// The nearest folder above Source with a .git, else the current one.
static std::string projectOf(StringRef Source) {
  SmallString<128> Here, Folder(Source);
  if (sys::fs::current_path(Here) || sys::fs::make_absolute(Folder))
    return "";
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  for (StringRef Parent = sys::path::parent_path(Folder); !Parent.empty();
       Parent = sys::path::parent_path(Parent))
    if (sys::fs::exists(Parent + "/.git"))
      return Parent.str();
  return Here.str().str();
}

/// True for one process alone, the first that asks for this project.
static bool isFirstOf(StringRef Project) {
  SmallString<128> Path;
  if (Project.empty() || !sys::path::cache_directory(Path) ||
      !sys::path::is_absolute(Path))
    return false;
  sys::path::append(Path, "gpu-estimate", "projects");
  if (sys::fs::create_directories(Path, /*IgnoreExisting=*/true,
                                  sys::fs::owner_all))
    return false;
  sys::path::append(Path, utohexstr(xxh3_64bits(Project)));
  int File = 0;
  if (sys::fs::openFileForWrite(Path, File, sys::fs::CD_CreateNew))
    return false;
  sys::Process::SafelyCloseFileDescriptor(File);
  return true;
}

void addFirstRemarkNote(std::vector<Diagnostic> &Diagnostics, const Options &O,
                        StringRef Source) {
  auto First = find_if(Diagnostics, [](const Diagnostic &D) {
    return D.Severity != DiagnosticSeverity::Error;
  });
  if (First == Diagnostics.end() || !O.Silenced.empty() ||
      !O.ConfigFile.empty() || !findConfig(Source).empty() ||
      sys::Process::GetEnv("GPU_ESTIMATE_HINTS") == "off" ||
      !isFirstOf(projectOf(Source)))
    return;
  StringRef Group = info(First->Group).Name;
  First->Notes.push_back(
      {{},
       ("'no-warning: [" + Group +
        "]' in .gpu-estimate.yaml silences such findings, and [all] every "
        "group; this is said once for a project")
           .str()});
}

} // namespace gpuestimate
