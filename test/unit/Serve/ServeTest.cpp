/// \file
/// Requests as options, messages, and the documents of an editor.
#include "Serve/Documents.h"
#include "Serve/Protocols.h"
#include "Serve/RequestOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuestimate;
using namespace llvm;

namespace {

std::string failureOf(const char *Parameters) {
  json::Value Given = cantFail(json::parse(Parameters));
  Expected<Options> O = requestOptions(Options(), *Given.getAsObject());
  return O ? "" : toString(O.takeError());
}

TEST(RequestOptions, ParametersAreOptions) {
  Options Defaults;
  Defaults.Gpus = {"nvidia-v100"};
  json::Value Given = cantFail(json::parse(
      R"({"source": "text", "language": "hip", "gpu": ["a", "b"], "id": 7,
          "grid": [], "block": 128, "dynamic_smem": 4096, "no_cuda_sdk": true,
          "all_findings": false, "param": {"n": 1.5, "m": "2"}, "args": ["-DA"]})"));
  Expected<Options> O = requestOptions(Defaults, *Given.getAsObject());
  ASSERT_TRUE(bool(O)) << toString(O.takeError());
  EXPECT_EQ(O->Files, std::vector<std::string>{"source.hip"});
  EXPECT_EQ(O->SourceText, "text");
  EXPECT_EQ(O->Gpus, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(O->ClangArguments, std::vector<std::string>{"-DA"});
  EXPECT_TRUE(O->NoCudaSdk);
  EXPECT_FALSE(O->AllFindings);
}

TEST(RequestOptions, WhatIsWrongIsSaid) {
  EXPECT_NE(failureOf("{}").find("a source is missing"), std::string::npos);
  EXPECT_NE(failureOf(R"({"source": ""})").find("gpu: pass the id"),
            std::string::npos);
  EXPECT_NE(failureOf(R"({"source": "", "format": "json"})")
                .find("no parameter is called 'format'"),
            std::string::npos);
  EXPECT_NE(failureOf(R"({"source": "", "gpu": [[1]]})").find("gpu: expected"),
            std::string::npos);
}

TEST(Protocols, DeepMessagesAreRefused) {
  std::string Deep(101, '[');
  Expected<json::Value> Refused = parseMessage(Deep);
  EXPECT_FALSE(bool(Refused));
  consumeError(Refused.takeError());
  // Brackets of a source are none of the message.
  std::string Source = "{\"a\": \"\\\"" + Deep + "\"}";
  Expected<json::Value> Fine = parseMessage(Source);
  EXPECT_TRUE(bool(Fine));
  consumeError(Fine.takeError());
}

TEST(Documents, PositionsCountUnits) {
  Document D;
  D.Text = "a\xC3\xBC\xF0\x9F\x98\x80z\r\nsecond_1 = 2\n";
  // a, u umlaut (2 bytes, 1 unit), emoji (4 bytes, 2 units), z
  EXPECT_EQ(D.offsetOf({0, 4}, PositionUnit::Utf16), 7u);
  EXPECT_EQ(D.offsetOf({0, 7}, PositionUnit::Utf8), 7u);
  EXPECT_EQ(D.offsetOf({9, 0}, PositionUnit::Utf16), D.Text.size());
  EXPECT_EQ(D.offsetOf({1, 99}, PositionUnit::Utf16), D.Text.size() - 1);
  EXPECT_EQ(D.endOfLine(1, PositionUnit::Utf16).Character, 5u);
  EXPECT_EQ(json::Value(D.rangeAt(2, 1, PositionUnit::Utf16)),
            json::Value(rangeJson({1, 0}, {1, 8})));
  EXPECT_EQ(json::Value(D.rangeAt(2, 10, PositionUnit::Utf16)),
            json::Value(rangeJson({1, 9}, {1, 10})));
  for (PositionUnit Unit : {PositionUnit::Utf8, PositionUnit::Utf16})
    for (size_t Offset : {0, 1, 3, 7, 8, 10, 15, 22, 23})
      EXPECT_EQ(D.offsetOf(D.positionOf(Offset, Unit), Unit), Offset);
}

/// Edits against the same edits on a list of lines.
TEST(Documents, EditsAreThoseOfAListOfLines) {
  std::mt19937 Random(1);
  Document D;
  std::vector<std::string> Lines = {""};
  for (unsigned Round = 0; Round < 500; ++Round) {
    auto Position = [&] {
      unsigned Line = Random() % Lines.size();
      return EditorPosition{Line,
                            unsigned(Random() % (Lines[Line].size() + 1))};
    };
    EditorPosition From = Position(), To = Position();
    if (std::pair(To.Line, To.Character) < std::pair(From.Line, From.Character))
      std::swap(From, To);
    std::string New = Random() % 2 ? "x\n" : "word";
    ASSERT_TRUE(
        D.apply(json::Object{{"range", rangeJson(From, To)}, {"text", New}},
                PositionUnit::Utf16));
    std::string Whole = Lines[From.Line].substr(0, From.Character) + New +
                        Lines[To.Line].substr(To.Character);
    Lines.erase(Lines.begin() + From.Line, Lines.begin() + To.Line + 1);
    SmallVector<StringRef> Parts;
    StringRef(Whole).split(Parts, '\n');
    Lines.insert(Lines.begin() + From.Line, Parts.begin(), Parts.end());
    ASSERT_EQ(D.Text, join(Lines, "\n")) << Round;
  }
  EXPECT_FALSE(D.apply(json::Object{{"text", 1}}, PositionUnit::Utf16));
  EXPECT_FALSE(
      D.apply(json::Object{{"range", rangeJson({0, 1}, {0, 0})}, {"text", ""}},
              PositionUnit::Utf16));
}

TEST(Documents, UrisAndPaths) {
  EXPECT_EQ(uriOfPath("/a b/\xC3\xBC.cu"), "file:///a%20b/%C3%BC.cu");
  EXPECT_EQ(pathOfUri("file:///a%20b/%C3%BC.cu"), "/a b/\xC3\xBC.cu");
  EXPECT_EQ(pathOfUri("untitled:1"), std::nullopt);
}

} // namespace
