#include "pgo/stores/live/live_location.h"

#include <algorithm>
#include <charconv>

#include "pgo/base/shown_url.h"
#include "pgo/net/http_url.h"

namespace pgo::live {
namespace {

constexpr std::string_view kStart = "pprof+";
constexpr int kDefaultSeconds = 30;
constexpr int kMaxSeconds = 3600;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Where the path begins in "HOSTS/PATH"; the size of the text when there is none.
size_t start_of_path(std::string_view text) {
  const bool has_file = text.starts_with('@') || text.find(",@") != text.npos;
  const bool has_url = text.starts_with("sd+") || text.find(",sd+") != text.npos;
  if (!has_file && !has_url) return std::min(text.find('/'), text.size());
  size_t start = text.size();
  for (std::string_view endpoint : {"/debug/pprof/", "/pprof/", "/hotspots/"}) {
    const size_t at = text.rfind(endpoint);
    if (at == text.npos) continue;
    // "/pprof/" is in "/debug/pprof/" too.
    start = start == text.size() ? at : std::max(start, at);
    if (endpoint == "/pprof/" && text.substr(0, at).ends_with("/debug")) start = at - 6;
  }
  return start;
}

// The endpoint that has the profile of a page of brpc; empty for other pages.
std::string_view profile_of_page(std::string_view path) {
  if (path == "/hotspots/cpu") return "/pprof/profile";
  if (path == "/hotspots/heap") return "/pprof/heap";
  if (path == "/hotspots/growth") return "/pprof/growth";
  if (path == "/hotspots/contention") return "/pprof/contention";
  return {};
}

bool records_for_seconds(std::string_view path) {
  return path.ends_with("/pprof/profile") || path.ends_with("/pprof/contention");
}

// Go's path; empty: other types have one each in other programs.
std::string path_of(const std::string& sample_type) {
  if (sample_type.starts_with("alloc_")) return "/debug/pprof/allocs";
  if (sample_type.starts_with("inuse_")) return "/debug/pprof/heap";
  if (sample_type == "contentions" || sample_type == "delay" || sample_type == "goroutine")
    return "";
  return "/debug/pprof/profile";
}

// Takes the seconds out of the query, and adds them where the server has no default of its own.
Result<void> set_seconds(LiveLocation& location, const std::string& shown) {
  location.seconds = records_for_seconds(location.path) ? kDefaultSeconds : 0;
  for (std::string_view part : split(location.query, '&')) {
    if (!part.starts_with("seconds=")) continue;
    const std::string_view digits = part.substr(8);
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), location.seconds);
    if (error != std::errc() || end != digits.data() + digits.size() || location.seconds < 1 ||
        location.seconds > kMaxSeconds)
      return fail(ErrorKind::kUsage, shown + ": seconds is not a whole number from 1 to " +
                                         std::to_string(kMaxSeconds));
    return ok();
  }
  if (location.seconds == 0) return ok();
  if (!location.query.empty()) location.query += '&';
  location.query += "seconds=" + std::to_string(location.seconds);
  return ok();
}

}  // namespace

bool is_live_location(std::string_view text) {
  return text.starts_with("pprof+http://") || text.starts_with("pprof+https://");
}

std::string LiveLocation::shown() const {
  std::string text = std::string(kStart) + scheme + "://";
  for (const std::string& host : hosts)
    text += (&host == hosts.data() ? "" : ",") +
            (host.starts_with("sd+") ? url_without_secrets(host) : host);
  return text + path + (seconds > 0 ? "?seconds=" + std::to_string(seconds) : "");
}

Result<LiveLocation> parse_live_location(std::string_view text) {
  const size_t colon = text.find("://");
  if (!is_live_location(text))
    return fail(ErrorKind::kUsage, url_without_secrets(text) +
                                       ": does not begin with pprof+http:// or pprof+https://");
  LiveLocation location;
  location.scheme = text.substr(kStart.size(), colon - kStart.size());
  std::string_view rest = text.substr(colon + 3, text.find('#') - colon - 3);
  const size_t question = std::min(rest.find('?'), rest.size());
  // It may be the end of a password that contains '?'.
  if (rest.find('@', question) != rest.npos)
    return fail(ErrorKind::kUsage, url_without_secrets(text) +
                                       ": write '@' as %40 behind '?'; a user and a password "
                                       "belong into ~/.netrc");
  if (question < rest.size()) location.query = rest.substr(question + 1);
  rest = rest.substr(0, question);
  const size_t path = start_of_path(rest);
  location.path = rest.substr(path);
  if (location.path == "/") location.path.clear();
  for (std::string_view host : split(rest.substr(0, path), ',')) {
    const size_t at = host.find('@');
    if (at != host.npos && at != 0)
      return fail(ErrorKind::kUsage, url_without_secrets(text) +
                                         ": a host has a user or a password; put them into "
                                         "~/.netrc");
    if (host.empty())
      return fail(ErrorKind::kUsage, url_without_secrets(text) + ": a host has no name");
    location.hosts.emplace_back(host);
  }
  const std::string_view profile = profile_of_page(location.path);
  if (!profile.empty()) {
    location.path = profile;
    // What else is in the query is for the page.
    const size_t seconds = ("&" + location.query).find("&seconds=");
    location.query =
        seconds == std::string::npos
            ? ""
            : location.query.substr(seconds, location.query.find('&', seconds) - seconds);
  }
  PGO_CHECK(set_seconds(location, location.shown()));
  PGO_TRY(net::HttpUrl checked,
          net::parse_http_url("http://host" + location.path +
                              (location.query.empty() ? "" : "?" + location.query)));
  (void)checked;
  return location;
}

Result<LiveLocation> choose_profile(LiveLocation location, const std::string& sample_type) {
  const std::string path = path_of(sample_type);
  if (location.path.empty()) {
    if (path.empty())
      return fail(ErrorKind::kUsage,
                  location.shown() + ": which path has samples of the type '" + sample_type +
                      "' is not known",
                  "name it, such as /debug/pprof/mutex or /debug/pprof/block");
    location.path = path;
    PGO_CHECK(set_seconds(location, location.shown()));
  } else if (location.path.ends_with("/pprof/profile") && !path.ends_with("/profile")) {
    return fail(
        ErrorKind::kUsage,
        location.shown() + ": records CPU time, and \xFF{sample-type} asks for " + sample_type,
        path.empty() ? "name another path, such as /debug/pprof/mutex"
                     : "name the path " + path + ", or none");
  }
  return location;
}

}  // namespace pgo::live
