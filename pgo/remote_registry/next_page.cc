#include "pgo/remote_registry/next_page.h"

#include <algorithm>

#include "pgo/base/shown_url.h"

namespace pgo {
namespace {

// Do the parameters behind a URL have rel="next", or rel=next?
bool is_next(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view one = parameters.substr(0, parameters.find(';'));
    parameters.remove_prefix(std::min(one.size() + 1, parameters.size()));
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
    if (one == "rel=\"next\"" || one == "rel=next") return true;
  }
  return false;
}

}  // namespace

Result<net::HttpUrl> resolve_location(std::string_view location, const net::HttpUrl& page) {
  std::string url(location);
  if (location.starts_with("//")) {
    url = page.scheme + ":" + url;
  } else if (location.starts_with('/')) {
    url = page.origin() + url;
  } else if (location.starts_with('?')) {
    url = page.origin() + page.path + url;
  } else if (!location.starts_with("http://") && !location.starts_with("https://")) {
    url = page.origin() + page.path.substr(0, page.path.rfind('/') + 1) + url;
  }
  Result<net::HttpUrl> parsed = net::parse_http_url(url);
  if (parsed) return parsed;
  return fail(ErrorKind::kInput, page.shown() + ": the answer leads to an invalid URL: " +
                                     url_without_secrets(location));
}

Result<std::string> next_page(std::string_view header, const net::HttpUrl& page) {
  while (!header.empty()) {
    const size_t begin = header.find('<');
    if (begin == header.npos) break;
    const size_t end = header.find('>', begin);
    if (end == header.npos) break;
    const std::string_view target = header.substr(begin + 1, end - begin - 1);
    header.remove_prefix(end + 1);
    const std::string_view parameters = header.substr(0, header.find(",<"));
    if (!is_next(parameters.substr(0, parameters.find(',')))) continue;
    PGO_TRY(const net::HttpUrl url, resolve_location(target, page));
    if (url.origin() == page.origin()) return url.text();
    return fail(ErrorKind::kInput,
                page.shown() + ": the next page is on another server, " + url.origin());
  }
  return std::string();
}

}  // namespace pgo
