// Decoding and counting beside LLVM's own decoder, on a real program; what it cannot show, by hand.
#include "pgo/symbolize/probe_profile.h"

#include <llvm/MC/MCPseudoProbe.h>
#include <llvm/ProfileData/SampleProf.h>
#include <llvm/Support/MD5.h>

#include <sstream>

#include "converters/llvm_sample/llvm_sample_writer.h"
#include "tests/data/debug_program.h"
#include "tests/data/probe_section.h"

namespace pgo::test::probe_profile_test {
namespace {

// "address function:id.discriminator kind @ outer:call site", one line for each probe.
std::string dump(const ProbeTable& table, const ProbeFunctions& functions) {
  std::ostringstream out;
  for (const Probe& probe : table.probes) {
    out << probe.addr.value << " " << probe.id << "." << probe.discriminator << " "
        << static_cast<int>(probe.kind);
    uint32_t i = probe.record;
    out << " " << functions.find(table.records[i].guid)->name;
    for (; table.records[i].around != ProbeRecord::kOutermost; i = table.records[i].around)
      out << " @ " << functions.find(table.records[table.records[i].around].guid)->name << ":"
          << table.records[i].call_site;
    out << "\n";
  }
  return out.str();
}

std::string dump(llvm::MCPseudoProbeDecoder& decoder) {
  std::ostringstream out;
  auto name = [&](uint64_t guid) { return decoder.getFuncDescForGUID(guid)->FuncName.str(); };
  for (const llvm::MCDecodedPseudoProbe& probe : decoder.getAddress2ProbesMap()) {
    out << probe.getAddress() << " " << probe.getIndex() << "." << probe.getDiscriminator() << " "
        << static_cast<int>(probe.getType()) << " " << name(probe.getGuid());
    llvm::SmallVector<llvm::MCPseudoProbeFrameLocation> callers;
    decoder.getInlineContextForProbe(&probe, callers, false);
    for (size_t i = callers.size(); i-- > 0;)
      out << " @ " << callers[i].first.str() << ":" << callers[i].second;
    out << "\n";
  }
  return out.str();
}

TEST(ProbeProfile, ReadsTheProbesThatLlvmReads) {
  std::vector<std::string> names = debug_program_names();
  if (std::find(names.begin(), names.end(), "probes") == names.end())
    GTEST_SKIP() << "clang 22 is not installed";
  DebugProgram program("probes");
  ProbeSelection selection;
  llvm::MCPseudoProbeDecoder::Uint64Map starts;
  for (const ElfImage::Symbol& symbol : program.binary.image->symbols()) {
    uint64_t guid = llvm::MD5Hash({symbol.name.data(), symbol.name.size()});
    selection.starts[guid] = symbol.addr.value;
    starts[guid] = symbol.addr.value;
  }
  // All functions; then every second and every fifth of those that have code.
  ProbeFunctions functions = ProbeFunctions::read(*program.binary.image).value();
  std::vector<uint64_t> with_code;
  ProbeTable all = read_probes(*program.binary.image, selection).value();
  for (const ProbeRecord& record : all.records)
    if (record.around == ProbeRecord::kOutermost) with_code.push_back(record.guid);
  for (size_t step : {size_t{0}, size_t{2}, size_t{5}}) {
    llvm::MCPseudoProbeDecoder::Uint64Set filter;
    selection.guids.clear();
    for (size_t i = 0; step != 0 && i < with_code.size(); i += step) {
      filter.insert(with_code[i]);
      selection.guids.insert(with_code[i]);
    }
    llvm::MCPseudoProbeDecoder decoder;
    Bytes descriptors = program.binary.image->find_section(".pseudo_probe_desc")->bytes;
    Bytes probes = program.binary.image->find_section(".pseudo_probe")->bytes;
    ASSERT_TRUE(decoder.buildGUID2FuncDescMap(descriptors.data(), descriptors.size()));
    ASSERT_TRUE(decoder.buildAddress2ProbeMap(probes.data(), probes.size(), filter, starts));
    std::string expected = dump(decoder);
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), step == 0 ? 1000 : 50);
    EXPECT_EQ(dump(read_probes(*program.binary.image, selection).value(), functions), expected);
  }
}

// A map of code in which every address starts an instruction of one byte, but 0x1003.
CodeMap bytes_of_code() {
  return CodeMap(ElfAddr{0x1000}, ElfAddr{0x1100}, [](CodeMap& map, ElfAddr addr) {
    if (addr.value != 0x1003) map.set(addr, CodeByte::instruction(1, CodeByte::kOther));
  });
}

