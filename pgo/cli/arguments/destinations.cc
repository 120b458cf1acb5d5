#include "pgo/cli/arguments/destinations.h"

#include "pgo/base/shown_url.h"
#include "pgo/source/source_address.h"
#include "pgo/upload/directory_destination.h"

#ifdef PRODPGO_NETWORK
#include "pgo/store_access/store_credentials.h"
#include "pgo/stores/parca/parca_destination.h"
#include "pgo/stores/parca/parca_source.h"
#include "pgo/stores/profefe/profefe_destination.h"
#include "pgo/stores/profefe/profefe_source.h"
#include "pgo/stores/pyroscope/pyroscope_destination.h"
#include "pgo/stores/pyroscope/pyroscope_source.h"
#include "pgo/stores/s3/s3_destination.h"
#endif

namespace pgo {
namespace {

constexpr const char* kKnownDestinations =
    "name a path, dir:PATH, s3://BUCKET/PREFIX, parca+http://HOST:PORT, "
    "pyroscope+http://HOST:PORT, or profefe+http://HOST:PORT";

Failure unknown_destination(const std::string& shown) {
  return fail(ErrorKind::kUsage, shown + ": is not a destination for profiles", kKnownDestinations);
}

#ifdef PRODPGO_NETWORK
Result<std::unique_ptr<ProfileDestination>> open_remote(const std::string& text,
                                                        const SourceAddress& address,
                                                        const NetworkArguments& network) {
  const net::HttpOptions http = http_options(network);
  const auto environment = store_access::environment_variable;
  if (address.scheme == "s3") return s3::open_s3_destination(text, environment, http);
  // Stores of profiles count what they get twice, and an answer that is lost does not tell whether
  // they got it: so nothing is sent again.
  net::HttpOptions once = http;
  once.tries = 1;
  if (parca::is_parca(text)) return parca::open_parca_destination(text, environment, once);
  if (pyroscope::is_pyroscope(text))
    return pyroscope::open_pyroscope_destination(text, environment, once);
  if (profefe::is_profefe(text)) return profefe::open_profefe_destination(text, once);
  return unknown_destination(address.shown);
}
#else
Result<std::unique_ptr<ProfileDestination>> open_remote(const std::string&,
                                                        const SourceAddress& address,
                                                        const NetworkArguments&) {
  return fail(ErrorKind::kUnsupported,
              address.shown + ": this pgo was built without network (PRODPGO_NETWORK=OFF)",
              "use a directory");
}
#endif

}  // namespace

std::optional<std::string> destination_directory(const std::string& text) {
  const std::optional<SourceAddress> address = parse_source_address(text);
  if (!address && !text.empty() && !looks_like_address(text)) return text;
  if (address && address->scheme == "dir" && !address->rest.empty()) return address->rest;
  return std::nullopt;
}

std::optional<ObjectName> parse_object_name(const std::string& text) {
  const std::optional<SourceAddress> address = parse_source_address(text);
  if (!address || address->scheme != "s3") return std::nullopt;
  const size_t slash = address->rest.find('/');
  if (slash == std::string::npos || !(text.ends_with(".addr") || text.ends_with(".perf.data")))
    return std::nullopt;
  return ObjectName{"s3://" + address->rest.substr(0, slash), address->rest.substr(slash + 1)};
}

Result<std::unique_ptr<ProfileDestination>> open_destination(const std::string& text,
                                                             const NetworkArguments& network) {
  if (const std::optional<std::string> directory = destination_directory(text))
    return open_directory_destination(*directory, text);
  const std::optional<SourceAddress> address = parse_source_address(text);
  if (!address || address->scheme == "dir" || address->scheme == "oci-dir")
    return unknown_destination(text.empty() ? "''" : url_without_secrets(text));
  return open_remote(text, *address, network);
}

}  // namespace pgo
