// as_bytes(): the bytes of a text. as_text() (bytes.h) is the way back.
#pragma once

#include <string_view>

#include "pgo/base/bytes.h"

namespace pgo {

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace pgo
