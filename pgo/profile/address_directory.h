// AddressDirectory: finds an address among many that are sorted. It divides their range into as
// many equal parts as there are addresses, and keeps where each part begins: nearly always that is
// where the address is, or just before. Where addresses crowd, steps that double lead on from
// there.
//
//   AddressDirectory directory(std::move(addresses));
//   directory.find(0x401020, 0)      the index of the first one that is not less
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace pgo {

// The first of [at, end) that is not less, where less ones come first. O(log(distance)).
template <typename At, typename IsLess>
At skip_less(At at, At end, const IsLess& is_less) {
  using Distance = typename std::iterator_traits<At>::difference_type;
  Distance step = 1;
  while (step <= end - at && is_less(at[step - 1])) {
    at += step;
    step *= 2;
  }
  return std::partition_point(at, at + std::min<Distance>(step - 1, end - at), is_less);
}

class AddressDirectory {
 public:
  AddressDirectory() = default;
  // Sorted; some may be equal. The largest number, which stands for no address, does not widen the
  // range. O(n).
  explicit AddressDirectory(std::vector<uint64_t> addresses) : addresses_(std::move(addresses)) {
    constexpr uint64_t kNothing = ~uint64_t{0};
    const auto end = std::lower_bound(addresses_.begin(), addresses_.end(), kNothing);
    if (end == addresses_.begin() || addresses_.size() > std::numeric_limits<uint32_t>::max())
      return;
    const uint64_t parts = std::bit_ceil(addresses_.size());
    const uint64_t span = *std::prev(end) - addresses_.front();
    shift_ = std::max(
        0, static_cast<int>(std::bit_width(span)) - static_cast<int>(std::countr_zero(parts)));
    begins_.reserve(parts);
    last_part_ = parts - 1;
    for (size_t i = 0; i < addresses_.size(); i++)
      while (begins_.size() <= part_of(addresses_[i])) begins_.push_back(static_cast<uint32_t>(i));
    begins_.resize(parts, static_cast<uint32_t>(addresses_.size()));
  }

  size_t size() const { return addresses_.size(); }
  // The index of the first address that is not less, from index `from` on, which is not behind it.
  size_t find(uint64_t address, size_t from) const {
    if (!begins_.empty() && address >= addresses_.front())
      from = std::max<size_t>(from, begins_[part_of(address)]);
    const auto at = addresses_.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<size_t>(
        skip_less(at, addresses_.end(), [&](uint64_t one) { return one < address; }) -
        addresses_.begin());
  }

 private:
  uint64_t part_of(uint64_t address) const {
    return std::min((address - addresses_.front()) >> shift_, last_part_);
  }

  std::vector<uint64_t> addresses_;
  std::vector<uint32_t> begins_;  // the first index of each part, or of a later one
  int shift_ = 0;
  uint64_t last_part_ = 0;
};

}  // namespace pgo
