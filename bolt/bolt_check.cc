#include "bolt/bolt_check.h"

#include <elf.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <set>
#include <string_view>

#include "pgo/base/number_text.h"
#include "pgo/elf/unwind_table.h"

namespace pgo {
namespace {

// No name is looked at further: in a damaged file all of them may run to its end.
constexpr size_t kMaxName = 4096;

// An import or export, but for where it is. Its name lies in the file.
struct DynamicSymbol {
  std::string_view name;
  bool imported = false;
  unsigned type = 0, binding = 0;
  std::optional<unsigned> version;  // its index

  auto operator<=>(const DynamicSymbol&) const = default;
  std::string text() const {
    return std::string(name) + " (" + (imported ? "imported" : "exported") + ", type " +
           std::to_string(type) + ", binding " + std::to_string(binding) +
           (version ? ", version " + std::to_string(*version) : "") + ")";
  }
};

// The tables of a file as the loader finds them: from the headers that ElfImage has checked.
class LoaderView {
 public:
  explicit LoaderView(const ElfImage& image) : image_(image) {
    std::memcpy(&header_, image.bytes().data(), sizeof header_);
    for (size_t i = 0; i < header_.e_phnum; i++) {
      Bytes entry = slice(header_.e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
      if (entry.empty()) break;
      std::memcpy(&segments_.emplace_back(), entry.data(), sizeof(Elf64_Phdr));
    }
    read_dynamic();
    std::vector<uint64_t> tables = values(DT_STRTAB);
    if (!tables.empty()) names_ = bytes_at(tables[0]);
  }

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // The values of these entries of the dynamic table, in order.
  std::vector<uint64_t> values(int64_t tag) const {
    std::vector<uint64_t> found;
    for (const Elf64_Dyn& entry : dynamic_)
      if (entry.d_tag == tag) found.push_back(entry.d_un.d_val);
    return found;
  }
  // The same for entries that name a string.
  std::vector<std::string> names(int64_t tag) const {
    std::vector<std::string> found;
    for (uint64_t offset : values(tag)) found.emplace_back(name_at(offset));
    return found;
  }
  std::string interpreter() const {
    for (const Elf64_Phdr& segment : segments_)
      if (segment.p_type == PT_INTERP)
        return std::string(until_nul(slice(segment.p_offset, segment.p_filesz)));
    return "";
  }
  const Elf64_Phdr* find(uint32_t type) const {
    for (const Elf64_Phdr& segment : segments_)
      if (segment.p_type == type) return &segment;
    return nullptr;
  }
  // Imports and exports, sorted.
  std::vector<DynamicSymbol> symbols() const;

 private:
  Bytes slice(uint64_t offset, uint64_t size) const {
    return pgo::slice(image_.bytes(), offset, size).value_or(Bytes{});
  }
  // From an address to the end of what the file has of its segment.
  Bytes bytes_at(uint64_t addr) const {
    for (const Elf64_Phdr& segment : segments_) {
      uint64_t inside = addr - segment.p_vaddr;
      if (segment.p_type != PT_LOAD || inside >= segment.p_filesz) continue;
      return slice(segment.p_offset + inside, segment.p_filesz - inside);
    }
    return {};
  }
  std::string_view name_at(uint64_t offset) const {
    if (offset >= names_.size()) return {};
    Bytes rest = names_.subspan(offset);
    return until_nul(rest.first(std::min(rest.size(), kMaxName)));
  }
  void read_dynamic() {
    const Elf64_Phdr* segment = find(PT_DYNAMIC);
    if (segment == nullptr) return;
    ByteCursor cursor(slice(segment->p_offset, segment->p_filesz));
    while (cursor.remaining() >= sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      entry.d_tag = static_cast<int64_t>(cursor.u64());
      entry.d_un.d_val = cursor.u64();
      if (entry.d_tag == DT_NULL) break;
      dynamic_.push_back(entry);
    }
  }

  const ElfImage& image_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  Bytes names_;  // from DT_STRTAB to the end of its segment
};

std::vector<DynamicSymbol> LoaderView::symbols() const {
  std::vector<DynamicSymbol> found;
  const ElfImage::Section* table = image_.find_section(".dynsym");
  const ElfImage::Section* versions = image_.find_section(".gnu.version");
  if (table == nullptr) return found;
  size_t count = table->bytes.size() / sizeof(Elf64_Sym);
  for (size_t i = 1; i < count; i++) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, table->bytes.data() + i * sizeof symbol, sizeof symbol);
    unsigned type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
    if (type == STT_SECTION) continue;
    found.push_back(
        {name_at(symbol.st_name), symbol.st_shndx == SHN_UNDEF, type, binding, std::nullopt});
    if (versions != nullptr && versions->bytes.size() >= (i + 1) * 2)
      found.back().version = load_le<uint16_t>(versions->bytes.data() + i * 2);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// llvm-bolt names what it splits off a function main.cold.0, main.cold.1, ...
std::string_view function_of(std::string_view name) {
  constexpr std::string_view kMark = ".cold.";
  size_t place = name.rfind(kMark);
  if (place == std::string_view::npos) return name;
  size_t rest = name.find_first_not_of("0123456789", place + kMark.size());
  return rest == std::string_view::npos ? name.substr(0, place) : name;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

class Comparison {
 public:
  Comparison(const ElfImage& input, const ElfImage& result)
      : input_(input), result_(result), before_(input), after_(result) {}

  std::vector<std::string> run() {
    compare_headers();
    compare_dynamic();
    compare_symbols();
    check_segments();
    check_sections();
    check_unwinding();
    return std::move(faults_);
  }

 private:
  void add(std::string fault) { faults_.push_back(std::move(fault)); }

  void compare_headers() {
    if (before_.header().e_type != after_.header().e_type) add("is of another ELF type");
    if (before_.header().e_machine != after_.header().e_machine) add("is for another machine");
    if (!input_.build_id().empty() && !input_.build_id().matches_bolted(result_.build_id()))
      add("has the build ID " + result_.build_id().hex() + ", not that of its input");
    if (before_.interpreter() != after_.interpreter())
      add("requests the loader '" + after_.interpreter() + "' instead of '" +
          before_.interpreter() + "'");
    const Elf64_Phdr *stack_before = before_.find(PT_GNU_STACK),
                     *stack_after = after_.find(PT_GNU_STACK);
    if (stack_before != nullptr &&
        (stack_after == nullptr || stack_before->p_flags != stack_after->p_flags))
      add("has other permissions of the stack (PT_GNU_STACK)");
    const Elf64_Phdr *tls_before = before_.find(PT_TLS), *tls_after = after_.find(PT_TLS);
    if ((tls_before == nullptr) != (tls_after == nullptr) ||
        (tls_before != nullptr && tls_before->p_memsz != tls_after->p_memsz))
      add("has other thread-local storage (PT_TLS)");
  }

  void compare_dynamic() {
    struct Named {
      int64_t tag;
      const char* what;
    };
    for (Named named : {Named{DT_NEEDED, "needs"}, Named{DT_SONAME, "has the SONAME"},
                        Named{DT_RPATH, "has the RPATH"}, Named{DT_RUNPATH, "has the RUNPATH"}})
      if (before_.names(named.tag) != after_.names(named.tag))
        add(std::string(named.what) + " " + joined(after_.names(named.tag)) + " instead of " +
            joined(before_.names(named.tag)));
    struct Number {
      int64_t tag;
      const char* name;
    };
    for (Number number :
         {Number{DT_FLAGS, "DT_FLAGS"}, Number{DT_FLAGS_1, "DT_FLAGS_1"},
          Number{DT_INIT_ARRAYSZ, "DT_INIT_ARRAYSZ"}, Number{DT_FINI_ARRAYSZ, "DT_FINI_ARRAYSZ"}})
      if (before_.values(number.tag) != after_.values(number.tag))
        add(std::string("has another ") + number.name);
    for (Number number : {Number{DT_INIT, "DT_INIT"}, Number{DT_FINI, "DT_FINI"},
                          Number{DT_GNU_HASH, "DT_GNU_HASH"}, Number{DT_SYMTAB, "DT_SYMTAB"}})
      if (before_.values(number.tag).size() != after_.values(number.tag).size())
        add(std::string("has gained or lost ") + number.name);
  }

  void compare_symbols() {
    std::vector<DynamicSymbol> before = before_.symbols(), after = after_.symbols(), missing, added;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(missing));
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(added));
    if (!missing.empty())
      add("has lost " + std::to_string(missing.size()) + " of " + std::to_string(before.size()) +
          " dynamic symbols, such as " + missing[0].text());
    if (!added.empty())
      add("has " + std::to_string(added.size()) +
          " dynamic symbols that its input does not have, such as " + added[0].text());
  }

