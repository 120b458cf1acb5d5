#include "pgo/registry/reference.h"

#include <algorithm>
#include <charconv>

#include "pgo/base/sha256.h"
#include "pgo/base/utf8.h"

namespace pgo {
namespace {

constexpr std::string_view kLayoutScheme = "oci-dir:", kRemoteScheme = "oci://";
constexpr size_t kMaxTag = 128, kMaxRepository = 255, kMaxPath = 4096;
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kAlphanumeric =
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool is_of(std::string_view set, char c) { return set.find(c) != set.npos; }

// Letters and digits with one '.', one or two '_', or some '-' between them.
bool is_repository_part(std::string_view part) {
  if (part.empty() || !is_of(kLower, part.front()) || !is_of(kLower, part.back())) return false;
  while (!part.empty()) {
    part.remove_prefix(std::min(part.find_first_not_of(kLower), part.size()));
    const size_t end = std::min(part.find_first_of(kLower), part.size());
    const std::string_view separator = part.substr(0, end);
    if (separator.find_first_not_of('-') != separator.npos && separator != "." &&
        separator != "_" && separator != "__")
      return false;
    part.remove_prefix(end);
  }
  return true;
}

bool is_repository(std::string_view name) {
  if (name.size() > kMaxRepository) return false;
  while (true) {
    const size_t slash = name.find('/');
    if (!is_repository_part(name.substr(0, slash))) return false;
    if (slash == name.npos) return true;
    name.remove_prefix(slash + 1);
  }
}

// "registry.example.com", "10.0.0.1:5000", "[::1]:5000".
bool is_host(std::string_view host) {
  size_t end;
  if (host.starts_with('[')) {
    end = host.find(']');
    if (end == host.npos || end < 3 ||
        host.substr(1, end - 1).find_first_not_of("0123456789abcdefABCDEF:.") != host.npos)
      return false;
    end++;
  } else {
    end = std::min(host.find(':'), host.size());
    const std::string_view name = host.substr(0, end);
    if (name.empty() || !is_of(kAlphanumeric, name.front()) ||
        !std::all_of(name.begin(), name.end(),
                     [](char c) { return is_of(kAlphanumeric, c) || c == '.' || c == '-'; }))
      return false;
  }
  if (end == host.size()) return true;
  if (host[end] != ':') return false;
  const std::string_view digits = host.substr(end + 1);
  unsigned port = 0;
  auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return error == std::errc() && rest == digits.data() + digits.size() && port >= 1 &&
         port <= 65535;
}

// Controls would rearrange what messages and lock files show of it.
bool is_plain_text(std::string_view text) {
  return valid_utf8(text) == text && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

Failure wrong(std::string_view text, const std::string& what, std::string advice = {}) {
  return fail(ErrorKind::kUsage, valid_utf8(text.substr(0, kMaxPath)) + ": " + what,
              std::move(advice));
}

Result<void> parse_remote(std::string_view text, std::string_view rest,
                          RegistryReference& reference) {
  const size_t slash = rest.find('/');
  reference.host = rest.substr(0, slash);
  if (reference.host.find('@') != std::string::npos)
    return fail(ErrorKind::kUsage, "oci://: a reference must not have a user name or a password",
                "'docker login' keeps them where they are found");
  if (!is_host(reference.host)) return wrong(text, "HOST or HOST:PORT expected behind oci://");
  reference.path = slash == rest.npos ? "" : rest.substr(slash + 1);
  if (!is_repository(reference.path))
    return wrong(text,
                 "the name of a repository expected behind the host, such as oci://HOST/team/"
                 "server: lower-case letters, digits, '.', '_', '-' and '/'");
  return ok();
}

}  // namespace

bool is_tag(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTag && text[0] != '.' && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_of(kAlphanumeric, c) || c == '_' || c == '.' || c == '-';
         });
}

bool is_reference(std::string_view text) {
  return text.starts_with(kLayoutScheme) || text.starts_with(kRemoteScheme);
}

Result<RegistryReference> parse_reference(std::string_view text) {
  if (!is_reference(text))
    return wrong(text, "a reference expected: oci-dir:PATH[:TAG] or oci://HOST/REPOSITORY[:TAG]");
  if (text.size() > kMaxPath || !is_plain_text(text))
    return wrong(text, "a reference is at most 4096 bytes of UTF-8 without control characters");
  RegistryReference reference;
  const bool is_layout = text.starts_with(kLayoutScheme);
  reference.kind = is_layout ? RegistryReference::Kind::kLayout : RegistryReference::Kind::kRemote;
  std::string_view rest = text.substr(is_layout ? kLayoutScheme.size() : kRemoteScheme.size());
  if (const size_t at = rest.rfind('@'); at != rest.npos) {
    const std::string_view digest = rest.substr(at + 1);
    if (is_sha256_digest(digest)) {
      reference.digest = digest;
      rest = rest.substr(0, at);
    } else if (digest.starts_with("sha256:")) {
      return wrong(text, "64 hexadecimal digits (0-9, a-f) expected behind @sha256:");
    }
  }
  const size_t slash = rest.rfind('/');
  const size_t colon = rest.rfind(':');
  if (colon != rest.npos && (slash == rest.npos ? is_layout : colon > slash)) {
    reference.tag = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (!is_tag(reference.tag))
      return wrong(
          text,
          "'" + reference.tag +
              "' after the last ':' is not a valid tag: at most 128 letters, digits, '_', '.' "
              "and '-'",
          is_layout ? "end the path in '/' when the ':' belongs to it" : "");
  }
  if (!is_layout) {
    PGO_CHECK(parse_remote(text, rest, reference));
    return reference;
  }
  if (rest.empty()) return wrong(text, "the path of a directory expected behind oci-dir:");
  reference.path = rest;
  return reference;
}

std::string repository_text(const RegistryReference& reference) {
  if (reference.kind == RegistryReference::Kind::kLayout) {
    const std::string& path = reference.path;
    const bool has_colon = path.find(':', path.rfind('/') + 1) != path.npos;
    return std::string(kLayoutScheme) + path + (has_colon ? "/" : "");
  }
  return std::string(kRemoteScheme) + reference.host + "/" + reference.path;
}

std::string reference_text(const RegistryReference& reference) {
  const bool is_tagged_layout =
      reference.kind == RegistryReference::Kind::kLayout && !reference.tag.empty();
  return (is_tagged_layout ? std::string(kLayoutScheme) + reference.path
                           : repository_text(reference)) +
         (reference.tag.empty() ? "" : ":" + reference.tag) +
         (reference.digest.empty() ? "" : "@" + reference.digest);
}

}  // namespace pgo
