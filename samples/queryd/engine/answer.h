// Answer: values -> JSON, appended to a text.
#pragma once

#include <string>
#include <string_view>

#include "engine/value.h"

namespace queryd {

void append_text(std::string& out, std::string_view text);
void append_value(std::string& out, const Value& value);

}  // namespace queryd
