// Parts as the branch recorder writes them, made here field by field, become one recording.
#include "pgo/record/part_assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "pgo/profile/quality.h"
#include "pgo/record/plugin/recording_state.h"

namespace pgo::part_assembly_test {
namespace {

using Buffer = std::vector<uint8_t>;

template <typename T>
void put(Buffer& out, T value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

void put_header(Buffer& out, uint32_t type, uint16_t misc, size_t size) {
  put(out, type);
  put(out, misc);
  put(out, static_cast<uint16_t>(size));
}

// A part with `records` as its data.
Buffer make_part(const Buffer& records) {
  Buffer part(kDataOffset + records.size());
  std::memcpy(part.data(), "PERFILE2", 8);
  uint64_t size = records.size();
  std::memcpy(part.data() + 48, &size, sizeof size);
  uint32_t attr_size = 128;
  std::memcpy(part.data() + 108, &attr_size, sizeof attr_size);
  std::copy(records.begin(), records.end(), part.begin() + kDataOffset);
  return part;
}

void put_sample(Buffer& out, uint32_t pid, uint64_t time) {
  put_header(out, 9, 2, 48);
  put<uint64_t>(out, 0x1000);  // ip
  put(out, pid);
  put(out, pid);
  put(out, time);
  put<uint64_t>(out, 7);  // period
  put<uint64_t>(out, 0);  // branches
}

void put_fork(Buffer& out, uint32_t pid, uint32_t parent, uint32_t tid, uint64_t time) {
  put_header(out, 7, 0, 48);
  for (uint32_t id : {pid, parent, tid, parent}) put(out, id);
  put(out, time);
  put(out, pid);
  put(out, tid);
  put(out, time);
}

void put_mapping(Buffer& out, const std::string& path, uint8_t id_byte, uint64_t time) {
  put_header(out, 10, 2 | 1u << 14, 72 + 16 + 16);
  for (int i = 0; i < 4; i++) put<uint64_t>(out, 0);  // pid and tid, address, size, offset
  out.push_back(20);
  for (int i = 0; i < 3; i++) out.push_back(0);
  for (int i = 0; i < 20; i++) out.push_back(id_byte);
  put<uint64_t>(out, 0);  // protection, flags
  Buffer name(16);
  std::memcpy(name.data(), path.data(), path.size());
  out.insert(out.end(), name.begin(), name.end());
  put<uint64_t>(out, 0);
  put(out, time);
}

struct Assembled {
  Buffer file;
  Result<RecordingTotals> totals;
};

Assembled assemble(const std::vector<Buffer>& parts) {
  std::vector<Bytes> views(parts.begin(), parts.end());
  Buffer file;
  Result<RecordingTotals> totals =
      assemble_parts(views, {{"./a", "b c"}, std::string(kEmulatedEvent)}, [&](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return ok();
      });
  return {file, totals};
}

std::string said(const Assembled& assembled) {
  return assembled.totals ? "no error" : assembled.totals.error().message;
}

// Times of the samples in the file, in order.
std::vector<uint64_t> sample_times(const Buffer& file) {
  std::vector<uint64_t> times;
  size_t at = load_le<uint64_t>(&file[40]), end = at + load_le<uint64_t>(&file[48]);
  for (; at < end; at += load_le<uint16_t>(&file[at + 6])) {
    if (load_le<uint32_t>(&file[at]) == 9) times.push_back(load_le<uint64_t>(&file[at + 24]));
  }
  return times;
}

std::vector<Buffer> two_processes() {
  Buffer parent, child;
  put_mapping(parent, "/bin/a", 1, 1);
  put_sample(parent, 10, 2);
  put_fork(parent, 10, 10, 11, 3);  // a thread
  put_sample(parent, 10, 6);
  put_fork(child, 12, 10, 12, 4);
  put_mapping(child, "/bin/b", 2, 5);
  put_sample(child, 12, 7);
  return {make_part(parent), make_part(child)};
}

TEST(PartAssembly, MergesByTimeAndCounts) {
  Assembled assembled = assemble(two_processes());
  ASSERT_TRUE(assembled.totals) << said(assembled);
  EXPECT_EQ(sample_times(assembled.file), (std::vector<uint64_t>{2, 6, 7}));
  EXPECT_EQ(assembled.totals->samples, 3u);
  EXPECT_EQ(assembled.totals->processes, 2u);
  EXPECT_EQ(assembled.totals->threads, 3u);
  // The size of what was merged is the size of what went in.
  EXPECT_EQ(load_le<uint64_t>(&assembled.file[48]), 3 * 48 + 2 * 48 + 2 * 104u);
}

TEST(PartAssembly, DoesNotDependOnTheOrderOfLaterParts) {
  std::vector<Buffer> parts = two_processes();
  Buffer third;
  put_sample(third, 13, 8);
  parts.push_back(make_part(third));
  Buffer one = assemble(parts).file;
  std::swap(parts[1], parts[2]);
  EXPECT_EQ(assemble(parts).file, one);
}

TEST(PartAssembly, WritesEveryBuildIdOnce) {
  Buffer records;
  put_mapping(records, "/bin/b", 2, 1);
  put_mapping(records, "/bin/a", 1, 2);
  put_mapping(records, "/bin/b", 2, 3);
  Buffer file = assemble({make_part(records)}).file;
  size_t table = load_le<uint64_t>(&file[40]) + load_le<uint64_t>(&file[48]);
  size_t ids = load_le<uint64_t>(&file[table]);
  EXPECT_EQ(load_le<uint64_t>(&file[table + 8]), 2 * 100u);
  EXPECT_STREQ(reinterpret_cast<const char*>(&file[ids + 36]), "/bin/a");
  EXPECT_EQ(file[ids + 12], 1);
  EXPECT_STREQ(reinterpret_cast<const char*>(&file[ids + 136]), "/bin/b");
}

// Readers tell these recordings from the processor's by the event.
TEST(PartAssembly, NamesTheEventOfTheEmulator) {
  Buffer file = assemble(two_processes()).file;
  std::string text(file.begin(), file.end());
  EXPECT_NE(text.find(std::string(kEmulatedEvent) + '\0'), std::string::npos);
}

TEST(PartAssembly, ReadsNotesAndBranches) {
  Buffer part = make_part({});
  RecordingState state = {};
  state.taken_branches = 123;
  state.notes.count = kMaxNotes + 2;
  std::strcpy(state.notes.text[0], "first");
  std::memcpy(part.data() + kStateOffset, &state, sizeof state);
  Assembled assembled = assemble({part});
  ASSERT_TRUE(assembled.totals) << said(assembled);
  EXPECT_EQ(assembled.totals->taken_branches, 123u);
  EXPECT_EQ(assembled.totals->notes.size(), size_t{kMaxNotes});
  EXPECT_EQ(assembled.totals->notes[0], "first");
  EXPECT_EQ(assembled.totals->further_notes, 2u);
}

TEST(PartAssembly, RefusesWhatTheRecorderCannotHaveWritten) {
  EXPECT_EQ(said(assemble({})), "a recording without parts");
  EXPECT_EQ(said(assemble({Buffer(100)})),
            "part 0 of 100 bytes is incomplete: its header claims 0 bytes of records");
  Buffer short_part = make_part(Buffer(48));
  short_part.resize(short_part.size() - 1);
  EXPECT_EQ(said(assemble({short_part})),
            "part 0 of 4143 bytes is incomplete: its header claims 48 bytes of records");
  EXPECT_EQ(said(assemble({make_part(Buffer(48))})), "part 0: no record at byte 0 of its data");
}

TEST(PartAssembly, NeverReadsBehindARecordThatIsCutShort) {
  Buffer records;
  put_mapping(records, "/bin/a", 1, 1);
  put_sample(records, 10, 2);
  for (size_t size = 0; size < records.size(); size++) {
    Assembled assembled = assemble(
        {make_part(Buffer(records.begin(), records.begin() + static_cast<ptrdiff_t>(size)))});
    bool whole = size == 0 || size == 104;
    EXPECT_EQ(assembled.totals.has_value(), whole) << size;
  }
}

TEST(PartAssembly, StopsWhenTheSinkDoes) {
  std::vector<Buffer> parts = two_processes();
  std::vector<Bytes> views(parts.begin(), parts.end());
  int calls = 0;
  auto totals = assemble_parts(views, {}, [&](Bytes) -> Result<void> {
    if (++calls < 2) return ok();
    return fail(ErrorKind::kIo, "disk full");
  });
  ASSERT_FALSE(totals);
  EXPECT_EQ(totals.error().message, "disk full");
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace pgo::part_assembly_test
