#include "converters/pprof/frame_pruning.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace pgo {
namespace {

// The name without its arguments.
std::string_view simple_name(std::string_view name) {
  constexpr std::string_view kNoBrackets[] = {"(anonymous namespace)", "operator()"};
  if (name.starts_with('.')) name.remove_prefix(1);
  for (size_t at = 0; at < name.size();) {
    std::string_view rest = name.substr(at);
    size_t skipped = 1;
    for (std::string_view one : kNoBrackets)
      if (rest.starts_with(one)) skipped = one.size();
    if (skipped == 1 && rest[0] == '(') return name.substr(0, at);
    at += skipped;
  }
  return name;
}

Result<std::unique_ptr<RE2>> compile(std::string_view field, std::string_view expression) {
  auto compiled = std::make_unique<RE2>(std::string(expression), RE2::Quiet);
  if (compiled->ok()) return compiled;
  return fail(ErrorKind::kInput, std::string(field) + " of the profile, '" +
                                     std::string(expression) +
                                     "', is not a regular expression: " + compiled->error());
}

// What happens to a place when a stack goes through it.
enum class Pruning : uint8_t {
  kStays,
  kGoes,           // it is dropped, and what it called
  kLosesItsInner,  // what it called goes, and what was inlined into it
};

}  // namespace

Result<StackProfile> prune_frames(const StackProfile& profile) {
  StackProfile pruned = profile;
  if (profile.drop_frames == kEmptyString) return pruned;
  PGO_TRY(auto drop, compile("drop_frames", profile.text(profile.drop_frames)));
  PGO_TRY(auto keep, compile("keep_frames", profile.text(profile.keep_frames)));
  bool keeps = profile.keep_frames != kEmptyString;
  std::vector<bool> dropped;  // functions
  for (const StackFunction& function : profile.functions) {
    std::string name(simple_name(profile.text(function.name)));
    dropped.push_back(function.name != kEmptyString && RE2::FullMatch(name, *drop) &&
                      !(keeps && RE2::FullMatch(name, *keep)));
  }

  std::vector<Pruning> prunings;
  pruned.lines = {};
  for (size_t at = 0; at < profile.locations.size(); at++) {
    std::span<const StackLine> lines = profile.lines[at];
    size_t inner = lines.size();  // up to here they go
    while (inner > 0 && !dropped[static_cast<size_t>(lines[inner - 1].function)]) inner--;
    prunings.push_back(inner == 0              ? Pruning::kStays
                       : inner == lines.size() ? Pruning::kGoes
                                               : Pruning::kLosesItsInner);
    bool loses = prunings.back() == Pruning::kLosesItsInner;
    pruned.lines.add(loses ? lines.subspan(inner) : lines);
  }

  pruned.stacks = {};
  for (size_t i = 0; i < profile.stacks.size(); i++) {
    std::span<const LocationId> stack = profile.stacks[i];
    bool seen_one_that_stays = false;
    size_t leaf = 0;
    for (size_t frame = stack.size(); frame > 0; frame--) {
      Pruning pruning = prunings[static_cast<size_t>(stack[frame - 1])];
      if (pruning == Pruning::kStays) {
        seen_one_that_stays = true;
      } else if (seen_one_that_stays) {
        leaf = pruning == Pruning::kGoes ? frame : frame - 1;
        break;
      }
    }
    pruned.stacks.add(stack.subspan(leaf));
  }
  pruned.normalize();
  return pruned;
}

}  // namespace pgo
