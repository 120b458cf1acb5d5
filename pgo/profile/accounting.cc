#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

struct Description {
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array<Description, kDroppedCount> kDescriptions{{
    {"other-event", "of another event"},
    {"filtered", "outside --pid, --comm or --time"},
    {"malformed", "malformed record"},
    {"no-branches", "no branch stack"},
    {"without-stack", "without a branch stack"},
    {"empty-slot", "unused slot of the branch stack"},
    {"kernel", "in the kernel"},
    {"vdso", "in the vdso"},
    {"anonymous", "in memory without a file (JIT code)"},
    {"unmapped", "in no known mapping"},
    {"other-binary", "in other binaries"},
    {"build-id-mismatch", "in another build of the binary"},
    {"ambiguous-name", "in a file that several binaries could be"},
    {"not-code", "in the binary, but at no instruction (PLT, data)"},
    {"no-address", "without an address"},
    {"no-line", "without a line"},
    {"unknown-function", "of functions that the debug information does not have"},
    {"unknown-line", "at lines that the binary has no code of"},
    {"ambiguous-function", "of functions whose name several have"},
}};

}  // namespace

std::string_view dropped_name(Dropped reason) {
  return kDescriptions[static_cast<size_t>(reason)].name;
}

std::string_view dropped_sentence(Dropped reason) {
  return kDescriptions[static_cast<size_t>(reason)].sentence;
}

std::optional<Dropped> find_dropped(std::string_view name) {
  for (size_t i = 0; i < kDroppedCount; i++)
    if (kDescriptions[i].name == name) return static_cast<Dropped>(i);
  return std::nullopt;
}

void Accounting::add(const Accounting& other) {
  seen = saturating_add(seen, other.seen);
  used = saturating_add(used, other.used);
  for (size_t i = 0; i < kDroppedCount; i++)
    dropped[i] = saturating_add(dropped[i], other.dropped[i]);
}

std::optional<std::string> Accounting::check() const {
  uint64_t sum = used;
  for (uint64_t count : dropped) sum = saturating_add(sum, count);
  if (sum == seen) return std::nullopt;
  return "seen " + std::to_string(seen) + ", but used and dropped add up to " + std::to_string(sum);
}

}  // namespace pgo
