/// \file
/// Everything that a report names can be explained, and nothing else can.
#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Advice/Bottleneck.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using llvm::StringRef;

namespace {

std::string explained(StringRef Name) {
  llvm::Expected<std::string> Text = explain(Name);
  return Text ? *Text : "error: " + llvm::toString(Text.takeError());
}

/// What stands between "## Part" and the next heading.
StringRef partOf(StringRef Page, StringRef Part) {
  auto [Before, After] = Page.split(("\n## " + Part + "\n").str());
  return After.take_front(After.find("\n## ")).trim();
}

TEST(Explanation, EveryTopicHasAPageWithAllParts) {
  for (const Topic &T : topics()) {
    StringRef Page = pageText(T.Page);
    EXPECT_FALSE(Page.empty()) << T.Name << ": no page '" << T.Page << "'";
    for (StringRef Part : {"What", "Example", "Why", "Fix"})
      EXPECT_GT(partOf(Page, Part).size(), 20u)
          << T.Page << ": too little under " << Part.str();
    // Its name stands in the page, so that it is about it.
    EXPECT_NE(Page.find(T.Name), StringRef::npos) << T.Name << ": " << T.Page;
  }
}

TEST(Explanation, EveryPageIsSomeonesTopic) {
  llvm::StringSet<> Used;
  for (const Topic &T : topics())
    Used.insert(T.Page);
  unsigned Pages = 0;
  for (StringRef Folder : {"diagnostics", "limits"}) {
    std::error_code Problem;
    std::string Path = GPU_ESTIMATE_SOURCE_DIR "/docs/" + Folder.str();
    for (llvm::sys::fs::directory_iterator It(Path, Problem), End;
         !Problem && It != End; It.increment(Problem), ++Pages)
      EXPECT_TRUE(Used.contains(
          (Folder + "/" + llvm::sys::path::stem(It->path())).str()))
          << It->path();
  }
  EXPECT_GE(Pages, 40u);
}

TEST(Explanation, EveryBoundIsABottleneck) {
  for (const BoundInfo &Row : boundTable()) {
    const BottleneckInfo *Info = findBottleneck(Row.name());
    ASSERT_TRUE(Info) << Row.name().str();
    EXPECT_EQ(componentGroup(Info->Component), name(Row.SwitchedOffBy))
        << Row.name().str();
    EXPECT_NE(explained(Row.name()).find(Row.Formula), std::string::npos);
  }
  for (const BottleneckInfo &Row : bottleneckTable())
    EXPECT_TRUE(llvm::any_of(componentTable(), [&](const ComponentInfo &C) {
      return C.Name == Row.Component;
    })) << Row.Component.str();
}

TEST(Explanation, DiagnosticsByEverySpelling) {
  for (const DiagnosticGroupInfo &Row : diagnosticTable()) {
    std::string Group = "gpu-estimate-" + Row.Name.str();
    std::string Text = explained(Group);
    EXPECT_TRUE(StringRef(Text).starts_with("-W" + Group + ", group of"));
    for (StringRef Before : {"-W", "-Wno-", "-Werror=", "-Wno-error="})
      EXPECT_EQ(explained(Before.str() + Group), Text);
    EXPECT_EQ(explained("[-W" + Group + "]"), Text);
    EXPECT_TRUE(StringRef(explained(Row.Name)).starts_with(Text));
  }
}

TEST(Explanation, OneNameOfSeveralKinds) {
  std::string Text = explained("tail");
  EXPECT_LT(Text.find("-Wgpu-estimate-tail, group"), Text.find("tail, bound"));
  EXPECT_LT(Text.find("tail, bound"), Text.find("tail, part of the time"));
  // Two topics with one page print it once.
  size_t First = Text.find("Page: docs/limits/tail.md");
  ASSERT_NE(First, std::string::npos);
  EXPECT_EQ(Text.find("Page: docs/limits/tail.md", First + 1),
            std::string::npos);
}

TEST(Explanation, LinksAndFencesAreNotForATerminal) {
  for (const Topic &T : topics()) {
    std::string Text = explained(T.Name);
    EXPECT_EQ(Text.find("]("), std::string::npos) << T.Name;
    EXPECT_EQ(Text.find("```"), std::string::npos) << T.Name;
  }
}

TEST(Explanation, UnknownNames) {
  EXPECT_NE(explained("uncoalesed").find("did you mean 'uncoalesced'"),
            std::string::npos);
  // With the prefix of a diagnostic, only diagnostics are meant.
  EXPECT_NE(explained("-Wgpu-estimate-barrier").find("no diagnostic group"),
            std::string::npos);
  std::string All = explained("");
  EXPECT_TRUE(StringRef(All).starts_with("error: --explain needs a name"));
  for (const Topic &T : topics())
    EXPECT_NE(All.find(T.Name), std::string::npos) << T.Name;
}

} // namespace
