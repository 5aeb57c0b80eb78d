/// \file
/// What programs ask the device for, in numbers of the model.
#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "gpu-estimate/Evaluate/Access/DeviceProperty.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

TEST(DeviceProperties, AreTheNumbersOfTheModel) {
  GpuModel Gpu;
  Gpu.SmCount = 108;
  Gpu.MaxWarpsPerSm = 64;
  Gpu.ComputeCapability = "8.0";
  EXPECT_EQ(deviceProperty(Gpu, "gpu.multiProcessorCount"), 108);
  EXPECT_EQ(deviceProperty(Gpu, "gpu.maxThreadsPerMultiProcessor"), 2048);
  EXPECT_EQ(deviceProperty(Gpu, "gpu.warpSize"), 32);
  EXPECT_EQ(deviceProperty(Gpu, "gpu.major"), 8);
  EXPECT_EQ(deviceProperty(Gpu, "gpu.minor"), 0);
  EXPECT_EQ(deviceProperty(Gpu, "gpu.maxGridSize[1]"), 65535);
  EXPECT_FALSE(deviceProperty(Gpu, "gpu.l2CacheSize")) << "the model has none";
  EXPECT_FALSE(deviceProperty(Gpu, "gpu.name"));
  EXPECT_FALSE(deviceProperty(Gpu, "warpSize"));
  Gpu.ComputeCapability = "";
  EXPECT_FALSE(deviceProperty(Gpu, "gpu.minor")) << "AMD";
}

TEST(DeviceProperties, AttributesOfCudaAndHipHaveFields) {
  EXPECT_EQ(fieldOfDeviceAttribute("cudaDevAttrMultiProcessorCount"),
            "multiProcessorCount");
  EXPECT_EQ(fieldOfDeviceAttribute("hipDeviceAttributeMultiprocessorCount"),
            "multiProcessorCount");
  EXPECT_EQ(fieldOfDeviceAttribute("cudaDevAttrMaxBlockDimZ"),
            "maxThreadsDim[2]");
  EXPECT_FALSE(fieldOfDeviceAttribute("cudaDevAttrEccEnabled"));
  EXPECT_FALSE(fieldOfDeviceAttribute("cudaDevAttr"));
  EXPECT_FALSE(fieldOfDeviceAttribute("MultiProcessorCount"));
}

TEST(DeviceProperties, ParametersAreToldByTheirName) {
  EXPECT_EQ(devicePropertyParameter("warpSize"), "gpu.warpSize");
  EXPECT_TRUE(isDeviceProperty("gpu.warpSize"));
  EXPECT_FALSE(isDeviceProperty("warpSize"));
}

TEST(DeviceProperties, EveryAttributeHasAValue) {
  GpuModel Gpu;
  Gpu.SmCount = Gpu.MaxWarpsPerSm = Gpu.MaxBlocksPerSm = Gpu.RegistersPerSm = 1;
  Gpu.SharedPerSm = Gpu.SharedPerBlockMax = Gpu.SharedPerBlockDefault =
      Gpu.L2.Size = Bytes(1);
  Gpu.ComputeCapability = "9.0";
  for (llvm::StringRef Name :
       {"MultiProcessorCount", "WarpSize", "MaxThreadsPerBlock",
        "MaxThreadsPerMultiProcessor", "MaxBlocksPerMultiprocessor",
        "MaxRegistersPerBlock", "MaxRegistersPerMultiprocessor",
        "MaxSharedMemoryPerBlock", "MaxSharedMemoryPerBlockOptin",
        "MaxSharedMemoryPerMultiprocessor", "L2CacheSize",
        "ComputeCapabilityMajor", "ComputeCapabilityMinor", "MaxBlockDimX",
        "MaxGridDimZ"}) {
    auto Field = fieldOfDeviceAttribute("cudaDevAttr" + Name.str());
    ASSERT_TRUE(Field) << Name.str();
    EXPECT_TRUE(deviceProperty(Gpu, devicePropertyParameter(*Field)))
        << Field->str();
  }
}
