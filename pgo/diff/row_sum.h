// RowSum: what a row has of one member while its samples are added up.
#pragma once

#include <cstdint>

#include "pgo/profile/stack_selection.h"
#include "pgo/verify/side.h"

namespace pgo {

struct RowSum {
  int64_t value = 0;
  double squares = 0;  // of the weights of single samples

  void add(int64_t more, double samples) {
    value = sum_of(value, more);
    squares += static_cast<double>(more) * static_cast<double>(more) / samples;
  }
  verify::Cell cell(uint32_t member) const {
    const auto weight = static_cast<double>(value);
    return {weight, static_cast<float>(verify::equal_samples(weight, squares)), member};
  }
};

}  // namespace pgo
