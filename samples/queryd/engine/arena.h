// Arena: the memory of one request. Everything in it goes at once and without destructors, so what
// is made here may own nothing but memory of the same arena: use List, and texts that were kept.
#pragma once

#include <array>
#include <cstring>
#include <memory_resource>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace queryd {

template <typename T>
using List = std::pmr::vector<T>;

class Arena {
 public:
  Arena() : memory_(first_.data(), first_.size()) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    return ::new (memory_.allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  }

  template <typename T>
  List<T> list() {
    return List<T>(&memory_);
  }

  // Room for `size` characters.
  char* text(size_t size) { return static_cast<char*>(memory_.allocate(size, 1)); }

  std::pmr::memory_resource* memory() { return &memory_; }

  // Forgets everything. The first few kilobytes are kept and used again.
  void clear() { memory_.release(); }

 private:
  std::array<std::byte, 16384> first_;
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace queryd
