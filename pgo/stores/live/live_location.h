// LiveLocation: which profile of which live hosts a source names:
//
//   pprof+http://web-1:6060,web-2:6060/debug/pprof/profile?seconds=30
//   pprof+https://HOSTS[/PATH][?QUERY]
//
// HOSTS are separated by commas. Each is one of
//   HOST[:PORT]        a host
//   dns+NAME[:PORT]    every address of a DNS name
//   @FILE              a file with one of these on each line, or a file of Prometheus (file_sd)
//   sd+URL             Prometheus HTTP service discovery
//
// FILE and URL contain slashes: then PATH begins at the last /debug/pprof/, /pprof/ or /hotspots/.
// Only a line of a file can have a URL with a query. Without PATH it is Go's CPU profile,
// /debug/pprof/profile. brpc's /hotspots/cpu is a page for people, so /pprof/profile of the same
// server is fetched instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo::live {

struct LiveLocation {
  std::string scheme;              // "http", "https"
  std::vector<std::string> hosts;  // "web-1:6060", "dns+web:6060", "@hosts.txt", "sd+http://..."
  std::string path;                // empty: none was given
  std::string query;
  // How long the server records before it answers; 0: it answers at once, or there is no path.
  int seconds = 0;

  // As given, without what may be secret.
  std::string shown() const;
};

bool is_live_location(std::string_view text);

// Errors: kUsage.
Result<LiveLocation> parse_live_location(std::string_view text);

// With the path that has samples of this type ("alloc_space"; empty: CPU time), and its seconds,
// where none was given. Error: kUsage when the path has samples of another type, because recording
// takes long.
Result<LiveLocation> choose_profile(LiveLocation location, const std::string& sample_type);

}  // namespace pgo::live
