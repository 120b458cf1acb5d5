// StringTable: texts by number, in one piece of memory. Number 0 is always the empty text; whether
// others are there once only is up to who adds them (StackProfile::normalize() sees to it).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pgo {

enum class StringId : uint32_t {};
inline constexpr StringId kEmptyString{0};

class StringTable {
 public:
  size_t size() const { return ends_.size(); }
  // Valid until the next add().
  std::string_view operator[](StringId id) const {
    size_t at = static_cast<size_t>(id);
    size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(bytes_).substr(begin, ends_[at] - begin);
  }

  StringId add(std::string_view text) {
    if (text.empty()) return kEmptyString;
    bytes_ += text;
    ends_.push_back(bytes_.size());
    return static_cast<StringId>(ends_.size() - 1);
  }
  void reserve(size_t texts, size_t bytes) {
    ends_.reserve(texts + 1);
    bytes_.reserve(bytes);
  }

  bool operator==(const StringTable&) const = default;

 private:
  std::string bytes_;
  std::vector<uint64_t> ends_{0};
};

}  // namespace pgo
