#include "converters/llvm_sample/text_name.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ProfileData/SampleProf.h>

namespace pgo {
namespace {

using llvm::StringRef;
using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;

// ":12 " within a name: of what is called, LLVM takes it for the count behind the name.
bool has_count(StringRef name) {
  for (size_t colon = name.find(':'); colon != name.npos; colon = name.find(':', colon + 1)) {
    size_t end = name.find_first_not_of("0123456789", colon + 1);
    if (end != name.npos && end > colon + 1 && name[end] == ' ') return true;
  }
  return false;
}

// A line that begins with a space is of what a function has, with '#' a comment, with '[' of a
// context. After a position, a digit begins a count, and "vtables " a list of those.
bool fits_text(StringRef name) {
  if (name.empty() || name.contains('\n') || has_count(name)) return false;
  return !StringRef(" #[").contains(name.front()) && !llvm::isDigit(name.front()) &&
         !name.starts_with("vtables ");
}

class UnfitNames {
 public:
  void add(const FunctionSamples& function) {
    add(function.getFunction());
    for (const auto& [at, record] : function.getBodySamples())
      for (const auto& [callee, count] : record.getCallTargets()) add(callee);
    for (const auto& [at, vtables] : function.getCallsiteTypeCounts())
      for (const auto& [vtable, count] : vtables) add(vtable);
    for (const auto& [at, callees] : function.getCallsiteSamples())
      for (const auto& [name, callee] : callees) add(callee);
  }
  const std::optional<std::string>& first() const { return first_; }

 private:
  // A hash in place of a name is a number.
  void add(FunctionId id) {
    if (!id.isStringRef() || fits_text(id.stringRef())) return;
    if (!first_ || id.stringRef() < *first_) first_ = id.stringRef().str();
  }

  std::optional<std::string> first_;
};

}  // namespace

std::optional<std::string> find_unfit_for_text(const SourceProfile& profile) {
  UnfitNames names;
  for (const auto& [context, function] : profile.functions()) names.add(function);
  return names.first();
}

}  // namespace pgo
