#include "pgo/stores/live/live_source.h"

#include <algorithm>
#include <map>

#include "pgo/base/clock.h"
#include "pgo/base/mapped_file.h"
#include "pgo/net/http_url.h"
#include "pgo/store_access/object_transfer.h"
#include "pgo/stores/live/live_location.h"
#include "pgo/stores/live/live_targets.h"

namespace pgo::live {
namespace {

constexpr uint64_t kMaxListFile = 64 << 20;
// In nanoseconds: "the last seven days" ended when the command began.
constexpr int64_t kStillNow = int64_t{300} * 1'000'000'000;

// "web-1:6060" without its port; the whole for a loopback address.
std::string host_label(const std::string& address) {
  const Result<net::HttpUrl> url = net::parse_http_url("http://" + address);
  return !url || url->is_loopback() ? address : url->host;
}

// How an object is asked for.
struct LiveRequest {
  net::HttpRequest http;
  std::optional<std::string> token_refusal;  // why it has no token
};

bool is_denied(const net::HttpResponse& response) {
  return response.status == 401 || response.status == 403;
}

class LiveSource : public Source {
 public:
  LiveSource(LiveLocation location, LiveOptions options)
      : location_(std::move(location)), options_(std::move(options)), name_(location_.shown()) {}

  const std::string& name() const override { return name_; }
  const std::string& identity() const override { return name_; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;

 private:
  Result<void> check(const SourceQuery& query) const;
  Result<void> discover(const HostLine& line, Diagnostics& diagnostics);
  Result<void> discover_from_file(const std::string& path, Diagnostics& diagnostics);
  Result<void> discover_from_url(const std::string& url, Diagnostics& diagnostics);
  Result<LiveRequest> request_for(const LiveTarget& target, Diagnostics& diagnostics) const;
  LiveRequest with_token(net::HttpRequest request, const net::HttpUrl& url, NamedBy named_by,
                         Diagnostics& diagnostics) const;

  LiveLocation location_;
  LiveOptions options_;
  std::string name_;

  // Of the latest list().
  LiveLocation profile_;             // the location with the path and the seconds
  std::vector<LiveTarget> targets_;  // that discover() found
  std::map<std::string, Result<LiveRequest>> requests_;  // by name; an error: it is missing
};

Result<void> LiveSource::check(const SourceQuery& query) const {
  if (query.window && query.window->end < time_now() - kStillNow)
    return fail(ErrorKind::kUsage,
                name_ + ": live hosts have no profiles of the past, and the window ends there",
                "ask a store that keeps profiles");
  return ok();
}

Result<void> LiveSource::discover(const HostLine& line, Diagnostics& diagnostics) {
  const size_t first = targets_.size();
  if (line.host.starts_with("dns+")) {
    PGO_TRY(std::vector<LiveTarget> found, look_up(line.host.substr(4), options_.resolver));
    targets_.insert(targets_.end(), found.begin(), found.end());
  } else if (line.host.starts_with("sd+")) {
    PGO_CHECK(discover_from_url(line.host.substr(3), diagnostics));
  } else if (line.host.starts_with('@')) {
    PGO_CHECK(discover_from_file(line.host.substr(1), diagnostics));
  } else {
    PGO_TRY(std::string address, parse_address(line.host, line.where));
    targets_.push_back({.address = std::move(address)});
  }
  for (size_t i = first; i < targets_.size(); i++)
    for (const auto& [key, value] : line.labels) targets_[i].labels.insert_or_assign(key, value);
  return ok();
}

Result<void> LiveSource::discover_from_file(const std::string& path, Diagnostics& diagnostics) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.limit = kMaxListFile}));
  const std::string_view text = as_text(file.bytes());
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != text.npos && text[begin] == '[' && file.bytes().size() <= kMaxListFile) {
    PGO_TRY(std::vector<LiveTarget> found, parse_service_discovery(text, path));
    targets_.insert(targets_.end(), found.begin(), found.end());
    return ok();
  }
  PGO_TRY(std::vector<HostLine> lines, parse_host_lines(text, path));
  for (const HostLine& line : lines) PGO_CHECK(discover(line, diagnostics));
  return ok();
}

Result<void> LiveSource::discover_from_url(const std::string& url, Diagnostics& diagnostics) {
  PGO_TRY(net::HttpUrl parts, net::parse_http_url(url));
  net::HttpClient client(options_.http);
  const LiveRequest request = with_token({.url = url, .headers = {{"Accept", "application/json"}}},
                                         parts, NamedBy::kUser, diagnostics);
  PGO_TRY(net::HttpResponse response, client.send(request.http));
  if (!response.is_success()) {
    Error error = net::status_error(parts.shown(), response);
    if (request.token_refusal && is_denied(response)) error.advice = *request.token_refusal;
    return fail(std::move(error));
  }
  if (response.is_html()) return fail(net::page_error(parts.shown()));
  PGO_TRY(std::vector<LiveTarget> found, parse_service_discovery(response.body, parts.shown()));
  targets_.insert(targets_.end(), found.begin(), found.end());
  return ok();
}

