// What was probably meant by a word that is not known: the known one with the fewest letters to
// change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pgo {

// "; did you mean --binary?", or nothing when none of `known` is near. O(sum of the lengths).
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
// The same before the advice of an error: "did you mean --binary? ADVICE".
std::string spelling_advice(std::string_view word, const std::vector<std::string>& known,
                            const std::string& advice);

}  // namespace pgo
