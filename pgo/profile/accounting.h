// Accounting: nothing is lost silently. Every reader says what became of each sample and each
// branch record: seen == used + pending + sum(dropped[reason]), proven by check() and shown as a
// funnel.
//
// What becomes of PC samples is known late: they count when counts of code are inferred from them,
// and are dropped when the input has branch records, which count instead. Until then they are
// pending; in a report nothing is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pgo {

// Why a sample or a branch record does not count, in the order of the funnel's stages.
enum class Dropped : uint8_t {
  kOtherEvent,         // sample of an event that was not chosen
  kFiltered,           // of processes, threads or times that were not chosen
  kMalformed,          // the record's fields do not fit its size
  kNoBranches,         // the branch stack is empty (nr = 0, or only unused slots)
  kWithoutStack,       // a PC sample, and branch records of the input count instead
  kEmptySlot,          // an unused slot of a branch stack (0 -> 0)
  kKernel,             // kernel or hypervisor code
  kVdso,               // [vdso], [vsyscall]
  kAnonymous,          // executable memory without a file: JIT code
  kUnmapped,           // no mapping is known for the address in this process at this time
  kOtherBinary,        // a binary that was not asked for
  kBuildIdMismatch,    // same name as a binary that was asked for, other build ID
  kAmbiguousName,      // no build ID to compare, and the name of several binaries asked for
  kNotCode,            // in the binary, but not the start of an instruction (PLT, data, mid-way)
  kNoAddress,          // of function and line alone, and others of the input have addresses
  kNoLine,             // of a function alone
  kUnknownFunction,    // of a function that has no code in the binary
  kUnknownLine,        // of a line of which its function has no code in the binary
  kAmbiguousFunction,  // of a function whose name several of the binary's have
};
inline constexpr size_t kDroppedCount = 19;

// Stable name for JSON ("other-binary") and one sentence for people.
std::string_view dropped_name(Dropped reason);
std::string_view dropped_sentence(Dropped reason);
// The reason of this name; nothing when there is none.
std::optional<Dropped> find_dropped(std::string_view name);

struct Accounting {
  uint64_t seen = 0;
  uint64_t used = 0;
  uint64_t pending = 0;  // PC samples that wait for inference
  std::array<uint64_t, kDroppedCount> dropped{};

  uint64_t& operator[](Dropped reason) { return dropped[static_cast<size_t>(reason)]; }
  uint64_t operator[](Dropped reason) const { return dropped[static_cast<size_t>(reason)]; }

  void add(const Accounting& other);
  // What is pending counts, or is dropped after all.
  void use_pending();
  void drop_pending(Dropped reason);
  // The first broken invariant, or nothing.
  std::optional<std::string> check() const;
  bool operator==(const Accounting&) const = default;
};

// What was dropped, most first: "81.6 % in other binaries, 18.4 % in the kernel". `except` is left
// out.
std::string format_drops(const Accounting& accounting,
                         std::optional<Dropped> except = std::nullopt);

// All sums in this project stop at the largest number instead of wrapping round.
inline uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum = a + b;
  return sum < a ? ~uint64_t{0} : sum;
}

inline uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t{0} : product;
}

}  // namespace pgo
