// DebugInfo: the DWARF of one file, opened once and read from many threads.
//
// LLVM's DWARFContext parses lazily and so belongs to one thread; each thread takes a context of
// its own over the same bytes: those of the file, or, where it has compressed debug sections, a
// copy of them that was inflated once. Strings (function names) point into either, and live as long
// as the DebugInfo.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/dwarf/debug_damage.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/accounting.h"

// Declared only: most units that include this file never look into them, and LLVM's headers take
// two seconds each time.
namespace llvm {
class DWARFContext;
class DWARFUnit;
class MemoryBuffer;
namespace object {
class ObjectFile;
}  // namespace object
}  // namespace llvm

namespace pgo {

class DebugInfo {
 public:
  // Opens up to `contexts` contexts. Each context holds all units, so a file with very many units
  // for its size gets fewer contexts. `image` must outlive the DebugInfo. An error when LLVM cannot
  // read the file or it has no DWARF that can be read.
  static Result<std::unique_ptr<DebugInfo>> open(const ElfImage& image, size_t contexts);
  ~DebugInfo();

  size_t context_count() const { return contexts_.size(); }
  llvm::DWARFContext& context(size_t i) { return *contexts_[i]; }
  // The compile units of context i, in file order: the same units for every i.
  const std::vector<llvm::DWARFUnit*>& units(size_t i) const { return units_[i]; }
  const std::string& path() const { return path_; }
  // How many functions and ranges of code are believed of all units together: what compilers write
  // takes forty bytes for each, names and lines included, while lists of ranges that are
  // named again and again could make any number. Each takes some 120 bytes while it is read.
  uint64_t entry_limit() const { return (uint64_t{1} << 16) + inflated_ / 2; }
  // The same for the bytes of line programs; each unit with code has one. A row usually takes three
  // bytes, at least one, and LLVM keeps 32 bytes for it.
  uint64_t line_limit() const {
    return (uint64_t{1} << 20) + std::min(saturating_multiply(4, stored_), line_bytes_);
  }
  // What could not be read so far. Contexts read lazily: ask when the work is done.
  DebugDamage& damage() { return damage_; }
  const DebugDamage& damage() const { return damage_; }

 private:
  DebugInfo();
  void find_readable_units(size_t jobs);
  void keep_readable_units(size_t context);

  std::string path_;
  uint64_t stored_ = 0;                         // bytes of the file
  DebugDamage damage_;                          // contexts report to it as long as they live
  std::unique_ptr<llvm::MemoryBuffer> buffer_;  // the file, or its inflated debug sections
  std::unique_ptr<llvm::object::ObjectFile> object_;
  std::vector<std::unique_ptr<llvm::DWARFContext>> contexts_;
  std::vector<std::vector<llvm::DWARFUnit*>> units_;
  std::vector<bool> is_readable_;  // by number among all units
  uint64_t inflated_ = 0;          // bytes of the file with its debug sections inflated
  uint64_t line_bytes_ = 0;        // of .debug_line, inflated
};

// What the unit says that it was compiled by, "Debian clang version 22.1.8 ..."; may be empty.
std::string producer_of(llvm::DWARFUnit& unit);
bool is_compiled_by_gcc(llvm::DWARFUnit& unit);

}  // namespace pgo
