// Lines are those of llvm-bolt 22.1.8.
#include "bolt/bolt_log.h"

#include <gtest/gtest.h>

namespace pgo::bolt_log_test {
namespace {

constexpr char kLog[] =
    "BOLT-INFO: shared object or position-independent executable detected\n"
    "BOLT-INFO: enabling relocation mode\n"
    "BOLT-WARNING: split function detected on input : main.cold. The support is limited in "
    "relocation mode\n"
    "BOLT-WARNING: split function detected on input : work.cold. The support is limited in "
    "relocation mode\n"
    "BOLT-INFO: 14 out of 29 functions in the binary (48.3%) have non-empty execution profile\n"
    "BOLT-WARNING: 10 (76.9% of all profiled) functions have invalid (possibly stale) profile. "
    "Use -report-stale to see the list.\n"
    "BOLT-WARNING: 600 out of 800 samples in the binary (75.0%) belong to functions with invalid "
    "(possibly stale) profile.\n"
    "BOLT-INFO: inferred profile for 7 (46.67% of profiled, 100.00% of stale) functions "
    "responsible "
    "for 89.78% samples (17468 out of 19456)\n"
    "BOLT-INFO: profile for 3 objects was ignored\n"
    "BOLT-INFO: inference found an exact match for 11.72% of basic blocks (15 out of 128 stale) "
    "responsible for 71.88% samples (16924 out of 23546 stale)\n"
    "BOLT-INFO: inference found a loose match for 45.31% of basic blocks (58 out of 128 stale) "
    "responsible for 26.72% samples (6292 out of 23546 stale)\n"
    "BOLT-INFO: ICF folded 1 out of 49 functions in 3 passes. 0 functions had jump tables.\n"
    "BOLT-INFO: basic block reordering modified layout of 7 functions (50.00% of profiled, 14.58% "
    "of total)\n"
    "BOLT-INFO: program-wide dynostats after all optimizations before SCTC and FOP:\n"
    "\n"
    "                7890 : executed forward branches\n"
    "                8423 : taken branches\n"
    "                   0 : taken jump table branches\n"
    "\n"
    "                7985 : executed forward branches (+1.2%)\n"
    "                6493 : taken branches (-22.9%)\n"
    "                   0 : taken jump table branches (=)\n"
    "\n"
    "BOLT-INFO: setting __hot_end to 0x400ae8\n"
    "                 123 : no figure of the code\n"
    "BOLT-ERROR: function __restore_rt/1 is in conflict with FDE [26198f, 261999). Skipping.\n";

TEST(BoltLog, ReadsFiguresBeforeAndAfter) {
  BoltLog log = parse_bolt_log(kLog, "llvm-bolt");
  EXPECT_EQ(log.dyno_stats, (std::vector<DynoStat>{{"executed forward branches", 7890, 7985},
                                                   {"taken branches", 8423, 6493},
                                                   {"taken jump table branches", 0, 0}}));
}

TEST(BoltLog, ReadsWhatBecameOfTheProfile) {
  BoltLog log = parse_bolt_log(kLog, "llvm-bolt");
  EXPECT_EQ(log.profiled_functions, 14u);
  EXPECT_EQ(log.functions, 29u);
  EXPECT_EQ(log.absent_functions, 3u);
  EXPECT_EQ(log.stale_functions, 10u);
  EXPECT_EQ(log.inferred_functions, 7u);
  EXPECT_EQ(log.exact_blocks, 15u);
  EXPECT_EQ(log.stale_blocks, 128u);
  EXPECT_EQ(log.exact_samples, 16'924u);
  EXPECT_EQ(log.block_samples, 23'546u);
  EXPECT_DOUBLE_EQ(log.exact_share().value(), 16'924.0 / 23'546);
  log.exact_samples = log.block_samples = 0;
  EXPECT_DOUBLE_EQ(log.exact_share().value(), 15.0 / 128);
  EXPECT_EQ(log.stale_samples, 600u);
  EXPECT_EQ(log.samples, 800u);
  EXPECT_DOUBLE_EQ(log.stale_share().value(), 0.75);
  EXPECT_EQ(log.reordered_functions, 7u);
  EXPECT_EQ(log.folded_functions, 1u);
  EXPECT_EQ(log.split_on_input, 2u);
}

TEST(BoltLog, SaysWhatUsualWarningsMean) {
  BoltLog log = parse_bolt_log(kLog, "llvm-bolt");
  const Diagnostics::Entry& entry = log.warnings.entries().at("unwind-conflict");
  EXPECT_EQ(entry.count, 1u);
  EXPECT_EQ(entry.messages[0],
            "llvm-bolt: functions whose unwind information does not fit their symbol (usual in the "
            "assembly of a C library) keep their code");
  EXPECT_FALSE(log.has_unknown_warnings);
}

TEST(BoltLog, KeepsOtherWarningsAndDropsThoseOfNoConsequence) {
  BoltLog log = parse_bolt_log(
      "BOLT-WARNING: ignoring symbol __ehdr_start at 0x0, which lies outside .note.ABI-tag\n"
      "BOLT-WARNING: jump past end detected at 0xee60 in function f : replacing with nop.\n"
      "BOLT-WARNING: Running parallel work of 0 estimated cost, will switch to  trivial "
      "scheduling.\n"
      "BOLT-WARNING: the moon is full\n"
      "BOLT-WARNING: Failed to analyze 3 relocations\n",
      "llvm-bolt");
  ASSERT_EQ(log.warnings.entries().size(), 2u);
  EXPECT_EQ(log.warnings.entries().at("relocations").messages[0],
            "llvm-bolt: relocations that llvm-bolt does not understand stay as they are");
  EXPECT_EQ(
      log.warnings.entries().at("llvm-bolt").messages,
      (std::vector<std::string>{"llvm-bolt: unknown warning: BOLT-WARNING: the moon is full"}));
  EXPECT_EQ(log.warnings.entries().at("llvm-bolt").count, 1u);
  EXPECT_TRUE(log.has_unknown_warnings);
}

TEST(BoltLog, SaysHowManyOtherWarningsThereWere) {
  std::string text = "BOLT-WARNING: the moon is full\nBOLT-WARNING: the tide is high\n";
  auto message = [&] {
    return parse_bolt_log(text, "llvm-bolt").warnings.entries().at("llvm-bolt").messages[0];
  };
  std::string first = "llvm-bolt: unknown warning: BOLT-WARNING: the moon is full";
  EXPECT_EQ(message(), first + " (and 1 other warning)");
  text += "BOLT-WARNING: the moon is full\n";
  EXPECT_EQ(message(), first + " (and 2 other warnings)");
}

TEST(BoltLog, KeepsAllErrorsButThoseOfNoConsequence) {
  BoltLog log = parse_bolt_log(
      "BOLT-WARNING: the moon is full\n"
      "BOLT-ERROR: relocations against code are missing from the input file\n"
      // Of every static program.
      "BOLT-ERROR: function __restore_rt/1 is in conflict with FDE [23e1cf, 23e1d9). Skipping.\n"
      "BOLT-ERROR: symbol seen in the middle of the function __BOLT_FDE_FUNCat23e1cf. Skipping.\n"
      "PERF2BOLT-ERROR: cannot open x\n"
      "BOLT-ERROR: 1\nBOLT-ERROR: 2\n",
      "llvm-bolt");
  EXPECT_EQ(log.errors, (std::vector<std::string>{
                            "BOLT-ERROR: relocations against code are missing from the input file",
                            "PERF2BOLT-ERROR: cannot open x", "BOLT-ERROR: 1", "BOLT-ERROR: 2"}));
  EXPECT_EQ(log.warnings.entries().at("symbol-inside").messages[0],
            "llvm-bolt: functions with a symbol in their middle (usual in the assembly of a C "
            "library) keep their code");
}

TEST(BoltLog, WithoutAChangeTheFiguresStayAsTheyWere) {
  BoltLog log = parse_bolt_log(
      "BOLT-INFO: program-wide dynostats after all optimizations before SCTC and FOP (no "
      "change):\n"
      "\n"
      "                7890 : executed forward branches\n"
      "                8423 : taken branches\n"
      "\n"
      "BOLT-INFO: setting __hot_end to 0x400ae8\n",
      "llvm-bolt");
  EXPECT_EQ(log.dyno_stats, (std::vector<DynoStat>{{"executed forward branches", 7890, 7890},
                                                   {"taken branches", 8423, 8423}}));
}

TEST(BoltLog, SaysNothingOfWhatIsNotThere) {
  BoltLog log = parse_bolt_log("hello\n 5 : apples\nBOLT-INFO: out of functions", "llvm-bolt");
  EXPECT_TRUE(log.dyno_stats.empty());
  EXPECT_EQ(log.functions, std::nullopt);
  EXPECT_EQ(log.stale_samples, std::nullopt);
  EXPECT_DOUBLE_EQ(log.stale_share().value(), 0);
}

}  // namespace
}  // namespace pgo::bolt_log_test
