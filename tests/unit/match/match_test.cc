// match() on a small ELF file with pseudo probe descriptors and a profile in LLVM's text form, both
// written here.
#include "pgo/match/match.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::match_test {
namespace {

// Of 50 counts 30 match: one function changed, one is gone.
constexpr const char* kProfile =
    "outer:30:1\n 1: 10\n 2: 20\n !CFGChecksum: 7\n"
    "changed:15:1\n 1: 15\n !CFGChecksum: 8\n"
    "gone:5:1\n 1: 5\n !CFGChecksum: 9\n";

class MatchTest : public test::TemporaryFiles {
 protected:
  void SetUp() override {
    probe("outer", 7);
    probe("changed", 80);
  }

  // A function of the binary with the checksum of its control flow.
  void probe(std::string_view name, uint64_t checksum) {
    test::put64(probes_, function_guid(llvm::StringRef(name.data(), name.size())));
    test::put64(probes_, checksum);
    probes_.push_back(static_cast<uint8_t>(name.size()));
    probes_.insert(probes_.end(), name.begin(), name.end());
  }
  std::string write_binary(const std::string& note = "") {
    ElfBuilder elf;
    uint16_t text = elf.next_section();
    elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                    std::string(64, '\xc3'));
    elf.add_symbol("outer", STT_FUNC, text, 0x1000, 16);
    elf.add_symbol("changed", STT_FUNC, text, 0x1010, 16);
    if (!probes_.empty()) elf.add_section(".pseudo_probe", SHT_PROGBITS, 0, 0, "probes");
    if (!probes_.empty())
      elf.add_section(".pseudo_probe_desc", SHT_PROGBITS, 0, 0, as_text(probes_));
    if (!note.empty())
      elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x2000,
                      ElfBuilder::note("ProdPGO", 1, note));
    return write("server", elf.finish());
  }
  std::string error_of(const MatchRequest& request) {
    Result<MatchResult> result = match(request);
    return result ? "no error" : text_of(result.error());
  }

  std::vector<uint8_t> probes_;  // of .pseudo_probe_desc
};

TEST_F(MatchTest, ComparesProbesByChecksum) {
  MatchResult result =
      match({.binary = write_binary(), .profile = write("p.proftext", kProfile)}).value();
  EXPECT_EQ(result.basis, MatchBasis::kProbe);
  EXPECT_EQ(result.match_rate(), 0.6);
  EXPECT_EQ(result.min_match, 20);
  EXPECT_TRUE(result.is_enough());
  EXPECT_EQ(result.match.weights.of(MatchOutcome::kMatched), 30u);
  EXPECT_EQ(result.match.weights.of(MatchOutcome::kChanged), 15u);
  EXPECT_EQ(result.match.weights.of(MatchOutcome::kNoFunction), 5u);
  EXPECT_EQ(result.match.functions.front().name, "changed");
  EXPECT_EQ(result.note, std::nullopt);
  EXPECT_EQ(result.is_noted_profile(), std::nullopt);
  EXPECT_EQ(result.compiler, std::nullopt);
  EXPECT_TRUE(result.diagnostics.entries().empty());
  EXPECT_EQ(result.left_out, 0u);
}

TEST_F(MatchTest, ComparesTheRateWithTheLeastOne) {
  MatchRequest request{.binary = write_binary(), .profile = write("p.proftext", kProfile)};
  request.min_match = 60;
  EXPECT_TRUE(match(request).value().is_enough());
  request.min_match = 60.1;
  EXPECT_FALSE(match(request).value().is_enough());
}

TEST_F(MatchTest, LeavesOutFunctionsOfOtherBinaries) {
  MatchRequest request{.binary = write_binary(), .profile = write("p.proftext", kProfile)};
  request.of_several = true;
  MatchResult result = match(request).value();
  EXPECT_EQ(result.left_out, 5u);
  EXPECT_EQ(result.match.weights.all(), 45u);
  EXPECT_EQ(result.match_rate(), 30 / 45.0);
}

