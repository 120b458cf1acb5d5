#include "pgo/elf/probe_coverage.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"
#include "tests/data/probe_section.h"

namespace pgo::test::probe_coverage_test {
namespace {

class ProbeCoverageTest : public testing::Test {
 protected:
  ProbeCoverageTest() {
    text_ = elf_.next_section();
    elf_.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                     std::string(0x1000, '\x90'));
  }
  void symbol(const std::string& name, uint64_t addr, uint64_t size,
              unsigned char type = STT_FUNC) {
    elf_.add_symbol(name, type, text_, addr, size);
  }
  // "bytes without of all: names", when these functions have probes.
  std::string coverage(std::initializer_list<std::string_view> with_probes) {
    ProbeFunctionSection section;
    uint64_t guid = 1;
    for (std::string_view name : with_probes) section.function(guid++, 0, name);
    std::vector<uint8_t> file = elf_.finish();
    ElfImage image = ElfImage::parse(file, "a.out").value();
    ProbeFunctions functions = ProbeFunctions::parse(section.bytes(), "a.out").value();
    ProbeCoverage found = probe_coverage(image, functions);
    found.drop_units_with_probes(unit_of_);
    std::string text =
        std::to_string(found.without_size) + " of " + std::to_string(found.code_size) + ":";
    for (const ProbeCoverage::Function& function : found.without)
      text += " " + std::string(function.name);
    return text;
  }

  // Functions of one page are of one compile unit, from here on.
  void know_units() {
    unit_of_ = [](ElfAddr addr) { return std::optional(static_cast<uint32_t>(addr.value >> 12)); };
  }

 private:
  std::function<std::optional<uint32_t>(ElfAddr)> unit_of_ = [](ElfAddr) {
    return std::optional<uint32_t>();
  };
  ElfBuilder elf_;
  uint16_t text_ = 0;
};

TEST_F(ProbeCoverageTest, NamesTheLargestFirst) {
  symbol("f", 0x1000, 10);
  symbol("small", 0x1100, 1);
  symbol("large", 0x1200, 5);
  symbol("as_small", 0x1300, 1);
  EXPECT_EQ(coverage({"f"}), "7 of 17: large small as_small");
}

TEST_F(ProbeCoverageTest, PartsAndCopiesAreOfTheirFunction) {
  symbol("f.__uniq.1", 0x1000, 1);
  symbol("f.__uniq.1.cold", 0x1100, 2);
  symbol("g.llvm.12", 0x1200, 4);
  symbol("f.__uniq.2", 0x1300, 8);
  EXPECT_EQ(coverage({"f.__uniq.1", "g"}), "8 of 15: f.__uniq.2");
}

TEST_F(ProbeCoverageTest, TakesOffNoMoreSuffixesThanCompilersAppend) {
  auto copy = [](size_t suffixes) {
    std::string name = "f";
    for (size_t i = 0; i < suffixes; i++) name += ".1";
    return name;
  };
  symbol(copy(16), 0x1000, 1);
  symbol(copy(17), 0x1100, 2);
  EXPECT_EQ(coverage({"f"}), "2 of 3: " + copy(17));
}

TEST_F(ProbeCoverageTest, FoldedFunctionsAreOneOfWhichOneIsEnough) {
  symbol("without", 0x1000, 4);
  symbol("with", 0x1000, 4);
  symbol("alias_of_one_without", 0x1100, 2);
  symbol("one_without", 0x1100, 2);
  EXPECT_EQ(coverage({"with"}), "2 of 6: alias_of_one_without");
}

// ThinLTO leaves some functions of a unit without probes, whatever it was compiled with.
TEST_F(ProbeCoverageTest, LeavesOutWhatTheCompilerLeftWithout) {
  symbol("f", 0x1000, 4);
  symbol("beside_f", 0x1100, 2);
  symbol("of_another_unit", 0x2000, 1);
  EXPECT_EQ(coverage({"f"}), "3 of 7: beside_f of_another_unit");
  know_units();
  EXPECT_EQ(coverage({"f"}), "1 of 7: of_another_unit");
  EXPECT_EQ(coverage({"of_another_unit"}), "6 of 7: f beside_f");
}

TEST_F(ProbeCoverageTest, DataAndTheCLibrarysStartDoNotCount) {
  symbol("table", 0x1000, 100, STT_OBJECT);
  symbol("_start", 0x1100, 34);
  symbol("_init", 0x1200, 0);
  EXPECT_EQ(coverage({"f"}), "0 of 0:");
}

// Sizes are what the file says.
TEST_F(ProbeCoverageTest, DoesNotOverflow) {
  symbol("f", 0x1000, ~uint64_t{0});
  symbol("g", 0x1100, ~uint64_t{0});
  EXPECT_EQ(coverage({}), "18446744073709551615 of 18446744073709551615: f g");
}

}  // namespace
}  // namespace pgo::test::probe_coverage_test
