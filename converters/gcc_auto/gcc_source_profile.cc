#include "converters/gcc_auto/gcc_source_profile.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>

#include "pgo/code/cxx_name.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Body = GccAutoProfile::Body;
using Place = GccAutoProfile::Place;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;

// GCC's debug information calls the one body of a constructor's variants C4, a destructor's D4;
// code has the names of the variants, and is looked up by them.
std::string name_of_variant(std::string mangled) {
  bool may_be = mangled.find("C4") != std::string::npos || mangled.find("D4") != std::string::npos;
  if (!may_be || !is_cxx_constructor_or_destructor(mangled)) return mangled;
  const std::optional<std::string> meaning = demangle_cxx(mangled);
  // From the end, where the class of the constructor is; each try costs as much as the name.
  constexpr unsigned kMaxTries = 16;
  unsigned tries = 0;
  for (size_t at = mangled.size() - 1; meaning && at > 0 && tries < kMaxTries; at--) {
    if (mangled[at] != '4' || (mangled[at - 1] != 'C' && mangled[at - 1] != 'D')) continue;
    std::string variant = mangled;
    variant[at] = '2';
    tries++;
    // Elsewhere it is part of another name.
    if (demangle_cxx(variant) == meaning) return variant;
  }
  return mangled;
}

std::string gcc_name(llvm::StringRef name) { return name_of_variant(name.split('.').first.str()); }

uint32_t key_of(LineLocation location) {
  return (location.LineOffset & 0xffff) << 16 | (location.Discriminator & 0xffff);
}

// Adds all of a function, discriminators included. Copies of it that have one name add up: each
// counts its own executions.
void add_samples(const FunctionSamples& from, Body& into) {
  for (const auto& [location, record] : from.getBodySamples()) {
    GccAutoProfile::Position& position = into.positions[key_of(location)];
    position.count = saturating_add(position.count, record.getSamples());
    for (const auto& [target, count] : record.getCallTargets()) {
      std::string name = gcc_name(target.stringRef());
      if (name.empty()) continue;
      uint64_t& sum = position.targets[name];
      sum = saturating_add(sum, count);
    }
  }
  for (const auto& [location, callees] : from.getCallsiteSamples())
    for (const auto& [name, callee] : callees)
      if (std::string cut = gcc_name(name.stringRef()); !cut.empty())
        add_samples(callee, into.inlined[{key_of(location), cut}]);
}

// Of the places of one line, the largest counts.
void collapse(const Body& from, Body& into) {
  for (const auto& [place, position] : from.positions) {
    GccAutoProfile::Position& line = into.positions[place & 0xffff0000];
    line.count = std::max(line.count, position.count);
    for (const auto& [target, count] : position.targets)
      line.targets[target] = std::max(line.targets[target], count);
  }
  for (const auto& [key, callee] : from.inlined)
    collapse(callee, into.inlined[{key.first & 0xffff0000, key.second}]);
}

}  // namespace

Result<GccAutoProfile> make_gcc_auto_profile(const SourceProfile& profile, GccPlaces places) {
  if (profile.is_probe_based)
    return fail(ErrorKind::kUnsupported,
                "GCC has no pseudo probes, and this profile counts by them",
                "\xFF{by-line} counts by line");
  if (profile.is_flow_sensitive)
    return fail(
        ErrorKind::kUnsupported,
        "flow-sensitive discriminators (-enable-fs-discriminator) are not supported by GCC; "
        "record a build without them");
  GccAutoProfile result;
  for (const auto& [key, samples] : profile.functions()) {
    std::string name = gcc_name(samples.getFunction().stringRef());
    if (name.empty()) continue;
    GccAutoProfile::Function& function = result.functions[name];
    function.head = saturating_add(function.head, samples.getHeadSamples());
    add_samples(samples, function.body);
  }
  for (auto& [name, function] : result.functions) {
    if (function.head == 0 && function.body.total() != 0) function.head = 1;
    if (places == GccPlaces::kDiscriminators) continue;
    Body lines;
    collapse(function.body, lines);
    function.body = std::move(lines);
  }
  return result;
}

}  // namespace pgo
