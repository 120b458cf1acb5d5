#include "pgo/convert/shared_names.h"

#include <string_view>
#include <unordered_map>

namespace pgo {
namespace {

// By the notes that compilers leave in every object file, which linkers keep.
bool is_by_clang(const ElfImage& image) {
  const ElfImage::Section* comments = image.find_section(".comment");
  if (comments == nullptr) return false;
  std::string_view text = as_text(comments->bytes);
  return text.find("clang version") != std::string_view::npos;
}

// A profile knows functions by the name that they had before (Thin)LTO told apart the static ones
// of several files.
std::string_view without_promotion(std::string_view name) {
  constexpr std::string_view kMark = ".llvm.";
  size_t at = name.rfind(kMark);
  bool is_promoted =
      at != std::string_view::npos && at + kMark.size() < name.size() &&
      name.find_first_not_of("0123456789", at + kMark.size()) == std::string_view::npos;
  return is_promoted ? name.substr(0, at) : name;
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
    auto [found, is_new] =
        functions.try_emplace(without_promotion(symbol.name), Found{symbol.addr, false});
    if (!is_new && found->second.first != symbol.addr) found->second.shared = true;
  }
  size_t count = 0;
  for (std::string_view name : profile.function_names()) {
    auto found = functions.find(name);
    count += found != functions.end() && found->second.shared;
  }
  return count;
}

}  // namespace pgo
