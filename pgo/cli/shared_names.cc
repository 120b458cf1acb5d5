#include "pgo/cli/shared_names.h"

#include <string_view>
#include <unordered_map>

namespace pgo {
namespace {

// By the notes that compilers leave in every object file, which linkers keep.
bool is_by_clang(const ElfImage& image) {
  const ElfImage::Section* comments = image.find_section(".comment");
  if (comments == nullptr) return false;
  std::string_view text(reinterpret_cast<const char*>(comments->bytes.data()),
                        comments->bytes.size());
  return text.find("clang version") != std::string_view::npos;
}

}  // namespace

size_t count_shared_names(const SourceProfile& profile, const Binary& binary) {
  if (!is_by_clang(binary.symbol_image())) return 0;
  struct Found {
    ElfAddr first;
    bool shared = false;
  };
  std::unordered_map<std::string_view, Found> functions;
  for (const ElfImage::Symbol& symbol : binary.symbol_image().symbols()) {
    if (!symbol.function) continue;
    auto [found, is_new] = functions.try_emplace(symbol.name, Found{symbol.addr, false});
    if (!is_new && found->second.first != symbol.addr) found->second.shared = true;
  }
  size_t count = 0;
  for (const auto& [key, function] : profile.functions) {
    if (!function.getFunction().isStringRef()) continue;
    llvm::StringRef name = function.getFunction().stringRef();
    auto found = functions.find({name.data(), name.size()});
    count += found != functions.end() && found->second.shared;
  }
  return count;
}

}  // namespace pgo
