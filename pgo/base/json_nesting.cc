#include "pgo/base/json_nesting.h"

namespace pgo {

bool is_json_nested_deeper(std::string_view text, size_t depth) {
  size_t open = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') i++;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++open > depth) return true;
    } else if ((c == ']' || c == '}') && open > 0) {
      open--;
    }
  }
  return false;
}

}  // namespace pgo
