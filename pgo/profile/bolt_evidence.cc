#include "pgo/profile/bolt_evidence.h"

#include "pgo/profile/thresholds.h"

namespace pgo {

BoltEvidence judge_for_bolt(Evidence evidence, Quality quality, CompileProfileUse compile_profile) {
  if (!is_inferred(evidence)) return BoltEvidence::kUsable;
  if (compile_profile == CompileProfileUse::kUsed && !thresholds::kBoltProfiledBuildsByInference)
    return BoltEvidence::kProfiledBuild;
  return quality < thresholds::kMinInferredForBolt ? BoltEvidence::kLowQuality
                                                   : BoltEvidence::kUsable;
}

}  // namespace pgo
