// Any bytes as names that a file may have: demangled, shortened and fitted to a line, in bounded
// time and memory, whatever they are. LLVM's parser and printer of C++ names are built into this
// target, so what they do wrong within our bounds is found, too.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "pgo/base/utf8.h"
#include "pgo/code/demangled_name.h"
#include "pgo/code/shown_name.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Not ended by a NUL, as names in files are.
  std::string_view name(reinterpret_cast<const char*>(data), size);
  std::string demangled = demangled_name(name);
  // 10 bytes for each character that a name of Rust costs.
  constexpr size_t kMaxText = size_t{10} << 18;
  if (demangled.size() > kMaxText + size) std::abort();
  if (simple_name(demangled).size() > demangled.size()) std::abort();
  if (count_characters(shown_name(name)) > kShownNameWidth) std::abort();
  return 0;
}
