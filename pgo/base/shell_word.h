// A word as a shell reads it: quoted where it must be.
#pragma once

#include <string>
#include <vector>

namespace pgo {

// "server" and "--time=5" stay as they are; "a b" becomes "'a b'".
std::string shell_word(const std::string& word);
// A command line that a shell reads as these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace pgo
