#include "gpu-estimate/Model/Machine/VendorTerms.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

TEST(VendorTerms, KeepsTheTermsOfCuda) {
  VendorTerms Nvidia("NVIDIA", "Ampere");
  EXPECT_EQ(Nvidia.reword("8 warps per multiprocessor"),
            "8 warps per multiprocessor");
}

TEST(VendorTerms, RewordsWholeWordsForAmd) {
  VendorTerms Cdna("AMD", "CDNA2"), Rdna("AMD", "RDNA3");
  EXPECT_EQ(Cdna.reword("fills 25% of a multiprocessor's warps, limited by "
                        "registers"),
            "fills 25% of a compute unit's wavefronts, limited by VGPRs");
  EXPECT_EQ(Rdna.reword("blocks share a multiprocessor"),
            "blocks share a workgroup processor");
  EXPECT_EQ(Cdna.reword("shared memory, register"), "LDS, VGPR");
}

TEST(VendorTerms, KeepsNames) {
  VendorTerms Cdna("AMD", "CDNA2");
  EXPECT_EQ(Cdna.reword("'warp' of 'a register' in a warp"),
            "'warp' of 'a register' in a wavefront");
  EXPECT_EQ(Cdna.reword("--warp-order, warp_size, unregistered"),
            "--warp-order, warp_size, unregistered");
  EXPECT_EQ(Cdna.reword(""), "");
}
