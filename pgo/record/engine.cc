// The choice is one trial of perf; see perf_recorder.h.
#include "pgo/record/engine.h"

namespace pgo {

Result<ChosenEngine> choose_engine(EngineWish wish, const std::string& search_path) {
  if (wish == EngineWish::kEmulate) return ChosenEngine{RecordEngine::kEmulate, {}};
  if (wish == EngineWish::kStep) return ChosenEngine{RecordEngine::kStep, {}};
  PGO_TRY(PerfSetup setup, wish == EngineWish::kClock ? find_clock_setup(search_path)
                                                      : find_perf_setup(search_path));
  return ChosenEngine{RecordEngine::kPerf, setup};
}

}  // namespace pgo
