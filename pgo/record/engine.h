// Which engine records: the processor's branch records or the clock through perf, single steps, or
// emulation.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/record/perf_recorder.h"

namespace pgo {

enum class RecordEngine { kPerf, kStep, kEmulate };

// How the user asked for one.
enum class EngineWish { kAny, kPerf, kClock, kStep, kEmulate };

struct ChosenEngine {
  RecordEngine engine = RecordEngine::kEmulate;
  PerfSetup perf;  // for kPerf
};

// kAny means perf: emulation is slow and changes a program's timing, and single steps reach into a
// program, so they are never chosen unasked.
// Error: kUnsupported when perf does not work here; it says why and how to ask for emulation.
Result<ChosenEngine> choose_engine(EngineWish wish, const std::string& search_path);

}  // namespace pgo
