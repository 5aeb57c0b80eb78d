/// \file
/// Differences of sources: hunks of git, the words that differ, single edits.
#include "Cli/SourceHunks.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

constexpr const char *Diff = "diff --git a/src/f.cu b/src/f.cu\n"
                             "index 1..2 100644\n"
                             "--- a/src/f.cu\n"
                             "+++ b/src/f.cu\n"
                             "@@ -3 +3 @@ void f() {\n"
                             "-  const float *__restrict__ in, // the input\n"
                             "+  const float *in,\n"
                             "@@ -7,0 +8,2 @@\n"
                             "+  --n;\n"
                             "+++n;\n"
                             "@@ -9,2 +11,0 @@\n"
                             "-  old();\n"
                             "--- old;\n"
                             "diff --git a/g.h b/g.h\n"
                             "--- a/g.h\n"
                             "+++ b/g.h\n"
                             "@@ -1,2 +1,2 @@\n"
                             "-float a[48]; // rows\n"
                             "-for (int i = 0; i < 48; ++i)\n"
                             "+float a[40];\n"
                             "+for (int i = 0; i < 40; ++i)\n";

TEST(SourceHunks, AreReadFromADiff) {
  std::vector<SourceHunk> Hunks = parseHunks(Diff);
  ASSERT_EQ(Hunks.size(), 4u);
  EXPECT_EQ(Hunks[0].File, "src/f.cu");
  EXPECT_EQ(Hunks[0].OldLine, 3u);
  EXPECT_EQ(Hunks[1].Old.size(), 0u);
  // Lines that look like headers are lines of the hunk.
  EXPECT_EQ(Hunks[1].New, (std::vector<std::string>{"  --n;", "++n;"}));
  EXPECT_EQ(Hunks[2].Old, (std::vector<std::string>{"  old();", "-- old;"}));
  EXPECT_EQ(Hunks[3].File, "g.h");
}

TEST(SourceHunks, NameTheWordsThatDiffer) {
  std::vector<SourceHunk> Hunks = parseHunks(Diff);
  SourceChange Restrict = Hunks[0].change();
  EXPECT_EQ(Restrict.Removed, "__restrict__");
  EXPECT_EQ(Restrict.Added, "");
  EXPECT_EQ(Restrict.Line, 3u);
  // Of several lines the first that differs.
  SourceChange Size = Hunks[3].change();
  EXPECT_EQ(Size.Removed, "48");
  EXPECT_EQ(Size.Added, "40");
  EXPECT_EQ(Size.Line, 1u);
}

TEST(SourceHunks, OfCommentsAndBlanksAreEmpty) {
  SourceHunk H;
  H.Old = {"int a = 1; // one", "  /* two", "     lines */ int b;"};
  H.New = {"int a=1;", "int   b; // b"};
  EXPECT_EQ(H.change().Removed, "");
  EXPECT_EQ(H.change().Added, "");
}

TEST(SourceHunks, CanBeAppliedAlone) {
  std::string Text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  std::vector<SourceHunk> Hunks = parseHunks(Diff);
  EXPECT_EQ(Hunks[0].applyTo(Text),
            "1\n2\n  const float *in,\n4\n5\n6\n7\n8\n9\n10\n");
  EXPECT_EQ(Hunks[1].applyTo(Text),
            "1\n2\n3\n4\n5\n6\n7\n  --n;\n++n;\n8\n9\n10\n");
  EXPECT_EQ(Hunks[2].applyTo(Text), "1\n2\n3\n4\n5\n6\n7\n8\n");
  // A last line without an end keeps having none.
  EXPECT_EQ(Hunks[1].applyTo("1\n2\n3\n4\n5\n6\n7\n8"),
            "1\n2\n3\n4\n5\n6\n7\n  --n;\n++n;\n8");
}

} // namespace
