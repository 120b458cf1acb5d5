#include "converters/llvm_sample/llvm_sample_merger.h"

#include <gtest/gtest.h>
#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <random>
#include <set>

#include "converters/llvm_sample/llvm_sample_writer.h"

namespace pgo::llvm_sample_merger_test {
namespace {

using llvm::sampleprof::FunctionSamples;

LlvmSampleFile read(const std::string& text) {
  Result<LlvmSampleFile> file = read_llvm_sample(
      {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "read.proftext");
  if (!file) ADD_FAILURE() << file.error().message << "\n" << text;
  return file ? *std::move(file) : LlvmSampleFile();
}

std::string written(const SourceProfile& profile) {
  Result<std::string> text = write_llvm_sample(profile, LlvmSampleFormat::kText);
  return text ? *text : text.error().message;
}

struct Input {
  std::string text;
  uint64_t weight = 1;
};

SourceProfile merged(const std::vector<Input>& inputs) {
  LlvmSampleMerger merger;
  for (const Input& input : inputs) {
    Result<void> added = merger.add(read(input.text), "in.proftext", input.weight);
    if (!added) ADD_FAILURE() << added.error().message;
  }
  return std::move(merger).finish();
}

std::string merge(const std::vector<Input>& inputs) { return written(merged(inputs)); }

std::string warnings_of(const std::vector<Input>& inputs) {
  std::string text;
  SourceProfile profile = merged(inputs);
  for (const auto& [kind, entry] : profile.diagnostics.entries())
    for (const std::string& message : entry.messages) text += kind + ": " + message + '\n';
  return text;
}

TEST(LlvmSampleMerger, CountsAddUpTimesTheirWeight) {
  std::string one = "f:100:3\n 1: 40\n 2.1: 20 g:15 h:5\n 3: i:40\n  1: 40\n";
  std::string other = "f:30:2\n 1: 10\n 2.1: 5 g:5\n 2.2: 5\n 3: i:10\n  2: 10\ne:9:1\n 1: 9\n";
  EXPECT_EQ(merge({{one}}), one);
  EXPECT_EQ(merge({{one}, {other, 10}}),
            "f:400:23\n 1: 140\n 2.1: 70 g:65 h:5\n 2.2: 50\n 3: i:140\n  1: 40\n  2: 100\n"
            "e:90:10\n 1: 90\n");
  EXPECT_EQ(merge({{other, 10}, {one}}), merge({{one}, {other, 10}}));
  EXPECT_EQ(warnings_of({{one}, {other}}), "");
}

TEST(LlvmSampleMerger, CountsStopAtTheLargest) {
  const std::string most = "18446744073709551615";
  std::string nearly =
      "f:18446744073709551614:9\n 1: 18446744073709551614 g:9223372036854775808\n 2: 3\n";
  std::string stopped = "f:" + most + ":27\n 1: " + most + " g:" + most + "\n 2: 9\n";
  EXPECT_EQ(merge({{nearly, 3}}), stopped);
  EXPECT_EQ(merge({{nearly}, {nearly, 2}}), stopped);
  EXPECT_EQ(warnings_of({{nearly, 3}}),
            "stopped-counts: f: counts that would be larger stop at " + most + "\n");
  EXPECT_EQ(warnings_of({{nearly}}), "");
}

TEST(LlvmSampleMerger, KindsAreNotMixed) {
  LlvmSampleFile by_line = read("f:1:1\n 1: 1\n");
  LlvmSampleFile by_probe = read("f:1:1\n 1: 1\n !CFGChecksum: 5\n");
  LlvmSampleFile flow_sensitive = by_line;
  flow_sensitive.profile.is_flow_sensitive = true;
  auto error_of = [&](const LlvmSampleFile& first, const LlvmSampleFile& second) {
    LlvmSampleMerger merger;
    EXPECT_TRUE(merger.add(first, "a").has_value());
    Result<void> added = merger.add(second, "b");
    return added ? "no error" : added.error().message;
  };
  EXPECT_EQ(error_of(by_line, by_line), "no error");
  EXPECT_EQ(error_of(by_line, by_probe),
            "b: is by pseudo probe, but a is by line; their counts cannot be added up");
  EXPECT_EQ(error_of(by_probe, by_line),
            "b: is by line, but a is by pseudo probe; their counts cannot be added up");
  EXPECT_EQ(error_of(by_line, flow_sensitive),
            "b: is of flow-sensitive discriminators, but a is of plain ones; their counts cannot "
            "be added up");
  LlvmSampleMerger merger;
  LlvmSampleFile contexts = read("[main:3 @ f]:10:1\n 1: 10\n");
  Result<void> added = merger.add(contexts, "c");
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().message,
            "c: is context-sensitive; pgo merge does not support such profiles, but llvm-profdata "
            "merge --sample does");
  by_line.names_are_hashes = true;
  added = merger.add(by_line, "d");
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().message,
            "d: has hashes for names; pgo merge does not support such profiles, but llvm-profdata "
            "merge --sample does");
  EXPECT_TRUE(std::move(merger).finish().functions().empty());
}

TEST(LlvmSampleMerger, TheKindStays) {
  LlvmSampleFile file = read("f:1:1\n 1: 1\n !CFGChecksum: 5\n");
  file.profile.is_flow_sensitive = true;
  LlvmSampleMerger merger;
  ASSERT_TRUE(merger.add(std::move(file), "a").has_value());
  SourceProfile profile = std::move(merger).finish();
  EXPECT_TRUE(profile.is_probe_based);
  EXPECT_TRUE(profile.is_flow_sensitive);
}

// Twice code 2 of g inlined into f, once code 1, which ran more each time but not in all.
TEST(LlvmSampleMerger, OfInlinedCodesTheOneStaysThatRanMoreInAll) {
  auto input = [](int count, int checksum) {
    std::string n = std::to_string(count);
    return Input{"f:" + n + ":1\n 2: g:" + n + "\n  1: " + n +
                 "\n  !CFGChecksum: " + std::to_string(checksum) + "\n !CFGChecksum: 7\n"};
  };
  std::vector<Input> inputs = {input(10, 2), input(15, 1), input(8, 2)};
  std::string expected = "f:33:3\n 2: g:18\n  1: 18\n  !CFGChecksum: 2\n !CFGChecksum: 7\n";
  EXPECT_EQ(merge(inputs), expected);
  std::reverse(inputs.begin(), inputs.end());
  EXPECT_EQ(merge(inputs), expected);
  std::swap(inputs[0], inputs[1]);
  EXPECT_EQ(merge(inputs), expected);
  EXPECT_EQ(warnings_of(inputs),
            "other-checksum: f: the code inlined into it differs between the profiles; the counts "
            "of the code that ran less are left out\n");
  // Of equals, the smaller checksum.
  EXPECT_EQ(merge({input(5, 9), input(5, 3)}),
            "f:10:2\n 2: g:5\n  1: 5\n  !CFGChecksum: 3\n !CFGChecksum: 7\n");
}

TEST(LlvmSampleMerger, WhatIsInlinedIsThatOfTheOuterCodeThatStays) {
  std::string once = "f:10:1\n 2: g:10\n  1: 10\n  !CFGChecksum: 1\n !CFGChecksum: 7\n";
  std::string more = "f:30:1\n 2: g:30\n  1: 30\n  !CFGChecksum: 2\n !CFGChecksum: 8\n";
  EXPECT_EQ(merge({{once}, {more}}), more);
  EXPECT_EQ(warnings_of({{more}, {once}}),
            "other-checksum: f: its code differs between the profiles; the counts of the code that "
            "ran less are left out\n");
}

// Functions within functions; `checksums` different ones for each name.
class RandomProfile {
 public:
  RandomProfile(unsigned seed, unsigned checksums) : random_(seed), checksums_(checksums) {}

