#include "pgo/ingest/low_yield.h"

#include <gtest/gtest.h>

namespace pgo::low_yield_test {
namespace {

// Of 1000 branch records all but `used` are dropped, each for `reason`.
AddressProfile profile_of(Dropped reason, uint64_t used) {
  AddressProfile profile;
  profile.samples.seen = profile.samples.used = 100;
  profile.branches.seen = 1000;
  profile.branches.used = used;
  profile.branches[reason] = 1000 - used;
  return profile;
}

std::string empty_text(Dropped reason) {
  AddressProfile profile = profile_of(reason, 0);
  BinarySet binaries;
  RecordedImages images;
  std::optional<Error> error = diagnose_empty({profile, binaries, images});
  if (!error) return "no error";
  EXPECT_EQ(error->kind, ErrorKind::kEmpty);
  return error->message;
}

std::string low_text(Dropped reason) {
  AddressProfile profile = profile_of(reason, 1);
  BinarySet binaries;
  RecordedImages images;
  return diagnose_low_yield({profile, binaries, images}).value_or(LowYield{"nothing"}).text;
}

TEST(LowYield, SaysWhyCodeWithoutAFileGivesNoProfile) {
  EXPECT_EQ(empty_text(Dropped::kVdso),
            "nothing in these recordings can be used: 100.0 % of the branch records are in the "
            "vdso; the kernel provides this code, and it is in no file: no profile can be made of "
            "it");
  EXPECT_EQ(empty_text(Dropped::kAnonymous),
            "nothing in these recordings can be used: 100.0 % of the branch records are in memory "
            "without a file (JIT code); code that is generated while a program runs is in no file: "
            "no profile can be made of it");
  EXPECT_EQ(low_text(Dropped::kVdso),
            "only 0.1 % of the recorded data is used: 99.9 % of the branch records are in the "
            "vdso; the kernel provides this code, and it is in no file: no profile can be made of "
            "it");
}

TEST(LowYield, SaysThatBranchStacksWereHardlyFilled) {
  EXPECT_EQ(low_text(Dropped::kEmptySlot),
            "only 0.1 % of the recorded data is used: 99.9 % of the branch records are in "
            "unused slots of branch stacks; the processor had recorded few branches when the "
            "samples were taken: were the threads recorded for longer than a moment?");
}

TEST(LowYield, BlamesAnotherBinaryOnlyWhereOneRan) {
  for (size_t i = 0; i < kDroppedCount; i++) {
    auto reason = static_cast<Dropped>(i);
    bool blames = empty_text(reason).find("another binary ran") != std::string::npos;
    EXPECT_EQ(blames, reason == Dropped::kOtherBinary) << dropped_name(reason);
  }
}

TEST(LowYield, TellsWhetherBinariesAreMissing) {
  for (const Dropped reason : {Dropped::kOtherBinary, Dropped::kVdso}) {
    AddressProfile profile = profile_of(reason, 1);
    BinarySet binaries;
    RecordedImages images;
    const std::optional<LowYield> low = diagnose_low_yield({profile, binaries, images});
    ASSERT_TRUE(low);
    EXPECT_EQ(low->lacks_binaries, reason == Dropped::kOtherBinary) << low->text;
  }
}

TEST(LowYield, IsNotReportedFromATenthOn) {
  AddressProfile profile = profile_of(Dropped::kVdso, 100);
  BinarySet binaries;
  RecordedImages images;
  EXPECT_EQ(diagnose_low_yield({profile, binaries, images}), std::nullopt);
}

// Single steps of another build beside PC samples of this one, which are most of the data.
TEST(LowYield, IsThatOfSamplesWhereCountsAreInferred) {
  AddressProfile profile = profile_of(Dropped::kBuildIdMismatch, 1);
  profile.branches = {.seen = 1'000, .used = 50};
  profile.branches[Dropped::kBuildIdMismatch] = 950;
  profile.samples = {.seen = 10'000, .used = 9'000};
  BinarySet binaries;
  RecordedImages images;
  EXPECT_TRUE(diagnose_low_yield({profile, binaries, images}));
  EXPECT_EQ(diagnose_low_yield({profile, binaries, images, {}, true}), std::nullopt);
}

// Who asks for one process of many knows that it is little.
TEST(LowYield, IsNotReportedOfAChosenProcess) {
  EXPECT_EQ(low_text(Dropped::kFiltered), "nothing");
}

}  // namespace
}  // namespace pgo::low_yield_test
