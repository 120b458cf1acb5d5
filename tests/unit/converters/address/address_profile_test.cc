#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "converters/address/address_profile_reader.h"
#include "converters/address/address_profile_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/base/inflate.h"
#include "pgo/base/zstd.h"
#include "tests/unit/converters/address/address_message.h"

namespace pgo::address_profile_test {
namespace {

using test::as_bytes;
using test::error_of;
using test::kStart;
using test::num;
using test::packed;
using test::read;
using test::sub;

constexpr uint64_t kMax = ~uint64_t{0};

// Small numbers that collide, and the largest ones.
AddressProfile random_profile(unsigned seed) {
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t n) { return random() % n; };
  auto addr = [&] { return ElfAddr{below(8) == 0 ? random() - 2 : 0x401000 + below(300)}; };
  auto maybe = [&] { return below(5) == 0 ? OptElfAddr() : OptElfAddr(addr()); };
  auto count = [&] { return below(8) == 0 ? kMax - below(2) : 1 + below(300); };
  AddressProfile profile;
  for (uint64_t b = 0; b < below(4); b++) {
    const char* ids[] = {"0101010101010101", "02020202020202020202020202020202020202ff", ""};
    BinaryCounts counts;
    counts.id = BuildId::from_hex(ids[below(3)]).value_or(BuildId());
    if (below(4) != 0) counts.path_hint = "/srv/bin/" + std::to_string(below(2));
    bool all_alike = below(2) == 0;
    for (uint64_t i = 0; i < below(30); i++)
      counts.traces.push_back(
          {addr(), maybe(), maybe(),
           all_alike ? TraceReading::kBoth : static_cast<TraceReading>(below(3)), count()});
    for (uint64_t i = 0; i < below(20); i++)
      counts.traces.push_back({{}, addr(), maybe(), TraceReading::kBoth, count()});
    for (uint64_t i = 0; i < below(20); i++)
      counts.mispredicts.push_back({maybe(), maybe(), count()});
    for (uint64_t i = 0; i < below(20); i++)
      counts.pc_samples.push_back({addr(), count() - 1, count()});
    for (uint64_t i = 0; i < below(20); i++)
      counts.calls.push_back({addr(), addr(), !all_alike && below(2) == 0, count()});
    profile.binaries.push_back(std::move(counts));
  }
  for (uint64_t i = 0; i < below(3); i++)
    profile.events.push_back({i == 0 ? "cycles:u" : "", count(), 4000 * below(2), below(2) == 0,
                              below(2) == 0 ? BranchRecords::kNone : BranchRecords::kSome});
  for (Accounting* accounting : {&profile.samples, &profile.branches}) {
    accounting->used = below(3) == 0 ? kMax - 99 : below(1000);
    accounting->pending = below(100);
    accounting->seen = accounting->used + accounting->pending;
    for (uint64_t i = 0; i < below(4); i++) {
      uint64_t dropped = below(100);
      (*accounting)[static_cast<Dropped>(below(kDroppedCount))] += dropped;
      accounting->seen = saturating_add(accounting->seen, dropped);
    }
  }
  profile.lost = below(3);
  profile.normalize();
  return profile;
}

TEST(AddressProfileWire, WhatIsWrittenIsReadAsItWas) {
  for (unsigned seed = 0; seed < 200; seed++) {
    AddressProfile profile = random_profile(seed);
    ASSERT_EQ(profile.check(), std::nullopt) << seed;
    std::string message = write_address_message(profile);
    ASSERT_EQ(read(message), profile) << seed;
    ASSERT_EQ(write_address_message(read(message)), message) << seed;
    Result<std::string> file = write_address_profile(profile);
    ASSERT_TRUE(file.has_value());
    ASSERT_EQ(read(*file), profile) << seed;
    EXPECT_TRUE(is_address_profile(as_bytes(*file)));
    EXPECT_TRUE(is_address_profile(as_bytes(message)));
  }
}

// No member has its default, and who adds one to these structures has to name it here.
TEST(AddressProfileWire, EveryMemberIsWritten) {
  AddressProfile profile;
  auto& [binaries, events, samples, branches, lost, origins, diagnostics] = profile;
  diagnostics = {};  // not written
  lost = 1;
  origins = Origins::of({{"host", "web-1"}}, Origins::Window{1, 2});
  for (Accounting* accounting : {&samples, &branches}) {
    auto& [seen, used, pending, dropped] = *accounting;
    used = accounting == &samples ? 2 : 3;
    pending = 20;
    seen = used + pending;
    for (size_t i = 0; i < kDroppedCount; i++) seen += dropped[i] = 4 + i;
  }
  {
    auto& [name, count, period, is_frequency, branch_records] = events.emplace_back();
    name = "cycles", count = 5, period = 6, is_frequency = true;
    branch_records = BranchRecords::kSome;
  }
  auto& [id, path_hint, traces, mispredicts, pc_samples, calls] = binaries.emplace_back();
  id = *BuildId::from_hex("0102030405060708");
  path_hint = "/srv/server";
  {
    auto& [from, to, last, reading, count] = traces.emplace_back();
    from = ElfAddr{7}, to = ElfAddr{8}, last = ElfAddr{9}, reading = TraceReading::kLlvm,
    count = 10;
  }
  {
    auto& [from, to, count] = mispredicts.emplace_back();
    from = ElfAddr{11}, to = ElfAddr{12}, count = 13;
  }
  {
    auto& [pc, count, weight] = pc_samples.emplace_back();
    pc = ElfAddr{14}, count = 15, weight = 19;
  }
  {
    auto& [caller, callee, is_leaf, count] = calls.emplace_back();
    caller = ElfAddr{16}, callee = ElfAddr{17}, is_leaf = true, count = 18;
  }
  EXPECT_EQ(read(write_address_message(profile)), profile);
}

TEST(AddressProfileWire, DiagnosticsAreNotWritten) {
  AddressProfile profile = random_profile(1), told = profile;
  told.diagnostics.warn("matched-by-name", "host1.data: ...");
  EXPECT_EQ(write_address_message(told), write_address_message(profile));
}

TEST(AddressProfileWire, EqualCountsGiveEqualBytesWhateverTheirOrder) {
  AddressProfile one = random_profile(7), other;
  for (const BinaryCounts& binary : one.binaries) {
    BinaryCounts turned = binary;
    std::reverse(turned.traces.begin(), turned.traces.end());
    std::reverse(turned.pc_samples.begin(), turned.pc_samples.end());
    std::reverse(turned.calls.begin(), turned.calls.end());
    other.binaries.insert(other.binaries.begin(), turned);
  }
  other.events.assign(one.events.rbegin(), one.events.rend());
  other.samples = one.samples;
  other.branches = one.branches;
  other.lost = one.lost;
  other.normalize();
  EXPECT_EQ(*write_address_profile(other), *write_address_profile(one));
}

// The layout as address_profile.proto has it.
TEST(AddressProfileWire, FieldByField) {
  AddressProfile profile;
  BinaryCounts counts;
  counts.id = *BuildId::from_hex("0102030405060708");
  counts.path_hint = "a";
  counts.traces = {{ElfAddr{0x10}, ElfAddr{0x8}, ElfAddr{0x9}, TraceReading::kLlvm, 300},
                   {ElfAddr{0x12}, {}, {}, TraceReading::kBoth, 1}};
  counts.mispredicts = {{ElfAddr{0x10}, ElfAddr{0x8}, 2}};
  counts.pc_samples = {{ElfAddr{0x10}, 3, 300}, {ElfAddr{0x50}, 4, 40}};
  counts.calls = {{ElfAddr{0x10}, ElfAddr{0x20}, false, 5},
                  {ElfAddr{0x10}, ElfAddr{0x20}, true, 6}};
  profile.binaries.push_back(counts);
  profile.events.push_back({"cycles", 9, 100, true, BranchRecords::kSome});
  profile.samples.seen = 9;
  profile.samples.used = 3;
  profile.samples.pending = 5;
  profile.samples[Dropped::kKernel] = 1;
  profile.lost = 2;
  std::string binary = sub(1, std::string("\1\2\3\4\5\6\7\10")) + sub(2, "a") +
                       sub(3, packed(1, {0x20, 4}) + packed(2, {15, 37}) + packed(3, {2, 0}) +
                                  packed(4, {300, 1}) + packed(5, {1, 0})) +
                       sub(4, packed(1, {0x20}) + packed(2, {15}) + packed(3, {2})) +
                       sub(5, packed(1, {0x20, 0x80}) + packed(2, {300, 40}) + packed(3, {3, 4})) +
                       sub(6, packed(1, {0x20, 0}) + packed(2, {0x20, 0x20}) + packed(3, {5, 6}) +
                                  packed(4, {0, 1}));
  EXPECT_EQ(write_address_message(profile),
            kStart + sub(3, binary) +
                sub(4, sub(1, "cycles") + num(2, 9) + num(3, 100) + num(4, 1) + num(5, 2)) +
                sub(5, num(1, 9) + num(2, 8) + sub(3, sub(1, "kernel") + num(2, 1)) + num(4, 5)) +
                sub(6, "") + num(7, 2));
}

TEST(AddressProfileWire, UnknownFieldsAreSkippedAndListsMayBeUnpacked) {
  std::string table = num(1, 0x20) + sub(9, "new") + num(1, 2) + packed(2, {3}) + num(2, 4) +
                      packed(3, {1}) + num(3, 2);
  AddressProfile profile = read(kStart + num(77, 1) + sub(3, sub(5, table) + sub(42, "")) +
                                sub(4, num(9, 1)) + sub(5, num(9, 1)) + sub(99, "new"));
  AddressProfile expected;
  expected.binaries.push_back({{}, "", {}, {}, {{ElfAddr{0x10}, 1, 3}, {ElfAddr{0x11}, 2, 4}}, {}});
  expected.events.push_back({"", 0, 0, false, BranchRecords::kNone});
  EXPECT_EQ(profile, expected);
}

// Programs before that wrote nothing about it. Where there are traces, any event may have given
// them.
TEST(AddressProfileWire, SaysWhichEventsHaveBranchRecords) {
  const std::string traces =
      sub(3, sub(3, packed(1, {2}) + packed(2, {2}) + packed(3, {2}) + packed(4, {7})));
  auto event = [](const std::string& name, const std::string& records = "") {
    return sub(4, sub(1, name) + num(2, 9) + records);
  };
  auto records_of = [](const std::string& message) {
    std::vector<BranchRecords> records;
    for (const EventInfo& one : read(message).events) records.push_back(one.branch_records);
    return records;
  };
  const std::string events = event("a") + event("b", num(5, 1)) + event("c", num(5, 2)) +
                             event("d", num(5, 3));  // which a later program may know
  EXPECT_EQ(records_of(kStart + traces + events),
            (std::vector{BranchRecords::kUnknown, BranchRecords::kNone, BranchRecords::kSome,
                         BranchRecords::kUnknown}));
  EXPECT_EQ(records_of(kStart + events), (std::vector{BranchRecords::kNone, BranchRecords::kNone,
                                                      BranchRecords::kSome, BranchRecords::kNone}));
  const AddressProfile unknown = read(kStart + traces + event("a"));
  EXPECT_EQ(read(write_address_message(unknown)), unknown);
}

TEST(AddressProfileWire, RowsThatCountNothingAreSkipped) {
  std::string traces = packed(1, {2, 2}) + packed(2, {2, 2}) + packed(3, {2, 2});
  std::string pairs = packed(1, {2, 2}) + packed(2, {2, 2}) + packed(3, {0, 7});
  std::string binary = sub(3, traces + packed(4, {0, 7})) + sub(4, pairs) +
                       sub(5, packed(1, {2, 2}) + packed(2, {0, 7})) + sub(6, pairs);
  BinaryCounts counts;
  counts.traces = {{ElfAddr{2}, ElfAddr{3}, ElfAddr{4}, TraceReading::kBoth, 7}};
  counts.mispredicts = {{ElfAddr{2}, ElfAddr{3}, 7}};
  counts.pc_samples = {{ElfAddr{2}, 0, 7}};
  counts.calls = {{ElfAddr{2}, ElfAddr{3}, false, 7}};
  EXPECT_EQ(read(kStart + sub(3, binary)).binaries, std::vector{counts});
}

// Version 1 has no number of samples for each address, only of all, which it calls dropped.
TEST(AddressProfileWire, VersionOneGivesEachAddressAShareOfTheSamples) {
  std::string first = sub(5, packed(1, {2, 2, 2}) + packed(2, {100, 300, 100}));
  std::string other = sub(2, "b") + sub(5, packed(1, {2, 2}) + packed(2, {400, 100}));
  std::string all = sub(5, num(1, 11) + sub(3, sub(1, "without-stack") + num(2, 11)));
  std::string start = sub(1, "ProdPGO address profile") + num(2, 1);
  AddressProfile profile = read(start + sub(3, first) + sub(3, other) + all);
  // 11 of 1000; rounded down, but so that the sums from the first on are right.
  std::vector<PcSample> of_first{{ElfAddr{1}, 1, 100}, {ElfAddr{2}, 3, 300}, {ElfAddr{3}, 1, 100}};
  std::vector<PcSample> of_other{{ElfAddr{1}, 4, 400}, {ElfAddr{2}, 2, 100}};
  ASSERT_EQ(profile.binaries.size(), 2u);
  EXPECT_EQ(profile.binaries[0].pc_samples, of_first);
  EXPECT_EQ(profile.binaries[1].pc_samples, of_other);
  EXPECT_EQ(profile.samples.pending, 11u);
  EXPECT_EQ(profile.samples[Dropped::kWithoutStack], 0u);
  EXPECT_EQ(profile.check(), std::nullopt);
  EXPECT_EQ(read(write_address_message(profile)), profile);
  // Largest numbers, which would be more as one.
  std::string most =
      sub(5, num(1, kMax) + num(2, kMax - 3) + sub(3, sub(1, "without-stack") + num(2, 11)));
  AddressProfile full = read(start + most);
  EXPECT_EQ(full.samples.pending, 3u);
  EXPECT_EQ(full.check(), std::nullopt);
  EXPECT_EQ(read(write_address_message(full)), full);
}

TEST(AddressProfileWire, ReasonsOfNewerVersionsAreLeftOut) {
  std::string drops =
      sub(3, sub(1, "kernel") + num(2, 3)) + sub(3, sub(1, "on-the-moon") + num(2, 4));
  AddressProfile profile = read(kStart + sub(5, num(1, 9) + num(2, 2) + drops));
  EXPECT_EQ(profile.samples.seen, 5u);
  EXPECT_EQ(profile.samples[Dropped::kKernel], 3u);
  EXPECT_EQ(profile.check(), std::nullopt);
  EXPECT_EQ(
      profile.diagnostics.entries().at("unknown-reason").messages[0],
      "x.addr: samples: 4 were dropped for an unknown reason; they are left out of the figures");
}

TEST(AddressProfileWire, TellsOtherFilesApart) {
  EXPECT_FALSE(is_address_profile({}));
  EXPECT_FALSE(is_address_profile(as_bytes("\x0a\x17ProdPGO address profil")));
  EXPECT_FALSE(is_address_profile(as_bytes("\x0a\x04\x08\x01\x10\x02")));  // pprof
  EXPECT_FALSE(is_address_profile(as_bytes(*zstd("main;work 5\n"))));
  EXPECT_FALSE(is_address_profile(as_bytes(*gzip(kStart))));
  EXPECT_FALSE(is_address_profile(as_bytes("\x28\xb5\x2f\xfd damaged")));
  EXPECT_TRUE(is_address_profile(as_bytes(*zstd(kStart))));
}

TEST(AddressProfileWire, NewerVersionsAreRefused) {
  std::string magic = sub(1, "ProdPGO address profile");
  EXPECT_EQ(
      error_of(magic + num(2, 3) + "\xff\xff"),
      "x.addr: address profile: is of version 3 of this format, and versions 1 to 2 are supported"
      "; use the pgo that wrote it, or a newer one");
  EXPECT_EQ(
      error_of(magic + num(2, 0)),
      "x.addr: address profile: is of version 0 of this format, and versions 1 to 2 are supported"
      ": is it damaged?");
  EXPECT_EQ(error_of(magic), "x.addr: address profile: has no version");
  EXPECT_EQ(error_of("pgo"), "x.addr: address profile: does not begin with its magic");
}

TEST(AddressProfileWire, ErrorsNameThePlace) {
  auto in_binary = [](const std::string& fields) { return kStart + sub(3, "") + sub(3, fields); };
  const std::pair<std::string, std::string> cases[] = {
      {kStart + kStart, "a second one follows at byte 27; pgo merge makes one of several"},
      {kStart + num(3, 1), "field 3 has wire type 0"},
      {kStart + sub(7, ""), "field 7 has wire type 2"},
      {kStart + "\x1a\x05", "a field is larger than what is left, at byte 27"},
      {in_binary(num(3, 1)), "binary 1: field 3 has wire type 0"},
      {in_binary(sub(1, std::string(33, 'x'))),
       "binary 1: a build ID of 33 bytes; 32 at most expected"},
      {in_binary(sub(5, "") + sub(5, "")), "binary 1: field 5 is there twice"},
      {in_binary(sub(5, packed(1, {1, 2}) + packed(2, {1}))),
       "binary 1: pc samples: column 1 has 2 rows, column 2 has 1"},
      {in_binary(sub(5, sub(1, "\x80"))),
       "binary 1: pc samples: a number is cut short, at byte 35"},
      {in_binary(sub(5, num(1, 1).substr(0, 1))),
       "binary 1: pc samples: a number is cut short, at byte 33"},
      {in_binary(sub(5, std::string("\x09xxxxxxxx"))),
       "binary 1: pc samples: field 1 has wire type 1"},
      {in_binary(sub(3, packed(1, {1}) + packed(2, {0}) + packed(3, {0}) + packed(4, {1}))),
       "binary 1: traces: row 0 is outside of the binary at both ends"},
      {in_binary(sub(3, num(1, 0) + num(2, 0) + num(3, 0) + num(4, 1) + num(5, 3))),
       "binary 1: traces: row 0 has reading 3, at most 2 expected"},
      {in_binary(sub(6, packed(1, {1}) + packed(2, {0}))),
       "binary 1: calls: column 1 has 1 rows, column 3 has 0"},
      {kStart + sub(4, num(1, 1)), "event 0: field 1 has wire type 0"},
      {kStart + sub(5, num(1, 9) + num(2, 8)), "samples: seen 9, but used and dropped add up to 8"},
      {kStart + sub(5, num(1, 9) + num(2, 9) + num(4, 10)),
       "samples: has 10 PC samples, but only 9 were used"},
      {kStart + sub(6, sub(3, num(1, 9))), "branches: field 1 has wire type 0"},
  };
  for (const auto& [message, error] : cases)
    EXPECT_EQ(error_of(message), "x.addr: address profile: " + error);
}

// Wherever it is among the eight bytes that are looked at together.
TEST(AddressProfileWire, ANumberHasTenBytesAtMost) {
  for (size_t before = 0; before < 20; before++) {
    auto error = [&](const std::string& number) {
      const std::string column = std::string(before, '\x01') + number;
      return error_of(kStart + sub(3, "") + sub(3, sub(5, sub(1, column + "\x01"))));
    };
    const std::string place = "x.addr: address profile: binary 1: pc samples: ";
    EXPECT_EQ(error(std::string(9, '\xff') + "\x01"),
              place + "column 1 has " + std::to_string(before + 2) + " rows, column 2 has 0");
    EXPECT_EQ(error(std::string(10, '\xff') + "\x01"),
              place + "a number is cut short, at byte " + std::to_string(35 + before));
    EXPECT_EQ(error_of(kStart + sub(3, "") +
                       sub(3, sub(5, sub(1, std::string(before, '\x01') + "\x80")))),
              place + "a number is cut short, at byte " + std::to_string(35 + before));
  }
}

TEST(AddressProfileWire, WhatIsCutShortIsAnErrorOrKeepsItsInvariants) {
  AddressProfile profile = random_profile(3);
  std::string message = write_address_message(profile), file = *write_address_profile(profile);
  ASSERT_GT(message.size(), 500u);
  for (size_t size = 0; size < message.size(); size++) {
    Result<AddressProfile> cut = read_address_profile(as_bytes(message.substr(0, size)), "x.addr");
    if (cut) {
      EXPECT_EQ(cut->check(), std::nullopt) << size;
    }
  }
  EXPECT_EQ(error_of(message.substr(0, 26)),
            "x.addr: address profile: a number is cut short, at byte 25");
  for (size_t size = 4; size < file.size(); size++)
    EXPECT_EQ(error_of(file.substr(0, size)), "x.addr: zstd data is cut short");
}

TEST(AddressProfileWire, ChangedBytesNeverBreakInvariants) {
  std::string message = write_address_message(random_profile(3));
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    std::string changed = message;
    for (int j = 0; j < 3; j++) changed[random() % changed.size()] = static_cast<char>(random());
    Result<AddressProfile> profile = read_address_profile(as_bytes(changed), "x.addr");
    if (profile) {
      EXPECT_EQ(profile->check(), std::nullopt);
    }
  }
}