  void check_segments() {
    bool both_before = false;
    for (const Elf64_Phdr& segment : before_.segments())
      both_before |=
          segment.p_type == PT_LOAD && (segment.p_flags & (PF_W | PF_X)) == (PF_W | PF_X);
    std::vector<Elf64_Phdr> loaded;
    for (const Elf64_Phdr& segment : after_.segments()) {
      if (segment.p_type != PT_LOAD) continue;
      loaded.push_back(segment);
      if (segment.p_offset > result_.bytes().size() ||
          segment.p_filesz > result_.bytes().size() - segment.p_offset ||
          segment.p_filesz > segment.p_memsz)
        add("has a segment at " + format_hex(segment.p_vaddr) + " that the file does not hold");
      if (!both_before && (segment.p_flags & (PF_W | PF_X)) == (PF_W | PF_X))
        add("has a segment at " + format_hex(segment.p_vaddr) + " that is writable and executable");
    }
    if (loaded.empty()) return add("has no loadable segment");
    std::sort(loaded.begin(), loaded.end(),
              [](const Elf64_Phdr& a, const Elf64_Phdr& b) { return a.p_vaddr < b.p_vaddr; });
    for (size_t i = 1; i < loaded.size(); i++)
      if (loaded[i].p_vaddr - loaded[i - 1].p_vaddr < loaded[i - 1].p_memsz)
        add("has segments at " + format_hex(loaded[i - 1].p_vaddr) + " and " +
            format_hex(loaded[i].p_vaddr) + " that overlap");
    if (after_.header().e_entry == 0) return;
    bool in_code = std::any_of(loaded.begin(), loaded.end(), [&](const Elf64_Phdr& segment) {
      return (segment.p_flags & PF_X) != 0 &&
             after_.header().e_entry - segment.p_vaddr < segment.p_filesz;
    });
    if (!in_code)
      add("starts at " + format_hex(after_.header().e_entry) + ", where it has no code");
  }

