// Imports: the functions that a binary calls in others, by where it calls them: entries of its
// procedure linkage table, and the slots that the loader fills with their addresses.
#pragma once

#include <map>
#include <string_view>

#include "pgo/elf/elf_image.h"

namespace pgo {

class Disassembler;

class Imports {
 public:
  // `image` must outlive this.
  Imports(const ElfImage& image, const Disassembler& disassembler);

  // The name of the function that a call of `entry` reaches; empty for none.
  std::string_view name_at_entry(ElfAddr entry) const { return look_up(by_entry_, entry); }
  // The name of the function whose address the loader writes to `slot`; empty for none.
  std::string_view name_at_slot(ElfAddr slot) const { return look_up(by_slot_, slot); }

 private:
  using Names = std::map<ElfAddr, std::string_view>;
  static std::string_view look_up(const Names& names, ElfAddr addr) {
    auto found = names.find(addr);
    return found == names.end() ? std::string_view() : found->second;
  }
  void read_slots(const ElfImage& image, std::string_view section);

  Names by_entry_, by_slot_;
};

}  // namespace pgo
