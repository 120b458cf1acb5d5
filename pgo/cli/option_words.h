// The command line's words for the options and documents that texts of the libraries name in
// braces.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/base/result.h"

namespace pgo {

// `text` with each "{event}" of a known option replaced by "--event", and "{docs/guide/merge.md}"
// by the path of that document; other braces stay, and so do those that are a part of a path,
// quoted, in a list of names, or before a colon. For sentences of ours; what holds names only must
// not be given.
std::string with_option_words(const std::string& text);

// `json` with those of its strings so that are sentences, by their keys.
nlohmann::json json_with_option_words(nlohmann::json json);

// The message, and the advice behind a semicolon.
std::string error_text(const Error& error);

}  // namespace pgo
