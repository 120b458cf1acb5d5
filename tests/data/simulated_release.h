// What verify_release() would make of a simulated fleet: its verdict without files in between.
#pragma once

#include <span>

#include "pgo/verdict/release_verdict.h"
#include "tests/data/simulated_fleet.h"

namespace pgo {

// Error: that of the comparison.
Result<VerifyResult> judge_fleet(const verify::Fleet& fleet, verify::Measure measure,
                                 const Limits& limits);

// What a release changed. All are factors, after / before.
struct SideChange {
  double cost = 1;      // of everything
  double traffic = 1;   // work done
  double function = 1;  // of the cost of function 1, which has 5 % of everything
};

verify::Side changed_side(const verify::Side& side, const SideChange& change);

// Several earlier releases, and how much they differ.
class EarlierFleets {
 public:
  // `after` is what they are compared with. Error: that of a comparison.
  static Result<EarlierFleets> compare(std::span<const verify::Side> earlier,
                                       const verify::Side& after, verify::Measure measure);

  // `after`: of the same hosts as the one that they were compared with.
  Result<VerifyResult> judge(const verify::Side& after, const Limits& limits) const;

 private:
  verify::Measure measure_ = verify::Measure::kPerUnit;
  ReleaseSpread spread_;
  verify::Side together_;
};

}  // namespace pgo