TEST(AddressProfileWire, SmallFilesClaimLittle) {
  // 64 MB of calls, three bytes each, in some kilobytes.
  std::string column = sub(1, std::string(size_t{1} << 24, '\2'));
  for (char field : {'\x12', '\x1a'}) column += field + column.substr(1, (size_t{1} << 24) + 4);
  std::string bomb = *zstd(kStart + sub(3, sub(6, column)));
  ASSERT_LT(bomb.size(), 10000u);
  EXPECT_EQ(error_of(bomb),
            "x.addr: inflates to more than " + std::to_string(1000 * bomb.size()) +
                " bytes, which is the limit; is it a profile? recordings are read uncompressed");
  std::string small = *zstd(kStart + sub(3, sub(5, std::string(size_t{1} << 20, '\2'))));
  ASSERT_LT(small.size(), 1000u);
  EXPECT_EQ(error_of(small),
            "x.addr: inflates to more than 1048576 bytes, which is the limit; is it a profile? "
            "recordings are read uncompressed");
  Result<AddressProfile> limited = read_address_profile(as_bytes(small), "x.addr", 1 << 19);
  ASSERT_FALSE(limited.has_value());
  EXPECT_EQ(limited.error().message,
            "x.addr: inflates to more than 524288 bytes, which is the limit; is it a profile? "
            "recordings are read uncompressed");
}

