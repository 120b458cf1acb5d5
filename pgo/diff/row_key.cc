#include "pgo/diff/row_key.h"

#include "pgo/code/demangled_name.h"
#include "pgo/diff/clone_suffix.h"

namespace pgo {
namespace {

// "[kernel]" and "[vdso]" are none.
bool is_file(const std::string& binary) { return !binary.starts_with('['); }

}  // namespace

std::string name_without_function(const std::string& binary) {
  if (binary.empty()) return "[unknown]";
  return is_file(binary) ? "[" + binary + "]" : binary;
}

bool lacks_names(const RowKey& key) {
  return key.linkage.empty() && !key.binary.empty() && is_file(key.binary) &&
         key.name == name_without_function(key.binary);
}

ComparableName comparable_name(const StackProfile& profile, const StackFunction& function,
                               const FoldedNames& folded) {
  std::string_view own = profile.text(function.name), system = profile.text(function.system_name);
  ComparableName name;
  name.linkage =
      without_clone_suffixes(system.empty() ? own : system, profile.text(function.filename));
  bool is_folded = false;
  if (auto one = folded.find(name.linkage); one != folded.end()) {
    name.linkage = one->second;
    is_folded = true;
  }
  name.shown = demangled_name(name.linkage);
  // What is not mangled, or cannot be demangled here, was made readable by who wrote the profile.
  if (name.shown == name.linkage && !own.empty() && !is_folded)
    name.shown = without_clone_suffixes(own, profile.text(function.filename));
  return name;
}

}  // namespace pgo
