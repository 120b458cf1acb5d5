#include "pgo/source/source_address.h"

#include <algorithm>

#include "pgo/base/shown_url.h"

namespace pgo {
namespace {

constexpr std::string_view kDirectory = "dir:", kLayout = "oci-dir:", kAfterScheme = "://";

bool is_scheme(std::string_view text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") == text.npos;
}

}  // namespace

std::optional<SourceAddress> parse_source_address(std::string_view text) {
  if (text.starts_with(kDirectory))
    return SourceAddress{"dir", std::string(text.substr(kDirectory.size())), std::string(text)};
  if (text.starts_with(kLayout))
    return SourceAddress{"oci-dir", std::string(text.substr(kLayout.size())), std::string(text)};
  const size_t end = text.find(kAfterScheme);
  if (end == text.npos || !is_scheme(text.substr(0, end))) return std::nullopt;
  return SourceAddress{std::string(text.substr(0, end)),
                       std::string(text.substr(end + kAfterScheme.size())),
                       url_without_secrets(text)};
}

bool looks_like_address(std::string_view text) { return text.find(':') < text.find('/'); }

}  // namespace pgo
