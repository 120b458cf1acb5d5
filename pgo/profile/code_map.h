// CodeMap: which addresses of a binary start an instruction, how long it is, and whether it
// transfers control. One byte per address of the code span, filled chunk by chunk when first asked
// for: a recording touches a small part of a large binary, and decoding is the expensive part.
//
// The type is here, without a disassembler, because aggregating branch stacks needs the answer;
// InstructionDecoder (pgo/code) fills it in. Lookups may come from many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "pgo/profile/address.h"

namespace pgo {

// What starts at an address. As bits: 0 unknown yet, 0xff no instruction; otherwise bits 0-3 the
// size in bytes (1 to 15) and above them the class. The class is never all ones with size 15.
class CodeByte {
 public:
  enum Class : uint8_t {
    kOther = 0,  // conditional branches and indirect jumps among them
    kCall = 1,
    kReturn = 2,
    kDirectJump = 3,  // unconditional
  };
  static constexpr uint8_t kUnknown = 0, kNotCode = 0xff;

  constexpr CodeByte() = default;
  constexpr explicit CodeByte(uint8_t bits) : bits_(bits) {}
  static constexpr CodeByte instruction(unsigned size, Class kind) {
    return CodeByte(static_cast<uint8_t>(size | (static_cast<unsigned>(kind) << 4)));
  }

  constexpr uint8_t bits() const { return bits_; }
  constexpr bool known() const { return bits_ != kUnknown; }
  constexpr bool is_code() const { return bits_ != kUnknown && bits_ != kNotCode; }
  constexpr unsigned size() const { return bits_ & 15u; }
  constexpr Class kind() const { return static_cast<Class>((bits_ >> 4) & 3u); }
  // Straight-line code cannot run past a call, a return or a direct jump.
  constexpr bool is_barrier() const { return is_code() && kind() != kOther; }

 private:
  uint8_t bits_ = kUnknown;
};

class CodeMap {
 public:
  // Fills in the unknown bytes around `addr` by calling `set`; an `addr` it leaves out is not code.
  // Called from many threads at once, perhaps for the same address: each time it must say the same.
  // It must not look anything up in the map it fills.
  using Decode = std::function<void(CodeMap& map, ElfAddr addr)>;

  // Covers [begin, end). At most 4 GiB.
  CodeMap(ElfAddr begin, ElfAddr end, Decode decode);

  ElfAddr begin() const { return begin_; }
  ElfAddr end() const { return end_; }

  // What starts at `addr`; kNotCode outside of [begin, end). O(1) once decoded.
  CodeByte at(ElfAddr addr) const {
    uint64_t index = addr.value - begin_.value;
    if (index >= size_) return CodeByte(CodeByte::kNotCode);
    CodeByte byte = load(index);
    return byte.known() ? byte : decode_at(addr);
  }
  // The same by offset from begin(), which must be inside.
  CodeByte at_index(uint32_t index) const {
    CodeByte byte = load(index);
    return byte.known() ? byte : decode_at(ElfAddr{begin_.value + index});
  }
  bool is_code(ElfAddr addr) const { return at(addr).is_code(); }

  // The lowest barrier in [first, end), if any. O(end - first) within the map.
  std::optional<ElfAddr> find_barrier(ElfAddr first, ElfAddr end) const;

  // For the decoder: says what starts at `addr`. What is known already stays as it is, so that the
  // order of lookups cannot matter; addresses outside the map are ignored.
  void set(ElfAddr addr, CodeByte byte);

 private:
  CodeByte load(uint64_t index) const {
    return CodeByte(std::atomic_ref<uint8_t>(bytes_[index]).load(std::memory_order_relaxed));
  }
  CodeByte decode_at(ElfAddr addr) const;

  ElfAddr begin_, end_;
  uint64_t size_;
  // Zeroed pages straight from the operating system: untouched code costs no memory.
  std::unique_ptr<uint8_t, void (*)(void*)> storage_;
  uint8_t* bytes_;
  Decode decode_;
};

}  // namespace pgo
