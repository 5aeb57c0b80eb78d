/// \file
/// printf in a kernel. NVIDIA's has one function, which gets all arguments in a
/// buffer; AMD's builds a message piece by piece:
///
///   message = __ockl_printf_begin(0)
///   message = __ockl_printf_append_string_n(message, format, bytes, isLast)
///   message = __ockl_printf_append_args(message, count, a0 ... a6, isLast)
///
/// with an argument of 64 bits each, and a call of the second function for each
/// string.
#include "DeviceFunctions.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace llvm;

namespace gpuestimate {

namespace {

/// The arguments of a message, one after the other.
class PrintArguments {
public:
  virtual ~PrintArguments() = default;
  virtual int32_t nextInt() = 0;
  virtual int64_t nextLong() = 0;
  virtual double nextReal() = 0;
  virtual const char *nextString() = 0;
};

/// Those of NVIDIA's vprintf: packed at their natural alignment, reals as
/// double.
class PackedArguments : public PrintArguments {
public:
  explicit PackedArguments(const char *Next) : Next(Next) {}
  int32_t nextInt() override { return take<int32_t>(); }
  int64_t nextLong() override { return take<int64_t>(); }
  double nextReal() override { return take<double>(); }
  const char *nextString() override { return take<const char *>(); }

private:
  template <class T> T take() {
    Next = reinterpret_cast<const char *>(
        (reinterpret_cast<uintptr_t>(Next) + sizeof(T) - 1) & ~(sizeof(T) - 1));
    T Value;
    std::memcpy(&Value, Next, sizeof(T));
    Next += sizeof(T);
    return Value;
  }

  const char *Next;
};

/// A message of AMD's printf, until its last piece has come.
struct Message : PrintArguments {
  std::vector<std::string> Strings; ///< the first one is the format
  std::vector<uint64_t> Words;      ///< of a string: its number

  int32_t nextInt() override { return int32_t(nextLong()); }
  int64_t nextLong() override {
    return Read < Words.size() ? int64_t(Words[Read++]) : 0;
  }
  double nextReal() override {
    int64_t Bits = nextLong();
    double Value;
    std::memcpy(&Value, &Bits, sizeof(Value));
    return Value;
  }
  const char *nextString() override {
    uint64_t Number = nextLong();
    return Number < Strings.size() ? Strings[Number].c_str() : nullptr;
  }

private:
  size_t Read = 0;
};

} // namespace

/// One conversion of a format, with what it takes from the arguments.
static void printOne(std::string &Out, const std::string &Format,
                     PrintArguments &Arguments) {
  char Kind = Format.back();
  bool Long = Format.find('l') != std::string::npos ||
              Format.find_first_of("zjt") != std::string::npos;
  char Text[512];
  auto print = [&](auto Value) {
    int Length = std::snprintf(Text, sizeof(Text), Format.c_str(), Value);
    Out.append(Text, std::clamp<int>(Length, 0, sizeof(Text) - 1));
  };
  if (StringRef("diouxXc").contains(Kind)) {
    if (Long)
      print(Arguments.nextLong());
    else
      print(Arguments.nextInt());
  } else if (StringRef("fFeEgGaA").contains(Kind)) {
    print(Arguments.nextReal());
  } else if (Kind == 's') {
    const char *S = Arguments.nextString();
    if (Format == "%s")
      Out += S ? S : "(null)";
    else
      print(S ? S : "(null)");
  } else if (Kind == 'p') {
    print(reinterpret_cast<void *>(Arguments.nextLong()));
  }
}

static int32_t print(const char *Format, PrintArguments &Arguments) {
  std::string Out;
  int32_t Conversions = 0;
  while (*Format) {
    if (*Format != '%') {
      Out += *Format++;
      continue;
    }
    if (Format[1] == '%') {
      Out += '%';
      Format += 2;
      continue;
    }
    std::string One(1, *Format++);
    while (*Format && !std::isalpha(static_cast<unsigned char>(*Format)))
      One += *Format++;
    while (*Format && std::strchr("hlLzjt", *Format))
      One += *Format++;
    if (!*Format)
      break;
    One += *Format++;
    printOne(Out, One, Arguments);
    ++Conversions;
  }
  std::fwrite(Out.data(), 1, Out.size(), stdout);
  return Conversions;
}

static int32_t devicePrint(const char *Format, const char *Arguments) {
  PackedArguments Packed(Arguments);
  return print(Format, Packed);
}

namespace {

/// The messages that lanes are building: those of a vector build theirs at the
/// same time.
struct Messages {
  std::mutex Lock;
  std::map<uint64_t, Message> Open;
  uint64_t Last = 0;
};

} // namespace

static Messages &messages() {
  static Messages M;
  return M;
}

static uint64_t beginMessage(uint64_t) {
  Messages &M = messages();
  std::lock_guard<std::mutex> Guard(M.Lock);
  M.Open[++M.Last];
  return M.Last;
}

/// Prints the message if this was its last piece.
static uint64_t endPiece(Messages &M, uint64_t Number, uint32_t IsLast) {
  if (IsLast) {
    Message &Whole = M.Open[Number];
    if (!Whole.Strings.empty())
      print(Whole.Strings.front().c_str(), Whole);
    M.Open.erase(Number);
  }
  return Number;
}

static uint64_t appendString(uint64_t Number, const char *Text, uint64_t Bytes,
                             uint32_t IsLast) {
  Messages &M = messages();
  std::lock_guard<std::mutex> Guard(M.Lock);
  Message &Whole = M.Open[Number];
  if (!Whole.Strings.empty())
    Whole.Words.push_back(Whole.Strings.size());
  // Bytes has the 0 at the end.
  Whole.Strings.push_back(Text ? std::string(Text, strnlen(Text, Bytes))
                               : std::string());
  return endPiece(M, Number, IsLast);
}

static uint64_t appendArguments(uint64_t Number, uint32_t Count, uint64_t A,
                                uint64_t B, uint64_t C, uint64_t D, uint64_t E,
                                uint64_t F, uint64_t G, uint32_t IsLast) {
  Messages &M = messages();
  std::lock_guard<std::mutex> Guard(M.Lock);
  std::array<uint64_t, 7> Words = {A, B, C, D, E, F, G};
  Message &Whole = M.Open[Number];
  Whole.Words.insert(Whole.Words.end(), Words.begin(),
                     Words.begin() + std::min<size_t>(Count, Words.size()));
  return endPiece(M, Number, IsLast);
}

void addPrintFunctions(StringMap<void *> &Table) {
  auto add = [&](StringRef Name, auto *Function) {
    Table[Name] = reinterpret_cast<void *>(Function);
  };
  add("vprintf", devicePrint);
  add("__ockl_printf_begin", beginMessage);
  add("__ockl_printf_append_string_n", appendString);
  add("__ockl_printf_append_args", appendArguments);
}

} // namespace gpuestimate
