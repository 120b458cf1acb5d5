// Pseudo probes, as clang's -fpseudo-probe-for-profiling leaves them in a binary: marks of blocks
// and calls that say where code comes from without debug information, and survive optimization
// better than lines. Reads the two sections they are in; what they count is pgo/symbolize's
// business.
//
//   PGO_TRY(ProbeFunctions functions, ProbeFunctions::read(image));
//   PGO_TRY(ProbeTable table, read_probes(image, {wanted, starts}));
//   for (const Probe& probe : table.probes_at(addr))
//   functions.find(table.records[probe.record].guid)
//
// A function goes by its GUID, the low half of the MD5 of its name. The layout (u64 little-endian):
//
//   .pseudo_probe_desc  for each function: u64 GUID, u64 checksum of its blocks and calls,
//                       ULEB128 size of the name, the name
//   .pseudo_probe       records to the end. A record is a function, or a copy of it that was
//   inlined:
//     record            inlined only: ULEB128 call site, a probe of the record around it
//                       u64 GUID, ULEB128 number of probes, ULEB128 number of inlined records,
//                       the probes, the inlined records
//     probe             ULEB128 id (from 1), u8 kind and attributes, address, discriminator
//                         bits 0-3  0 block, 1 indirect call, 2 direct call
//                         bits 4-6  attributes: 2 sentinel, 4 a ULEB128 discriminator follows
//                         bit 7     address is SLEB128, from the one before it in the section; else
//                                   u64, for a sentinel the GUID of a symbol that starts there
//
// The first address of an outermost record counts from where its function starts; a sentinel comes
// first when that code has another name (f.cold, f.llvm.123).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

struct ProbeFunction {
  uint64_t guid = 0;
  uint64_t checksum = 0;  // of the control flow: another one, and the probes are others too
  std::string_view name;  // linkage name, before suffixes like .llvm.123
};

// Does the file have pseudo probes, that is, both sections?
bool has_probes(const ElfImage& image);

class ProbeFunctions {
 public:
  // The views point into the image. kInput when the section ends early.
  static Result<ProbeFunctions> read(const ElfImage& image);
  static Result<ProbeFunctions> parse(Bytes section, const std::string& name);

  // Null when the function is not described. O(log functions).
  const ProbeFunction* find(uint64_t guid) const;
  const std::vector<ProbeFunction>& all() const { return functions_; }  // by GUID

 private:
  std::vector<ProbeFunction> functions_;
};

enum class ProbeKind : uint8_t { kBlock = 0, kIndirectCall = 1, kDirectCall = 2 };

struct Probe {
  ElfAddr addr;
  uint32_t record = 0;  // index into ProbeTable::records
  uint32_t id = 0;
  uint32_t discriminator = 0;  // tells apart copies of a block
  uint32_t number = 0;         // of the table's probes, in the order of the section
  ProbeKind kind = ProbeKind::kBlock;

  bool is_call() const {
    return kind == ProbeKind::kIndirectCall || kind == ProbeKind::kDirectCall;
  }
  bool is_entry() const { return id == 1; }
};

// A function, or a copy of it that was inlined into another. Outer ones come before inner ones.
struct ProbeRecord {
  static constexpr uint32_t kOutermost = ~uint32_t{0};

  uint64_t guid = 0;
  uint32_t around = kOutermost;  // the record that this one was inlined into
  uint32_t call_site = 0;        // id of the call's probe there; 0: not known
};

// Which outermost functions to read, and where code starts.
struct ProbeSelection {
  std::unordered_set<uint64_t> guids;             // none: all
  std::unordered_map<uint64_t, uint64_t> starts;  // address by GUID, of functions and other symbols
};

struct ProbeTable {
  std::vector<ProbeRecord> records;
  std::vector<Probe> probes;  // by address; at one address in the order of the section

  // Probes from `first` to `last`, both included. O(log probes).
  std::span<const Probe> probes_between(ElfAddr first, ElfAddr last) const;
  std::span<const Probe> probes_at(ElfAddr addr) const { return probes_between(addr, addr); }
};

// Sentinels are left out. O(bytes of the section); memory only for functions that are selected.
// kInput when the section ends early, a number is out of range or inlining goes absurdly deep.
Result<ProbeTable> read_probes(const ElfImage& image, const ProbeSelection& selection);
Result<ProbeTable> parse_probes(Bytes section, const ProbeSelection& selection,
                                const std::string& name);

}  // namespace pgo
