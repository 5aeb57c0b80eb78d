/// \file
/// Mean power draw between two moments, from the energy counter of NVML or of
/// ROCm SMI, and the limit of the board. The libraries come with the drivers
/// and are opened at run time, so that nothing is needed to build and a machine
/// without them only lacks the figures.
#ifndef GPU_ESTIMATE_MICROBENCH_POWER_H
#define GPU_ESTIMATE_MICROBENCH_POWER_H

#include <chrono>
#include <cstdio>
#include <dlfcn.h>

namespace bench {

class EnergyMeter {
public:
  /// BusId names the GPU: the libraries count all of them, the runtime only the
  /// visible.
  void start(const char *BusId) {
    if (!Opened) {
      Opened = true;
      if (!openNvml(BusId))
        openRocm(BusId);
    }
    StartJoules = joules();
    StartTime = std::chrono::steady_clock::now();
  }
  /// Watts since start(); 0 where nothing can be read.
  double stop() const {
    double Now = joules();
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - StartTime;
    return Now > StartJoules ? (Now - StartJoules) / Time.count() : 0;
  }
  /// Watts at which the driver lowers the clock; 0 where nothing can be read.
  double limit() const {
    unsigned Milliwatts = 0;
    if (NvmlLimit && NvmlLimit(Device, &Milliwatts) == 0)
      return Milliwatts * 1e-3;
    unsigned long long Microwatts = 0;
    if (RocmLimit && RocmLimit(Index, 0, &Microwatts) == 0)
      return static_cast<double>(Microwatts) * 1e-6;
    return 0;
  }

private:
  double joules() const {
    unsigned long long Millijoules = 0;
    if (NvmlEnergy && NvmlEnergy(Device, &Millijoules) == 0)
      return static_cast<double>(Millijoules) * 1e-3;
    unsigned long long Ticks = 0, Stamp = 0;
    float Microjoules = 0; // of a tick
    if (RocmEnergy && RocmEnergy(Index, &Ticks, &Microjoules, &Stamp) == 0)
      return static_cast<double>(Ticks) * static_cast<double>(Microjoules) *
             1e-6;
    return 0;
  }
  bool openNvml(const char *BusId) {
    Library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!Library)
      return false;
    auto Init = function<int (*)()>("nvmlInit_v2");
    auto ByBus = function<int (*)(const char *, void **)>(
        "nvmlDeviceGetHandleByPciBusId_v2");
    if (!Init || !ByBus || Init() != 0 || ByBus(BusId, &Device) != 0)
      return false;
    NvmlEnergy = function<int (*)(void *, unsigned long long *)>(
        "nvmlDeviceGetTotalEnergyConsumption");
    NvmlLimit = function<int (*)(void *, unsigned *)>(
        "nvmlDeviceGetEnforcedPowerLimit");
    return true;
  }
  /// ROCm SMI numbers the GPUs by bus, as domain, bus and device in one number.
  void openRocm(const char *BusId) {
    Library = dlopen("librocm_smi64.so", RTLD_NOW);
    unsigned Domain = 0, Bus = 0, Slot = 0;
    if (!Library || std::sscanf(BusId, "%x:%x:%x", &Domain, &Bus, &Slot) != 3)
      return;
    auto Init = function<int (*)(unsigned long long)>("rsmi_init");
    auto Count = function<int (*)(unsigned *)>("rsmi_num_monitor_devices");
    auto Place = function<int (*)(unsigned, unsigned long long *)>(
        "rsmi_dev_pci_id_get");
    unsigned Devices = 0;
    if (!Init || !Count || !Place || Init(0) != 0 || Count(&Devices) != 0)
      return;
    for (Index = 0; Index < Devices; ++Index) {
      unsigned long long Where = 0;
      if (Place(Index, &Where) == 0 && ((Where >> 8) & 0xff) == Bus &&
          ((Where >> 3) & 0x1f) == Slot)
        break;
    }
    if (Index == Devices)
      return;
    RocmEnergy =
        function<int (*)(unsigned, unsigned long long *, float *,
                         unsigned long long *)>("rsmi_dev_energy_count_get");
    RocmLimit = function<int (*)(unsigned, unsigned, unsigned long long *)>(
        "rsmi_dev_power_cap_get");
  }
  template <class F> F function(const char *Name) {
    return reinterpret_cast<F>(dlsym(Library, Name));
  }

  bool Opened = false;
  void *Library = nullptr, *Device = nullptr;
  unsigned Index = 0;
  int (*NvmlEnergy)(void *, unsigned long long *) = nullptr;
  int (*NvmlLimit)(void *, unsigned *) = nullptr;
  int (*RocmEnergy)(unsigned, unsigned long long *, float *,
                    unsigned long long *) = nullptr;
  int (*RocmLimit)(unsigned, unsigned, unsigned long long *) = nullptr;
  double StartJoules = 0;
  std::chrono::steady_clock::time_point StartTime;
};

} // namespace bench

#endif