std::string text_of(ProbeProfile& by_probe) {
  SourceProfile profile;
  profile.is_probe_based = true;
  profile.functions() = by_probe.take_functions();
  return write_llvm_sample(profile, LlvmSampleFormat::kText).value();
}

TEST(ProbeProfile, AddsUpCopiesOfABlock) {
  ProbeFunctionSection names;
  names.function(10, 77, "f").function(20, 88, "g").function(30, 99, "__cxx_global_var_init");
  ProbeSection section;
  section.record(10, 5, 3)
      .probe(1, ProbeKind::kBlock, 0)        // 0x1000
      .probe(2, ProbeKind::kBlock, 1)        // 0x1001
      .probe(2, ProbeKind::kBlock, 1)        // 0x1002: a copy
      .probe(5, ProbeKind::kBlock, 1)        // 0x1003, where no instruction starts
      .probe(4, ProbeKind::kDirectCall, 1);  // 0x1004
  section.call_site(3).record(20, 1, 0).probe(1, ProbeKind::kBlock, 1);  // 0x1005
  section.call_site(0).record(20, 1, 0).probe(1, ProbeKind::kBlock, 1);  // 0x1006: f is not known
  section.call_site(6).record(30, 1, 0).probe(1, ProbeKind::kBlock, 1);  // 0x1007
  ProbeFunctions functions = ProbeFunctions::parse(names.bytes(), "a.out").value();
  ProbeTable table = parse_probes(section.bytes(), {{}, {{10, 0x1000}}}, "a.out").value();
  CodeMap code = bytes_of_code();

  ProbeProfile profile(functions, table, code);
  profile.add_segment({ElfAddr{0x1000}, ElfAddr{0x1001}, 100});
  profile.add_segment({ElfAddr{0x1002}, ElfAddr{0x1001}, 1000});  // empty
  profile.add_segment({ElfAddr{0x1002}, ElfAddr{0x1004}, 30});
  profile.add_segment({ElfAddr{0x1005}, ElfAddr{0x1007}, 8});
  profile.add_segment({ElfAddr{0x1008}, ElfAddr{0x1008}, 8});  // no probe
  profile.add_call(ElfAddr{0x1004}, "h", 40);
  profile.add_call(ElfAddr{0x1001}, "h", 3);  // a block, not a call
  EXPECT_EQ(text_of(profile),
            "f:276:100\n"
            " 1: 100\n"
            " 2: 130\n"
            " 4: 40 h:40\n"
            " 3: g:8\n"
            "  1: 8\n"
            "  !CFGChecksum: 88\n"
            " !CFGChecksum: 77\n"
            "g:8:8\n"
            " 1: 8\n"
            " !CFGChecksum: 88\n");
  EXPECT_EQ(profile.calls_without_probe(), 3u);
}

TEST(ProbeProfile, LeavesOutWhatHasNoName) {
  ProbeFunctionSection names;
  names.function(10, 77, "f");
  ProbeSection section;
  section.record(10, 1, 1).probe(1, ProbeKind::kBlock, 0);
  section.call_site(3).record(20, 1, 0).probe(1, ProbeKind::kBlock, 1);
  section.record(21, 1, 1).probe(1, ProbeKind::kBlock, 1);
  section.call_site(2).record(10, 1, 0).probe(1, ProbeKind::kBlock, 2);
  ProbeFunctions functions = ProbeFunctions::parse(names.bytes(), "a.out").value();
  ProbeTable table = parse_probes(section.bytes(), {{}, {{10, 0x1000}}}, "a.out").value();
  CodeMap code = bytes_of_code();
  ProbeProfile profile(functions, table, code);
  profile.add_segment({ElfAddr{0x1000}, ElfAddr{0x10ff}, 5});
  EXPECT_EQ(text_of(profile), "f:5:5\n 1: 5\n !CFGChecksum: 77\n");
  const Diagnostics::Entry& entry = profile.diagnostics().entries().at("unnamed-probes");
  EXPECT_EQ(entry.count, 3u);
  EXPECT_EQ(entry.messages[0],
            "the pseudo probes of the function with the number 21 are left out: "
            ".pseudo_probe_desc does not name it");
}

}  // namespace
}  // namespace pgo::test::probe_profile_test
