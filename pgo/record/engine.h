// Which engine records: the processor's branch records or the clock through perf, or emulation.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/record/perf_recorder.h"

namespace pgo {

enum class RecordEngine { kPerf, kEmulate };

// How the user asked for one.
enum class EngineWish { kAny, kPerf, kClock, kEmulate };

struct ChosenEngine {
  RecordEngine engine = RecordEngine::kEmulate;
  PerfSetup perf;  // for kPerf
};

// kAny means perf: emulation is slow and changes a program's timing, so it is never chosen unasked.
// Error: kUnsupported when perf does not work here; it says why and how to ask for emulation.
Result<ChosenEngine> choose_engine(EngineWish wish, const std::string& search_path);

}  // namespace pgo
