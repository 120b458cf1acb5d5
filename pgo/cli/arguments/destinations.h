// Destinations of profiles on the command line: which argument names what kind.
//
//   PGO_TRY(std::unique_ptr<ProfileDestination> to, open_destination("/srv/profiles", arguments));
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/source/profile_destination.h"

namespace pgo {

// The directory that PATH or dir:PATH names; nothing for other destinations.
std::optional<std::string> destination_directory(const std::string& text);

// "s3://BUCKET/KEY.addr" names an object, and no prefix; so does ".perf.data".
struct ObjectName {
  std::string destination, key;  // "s3://BUCKET" and "KEY.addr"
};
std::optional<ObjectName> parse_object_name(const std::string& text);

// `text`: a path, dir:PATH, s3://BUCKET/PREFIX, or the URL of a store. Errors: kUsage for another
// URL; kUnsupported for one that needs the network in a build without it. Nothing is sent.
Result<std::unique_ptr<ProfileDestination>> open_destination(const std::string& text,
                                                             const NetworkArguments& network);

}  // namespace pgo
