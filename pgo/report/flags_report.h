// The result of choose_flags() for people, for shells and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/flags/flags.h"

namespace pgo {

nlohmann::json flags_json(const FlagsResult& result);
// Tables of the flags for compiling, for the link, and of those that the compiler does not know,
// each with what is lost without it.
std::string flags_text(const FlagsResult& result);
// One line for a command line of a shell or for a makefile; words are quoted where they need it.
std::string flags_line(const std::vector<ChosenFlag>& flags);

}  // namespace pgo
