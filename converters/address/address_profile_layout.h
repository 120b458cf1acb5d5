// What reader and writer share of the layout that address_profile.proto documents.
#pragma once

#include <cstdint>
#include <string_view>

namespace pgo::address_wire {

inline constexpr std::string_view kMagic = "ProdPGO address profile";
inline constexpr uint64_t kVersion = 2;
inline constexpr uint64_t kOldestVersion = 1;

// Field numbers, by message.
enum class Top : uint8_t {
  kBegin = 1,
  kFormat,
  kBinary,
  kEvent,
  kSamples,
  kBranches,
  kLost,
  kOrigins
};
enum class InBinary : uint8_t { kBuildId = 1, kPath, kTraces, kMispredicts, kPcSamples, kCalls };
enum class InEvent : uint8_t { kName = 1, kSamples, kPeriod, kIsFrequency, kBranchRecords };
enum class EventRecords : uint8_t { kUnknown, kNone, kSome };
enum class InAccounting : uint8_t { kSeen = 1, kUsed, kDropped, kPcSamples };
enum class InOrigins : uint8_t { kProfiles = 1, kBegin, kEnd, kLabel };
enum class InLabel : uint8_t { kKey = 1, kProfiles, kValue };
enum class InValue : uint8_t { kText = 1, kProfiles };
enum class InDrop : uint8_t { kReason = 1, kCount };

// Signed numbers whose varints are short when they are near 0: 0, -1, 1, -2, 2...
constexpr uint64_t fold_sign(uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
constexpr uint64_t unfold_sign(uint64_t folded) { return folded >> 1 ^ (0 - (folded & 1)); }

}  // namespace pgo::address_wire
