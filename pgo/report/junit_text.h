// Verdicts as JUnit XML, which CI systems show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pgo/verdict/limits.h"

namespace pgo {

struct JunitCase {
  std::string name;
  Outcome outcome = Outcome::kPass;  // kInconclusive: skipped
  std::string text;
};

// A test suite of `pgo verify`; warnings are its error output.
std::string junit_text(std::span<const JunitCase> cases, const std::vector<std::string>& warnings);

}  // namespace pgo
