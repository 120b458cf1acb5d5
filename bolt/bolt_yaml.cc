#include "bolt/bolt_yaml.h"

#include <algorithm>

namespace pgo {
namespace {

constexpr size_t kHeader = 4096;  // bytes; all headers known are shorter

std::string_view header_of(Bytes bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                        std::min(bytes.size(), kHeader));
  return text.substr(0, text.find("\nfunctions:"));
}

}  // namespace

bool is_bolt_yaml(Bytes bytes) {
  std::string_view header = header_of(bytes);
  return header.starts_with("---\nheader:\n") &&
         header.find("\n  profile-version:") != std::string_view::npos;
}

BuildId bolt_yaml_build_id(Bytes bytes) {
  constexpr std::string_view kKey = "\n  binary-build-id:";
  std::string_view header = header_of(bytes);
  size_t place = header.find(kKey);
  if (place == std::string_view::npos) return {};
  std::string_view value = header.substr(place + kKey.size());
  value = value.substr(0, value.find('\n'));
  size_t first = value.find_first_not_of(" '");
  if (first == std::string_view::npos) return {};
  value.remove_prefix(first);
  value = value.substr(0, value.find_first_of(" '\r"));
  return BuildId::from_hex(value).value_or(BuildId{});
}

}  // namespace pgo
