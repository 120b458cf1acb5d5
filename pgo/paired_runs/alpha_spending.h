// Alpha spending: evaluate data several times and stop as soon as it decides, without raising the
// error rate.
#pragma once

#include <span>
#include <vector>

namespace pgo {

// The nominal two-sided error of each look, so that all looks together have the error `error`.
// `information`: the fraction of all data at each look; ascending, the last is 1. Uses the spending
// function of Lan and DeMets (1983) of the type of O'Brien and Fleming (1979): almost no error is
// spent at early looks, and most of it at the last. Integrates the density of the cases that have
// not stopped (Armitage, McPherson and Rowe 1969), which takes milliseconds.
std::vector<double> spend_error(std::span<const double> information, double error);

}  // namespace pgo
