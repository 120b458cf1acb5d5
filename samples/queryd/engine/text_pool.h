// TextPool: keeps each text of the tables once, for as long as the database lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace queryd {

class TextPool {
 public:
  TextPool() : slots_(256) {}

  // The same text, kept. O(its size).
  std::string_view keep(std::string_view text);

 private:
  struct Slot {
    uint64_t hash = 0;
    std::string_view text;  // of a free slot: without data
  };

  Slot& find(std::string_view text, uint64_t hash);
  void grow();

  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Slot> slots_;  // a power of two of them
  size_t used_ = 0;
};

}  // namespace queryd
