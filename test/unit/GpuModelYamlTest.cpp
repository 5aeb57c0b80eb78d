/// \file
/// The reader of plain lines against LLVM's YAML parser.
#include "../../lib/GpuModel/YamlLines.h"
#include "GpuModelTesting.h"
#include "gpu-estimate/GpuModel/YamlReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// Everything that a tree says.
std::string print(const YamlTree &Tree) {
  std::string Out = std::to_string(Tree.Line) + " ";
  if (Tree.isScalar())
    return Out + "'" + Tree.Scalar + "'";
  Out += Tree.isList() ? "[" : "{";
  for (const YamlTree &Item : Tree.Items)
    Out += print(Item) + ";";
  for (const YamlMember &Member : Tree.Members)
    Out += Member.Name + "=" + print(Member.Value) + ";";
  return Out + (Tree.isList() ? "]" : "}");
}

/// By the parser: plain lines are ASCII.
std::string parsed(const std::string &Text) {
  std::vector<LineMessage> Messages;
  std::optional<YamlTree> Tree = readYaml(Text + "\n# \xC3\xA9\n", Messages);
  if (!Messages.empty())
    return "line " + std::to_string(Messages[0].Line) + ": " + Messages[0].Text;
  return Tree ? print(*Tree) : "nothing";
}

std::vector<std::string> shippedTexts() {
  std::vector<std::string> Texts;
  llvm::Expected<std::vector<GpuModel>> Models = loadGpuModels(modelFolder());
  if (!Models) {
    ADD_FAILURE() << llvm::toString(Models.takeError());
    return Texts;
  }
  for (const GpuModel &Model : *Models)
    if (auto Buffer = llvm::MemoryBuffer::getFile(Model.File))
      Texts.push_back((*Buffer)->getBuffer().str());
  return Texts;
}

TEST(GpuModelYaml, ShippedModelsArePlain) {
  for (const std::string &Text : shippedTexts()) {
    std::optional<YamlTree> Tree = readPlainYaml(Text);
    if (Tree)
      EXPECT_EQ(print(*Tree), parsed(Text));
    else
      ADD_FAILURE() << "not plain: " << Text.substr(0, 80);
  }
}

TEST(GpuModelYaml, OtherTextsAreLeftToTheParser) {
  for (const char *Text : {"",
                           "# only\n",
                           "a",
                           "a:",
                           "a: b\n c: d\n",
                           "a: b\n  more\n",
                           "a:b\n",
                           "a: b: c\n",
                           "a: b # c\n",
                           "a: &x b\n",
                           "a: *x\n",
                           "a: |\n  b\n",
                           "a: \"\\x41\"\n",
                           "a: {b: c\n",
                           "a: {b: {c: d}}\n",
                           "a: [[b]]\n",
                           "a: b\na: c\n",
                           "a: {b: c, b: d}\n",
                           "a: {b: }\n",
                           "a: b\n---\nc: d\n",
                           "? a\n: b\n",
                           "'a': b\n",
                           "a: -\n",
                           "a: {b: c},\n",
                           "a:\n  b: c\n d: e\n",
                           "a: b\r\n",
                           "a:\tb\n",
                           "- a\n",
                           "a: ''b\n"})
    EXPECT_FALSE(readPlainYaml(Text)) << Text;
}

TEST(GpuModelYaml, WhatIsPlainIsReadAsTheParserReadsIt) {
  std::string Text = "# a model\nid: some-gpu\nmax: [1 B, 2, 'c, d']\n"
                     "sources:\n  who: 'a: b'\n  url: http://a/b?c,d\n\n"
                     "sm:\n  size: {value: 1.5 KiB, kind: measured, "
                     "note: 'x # y''s'}\n  deep:\n    er: \"7.0\"\n"
                     "validation: # by\n  - {dataset: a, cases: 2}\n"
                     "  - {dataset: b, cases: 3}\nlast: 1\n";
  const char Some[] = " \n:{}[],'\"#-ab1.&|?";
  std::mt19937 Random(1);
  unsigned Plain = 0;
  for (unsigned Try = 0; Try < 20000; ++Try) {
    std::string Changed = Text;
    for (unsigned Times = Random() % 3; Times-- > 0;) {
      size_t At = Random() % Changed.size();
      char C = Some[Random() % (sizeof(Some) - 1)];
      switch (Random() % 3) {
      case 0:
        Changed[At] = C;
        break;
      case 1:
        Changed.insert(At, 1, C);
        break;
      default:
        Changed.erase(At, 1);
      }
    }
    std::optional<YamlTree> Tree = readPlainYaml(Changed);
    if (!Tree)
      continue;
    ++Plain;
    EXPECT_EQ(print(*Tree), parsed(Changed)) << Changed;
  }
  EXPECT_GT(Plain, 5000u);
}

} // namespace
