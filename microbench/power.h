/// \file
/// Mean power draw between two moments, from the energy counter of NVML. The
/// library comes with the driver and is opened at run time, so that nothing is
/// needed to build and a machine without it only lacks the figure.
#ifndef GPU_ESTIMATE_MICROBENCH_POWER_H
#define GPU_ESTIMATE_MICROBENCH_POWER_H

#include <chrono>
#include <dlfcn.h>

namespace bench {

class EnergyMeter {
public:
  /// BusId names the GPU: NVML counts all of them, the runtime only the
  /// visible.
  void start(const char *BusId) {
    Library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!Library)
      return;
    auto Init = function<int (*)()>("nvmlInit_v2");
    auto ByBus = function<int (*)(const char *, void **)>(
        "nvmlDeviceGetHandleByPciBusId_v2");
    Energy = function<int (*)(void *, unsigned long long *)>(
        "nvmlDeviceGetTotalEnergyConsumption");
    if (!Init || !ByBus || !Energy || Init() != 0 ||
        ByBus(BusId, &Device) != 0 || Energy(Device, &StartMillijoules) != 0)
      Energy = nullptr;
    StartTime = std::chrono::steady_clock::now();
  }
  /// Watts since start(); 0 where nothing can be read.
  double stop() {
    unsigned long long Now = 0;
    if (!Energy || Energy(Device, &Now) != 0)
      return 0;
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - StartTime;
    return (Now - StartMillijoules) * 1e-3 / Time.count();
  }

private:
  template <class F> F function(const char *Name) {
    return reinterpret_cast<F>(dlsym(Library, Name));
  }
  void *Library = nullptr, *Device = nullptr;
  int (*Energy)(void *, unsigned long long *) = nullptr;
  unsigned long long StartMillijoules = 0;
  std::chrono::steady_clock::time_point StartTime;
};

} // namespace bench

#endif
