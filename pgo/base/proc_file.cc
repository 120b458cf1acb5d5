#include "pgo/base/proc_file.h"

#include <algorithm>
#include <fstream>

namespace pgo {

std::string read_proc_file(const std::string& path, size_t most) {
  constexpr size_t kAtOnce = 1 << 16;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // read() catches what the buffer throws.
  for (size_t size = 0; file && size < most; size = text.size()) {
    const size_t wanted = std::min(kAtOnce, most - size);
    text.resize(size + wanted);
    file.read(text.data() + size, static_cast<std::streamsize>(wanted));
    text.resize(size + static_cast<size_t>(file.gcount()));
  }
  return text;
}

}  // namespace pgo
