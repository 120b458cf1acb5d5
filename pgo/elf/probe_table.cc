#include "pgo/elf/probe_table.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace pgo {
namespace {

constexpr std::string_view kFunctionSection = ".pseudo_probe_desc";
constexpr std::string_view kProbeSection = ".pseudo_probe";

constexpr uint8_t kKindMask = 0x0f;
constexpr uint8_t kSentinel = 0x20;
constexpr uint8_t kHasDiscriminator = 0x40;
constexpr uint8_t kAddressIsDelta = 0x80;

// Inlining goes tens deep; profiles are nested as deeply, and are walked by recursion.
constexpr size_t kMaxInlineDepth = 1000;

Failure malformed(const std::string& name, std::string_view section, size_t offset,
                  const std::string& what) {
  return fail(ErrorKind::kInput, name + ": " + std::string(section) + ": " + what + " at byte " +
                                     std::to_string(offset) +
                                     "; was the section cut short or changed?");
}

class ProbeReader {
 public:
  ProbeReader(Bytes section, const ProbeSelection& selection)
      : cursor_(section), selection_(selection) {}

  // What is wrong with the section, if anything.
  std::optional<std::string> read() {
    while (cursor_.remaining() > 0) {
      if (auto wrong = read_record()) return wrong;
      if (!cursor_.ok()) return "a record ends early";
      while (!open_.empty() && open_.back().inlined_left == 0) open_.pop_back();
    }
    if (!open_.empty()) return "an inlined record is missing";
    return std::nullopt;
  }

  size_t position() const { return cursor_.position(); }
  ProbeTable take_table() { return std::move(table_); }

 private:
  // A record whose inlined records are still to come.
  struct Open {
    uint32_t record;
    uint64_t inlined_left;
  };

  std::optional<std::string> read_record() {
    ProbeRecord record;
    if (!open_.empty()) {
      record.around = open_.back().record;
      record.call_site = number();
      open_.back().inlined_left--;
    }
    record.guid = cursor_.u64();
    if (open_.empty()) start_outermost(record.guid);
    uint64_t probes = cursor_.uleb128(), inlined = cursor_.uleb128();
    uint32_t index = static_cast<uint32_t>(table_.records.size());
    if (is_selected_) table_.records.push_back(record);
    // Each takes bytes, so a false number ends with the section.
    for (uint64_t i = 0; i < probes && cursor_.ok(); i++) read_probe(index);
    if (has_large_number_) return "a number has more than 32 bits";
    if (open_.size() >= kMaxInlineDepth) return "functions are inlined too deeply";
    open_.push_back({index, inlined});
    return std::nullopt;
  }

  void start_outermost(uint64_t guid) {
    is_selected_ = selection_.guids.empty() || selection_.guids.contains(guid);
    if (is_selected_ && !has_addresses_)
      if (std::optional<uint64_t> start = start_of(guid)) addr_ = *start;
  }

  void read_probe(uint32_t record) {
    Probe probe;
    probe.record = record;
    probe.id = number();
    uint8_t bits = cursor_.u8();
    if ((bits & kAddressIsDelta) != 0) {
      addr_ += static_cast<uint64_t>(cursor_.sleb128());
    } else {
      addr_ = cursor_.u64();
      if ((bits & kSentinel) == 0)
        has_addresses_ = true;
      else if (std::optional<uint64_t> start = start_of(addr_))
        addr_ = *start;
    }
    if ((bits & kHasDiscriminator) != 0) probe.discriminator = number();
    if (!is_selected_ || (bits & kSentinel) != 0) return;
    probe.addr = ElfAddr{addr_};
    probe.kind = static_cast<ProbeKind>(bits & kKindMask);
    probe.number = static_cast<uint32_t>(table_.probes.size());
    table_.probes.push_back(probe);
  }

