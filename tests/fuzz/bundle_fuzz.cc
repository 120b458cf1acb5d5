// Any bytes as bundle.json: an error that names the file, or members whose paths stay below the
// directory and whose weights are in range, which come back when they are written.
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/source/bundle.h"

using namespace pgo;

namespace {

bool is_part(uint64_t part) { return part >= 1 && part <= Weight::kMaxPart; }

void check(const BundleMember& member) {
  if (!is_member_path(member.path)) std::abort();
  const Weight& weight = member.weight;
  if (!is_part(weight.numerator) || !is_part(weight.denominator)) std::abort();
  if (std::gcd(weight.numerator, weight.denominator) != 1) std::abort();
  if (member.accounting && member.accounting->check()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<Bundle> bundle = parse_bundle(as_text({data, size}), "fuzz");
  if (!bundle) {
    if (!bundle.error().message.starts_with("fuzz: is ")) std::abort();
    return 0;
  }
  for (const BundleMember& member : bundle->members) check(member);
  if (whole_weights(*bundle).size() != bundle->members.size()) std::abort();
  const std::string text = bundle_text(*bundle);
  Result<Bundle> again = parse_bundle(text, "fuzz");
  if (!again || *again != *bundle || bundle_text(*again) != text) std::abort();
  return 0;
}