// A thin program around its libraries, or a library that did not run: no failure, no match rate.
TEST_F(MatchTest, WarnsIfAProfileOfSeveralBinariesHasNoneOfThisOne) {
  MatchRequest request{.binary = write_binary(),
                       .profile = write("elsewhere", "x:9:1\n 1: 9\n !CFGChecksum: 1\n"),
                       .of_several = true,
                       .min_match = 90};
  const MatchResult result = match(request).value();
  EXPECT_FALSE(result.has_counts());
  EXPECT_TRUE(result.is_enough());
  EXPECT_EQ(result.left_out, 9u);
  ASSERT_EQ(result.diagnostics.entries().size(), 1u);
  const std::string elsewhere = request.profile;
  EXPECT_EQ(
      result.diagnostics.entries().at("no-counts-for-binary").messages,
      std::vector{elsewhere + ": has no counts for functions of " + request.binary +
                  "; perhaps it did not run during the recording, or pgo convert did not get it by "
                  "\xFF{binary}, or its functions had other names (pgo show " +
                  elsewhere +
                  " lists those of the profile). If this is expected, turn the comparison off: "
                  "\xFF{min-match=0}"});
  request.of_several = false;
  EXPECT_FALSE(match(request).value().is_enough());
}

TEST_F(MatchTest, FindsTheProfileOfTheNote) {
  std::string digest = match({.binary = write_binary(), .profile = write("p.proftext", kProfile)})
                           .value()
                           .profile_digest;
  ASSERT_TRUE(digest.starts_with("sha256:"));
  std::string binary = write_binary(R"({"name":"server","profile":")" + digest + R"("})");
  EXPECT_EQ(error_of({.binary = binary}), "server: was built with the profile server, " + digest +
                                              ", which is not found; name it with \xFF{profile}");
  std::filesystem::create_directories(path("blobs"));
  std::filesystem::copy(path("p.proftext"), path("blobs/" + digest.substr(7)));
  EXPECT_EQ(match({.binary = binary, .blobs = path("blobs")}).value().profile,
            path("blobs/" + digest.substr(7)));
  write("blobs/" + digest.substr(7), "other bytes");
  EXPECT_NE(error_of({.binary = binary, .blobs = path("blobs")}).find("is not found"),
            std::string::npos);
  std::filesystem::path folder = path("prodpgo/" + digest.substr(7, 16));
  std::filesystem::create_directories(folder);
  std::filesystem::rename(path("p.proftext"), folder / "server.prof");
  MatchResult result = match({.binary = binary}).value();
  EXPECT_EQ(result.profile, (folder / "server.prof").string());
  EXPECT_EQ(result.is_noted_profile(), true);
  std::string other =
      write("other.proftext", std::string(kProfile) + "x:1:1\n 1: 1\n !CFGChecksum: 1\n");
  result = match({.binary = binary, .profile = other, .shown_as = "nightly"}).value();
  EXPECT_EQ(result.profile, "nightly");
  EXPECT_EQ(result.is_noted_profile(), false);
}

TEST_F(MatchTest, SaysWhyNothingCanBeCompared) {
  std::string binary = write_binary();
  EXPECT_EQ(error_of({.binary = binary}),
            "server: has no note of a profile that it was built with; name one with \xFF{profile}");
  EXPECT_EQ(error_of({.binary = binary, .profile = write("by_line", "outer:5:1\n 1: 5\n")}),
            "server: has no debug information, so its lines cannot be compared with those of the "
            "profile; build with -gline-tables-only -fdebug-info-for-profiling, or -g, or name its "
            "debug file with \xFF{debug-file}");
  EXPECT_EQ(
      error_of({.binary = binary, .profile = write("a.fdata", "1 main 10 1 main 20 0 5\n")}),
      "a.fdata: is not an LLVM sample profile, the only kind that can be compared with a build; "
      "pgo convert makes one from recordings");
  EXPECT_EQ(error_of({.binary = binary,
                      .profile = write("zero", "outer:0:0\n 1: 0\n !CFGChecksum: 7\n")}),
            "zero: has no counts, so there is nothing to compare; ");
  probes_.clear();
  EXPECT_EQ(error_of({.binary = write_binary(), .profile = write("p", kProfile)}),
            "server: has no pseudo probes, and the profile counts by probe; build with "
            "-fpseudo-probe-for-profiling, or name its debug file with \xFF{debug-file}");
  EXPECT_EQ(error_of({.binary = path("nowhere"), .profile = "p"}),
            "nowhere: cannot open: No such file or directory; ");
}

}  // namespace
}  // namespace pgo::match_test