  std::optional<uint64_t> start_of(uint64_t guid) const {
    auto found = selection_.starts.find(guid);
    if (found == selection_.starts.end() || found->second == 0) return std::nullopt;
    return found->second;
  }

  uint32_t number() {
    uint64_t value = cursor_.uleb128();
    has_large_number_ |= value > std::numeric_limits<uint32_t>::max();
    return static_cast<uint32_t>(value);
  }

  ByteCursor cursor_;
  const ProbeSelection& selection_;
  ProbeTable table_;
  std::vector<Open> open_;
  uint64_t addr_ = 0;              // of the last probe
  bool is_selected_ = false;       // the outermost record
  bool has_addresses_ = false;     // as old compilers wrote them: functions' starts do not count
  bool has_large_number_ = false;  // where 32 bits are expected
};

}  // namespace

bool has_probes(const ElfImage& image) {
  return image.find_section(kFunctionSection) != nullptr &&
         image.find_section(kProbeSection) != nullptr;
}

Result<ProbeFunctions> ProbeFunctions::read(const ElfImage& image) {
  const ElfImage::Section* section = image.find_section(kFunctionSection);
  return parse(section == nullptr ? Bytes() : section->bytes, image.path());
}

Result<ProbeFunctions> ProbeFunctions::parse(Bytes section, const std::string& name) {
  ProbeFunctions result;
  ByteCursor cursor(section);
  while (cursor.remaining() > 0) {
    ProbeFunction function;
    function.guid = cursor.u64();
    function.checksum = cursor.u64();
    Bytes text = cursor.take(cursor.uleb128());
    if (!cursor.ok())
      return malformed(name, kFunctionSection, cursor.position(), "a function ends early");
    function.name = as_text(text);
    // LLVM's profiles end a name there.
    if (function.name.find('\0') != function.name.npos)
      return malformed(name, kFunctionSection, cursor.position(), "a name has a NUL byte and ends");
    result.functions_.push_back(function);
  }
  // Of several with one GUID llvm-profgen takes the one that this very sort puts first.
  std::sort(result.functions_.begin(), result.functions_.end(),
            [](const ProbeFunction& a, const ProbeFunction& b) { return a.guid < b.guid; });
  return result;
}

const ProbeFunction* ProbeFunctions::find(uint64_t guid) const {
  auto found =
      std::lower_bound(functions_.begin(), functions_.end(), guid,
                       [](const ProbeFunction& function, uint64_t g) { return function.guid < g; });
  return found == functions_.end() || found->guid != guid ? nullptr : &*found;
}

std::span<const Probe> ProbeTable::probes_between(ElfAddr first, ElfAddr last) const {
  auto begin = std::lower_bound(probes.begin(), probes.end(), first,
                                [](const Probe& probe, ElfAddr addr) { return probe.addr < addr; });
  auto end = std::upper_bound(begin, probes.end(), last,
                              [](ElfAddr addr, const Probe& probe) { return addr < probe.addr; });
  return {begin, end};
}

Result<ProbeTable> read_probes(const ElfImage& image, const ProbeSelection& selection) {
  const ElfImage::Section* section = image.find_section(kProbeSection);
  return parse_probes(section == nullptr ? Bytes() : section->bytes, selection, image.path());
}

Result<ProbeTable> parse_probes(Bytes section, const ProbeSelection& selection,
                                const std::string& name) {
  if (section.size() > std::numeric_limits<uint32_t>::max())
    return fail(ErrorKind::kUnsupported, name + ": has more than 4 GiB of pseudo probes");
  ProbeReader reader(section, selection);
  if (auto wrong = reader.read()) return malformed(name, kProbeSection, reader.position(), *wrong);
  ProbeTable table = reader.take_table();
  std::sort(table.probes.begin(), table.probes.end(), [](const Probe& a, const Probe& b) {
    return std::tie(a.addr, a.number) < std::tie(b.addr, b.number);
  });
  return table;
}

}  // namespace pgo