// However the numbers of a table are spread over its bytes, rows are all that they become.
TEST(AddressProfileWire, ATableClaimsItsRows) {
  std::string table;
  for (int i = 0; i < 1000; i++) table += packed(1, {2}) + num(2, 1) + packed(2, {});
  AddressProfile profile = read(kStart + sub(3, sub(5, table)));
  ASSERT_EQ(profile.binaries.at(0).pc_samples.size(), 1000u);
  EXPECT_EQ(profile.binaries[0].pc_samples.capacity(), 1000u);
  EXPECT_EQ(profile.binaries[0].pc_samples.back(), (PcSample{ElfAddr{1000}, 0, 1}));
}

TEST(AddressProfileWire, BinariesAndEventsAreLimited) {
  for (const auto& [field, what] : {std::pair{3u, "binaries"}, {4u, "events"}}) {
    std::string message = kStart;
    for (size_t i = 0; i < kAddressListLimit; i++) message += sub(field, "");
    EXPECT_EQ(error_of(message), "no error");
    EXPECT_EQ(error_of(message + sub(field, "")),
              std::string("x.addr: address profile: has more than 65536 ") + what);
  }
  AddressProfile profile;
  for (size_t i = 0; i <= kAddressListLimit; i++)
    profile.events.push_back({std::to_string(i), 1, 1, false});
  profile.normalize();
  Result<std::string> file = write_address_profile(profile);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().message,
            "the address profile would have " +
                std::to_string(write_address_message(profile).size()) +
                " bytes and 65537 binaries or events, and readers take 268435456 and 65536 at "
                "most; write one for each part of the inputs");
}

// Counts that are all alike, at one distance, compress like a bomb.
TEST(AddressProfileWire, WhatCompressesTooWellIsWrittenAsItIs) {
  AddressProfile profile;
  profile.binaries.emplace_back();
  for (uint64_t i = 1; i <= 1'000'000; i++)
    profile.binaries[0].pc_samples.push_back({ElfAddr{i}, 1, 1});
  Result<std::string> file = write_address_profile(profile);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(*file, write_address_message(profile));
  EXPECT_TRUE(is_address_profile(as_bytes(*file)));
  EXPECT_EQ(read(*file), profile);
}

}  // namespace
}  // namespace pgo::address_profile_test