LiveRequest LiveSource::with_token(net::HttpRequest request, const net::HttpUrl& url,
                                   NamedBy named_by, Diagnostics& diagnostics) const {
  const std::optional<std::string> refusal = options_.token.refusal(url, named_by);
  if (refusal)
    diagnostics.warn("token-not-sent", *refusal);
  else if (options_.token.is_set())
    request.headers.emplace_back("Authorization", options_.token.authorization());
  return {std::move(request), refusal};
}

Result<LiveRequest> LiveSource::request_for(const LiveTarget& target,
                                            Diagnostics& diagnostics) const {
  if (target.missing) return fail(*target.missing);
  const std::string start = profile_.scheme + "://";
  const std::string& host = target.name.empty() ? target.address : target.name;
  const std::string query = profile_.query.empty() ? "" : "?" + profile_.query;
  PGO_TRY(net::HttpUrl url, net::parse_http_url(start + host + profile_.path + query));
  net::HttpRequest request = {.url = url.text(), .shown = start + target.address + profile_.path};
  if (!target.name.empty()) {
    PGO_TRY(net::HttpUrl reached, net::parse_http_url(start + target.address));
    request.connect_to = reached.host + ":" + std::to_string(reached.port);
  }
  return with_token(std::move(request), url, target.named_by, diagnostics);
}

Result<std::vector<SourceObject>> LiveSource::list(const SourceQuery& query,
                                                   Diagnostics& diagnostics) {
  PGO_CHECK(check(query));
  PGO_TRY(profile_, choose_profile(location_, query.sample_type));
  targets_.clear();
  requests_.clear();
  for (const std::string& host : location_.hosts)
    PGO_CHECK(discover({.host = host, .where = name_}, diagnostics));
  std::vector<SourceObject> objects;
  for (const LiveTarget& target : targets_) {
    SourceObject object;
    object.name = target.address + profile_.path;
    if (requests_.contains(object.name)) {
      diagnostics.warn("host-named-twice",
                       name_ + ": " + target.address + " is named twice; it counts once");
      continue;
    }
    const std::string& address = target.missing ? target.name : target.address;
    object.labels = target.labels;
    object.labels.emplace("host", host_label(address));
    object.labels.emplace("instance", address);
    requests_.emplace(object.name, request_for(target, diagnostics));
    objects.push_back(std::move(object));
  }
  std::sort(objects.begin(), objects.end(),
            [](const SourceObject& a, const SourceObject& b) { return a.name < b.name; });
  return objects;
}

void LiveSource::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  net::HttpOptions options = options_.http;
  options.stall_timeout += profile_.seconds;
  options.total_timeout += profile_.seconds;
  net::HttpClient client(std::move(options));
  size_t next = 0;
  client.run([&]() -> std::unique_ptr<net::HttpTransfer> {
    for (; next < objects.size(); next++) {
      const auto found = requests_.find(objects[next].name);
      if (found == requests_.end()) {
        sink.end(next, fail(ErrorKind::kInternal, objects[next].name + ": was not listed"));
        continue;
      }
      if (!found->second) {
        sink.end(next, fail(found->second.error()));
        continue;
      }
      const size_t object = next++;
      const LiveRequest& request = *found->second;
      return std::make_unique<store_access::ObjectTransfer>(
          request.http, object, sink,
          [shown = request.http.shown, refusal = request.token_refusal](const auto& response) {
            Error error = live_error(shown, response);
            if (refusal && is_denied(response)) error.advice = *refusal;
            return error;
          });
    }
    return nullptr;
  });
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

Error live_error(const std::string& shown, const net::HttpResponse& response) {
  // What the profilers themselves say names no secrets; of other servers that is not known.
  const bool is_profiler =
      !response.header("x-go-pprof").empty() || contains(response.body, "Another profiler");
  Error error = net::status_error(
      shown, response, is_profiler ? std::string_view(response.body) : std::string_view());
  if (contains(response.body, "Could not enable CPU profiling") ||
      contains(response.body, "Another profiler"))
    error.advice = "another profiler records this program; try again later, or pause that one";
  else if (contains(response.body, "exceeds server's WriteTimeout"))
    error.advice =
        "ask for fewer seconds, such as ?seconds=5, or raise the WriteTimeout of the server";
  else if (response.status == 404)
    error.advice =
        "the program offers no such profile: in Go it imports net/http/pprof; in C++ it serves "
        "/pprof/profile by gperftools or brpc";
  return error;
}

Result<std::unique_ptr<Source>> open_live_hosts(std::string_view location,
                                                const LiveOptions& options) {
  PGO_TRY(LiveLocation parsed, parse_live_location(location));
  std::unique_ptr<Source> source = std::make_unique<LiveSource>(std::move(parsed), options);
  return source;
}

}  // namespace pgo::live