  std::string text() {
    text_.clear();
    std::set<unsigned> names;
    for (uint64_t i = 0; i < 1 + below(3); i++) names.insert(static_cast<unsigned>(below(4)));
    for (unsigned name : names) {
      text_ += "f" + std::to_string(name) + ":" + count() + ":" + count() + "\n";
      add_body(1, name);
    }
    return text_;
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  std::string count() {
    return std::to_string(below(6) == 0 ? ~uint64_t{0} - below(9) : below(90));
  }

  void add_body(unsigned depth, unsigned name) {
    std::string indent(depth, ' ');
    for (unsigned place = 1; place < 3; place++) {
      text_ += indent + std::to_string(place) + ": " + count();
      if (below(2) == 0) text_ += " f" + std::to_string(below(3)) + ":" + count();
      text_ += "\n";
    }
    for (unsigned place = 3; place < 5 && depth < 4; place++)
      for (unsigned callee = 0; callee < 2; callee++) {
        if (below(3) != 0) continue;
        text_ +=
            indent + std::to_string(place) + ": f" + std::to_string(callee) + ":" + count() + "\n";
        add_body(depth + 1, callee);
      }
    text_ +=
        indent + "!CFGChecksum: " + std::to_string(100 * (name + 1) + below(checksums_)) + "\n";
  }

  std::mt19937_64 random_;
  unsigned checksums_;
  std::string text_;
};

TEST(LlvmSampleMerger, InAnyOrderTheSame) {
  size_t differing = 0;
  for (unsigned seed = 0; seed < 100; seed++) {
    RandomProfile random(seed, 3);
    std::vector<Input> inputs;
    for (uint64_t i = 0; i < 5; i++) inputs.push_back({random.text(), 1 + i % 3});
    std::string text = merge(inputs);
    Result<std::string> binary = write_llvm_sample(merged(inputs), LlvmSampleFormat::kExtBinary);
    std::mt19937 shuffled(seed);
    for (int i = 0; i < 4; i++) {
      std::shuffle(inputs.begin(), inputs.end(), shuffled);
      ASSERT_EQ(merge(inputs), text) << seed;
      ASSERT_EQ(*write_llvm_sample(merged(inputs), LlvmSampleFormat::kExtBinary), *binary) << seed;
    }
    differing += warnings_of(inputs).find("the code inlined into it") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(differing, 25u);
}

// Where checksums agree, what LLVM's own addition gives, which is what llvm-profdata does.
TEST(LlvmSampleMerger, AsLlvmMergesWhereTheOrderDoesNotMatter) {
  for (unsigned seed = 0; seed < 100; seed++) {
    RandomProfile random(seed, 1);
    std::vector<Input> inputs;
    SourceProfile theirs;
    theirs.is_probe_based = true;
    std::vector<LlvmSampleFile> files;  // names point into them
    for (uint64_t i = 0; i < 5; i++) {
      inputs.push_back({random.text(), 1 + i % 3});
      files.push_back(read(inputs.back().text));
      for (const auto& [key, function] : files.back().profile.functions())
        theirs.functions()
            .try_emplace(function.getContext(), FunctionSamples())
            .first->second.merge(function, inputs.back().weight);
    }
    ASSERT_EQ(merge(inputs), written(theirs)) << seed;
  }
}

TEST(LlvmSampleMerger, KeepsTheWarningsOfItsInputs) {
  EXPECT_EQ(warnings_of({{"f:10:1\n 1: 10\n"}, {"f:10:1\n 1: 10"}}),
            "cut-short: read.proftext: the last line does not end with a newline: was the file cut "
            "short? Its last number may be wrong\n");
}

}  // namespace
}  // namespace pgo::llvm_sample_merger_test
