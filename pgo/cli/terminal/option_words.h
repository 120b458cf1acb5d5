// The command line's words for the options and documents that texts of the libraries name in
// marked braces (Error in pgo/base/result.h says how, and why nothing else is taken for them).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo {

// `text` with each "\xFF{event}" of a known option replaced by "--event", and each
// "\xFF{docs/guide/merge.md}" by the path of that page.
std::string with_option_words(const std::string& text);

// `json` with all its strings so.
nlohmann::json json_with_option_words(nlohmann::json json);

// All messages so: before a form escapes them.
Diagnostics with_option_words(const Diagnostics& diagnostics);

// The message, and the advice behind a semicolon.
std::string error_text(const Error& error);

}  // namespace pgo
