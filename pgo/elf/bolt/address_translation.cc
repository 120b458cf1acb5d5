#include "pgo/elf/bolt/address_translation.h"

#include <algorithm>

namespace pgo {
namespace {

constexpr std::string_view kSection = ".note.bolt_bat";
constexpr uint32_t kNoteType = 1;
constexpr uint64_t kMaxOffset = uint64_t{1} << 32;  // BOLT keeps offsets in 32 bits

}  // namespace

class AddressTranslationParser {
 public:
  using Fragment = AddressTranslation::Fragment;
  using Entry = AddressTranslation::Entry;

  AddressTranslationParser(Bytes section, const std::string& name)
      : cursor_(section), name_(name) {}

  Result<AddressTranslation> parse() {
    PGO_CHECK(read_header());
    PGO_CHECK(read_hot_fragments());
    PGO_CHECK(read_cold_fragments());
    std::vector<Fragment>& fragments = table_.fragments_;
    std::sort(fragments.begin(), fragments.end(),
              [](const Fragment& a, const Fragment& b) { return a.begin < b.begin; });
    for (size_t i = 1; i < fragments.size(); i++)
      if (fragments[i - 1].begin == fragments[i].begin)
        return failure("two fragments begin at the same address");
    return std::move(table_);
  }

 private:
  Result<void> read_header() {
    uint32_t name_size = cursor_.u32(), size = cursor_.u32(), type = cursor_.u32();
    Bytes owner = cursor_.take(uint64_t{name_size});
    cursor_.skip((4 - name_size % 4) % 4);
    if (!cursor_.ok() || until_nul(owner) != "BOLT" || type != kNoteType)
      return failure("expected a note of BOLT's, type 1");
    if (size > cursor_.remaining()) return failure("the note is cut short");
    return ok();
  }

  Result<void> read_hot_fragments() {
    uint64_t count = cursor_.uleb128();
    for (uint64_t i = 0; i < count; i++) {
      ElfAddr begin = read_address();
      cursor_.skip(8);    // the function's hash
      cursor_.uleb128();  // its number of blocks
      uint64_t secondary = cursor_.uleb128();
      PGO_CHECK(read_fragment(begin, begin, 0));
      hot_.push_back(begin);
      for (uint64_t s = 0; s < secondary && cursor_.ok(); s++) cursor_.uleb128();
      if (!cursor_.ok()) return failure("a table of secondary entries is cut short");
    }
    return ok();
  }

  Result<void> read_cold_fragments() {
    uint64_t count = cursor_.uleb128(), hot = 0;
    for (uint64_t i = 0; i < count; i++) {
      ElfAddr begin = read_address();
      hot += cursor_.uleb128();
      uint64_t skew = cursor_.uleb128();
      if (cursor_.ok() && hot >= hot_.size())
        return failure("a cold fragment of function " + std::to_string(hot) + " of " +
                       std::to_string(hot_.size()));
      PGO_CHECK(read_fragment(begin, cursor_.ok() ? hot_[hot] : begin, skew));
    }
    if (!cursor_.ok()) return failure("the table is cut short");
    return ok();
  }

  Result<void> read_fragment(ElfAddr begin, ElfAddr function, uint64_t skew) {
    uint64_t count = cursor_.uleb128(), equal = cursor_.uleb128();
    if (equal > count) return failure("more equal entries than entries");
    Bytes branch_bits = cursor_.take(equal / 8 + (equal % 8 != 0));
    // An entry takes a byte or more.
    if (!cursor_.ok() || count > cursor_.remaining()) return failure("a fragment is cut short");
    Fragment fragment{begin, function, {}};
    fragment.entries.reserve(static_cast<size_t>(count));
    uint64_t doubled = 0;  // the input offset * 2 + branch bit
    for (uint64_t i = 0; i < count; i++) {
      uint64_t output = read_address().value - begin.value;
      if (i < equal)
        doubled = ((output + skew) << 1) | ((branch_bits[i / 8] >> (i % 8)) & 1u);
      else
        doubled += static_cast<uint64_t>(cursor_.sleb128());
      Entry entry{output, doubled >> 1, (doubled & 1) != 0};
      if (!entry.branch) {
        cursor_.skip(8);    // the block's hash
        cursor_.uleb128();  // its number
      }
      if (!cursor_.ok()) return failure("a fragment is cut short");
      if (entry.output >= kMaxOffset || entry.input >= kMaxOffset)
        return failure(
            "an offset is larger than any function: was it written by LLVM 18 or older?");
      if (!fragment.entries.empty() && output < fragment.entries.back().output)
        return failure("the offsets of a fragment go backwards");
      // BOLT keeps the first of several entries for one place.
      if (fragment.entries.empty() || fragment.entries.back().output != output)
        fragment.entries.push_back(entry);
    }
    table_.fragments_.push_back(std::move(fragment));
    return ok();
  }

  ElfAddr read_address() {
    address_ += cursor_.uleb128();
    return ElfAddr{address_};
  }

  Failure failure(const std::string& what) const {
    return fail(ErrorKind::kInput, name_ + ": " + std::string(kSection) + ": position " +
                                       std::to_string(cursor_.position()) + ": " + what);
  }

  ByteCursor cursor_;
  std::string name_;
  AddressTranslation table_;
  std::vector<ElfAddr> hot_;  // output addresses of functions, in the table's order
  uint64_t address_ = 0;      // the latest output address
};

Result<AddressTranslation> AddressTranslation::parse(Bytes section, const std::string& name) {
  return AddressTranslationParser(section, name).parse();
}

bool is_bolted(const ElfImage& image) {
  return std::any_of(image.sections().begin(), image.sections().end(),
                     [](const ElfImage::Section& section) {
                       return section.name == ".note.bolt_info" || section.name == kSection ||
                              section.name.starts_with(".bolt.org.");
                     });
}

bool has_address_translation(const ElfImage& image) {
  return image.find_section(kSection) != nullptr;
}

Result<AddressTranslation> read_address_translation(const ElfImage& bolted) {
  const ElfImage::Section* section = bolted.find_section(kSection);
  if (section == nullptr)
    return fail(ErrorKind::kUnsupported, bolted.path() + ": no address translation table (" +
                                             std::string(kSection) +
                                             "): BOLT the binary with llvm-bolt -enable-bat");
  return AddressTranslation::parse(section->bytes, bolted.path());
}

}  // namespace pgo
