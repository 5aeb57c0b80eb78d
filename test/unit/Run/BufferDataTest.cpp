/// \file
/// Files of NumPy, and synthetic elements.
#include "gpu-estimate/Run/BufferData.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

std::string npy(llvm::StringRef Header, llvm::StringRef Data,
                unsigned Version = 1) {
  std::string Text = "\x93NUMPY";
  Text += char(Version);
  Text += char(0);
  char Length[4];
  llvm::support::endian::write32le(Length, Header.size());
  Text.append(Length, Version == 1 ? 2 : 4);
  return Text + Header.str() + Data.str();
}

std::string problemOf(llvm::StringRef Text) {
  auto Array = parseNpy("f.npy", Text);
  return Array ? "" : llvm::toString(Array.takeError());
}

TEST(BufferData, ReadsNpy) {
  std::string Data(24, '\0');
  llvm::support::endian::write32le(Data.data() + 20, 77);
  for (unsigned Version : {1u, 2u}) {
    auto Array = parseNpy(
        "f.npy",
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n",
            Data, Version));
    ASSERT_TRUE(bool(Array)) << llvm::toString(Array.takeError());
    EXPECT_EQ(Array->Type, (ElementType{ElementType::Integer, 4}));
    EXPECT_EQ(Array->Shape, (std::vector<uint64_t>{2, 3}));
    EXPECT_EQ(Array->elements(), 6u);
    EXPECT_EQ(llvm::support::endian::read32le(Array->Bytes.data() + 20), 77u);
  }
  auto One = parseNpy(
      "f.npy",
      npy("{'descr': '|u1', 'fortran_order': False, 'shape': (24,), }", Data));
  ASSERT_TRUE(bool(One));
  EXPECT_EQ(One->Type.Size, 1u);
}

TEST(BufferData, SaysWhatIsWrongWithAFile) {
  auto Header = [](const char *Type, const char *Order, const char *Shape) {
    return npy(std::string("{'descr': ") + Type + ", 'fortran_order': " +
                   Order + ", 'shape': " + Shape + ", }",
               std::string(16, 'x'));
  };
  EXPECT_EQ(problemOf("hello"),
            "f.npy: it is no .npy file; numpy.save writes one");
  EXPECT_EQ(problemOf(npy("{}", "", 3)),
            "f.npy: its format version is 3; versions 1 and 2 can be read");
  EXPECT_NE(problemOf(Header("'>i4'", "False", "(4,)")).find("'>i4'"),
            std::string::npos);
  EXPECT_NE(problemOf(Header("'<c16'", "False", "(1,)")).find("'<c16'"),
            std::string::npos);
  EXPECT_NE(
      problemOf(Header("[('a', '<i4')]", "False", "(4,)")).find("records"),
      std::string::npos);
  EXPECT_NE(problemOf(Header("'<i4'", "True", "(2, 2)"))
                .find("numpy.ascontiguousarray"),
            std::string::npos);
  EXPECT_EQ(problemOf(Header("'<i4'", "False", "(5,)")),
            "f.npy: it has fewer elements than its shape says");
  EXPECT_EQ(problemOf(Header("'<i4'", "False",
                             "(4294967296, 4294967296, 4294967296)")),
            "f.npy: it has fewer elements than its shape says");
  EXPECT_EQ(problemOf(std::string("\x93NUMPY\x01\x00\xff\x00{}", 12)),
            "f.npy: its header ends early");
}

TEST(BufferData, SyntheticElementsDoNotDependOnWhereReadingBegins) {
  BufferData Data;
  Data.Type = {ElementType::Integer, 4};
  Data.Limit = 10;
  for (auto Fill : {BufferData::Iota, BufferData::Random}) {
    Data.Fill = Fill;
    std::vector<uint8_t> Whole(64), Part(8);
    Data.fill(0, Whole);
    Data.fill(22, Part);
    EXPECT_EQ(0, std::memcmp(Part.data(), Whole.data() + 22, 8));
    for (unsigned I = 0; I < 16; ++I) {
      uint32_t V = llvm::support::endian::read32le(Whole.data() + 4 * I);
      if (Fill == BufferData::Iota)
        EXPECT_EQ(V, I);
      else
        EXPECT_LT(V, 10u);
    }
  }
  Data.Type = {ElementType::Real, 8};
  Data.Fill = BufferData::Random;
  std::vector<uint8_t> Whole(800);
  Data.fill(0, Whole);
  double Sum = 0;
  for (unsigned I = 0; I < 100; ++I) {
    double V;
    std::memcpy(&V, Whole.data() + 8 * I, 8);
    EXPECT_GE(V, 0);
    EXPECT_LT(V, 1);
    Sum += V;
  }
  EXPECT_NEAR(Sum / 100, 0.5, 0.1);
}

} // namespace
