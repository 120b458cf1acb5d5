// Any bytes as what names live hosts: a URL, a location, a list of lines, and an answer of service
// discovery: an error that shows no password, or addresses that are read again as they are.
#include <cstdlib>

#include "pgo/base/bytes.h"
#include "pgo/base/shown_url.h"
#include "pgo/net/http_url.h"
#include "pgo/stores/live/live_location.h"
#include "pgo/stores/live/live_targets.h"

using namespace pgo;

namespace {

void check_url(std::string_view text) {
  Result<net::HttpUrl> url = net::parse_http_url(text);
  if (!url) {
    if (url.error().message.find('\n') != std::string::npos) std::abort();
    return;
  }
  Result<net::HttpUrl> again = net::parse_http_url(url->text());
  if (!again || *again != *url) std::abort();
}

// As a password whose '/', '?' and '#' are percent-encoded, as they have to be.
void check_password(std::string_view text) {
  if (text.find_first_of("/?#") != text.npos) return;
  const std::string url =
      "https://me:" + std::string(text) + "@host/path?token=" + std::string(text);
  const std::string shown = url_without_secrets(url);
  if (!shown.starts_with("https://host/path?token=...")) std::abort();
  if (url_without_secrets(shown) != shown) std::abort();
}

void check_targets(const std::vector<live::LiveTarget>& targets) {
  if (targets.size() > live::kMaxTargets) std::abort();
  for (const live::LiveTarget& target : targets) {
    Result<std::string> again = live::parse_address(target.address, "again");
    if (!again || *again != target.address) std::abort();
    if (target.address.find('@') != std::string::npos) std::abort();
    for (const auto& [key, value] : target.labels)
      if (key.starts_with("__")) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text({data, size});
  check_url(text);
  check_password(text);
  check_url("http://" + std::string(text));
  for (std::string_view start : {"", "pprof+http://"}) {
    Result<live::LiveLocation> location =
        live::parse_live_location(std::string(start) + std::string(text));
    if (location && (location->hosts.empty() || location->seconds < 0)) std::abort();
  }
  Result<std::vector<live::HostLine>> lines = live::parse_host_lines(text, "fuzz");
  if (!lines && !lines.error().message.starts_with("fuzz:")) std::abort();
  Result<std::vector<live::LiveTarget>> found = live::parse_service_discovery(text, "fuzz");
  if (found)
    check_targets(*found);
  else if (!found.error().message.starts_with("fuzz:"))
    std::abort();
  return 0;
}
