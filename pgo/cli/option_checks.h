// What the value of an option must be, refused in plain words: "--period: must be a whole number of
// at least 1, not 0". (CLI11's own checks show a type or the range of a double.)
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace pgo {

// A decimal number from `least` to `most`.
CLI::Validator whole_number(uint64_t least = 0,
                            uint64_t most = std::numeric_limits<uint32_t>::max());
// One of `choices`, as it is written.
CLI::Validator one_of(std::vector<std::string> choices);

}  // namespace pgo
