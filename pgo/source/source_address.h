// SourceAddress: does an argument name a source of profiles, or a file?
//
//   dir:PATH                a directory, as a plain path does
//   oci-dir:PATH:TAG        a version of a profile
//   SCHEME://REST           a store: s3://bucket/prefix,
//   pprof+https://host:6060/debug/pprof/profile
//
// A scheme is a lower-case letter, and lower-case letters, digits, '+', '-' and '.'.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pgo {

struct SourceAddress {
  std::string scheme;  // "dir", "s3"
  std::string rest;    // what follows "dir:" or "s3://"
  std::string shown;   // the whole, without secrets

  bool operator==(const SourceAddress&) const = default;
};

// Nothing for what is no source: a path, a glob, "@LIST", "-".
std::optional<SourceAddress> parse_source_address(std::string_view text);

// A path that begins like an address, such as "s3:/builds" or "OCI://host/builds": mostly a slip.
// Where a missing directory would be made, a directory of this name is written "dir:PATH".
bool looks_like_address(std::string_view text);

}  // namespace pgo
