/// \file
/// cuRAND's host interface: generators on the CPU, whose results are those of
/// the documented sequences. Memory of the device is the host's, so that
/// generators of the device and of the host differ in their time alone.
#include "LibraryCalls.h"
#include "RandomGenerators.h"
#include <algorithm>
#include <cmath>

#pragma GCC visibility push(default)
#include "gpu_estimate/random_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

/// What a handle holds.
struct curandGenerator_st {
  std::unique_ptr<RandomGenerator> Numbers;
  const char *Kind = "";
  curandRngType_t Type = CURAND_RNG_PSEUDO_DEFAULT;
  bool OnHost = false;
  cudaStream_t Stream = nullptr;
  uint64_t Seed = 0, Offset = 0;
  unsigned Dimensions = 1; ///< of a quasirandom generator
  bool IsChanged = true;   ///< any of these, since the last number

  bool isQuasirandom() const { return Type >= CURAND_RNG_QUASI_DEFAULT; }
};

namespace {

/// In the default order, and in CURAND_ORDERING_PSEUDO_LEGACY.
constexpr unsigned MrgSequences = 81920, LegacyMrgSequences = 4096;

/// MTGP32 needs tables of parameters that come with NVIDIA's library. The order
/// of MT19937's results is not published, nor are Sobol's scramble constants.
const char *nameOf(curandRngType_t Type) {
  switch (Type) {
  case CURAND_RNG_PSEUDO_MTGP32:
    return "MTGP32";
  case CURAND_RNG_PSEUDO_MT19937:
    return "MT19937";
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return "scrambled Sobol32";
  case CURAND_RNG_QUASI_SOBOL64:
    return "Sobol64";
  default:
    return "this generator";
  }
}

curandStatus_t create(const char *Name, curandGenerator_t *Into,
                      curandRngType_t Type, bool OnHost) {
  ApiCall Call(Name);
  if (!Into)
    return CURAND_STATUS_INTERNAL_ERROR;
  auto New = std::make_unique<curandGenerator_st>();
  New->OnHost = OnHost;
  New->Type = Type;
  switch (Type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
    New->Numbers = makeXorwow();
    New->Kind = "xorwow";
    break;
  case CURAND_RNG_PSEUDO_MRG32K3A:
    New->Numbers = makeMrg32k3a(MrgSequences);
    New->Kind = "mrg32k3a";
    break;
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    New->Numbers = makePhilox();
    New->Kind = "philox";
    break;
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
    New->Numbers = makeSobol32();
    New->Kind = "sobol32";
    break;
  default:
    Call.notice(std::string(Name) + ": " + nameOf(Type) +
                " is not implemented; XORWOW, MRG32k3a, Philox4_32_10 and "
                "Sobol32 are");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *Into = New.release();
  return CURAND_STATUS_SUCCESS;
}

/// The call of a generating function: records Count results of T, then Fill
/// makes them.
template <class T, class Filler>
curandStatus_t generate(const char *Name, curandGenerator_t Generator, T *Out,
                        size_t Count, const char *Type, bool InPairs,
                        Filler Fill) {
  ApiCall Call(Name);
  if (!Generator || !Call.hasDevice())
    return CURAND_STATUS_NOT_INITIALIZED;
  if (Generator->isQuasirandom() ? Count % Generator->Dimensions != 0
                                 : InPairs && Count % 2 != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (!Generator->OnHost) {
    RunLibraryCall R;
    R.Name = Name;
    R.Sizes = {{"n", double(Count)}};
    R.Operands = R.Results = Type;
    R.Compute = Generator->Kind;
    if (recordLibraryCall(Call, Generator->Stream, R) !=
        LibraryCallState::Recorded)
      return CURAND_STATUS_LAUNCH_FAILURE;
  }
  if (Generator->IsChanged)
    Generator->Numbers->reset(Generator->isQuasirandom() ? Generator->Dimensions
                                                         : Generator->Seed,
                              Generator->Offset);
  Generator->IsChanged = false;
  Fill(*Generator->Numbers, Out, Count);
  return CURAND_STATUS_SUCCESS;
}

template <class T>
curandStatus_t generateNormal(const char *Name, curandGenerator_t Generator,
                              T *Out, size_t Count, const char *Type, T Mean,
                              T Deviation, bool IsLog) {
  return generate(Name, Generator, Out, Count, Type, /*InPairs=*/true,
                  [&](RandomGenerator &By, T *To, size_t N) {
                    By.normal(To, N, Mean, Deviation);
                    for (size_t I = 0; IsLog && I < N; ++I)
                      To[I] = std::exp(To[I]);
                  });
}

} // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t *Generator,
                                     curandRngType_t Type) {
  return create(__func__, Generator, Type, /*OnHost=*/false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *Generator,
                                         curandRngType_t Type) {
  return create(__func__, Generator, Type, /*OnHost=*/true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t Generator) {
  ApiCall Call(__func__);
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  delete Generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t Generator,
                               cudaStream_t Stream) {
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  Generator->Stream = Stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t Generator,
                                                  unsigned long long Seed) {
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (Generator->isQuasirandom())
    return CURAND_STATUS_TYPE_ERROR;
  Generator->Seed = Seed;
  Generator->IsChanged = true;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t Generator,
                                        unsigned long long Offset) {
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  Generator->Offset = Offset;
  Generator->IsChanged = true;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t Generator,
                                          curandOrdering_t Order) {
  ApiCall Call(__func__);
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (Generator->isQuasirandom() != (Order == CURAND_ORDERING_QUASI_DEFAULT))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (Generator->Type == CURAND_RNG_PSEUDO_MRG32K3A)
    Generator->Numbers =
        makeMrg32k3a(Order == CURAND_ORDERING_PSEUDO_LEGACY ? LegacyMrgSequences
                                                            : MrgSequences);
  Generator->IsChanged = true;
  if (Order == CURAND_ORDERING_PSEUDO_SEEDED ||
      Order == CURAND_ORDERING_PSEUDO_DYNAMIC)
    Call.notice("curandSetGeneratorOrdering: results keep the order "
                "CURAND_ORDERING_PSEUDO_DEFAULT");
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t
curandSetQuasiRandomGeneratorDimensions(curandGenerator_t Generator,
                                        unsigned int Dimensions) {
  ApiCall Call(__func__);
  if (!Generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!Generator->isQuasirandom())
    return CURAND_STATUS_TYPE_ERROR;
  if (Dimensions > MaxSobolDimensions)
    Call.notice("curandSetQuasiRandomGeneratorDimensions: Sobol32 has up to " +
                std::to_string(MaxSobolDimensions) + " dimensions here, not " +
                std::to_string(Dimensions));
  if (Dimensions == 0 || Dimensions > MaxSobolDimensions)
    return CURAND_STATUS_OUT_OF_RANGE;
  Generator->Dimensions = Dimensions;
  Generator->IsChanged = true;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t Generator) {
  return Generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t Generator, unsigned int *Out,
                              size_t Count) {
  return generate(
      __func__, Generator, Out, Count, "i32", /*InPairs=*/false,
      [](RandomGenerator &By, unsigned int *To, size_t N) { By.bits(To, N); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t Generator, float *Out,
                                     size_t Count) {
  return generate(
      __func__, Generator, Out, Count, "f32", /*InPairs=*/false,
      [](RandomGenerator &By, float *To, size_t N) { By.uniform(To, N); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t Generator,
                                           double *Out, size_t Count) {
  return generate(
      __func__, Generator, Out, Count, "f64", /*InPairs=*/false,
      [](RandomGenerator &By, double *To, size_t N) { By.uniform(To, N); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t Generator, float *Out,
                                    size_t Count, float Mean, float Deviation) {
  return generateNormal(__func__, Generator, Out, Count, "f32", Mean, Deviation,
                        /*IsLog=*/false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t Generator,
                                          double *Out, size_t Count,
                                          double Mean, double Deviation) {
  return generateNormal(__func__, Generator, Out, Count, "f64", Mean, Deviation,
                        /*IsLog=*/false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t Generator, float *Out,
                                       size_t Count, float Mean,
                                       float Deviation) {
  return generateNormal(__func__, Generator, Out, Count, "f32", Mean, Deviation,
                        /*IsLog=*/true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t Generator,
                                             double *Out, size_t Count,
                                             double Mean, double Deviation) {
  return generateNormal(__func__, Generator, Out, Count, "f64", Mean, Deviation,
                        /*IsLog=*/true);
}
/// Means of which cuRAND tabulates the distribution; above, it rounds normal
/// numbers.
static constexpr double MaxTabulatedMean = 4000;

curandStatus_t curandGeneratePoisson(curandGenerator_t Generator,
                                     unsigned int *Out, size_t Count,
                                     double Mean) {
  if (!(Mean > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generate(__func__, Generator, Out, Count, "i32",
                  /*InPairs=*/Mean > MaxTabulatedMean,
                  [&](RandomGenerator &By, unsigned int *To, size_t N) {
                    std::vector<double> Numbers(N);
                    if (Mean > MaxTabulatedMean) {
                      By.normal(Numbers.data(), N, Mean, std::sqrt(Mean));
                      for (size_t I = 0; I < N; ++I)
                        To[I] =
                            uint32_t(std::max(0.0, std::nearbyint(Numbers[I])));
                      return;
                    }
                    PoissonQuantiles Quantiles(Mean);
                    std::vector<unsigned int> Bits(N);
                    By.bits(Bits.data(), N);
                    for (size_t I = 0; I < N; ++I)
                      To[I] = Quantiles((Bits[I] + 0.5) * 0x1p-32);
                  });
}