  void check_sections() {
    bool any_code = false;
    for (const ElfImage::Section& section : result_.sections()) {
      if (!section.allocated || section.size == 0) continue;
      any_code |= section.executable;
      bool inside = std::any_of(result_.segments().begin(), result_.segments().end(),
                                [&](const ElfImage::Segment& segment) {
                                  uint64_t offset = section.addr.value - segment.addr.value;
                                  return offset <= segment.memory_size &&
                                         section.size <= segment.memory_size - offset;
                                });
      // Templates of thread-local storage have no place of their own in memory.
      if (!inside && !section.name.starts_with(".tbss") && !section.name.starts_with(".tdata"))
        add("has a section " + std::string(section.name) + " outside what is loaded");
    }
    if (!any_code) add("has no code");
  }

  void check_unwinding() {
    if (!UnwindTable::is_in(input_)) return;
    Result<UnwindTable> before = UnwindTable::read(input_);
    if (!before) return;  // not llvm-bolt's fault
    Result<UnwindTable> after = UnwindTable::read(result_);
    if (!after) return add("cannot be unwound: " + after.error().message);
    // Only names all of whose functions were covered say which: of two local functions of one name,
    // one may be assembly without unwind information.
    std::set<std::string_view> covered, uncovered;
    for (const ElfImage::Symbol& symbol : input_.symbols())
      if (symbol.function && symbol.size != 0)
        (before->covers(symbol.addr) ? covered : uncovered).insert(symbol.name);
    for (std::string_view name : uncovered) covered.erase(name);
    uint64_t lost = 0;
    std::string_view example;
    for (const ElfImage::Symbol& symbol : result_.symbols()) {
      if (!symbol.function || symbol.size == 0 || after->covers(symbol.addr)) continue;
      if (!covered.contains(symbol.name) && !covered.contains(function_of(symbol.name))) continue;
      if (lost++ == 0) example = symbol.name;
    }
    if (lost != 0)
      add("has no unwind information for " + std::to_string(lost) +
          " functions that had some, such as " + std::string(example));
  }

  const ElfImage &input_, &result_;
  LoaderView before_, after_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_equivalence(const ElfImage& input, const ElfImage& result) {
  return Comparison(input, result).run();
}

}  // namespace pgo
