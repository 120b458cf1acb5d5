#include "pgo/net/http_url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "pgo/base/shown_url.h"

namespace pgo::net {
namespace {

uint16_t port_of_scheme(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

// "[2001:db8::1]" of "[2001:DB8:0::1]": the usual form of an IPv6 address; empty for others.
std::string usual_address(std::string_view host) {
  if (!host.starts_with('[') || !host.ends_with(']')) return "";
  in6_addr address;
  char text[INET6_ADDRSTRLEN];
  const std::string digits(host.substr(1, host.size() - 2));
  if (::inet_pton(AF_INET6, digits.c_str(), &address) != 1) return "";
  return "[" + std::string(::inet_ntop(AF_INET6, &address, text, sizeof text)) + "]";
}

bool is_name(std::string_view host) {
  return !host.empty() && std::all_of(host.begin(), host.end(), [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || letter == '.' ||
           letter == '-' || letter == '_';
  });
}

Failure wrong_url(std::string_view text, std::string_view why) {
  return fail(ErrorKind::kUsage, url_without_secrets(text) + ": " + std::string(why));
}

}  // namespace

std::string HttpUrl::host_and_port() const {
  return port == port_of_scheme(scheme) ? host : host + ":" + std::to_string(port);
}

std::string HttpUrl::origin() const { return scheme + "://" + host_and_port(); }

std::string HttpUrl::shown() const { return origin() + path; }

bool HttpUrl::is_loopback() const {
  const bool is_number = host.find_first_not_of("0123456789.") == host.npos;  // not 127.example.com
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" ||
         (is_number && host.starts_with("127."));
}

std::string HttpUrl::text() const { return shown() + (query.empty() ? "" : "?" + query); }

Result<HttpUrl> parse_http_url(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return c <= ' ' || c > '~'; }))
    return wrong_url(text,
                     "a URL has no spaces, control characters or letters outside of ASCII; "
                     "percent-encode them");
  HttpUrl url;
  const size_t colon = text.find("://");
  if (colon != text.npos) url.scheme = text.substr(0, colon);
  std::transform(url.scheme.begin(), url.scheme.end(), url.scheme.begin(), lower);
  if (url.scheme != "http" && url.scheme != "https")
    return wrong_url(text, "is not an http: or https: URL");
  url.port = port_of_scheme(url.scheme);

  const std::string_view rest = text.substr(colon + 3, text.find('#') - colon - 3);
  const size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, end);
  if (authority.find('@') != authority.npos)
    return wrong_url(text, "the URL contains a user or a password; put them into ~/.netrc");
  const size_t bracket = authority.rfind(']');
  const size_t port = authority.find(':', bracket == authority.npos ? 0 : bracket);
  if (port != authority.npos) {
    const std::string_view digits = authority.substr(port + 1);
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), url.port);
    if (error != std::errc() || last != digits.data() + digits.size() || url.port == 0)
      return wrong_url(text, "the port of the URL is not a number from 1 to 65535");
    authority = authority.substr(0, port);
  }
  url.host = authority;
  std::transform(url.host.begin(), url.host.end(), url.host.begin(), lower);
  if (url.host.starts_with('[')) url.host = usual_address(url.host);
  if (!url.host.starts_with('[') && !is_name(url.host))
    return wrong_url(text, "the URL has no valid host");

  const size_t question = rest.find('?');
  if (question != rest.npos) url.query = rest.substr(question + 1);
  const std::string_view path =
      rest.substr(end, question == rest.npos ? rest.npos : question - end);
  if (!path.empty()) url.path = path;
  return url;
}

}  // namespace pgo::net
