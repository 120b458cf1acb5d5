// From what `llvm-bolt --help-hidden` prints to the options that this version is run with. The help
// is asked instead of a table of versions: options come and go, and distributions patch.
//
//   SupportedOptions supported = parse_bolt_help(help);
//   BoltArguments arguments = choose_bolt_options(supported, {.debug_sections = true}, {});
//
// Chosen are: blocks by ext-tsp, functions by cdsort, cold blocks apart, functions folded only
// where BOLT finds no comparison of their addresses (-icf=safe), debug information kept right.
// Code goes to addresses for huge pages, with up to 6 MB of zeros between it in the file, unless it
// would not fill one (-no-huge-pages).
// -bolt-info=0, because that note would hold the command line, whose paths differ from place to
// place.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pgo {

// The options of one llvm-bolt, without dashes, and the values of those that list them.
struct SupportedOptions {
  std::map<std::string, std::set<std::string>, std::less<>> options;

  bool has(std::string_view option) const { return options.contains(option); }
  bool has(std::string_view option, std::string_view value) const;
};

SupportedOptions parse_bolt_help(std::string_view help);

// What the options depend on: the binary and the user.
struct BoltRequest {
  bool address_translation = true;  // for recordings of the result
  bool debug_sections = false;      // the binary has debug information
  bool stale = false;               // the profile is of another build
  bool small_code = false;          // all code of the binary is less than one huge page
};

struct BoltArguments {
  std::vector<std::string> options;  // "-name=value", ours and then the user's
  std::vector<std::string> missing;  // what was requested and this version does not have
};

// `extra` are the user's own; each replaces ours of the same name.
BoltArguments choose_bolt_options(const SupportedOptions& supported, const BoltRequest& request,
                                  const std::vector<std::string>& extra);

// "reorder-blocks" of "--reorder-blocks=none"; empty for what is no option.
std::string_view bolt_option_name(std::string_view argument);

}  // namespace pgo
