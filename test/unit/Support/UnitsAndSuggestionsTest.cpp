/// \file
/// Units, suggestions, source places.
#include "gpu-estimate/Support/Bisect.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Support/Units.h"
#include "gpu-estimate/Support/Yaml.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

TEST(Units, CrossUnitArithmetic) {
  EXPECT_EQ((Cycles(3e9) / Hertz(1.5e9)).value(), 2);
  EXPECT_EQ((Bytes(1e9) / BytesPerSecond(5e11)).value(), 0.002);
  EXPECT_EQ((BytesPerSecond(3e12) / Hertz(1.5e9)).value(), 2000);
  EXPECT_EQ((Seconds(2) * Hertz(10)).value(), 20);
  EXPECT_LT(Bytes(1), Bytes(2));
}

TEST(Suggest, NearestNamesFirst) {
  std::vector<std::string> Candidates = {"nvidia-a100-40gb-pcie", "nvidia-h200",
                                         "nvidia-v100", "nvidia-rtx-3080",
                                         "amd-r9-nano"};
  auto First = [&](llvm::StringRef Wrong) {
    auto Names = nearestNames(Wrong, Candidates);
    return Names.empty() ? "" : Names.front();
  };
  EXPECT_EQ(First("nvidia-h20"), "nvidia-h200");
  EXPECT_EQ(First("NVIDIA-V100"), "nvidia-v100");
  EXPECT_EQ(First("a100"), "nvidia-a100-40gb-pcie");
  EXPECT_EQ(First("h20"), "nvidia-h200");
  EXPECT_EQ(First("completely-different"), "");
  EXPECT_EQ(nearestNames("v10", Candidates, 1).size(), 1u);
  EXPECT_EQ(didYouMean("h20", {"h200", "h201", "h200"}),
            "; did you mean 'h200' or 'h201'?");
  EXPECT_EQ(didYouMean("h20", {}), "");
}

TEST(SourceLocation, Brief) {
  EXPECT_EQ((SourceLocation{"/a/b/k.cu", 12, 3}).brief(), "k.cu:12");
  EXPECT_EQ(SourceLocation().brief(), "?");
}

TEST(Bisect, FindsEveryEdge) {
  for (unsigned High = 1; High < 20; ++High)
    for (unsigned Edge = 0; Edge < High; ++Edge) {
      EXPECT_EQ(lastTrue(0u, High, [&](unsigned I) { return I <= Edge; }),
                Edge);
      EXPECT_EQ(
          lastTrue(-1.0, double(High), [&](double I) { return I < Edge; }),
          double(Edge) - 1);
    }
}

constexpr YamlFileKind Settings = {"a settings file", "name"};

TEST(Yaml, NodesKnowTheirPlaces) {
  auto Root = readYamlFile(
      "s.yaml", "name: x\nlist:\n  - a\n  - {b: 1}\nnone:\n", Settings);
  ASSERT_TRUE(bool(Root)) << llvm::toString(Root.takeError());
  const YamlMember *Name = Root->find("name");
  EXPECT_EQ(Name->Place.Column, 1u);
  EXPECT_EQ(Name->Value.Place.Column, 7u);
  const YamlMember *List = Root->find("list");
  ASSERT_EQ(List->Value.Items.size(), 2u);
  const YamlMember *B = List->Value.Items[1].find("b");
  EXPECT_EQ(B->Place.Line, 4u);
  EXPECT_EQ(B->Value.Scalar, "1");
  const YamlNode &None = Root->find("none")->Value;
  EXPECT_TRUE(None.isNull() && None.isScalar());
  EXPECT_EQ(None.Place.Line, 5u);
}

TEST(Yaml, ErrorsNamePlaceAndKind) {
  auto Error = [](llvm::StringRef Text) {
    auto Root = readYamlFile("s.yaml", Text, Settings);
    return Root ? "" : llvm::toString(Root.takeError());
  };
  EXPECT_EQ(Error("a: 1\nb: &x 1\na: 2\n"),
            "s.yaml:2:7: anchors and tags are not part of a settings file\n"
            "s.yaml:3:1: a: this key is given twice");
  EXPECT_EQ(Error(""), "s.yaml: the file is empty");
  EXPECT_EQ(Error("- a\n"),
            "s.yaml:1:1: expected a map of keys such as 'name: ...'");
  EXPECT_NE(Error("a: [1\n").find("malformed YAML"), std::string::npos);
  EXPECT_EQ(Error("a: 1\n---\nb: 2\n"),
            "s.yaml: a settings file is a single YAML document");
}

TEST(Yaml, SomeFilesMayBeEmpty) {
  constexpr YamlFileKind Optional = {"a settings file", "name", true};
  for (const char *Text : {"", "\n", "# nothing\n"}) {
    auto Root = readYamlFile("s.yaml", Text, Optional);
    ASSERT_TRUE(bool(Root)) << llvm::toString(Root.takeError());
    EXPECT_TRUE(Root->isMap() && Root->Members.empty());
  }
}

} // namespace
