// Looking at data several times, and stopping when it decides, without being wrong more often.
#pragma once

#include <span>
#include <vector>

namespace pgo {

// For looks at the parts `information` (ascending, the last is 1) of all data: the error that each
// may make by itself (two-sided), so that all together make `error`. O'Brien and Fleming's (1979)
// kind of spending, as a function of information by Lan and DeMets (1983): next to nothing early,
// nearly everything at the last look. Found by integrating the density of what has not stopped
// (Armitage, McPherson and Rowe 1969), which takes milliseconds.
std::vector<double> spend_error(std::span<const double> information, double error);

}  // namespace pgo
