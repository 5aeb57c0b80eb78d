#include "gpu-estimate/Support/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <link.h>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace gpuestimate {

/// Path of the program or plugin that contains this function, with symbolic
/// links resolved.
static std::string ownFile() {
  Dl_info Info;
  link_map *Map = nullptr;
  void *Here = reinterpret_cast<void *>(&ownFile);
  if (!dladdr1(Here, &Info, reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP))
    return "";
  // The link map has no name for the main program, and Info has its argv[0].
  bool Plugin = Map && Map->l_name && *Map->l_name;
  llvm::SmallString<256> Real;
  if (fs::real_path(Plugin ? Map->l_name : "/proc/self/exe", Real))
    return "";
  return Real.str().str();
}

std::string prefixOf(llvm::StringRef Path) {
  for (llvm::StringRef Folder = path::parent_path(Path); !Folder.empty();
       Folder = path::parent_path(Folder)) {
    llvm::StringRef Name = path::filename(Folder);
    if (Name == "bin" || Name == "lib" || Name == "lib64" || Name == "libexec")
      return path::parent_path(Folder).str();
  }
  return "";
}

/// Where the running program or plugin is installed or was built.
static const std::string &ownPrefix() {
  // The path of a loaded plugin does not change.
  static const std::string Prefix = prefixOf(ownFile());
  return Prefix;
}

llvm::Expected<std::string> findInstalledLibrary(llvm::StringRef Name) {
  llvm::SmallString<256> Installed(ownPrefix()), Built(ownPrefix());
  path::append(Installed, "lib", "gpu-estimate", Name);
  path::append(Built, "lib", Name);
  if (fs::exists(Installed))
    return Installed.str().str();
  if (fs::exists(Built))
    return Built.str().str();
  return llvm::createStringError("no library " + Name + ": neither " +
                                 Installed + " nor " + Built + " exists");
}

llvm::Expected<std::string> findInstalledProgram(llvm::StringRef Name) {
  llvm::SmallString<256> Program(ownPrefix());
  path::append(Program, "libexec", Name);
  if (fs::can_execute(Program))
    return Program.str().str();
  return llvm::createStringError("no program " + Program);
}

llvm::Expected<std::string> findDataFolder(llvm::StringRef Name) {
  const std::string &Prefix = ownPrefix();
  llvm::SmallString<256> Installed(Prefix), Source(GPU_ESTIMATE_SOURCE_DIR);
  path::append(Installed, "share", "gpu-estimate", Name);
  path::append(Source, Name);
  if (!Prefix.empty() && fs::is_directory(Installed))
    return Installed.str().str();
  if (fs::is_directory(Source))
    return Source.str().str();
  return llvm::createStringError("no folder " + Name + ": neither " +
                                 (Prefix.empty() ? "" : Installed + " nor ") +
                                 Source + " exists");
}

} // namespace gpuestimate
