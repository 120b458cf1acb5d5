// From what `llvm-bolt --help-hidden` prints to the options that this version is run with. The help
// is asked instead of a table of versions: options come and go, and distributions patch.
//
//   BoltAbilities abilities = parse_bolt_help(help);
//   BoltChoice choice = choose_bolt_options(abilities, {.debug_sections = true}, {});
//
// What is chosen: blocks by ext-tsp, functions by cdsort, cold blocks apart, functions folded only
// where BOLT finds that nobody compares their addresses (-icf=safe), debug information kept right.
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
struct BoltAbilities {
  std::map<std::string, std::set<std::string>, std::less<>> options;

  bool has(std::string_view option) const { return options.contains(option); }
  bool has(std::string_view option, std::string_view value) const;
};

BoltAbilities parse_bolt_help(std::string_view help);

// What of the choice depends on the binary and the user.
struct BoltWishes {
  bool address_translation = true;  // for recordings of the result
  bool debug_sections = false;      // the binary has debug information
  bool stale = false;               // the profile is of another build
  bool small_code = false;          // all code of the binary is less than one huge page
};

struct BoltChoice {
  std::vector<std::string> options;  // "-name=value", ours and then the user's
  std::vector<std::string> missing;  // what was wished and this version does not have
};

// `extra` are the user's own; one of them takes the place of ours of the same name.
BoltChoice choose_bolt_options(const BoltAbilities& abilities, const BoltWishes& wishes,
                               const std::vector<std::string>& extra);

// "reorder-blocks" of "--reorder-blocks=none"; empty for what is no option.
std::string_view bolt_option_name(std::string_view argument);

}  // namespace pgo
