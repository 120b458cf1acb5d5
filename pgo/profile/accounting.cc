#include "pgo/profile/accounting.h"

#include <algorithm>
#include <vector>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

struct Description {
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array<Description, kDroppedCount> kDescriptions{{
    {"other-event", "of another event"},
    {"filtered", "of processes, threads or times that were not chosen"},
    {"malformed", "in damaged sample records"},
    {"no-branches", "with an empty branch stack"},
    {"without-stack", "without branch records"},
    {"empty-slot", "in unused slots of branch stacks"},
    {"kernel", "in the kernel"},
    {"vdso", "in the vdso"},
    {"anonymous", "in memory without a file (JIT code)"},
    {"unmapped", "in no known mapping"},
    {"other-binary", "in other binaries"},
    {"build-id-mismatch", "in another build of the binary"},
    {"ambiguous-name", "in a file that matches several binaries"},
    {"not-code", "in the binary, but not at an instruction (PLT, data)"},
    {"no-address", "without an address"},
    {"no-line", "without a line"},
    {"unknown-function", "of functions missing from the debug information"},
    {"unknown-line", "at lines without code in the binary"},
    {"ambiguous-function", "of functions with an ambiguous name"},
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
  pending = saturating_add(pending, other.pending);
  for (size_t i = 0; i < kDroppedCount; i++)
    dropped[i] = saturating_add(dropped[i], other.dropped[i]);
}

void Accounting::use_pending() {
  used = saturating_add(used, pending);
  pending = 0;
}

void Accounting::drop_pending(Dropped reason) {
  (*this)[reason] = saturating_add((*this)[reason], pending);
  pending = 0;
}

std::optional<std::string> Accounting::check() const {
  uint64_t sum = saturating_add(used, pending);
  for (uint64_t count : dropped) sum = saturating_add(sum, count);
  if (sum == seen) return std::nullopt;
  return "seen " + std::to_string(seen) + ", but used, pending and dropped add up to " +
         std::to_string(sum);
}

std::string format_drops(const Accounting& accounting, std::optional<Dropped> except) {
  std::vector<Dropped> drops;
  for (size_t i = 0; i < kDroppedCount; i++)
    if (accounting.dropped[i] != 0 && static_cast<Dropped>(i) != except)
      drops.push_back(static_cast<Dropped>(i));
  std::stable_sort(drops.begin(), drops.end(),
                   [&](Dropped a, Dropped b) { return accounting[a] > accounting[b]; });
  std::string text;
  for (Dropped drop : drops)
    text += (text.empty() ? "" : ", ") + format_percent(accounting[drop], accounting.seen) + " " +
            std::string(dropped_sentence(drop));
  return text;
}

}  // namespace pgo
