// RateText: the figures of a comparison as text: shares in percent, other values in their unit.
#pragma once

#include <string>

#include "pgo/diff/diff.h"
#include "pgo/verdict/limits.h"

namespace pgo {

class RateText {
 public:
  explicit RateText(const DiffResult& result) : result_(result) {}

  std::string rate(double value) const { return text(value, ""); }
  std::string difference(double value) const { return text(value, value > 0 ? "+" : ""); }
  // The 95 % interval, "-4.10 % to -2.67 %"; empty if an end is infinite.
  std::string interval(const verify::RowComparison& row) const;

 private:
  std::string text(double value, const char* sign) const;

  const DiffResult& result_;
};

// "more", "less", "noise", ...
std::string verdict_word(const verify::RowComparison& row);

}  // namespace pgo
