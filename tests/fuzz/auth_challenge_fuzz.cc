// Any bytes as WWW-Authenticate and Link headers of a registry: nothing, or what is part of them.
#include <cstdlib>

#include "pgo/remote_registry/auth_challenge.h"
#include "pgo/remote_registry/next_page.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto challenge = parse_auth_challenge(text))
    if (challenge->realm.size() + challenge->service.size() + challenge->scope.size() > size)
      std::abort();
  static const net::HttpUrl page = *net::parse_http_url("https://registry.example/v2/a/tags/list");
  if (const auto next = next_page(text, page))
    if (!next->empty() && !next->starts_with("https://registry.example/")) std::abort();
  return 0;
}
