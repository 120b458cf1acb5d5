#include "pgo/elf/probe_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/elf_builder.h"
#include "tests/data/probe_section.h"

namespace pgo::test::probe_table_test {
namespace {

// Outermost f (GUID 10) with its entry and a call, into which g (20) was inlined twice over, and
// behind it h (30), whose block was split off as h.cold (31).
ProbeSection small_section() {
  ProbeSection s;
  s.record(10, 2, 1).probe(1, ProbeKind::kBlock, 0).probe(2, ProbeKind::kDirectCall, 5);
  s.call_site(2).record(20, 1, 1).probe(1, ProbeKind::kBlock, -1);
  s.call_site(3).record(20, 1, 0).probe_with_discriminator(1, ProbeKind::kBlock, 2, 7);
  s.record(30, 1, 0).probe(1, ProbeKind::kBlock, 4);
  s.record(30, 2, 0).sentinel(31).probe(2, ProbeKind::kIndirectCall, 8);
  return s;
}

ProbeSelection starts_of_all() { return {{}, {{10, 0x1000}, {30, 0x2000}, {31, 0x3000}}}; }

std::string dump(const ProbeTable& table) {
  std::ostringstream out;
  out << std::hex;
  for (const Probe& probe : table.probes) {
    out << probe.addr.value << ": " << probe.id << " kind " << static_cast<int>(probe.kind);
    if (probe.discriminator != 0) out << " discriminator " << probe.discriminator;
    uint32_t record = probe.record;
    for (; record != ProbeRecord::kOutermost; record = table.records[record].around) {
      out << " of " << std::dec << table.records[record].guid << std::hex;
      if (table.records[record].call_site != 0) out << " at " << table.records[record].call_site;
    }
    out << "\n";
  }
  return out.str();
}

std::string parse(Bytes section, const ProbeSelection& selection) {
  Result<ProbeTable> table = parse_probes(section, selection, "a.out");
  return table ? dump(*table) : table.error().message;
}

TEST(ProbeTable, ReadsInlinedCopiesAndSplitFunctions) {
  EXPECT_EQ(parse(small_section().bytes(), starts_of_all()),
            "1000: 1 kind 0 of 10\n"
            "1004: 1 kind 0 of 20 at 2 of 10\n"
            "1005: 2 kind 2 of 10\n"
            "1006: 1 kind 0 discriminator 7 of 20 at 3 of 20 at 2 of 10\n"
            "2004: 1 kind 0 of 30\n"
            "3008: 2 kind 1 of 30\n");
}

TEST(ProbeTable, KeepsOnlyWhatIsSelected) {
  ProbeSelection selection = starts_of_all();
  selection.guids = {30};
  ProbeTable table = parse_probes(small_section().bytes(), selection, "a.out").value();
  EXPECT_EQ(dump(table), "2004: 1 kind 0 of 30\n3008: 2 kind 1 of 30\n");
  EXPECT_EQ(table.records.size(), 2u);
  selection.guids = {20};  // inlined copies go with what they are inlined into
  EXPECT_EQ(parse(small_section().bytes(), selection), "");
}

TEST(ProbeTable, CountsOnFromTheProbeBeforeAFunctionOfUnknownStart) {
  EXPECT_EQ(parse(small_section().bytes(), {{}, {{10, 0x1000}, {31, 0x3000}}}),
            "1000: 1 kind 0 of 10\n"
            "1004: 1 kind 0 of 20 at 2 of 10\n"
            "1005: 2 kind 2 of 10\n"
            "1006: 1 kind 0 discriminator 7 of 20 at 3 of 20 at 2 of 10\n"
            "100a: 1 kind 0 of 30\n"
            "3008: 2 kind 1 of 30\n");
}

TEST(ProbeTable, TakesAddressesAsOldCompilersWroteThem) {
  ProbeSection s;
  s.record(10, 2, 0).probe_at(1, ProbeKind::kBlock, 0x5000).probe(2, ProbeKind::kBlock, 1);
  s.record(30, 1, 0).probe(1, ProbeKind::kBlock, 1);
  EXPECT_EQ(parse(s.bytes(), starts_of_all()),
            "5000: 1 kind 0 of 10\n5001: 2 kind 0 of 10\n5002: 1 kind 0 of 30\n");
}

TEST(ProbeTable, FindsProbesByAddressInTheOrderOfTheSection) {
  ProbeSection s;
  s.record(10, 4, 0).probe(4, ProbeKind::kBlock, 4).probe(3, ProbeKind::kBlock, 0);
  s.probe(2, ProbeKind::kBlock, -4).probe(1, ProbeKind::kBlock, 8);
  ProbeTable table = parse_probes(s.bytes(), starts_of_all(), "a.out").value();
  auto ids = [](std::span<const Probe> probes) {
    std::vector<uint32_t> result;
    for (const Probe& probe : probes) result.push_back(probe.id);
    return result;
  };
  EXPECT_EQ(ids(table.probes_at(ElfAddr{0x1004})), (std::vector<uint32_t>{4, 3}));
  EXPECT_EQ(ids(table.probes_between(ElfAddr{0x1000}, ElfAddr{0x1007})),
            (std::vector<uint32_t>{2, 4, 3}));
  EXPECT_TRUE(table.probes_at(ElfAddr{0x1001}).empty());
}

TEST(ProbeTable, RefusesASectionThatEndsEarly) {
  ProbeSection section = small_section();
  std::string seen;
  for (size_t size = 0; size < section.bytes().size(); size++) {
    Result<ProbeTable> table = parse_probes(section.bytes().first(size), {}, "a.out");
    if (!table) seen += table.error().message + "\n";
    // Between outermost records nothing tells that there was more.
    EXPECT_EQ(table.has_value(), size == 0 || section.is_boundary(size)) << size;
  }
  EXPECT_NE(seen.find("a.out: .pseudo_probe: a record ends early at byte 12; was the section cut "
                      "short or changed?\n"),
            std::string::npos)
      << seen;
  EXPECT_NE(seen.find("a.out: .pseudo_probe: an inlined record is missing at byte 16; was the "
                      "section cut short or changed?\n"),
            std::string::npos)
      << seen;
}

TEST(ProbeTable, RefusesNumbersThatAreTooLarge) {
  ProbeSection s;
  s.record(10, 1, 0).probe(uint64_t{1} << 32, ProbeKind::kBlock, 0);
  EXPECT_EQ(parse(s.bytes(), {}),
            "a.out: .pseudo_probe: a number has more than 32 bits at byte 17; was the section cut "
            "short or changed?");
}

TEST(ProbeTable, RefusesInliningThatNoCompilerDoes) {
  ProbeSection s;
  s.record(10, 0, 1);
  for (int i = 0; i < 5000; i++) s.call_site(1).record(10, 0, 1);
  EXPECT_EQ(parse(s.bytes(), {}),
            "a.out: .pseudo_probe: functions are inlined too deeply at byte 11010; was the section "
            "cut short or changed?");
}

TEST(ProbeFunctions, FindsFunctionsByGuid) {
  ProbeFunctionSection s;
  s.function(30, 3, "h").function(10, 0xffffffff, "_Z1fv").function(20, 2, "g.__uniq.1");
  ProbeFunctions functions = ProbeFunctions::parse(s.bytes(), "a.out").value();
  EXPECT_EQ(functions.all().size(), 3u);
  EXPECT_EQ(functions.find(10)->name, "_Z1fv");
  EXPECT_EQ(functions.find(10)->checksum, 0xffffffffu);
  EXPECT_EQ(functions.find(20)->name, "g.__uniq.1");
  EXPECT_EQ(functions.find(11), nullptr);
  EXPECT_EQ(functions.find(31), nullptr);
  for (size_t size : {size_t{1}, size_t{15}, size_t{17}})
    EXPECT_EQ(ProbeFunctions::parse(s.bytes().first(size), "a.out").error().message,
              "a.out: .pseudo_probe_desc: a function ends early at byte " +
                  std::to_string(size - size % 8 + (size > 16 ? 1 : 0)) +
                  "; was the section cut short or changed?");
}

// Profiles with such names could not be read.
TEST(ProbeFunctions, RefusesNamesWithNul) {
  ProbeFunctionSection s;
  s.function(10, 1, "f").function(20, 2, std::string("g\0h", 3));
  EXPECT_EQ(ProbeFunctions::parse(s.bytes(), "a.out").error().message,
            "a.out: .pseudo_probe_desc: a name has a NUL byte and ends at byte 38; was the section "
            "cut short or changed?");
}

TEST(ProbeTable, NeedsBothSections) {
  ElfBuilder builder;
  builder.add_section(".pseudo_probe", SHT_PROGBITS, 0, 0, "");
  std::vector<uint8_t> bytes = builder.finish();
  EXPECT_FALSE(has_probes(ElfImage::parse(bytes, "a.out").value()));
  builder = ElfBuilder();
  builder.add_section(".pseudo_probe", SHT_PROGBITS, 0, 0, "");
  builder.add_section(".pseudo_probe_desc", SHT_PROGBITS, 0, 0, "");
  bytes = builder.finish();
  EXPECT_TRUE(has_probes(ElfImage::parse(bytes, "a.out").value()));
}

}  // namespace
}  // namespace pgo::test::probe_table_test
