#include "RunOptions.h"

#include "ModelOptions.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"

using namespace llvm;

namespace gpuestimate {

Error appendProgramArgument(Options &O, StringRef Value) {
  O.Run.ProgramArguments.push_back(Value.str());
  return Error::success();
}

Error parseExecution(Options &O, StringRef Value) {
  return choose<RunExecution>(Value, O.Run.Execute,
                              {{"all", RunExecution::All},
                               {"sampled", RunExecution::Sampled},
                               {"none", RunExecution::None}});
}

static Error parsePositive(StringRef Value, StringRef What, double &Into) {
  double Number = 0;
  if (Value.getAsDouble(Number) || !(Number > 0) || !std::isfinite(Number))
    return usage("expected " + What + " above 0, got '" + Value + "'");
  Into = Number;
  return Error::success();
}

Error parseExecuteSeconds(Options &O, StringRef Value) {
  return parsePositive(Value, "seconds", O.Run.ExecuteSeconds);
}

Error parseRunDevices(Options &O, StringRef Value) {
  constexpr unsigned Most = 64;
  unsigned Devices = 0;
  if (Value.getAsInteger(10, Devices) || Devices == 0 || Devices > Most)
    return usage("expected a number of devices from 1 to 64, got '" + Value +
                 "'");
  O.Run.Devices = Devices;
  return Error::success();
}

Error parseRunThreads(Options &O, StringRef Value) {
  unsigned Threads = 0;
  if (Value.getAsInteger(10, Threads) || Threads == 0)
    return usage("expected a number of threads, got '" + Value + "'");
  O.Run.Threads = Threads;
  return Error::success();
}

Error parseProgramSocket(Options &O, StringRef Value) {
  int Descriptor = 0;
  if (Value.getAsInteger(10, Descriptor) || Descriptor < 0)
    return usage("expected a file descriptor, got '" + Value + "'");
  O.Run.ProgramSocket = Descriptor;
  return Error::success();
}

Error parseRunChecks(Options &O, StringRef Value) {
  if (Value != "on" && Value != "off" && Value != "races")
    return usage("expected on, off or races, got '" + Value + "'");
  O.Run.Checks = Value != "off";
  O.Run.AllRaces = Value == "races";
  return Error::success();
}

Error parseHostSpeed(Options &O, StringRef Value) {
  return parsePositive(Value, "a factor", O.Run.HostSpeed);
}

Error parseRunFormat(Options &O, StringRef Value) {
  return choose<RunFormat>(Value, O.Run.Format,
                           {{"text", RunFormat::Text},
                            {"json", RunFormat::Json},
                            {"html", RunFormat::Html},
                            {"chrome-trace", RunFormat::ChromeTrace},
                            {"csv", RunFormat::Csv}});
}

} // namespace gpuestimate
