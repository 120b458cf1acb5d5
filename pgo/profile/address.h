// Addresses of three spaces, as three types that do not convert into one another. Two doors lead
// from one to the next: AddressSpaces (RuntimeAddr -> ElfAddr, per process and time) and
// ElfImage::to_elf_addr (FileOffset -> ElfAddr).
#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>

namespace pgo {

// A virtual address as an ELF file's program headers state it (before any load bias).
struct ElfAddr {
  uint64_t value = 0;
  auto operator<=>(const ElfAddr&) const = default;
};

// A position in an ELF file.
struct FileOffset {
  uint64_t value = 0;
  auto operator<=>(const FileOffset&) const = default;
};

// An address in a running process.
struct RuntimeAddr {
  uint64_t value = 0;
  auto operator<=>(const RuntimeAddr&) const = default;
};

// Two addresses of one space are a distance apart, and a distance from an address is another one.
template <typename A>
concept Address =
    std::same_as<A, ElfAddr> || std::same_as<A, FileOffset> || std::same_as<A, RuntimeAddr>;

template <Address A>
constexpr uint64_t operator-(A a, A b) {
  return a.value - b.value;
}
template <Address A>
constexpr A operator+(A a, uint64_t distance) {
  return A{a.value + distance};
}

// An ElfAddr or nothing, in eight bytes (profiles hold millions). Nothing sorts last.
class OptElfAddr {
 public:
  constexpr OptElfAddr() = default;
  constexpr OptElfAddr(ElfAddr addr) : value_(addr.value) {}

  constexpr bool has_value() const { return value_ != kNothing; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr ElfAddr operator*() const {
    assert(has_value());
    return ElfAddr{value_};
  }
  auto operator<=>(const OptElfAddr&) const = default;

 private:
  static constexpr uint64_t kNothing = ~uint64_t{0};  // never the start of an instruction
  uint64_t value_ = kNothing;
};

}  // namespace pgo
