#include "pgo/config/config_template.h"

#include <string_view>

namespace pgo {
namespace {

constexpr std::string_view kTemplate =
    R"(# What pgo does for this repository. docs/reference/config.md of ProdPGO describes all keys.

[service.@key@]
# Where the hosts put their profiles: a directory, s3://BUCKET/PREFIX, or pprof+https://HOST:PORT/...
source = @source@
# Labels in the paths of profiles. Hours and hosts make a choice of profiles representative.
# Recordings of 'pgo record' are {host}.data, say. Remove this line if 'pgo upload' or 'pgo record --every'
# fills the source: pgo reads the names of these without a template. Then set labels, too.
path-template = "{hour}/{host}.pb.gz"
# labels = { service = "@service@" }     # if the source has profiles of other services, too
last = "7d"

# Where 'pgo archive' keeps the files of each release, by build ID.
binaries = @binaries@

# What is made: "llvm" (clang), "bolt", "gcc" (GCC 12), "gcc-13" (GCC 13 and later), "go".
outputs = ["llvm"]
# configuration = "clang-lto"         # with "bolt": the build that the BOLT profile fits
# compile-profile = "keep"            # with "bolt": keep the pinned compile profile while it fits
# recorded-build = "omit"             # with "bolt": do not push the build that the profile is of
# inferred-bolt-profile = "push"      # with "bolt": also from PC samples of builds with a profile
# blend-previous = 2                  # add this many earlier profiles to each new one

# Where versions are kept, and the lock file that builds read.
registry = @registry@
lock = "pgo.lock"
# The program as it is built now, or a list of it and its own libraries. 'pgo refresh' and
# 'pgo status' compare profiles with it.
# current-build = @build@

# What a new profile must reach. If it does not, nothing is pinned.
[service.@key@.gates]
min-quality = "fair"
min-hosts = 3
# min-match = 80                      # percent of the profile that match current-build
# min-overlap = 50                    # percent that it has in common with the pinned one
# evidence = ["branch-records", "pc-samples"]
)";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A string of TOML.
std::string quoted(std::string word, const std::string& service) {
  replace_all(word, "{service}", service);
  replace_all(word, "\\", "\\\\");
  replace_all(word, "\"", "\\\"");
  return "\"" + word + "\"";
}

}  // namespace

std::string config_template(const TemplateWords& words) {
  std::string text(kTemplate);
  const bool is_bare = words.service.find_first_of(".+") == std::string::npos;
  replace_all(text, "@key@", is_bare ? words.service : quoted(words.service, ""));
  replace_all(text, "@service@", words.service);
  replace_all(text, "@source@", quoted(words.source, words.service));
  replace_all(text, "@binaries@", quoted(words.binaries, words.service));
  replace_all(text, "@registry@", quoted(words.registry, words.service));
  replace_all(text, "@build@", quoted(words.build, words.service));
  return text;
}

}  // namespace pgo
