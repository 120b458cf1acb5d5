#include "pgo/convert/reference_tool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "pgo/base/mapped_file.h"
#include "pgo/base/temporary_directory.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/temporary_files.h"
#include "tests/data/tiny_program.h"

namespace pgo::test::reference_tool_test {
namespace {

// Said before any tool is looked for.
TEST(ReferenceTool, NamesRecordingsWithoutBranchRecords) {
  TemporaryDirectory directory = TemporaryDirectory::make().value();
  const std::string path = directory.file("a.perf");
  auto error = [&](uint64_t more) {
    std::vector<uint8_t> bytes =
        PerfDataBuilder()
            .event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | more,
                    .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK})
            .finished_round()
            .file();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    ConvertRequest request;
    request.binaries = {"server"};
    Error found = ReferenceTool::find("llvm-profgen", request, {{path, false}}).error();
    return found.message.substr(0, found.message.find(path)) + "PATH" +
           found.message.substr(found.message.find(path) + path.size()) + "; " + found.advice;
  };
  EXPECT_EQ(error(0),
            "llvm-profgen needs branch records (perf record -b), and PATH has only PC samples; "
            "leave out \xFF{with} and \xFF{check-against}, because pgo converts PC samples itself");
  EXPECT_EQ(
      error(PERF_SAMPLE_BRANCH_STACK),
      "llvm-profgen needs branch records (perf record -b), and PATH has LBR call stacks (perf "
      "record --call-graph lbr); leave out \xFF{with} and \xFF{check-against}, because pgo "
      "converts PC samples itself");
}

// Scripts in PATH that behave as llvm-profgen and perf do; tests/e2e/compat/ run the real ones.
class ConvertWith : public TemporaryFiles {
 protected:
  ConvertWith() : path_(std::getenv("PATH")) {
    ::setenv("PATH", (path("bin") + ":" + path_).c_str(), 1);
    add("perf", "exit 9");
    const std::vector<uint8_t> recording =
        PerfDataBuilder().event(branch_event()).finished_round().file();
    request_.inputs = {write("a.perf", Bytes(recording))};
    request_.binaries = {"server"};
    request_.outputs = {{Format::kLlvmText, "a.proftext"}, {Format::kLlvmBinary, "a.prof"}};
  }
  ~ConvertWith() override { ::setenv("PATH", path_.c_str(), 1); }

  void add(const std::string& name, const std::string& work) const {
    ::chmod(write("bin/" + name, "#!/bin/sh\n" + work + "\n").c_str(), 0755);
  }
  // Each argument on a line behind a profile, as comments.
  void add_profgen(const std::string& work = "") const {
    add("llvm-profgen",
        "for one; do case $one in --output=*) out=${one#--output=} ;; esac; done\n"
        "printf 'main:2:1\\n 1: 2\\n' > \"$out\"\n"
        "echo \"$@\" | sed 's/ --output=[^ ]*//' >> " +
            path("asked") + "\n" + work);
  }
  std::string error() const {
    const Result<ReferenceOutputs> made = convert_with("llvm-profgen", request_);
    if (!made)
      return relative(made.error().message +
                      (made.error().advice.empty() ? "" : "; " + made.error().advice));
    return "no error";
  }

  ConvertRequest request_;

 private:
  std::string path_;
};

TEST_F(ConvertWith, AsksForEachOutput) {
  add_profgen();
  request_.read.pids = {7};
  request_.debug.files = {"server.debug"};
  request_.count_by = CountBy::kLine;
  const Result<ReferenceOutputs> made = convert_with("llvm-profgen", request_);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(relative(made->program), "bin/llvm-profgen");
  ASSERT_EQ(made->outputs.size(), 2u);
  EXPECT_EQ(made->outputs[0].path, "a.proftext");
  EXPECT_EQ(made->outputs[0].contents, "main:2:1\n 1: 2\n");
  const Result<MappedFile> asked = MappedFile::open(path("asked"));
  ASSERT_TRUE(asked);
  const std::string common = "--perfdata=" + path("a.perf") +
                             " --binary=server --pid=7 --debug-binary=server.debug "
                             "--use-dwarf-correlation --format=";
  EXPECT_EQ(as_text(asked->bytes()), common + "text\n" + common + "binary\n");
}

TEST_F(ConvertWith, SaysWhatTheToolCannotDo) {
  add_profgen();
  ConvertRequest good = request_;
  auto with = [&](auto change) {
    request_ = good;
    change(request_);
    return error();
  };
  using R = ConvertRequest;
  EXPECT_EQ(with([](R& r) { r.outputs = {{Format::kFdata, "a.fdata"}}; }),
            "llvm-profgen makes LLVM profiles only; write a.fdata without \xFF{with}");
  EXPECT_EQ(with([](R& r) { r.binaries.push_back("library"); }),
            "llvm-profgen takes one \xFF{binary}");
  EXPECT_EQ(with([&](R& r) { r.inputs.push_back(write("b.perf", "")); }),
            "llvm-profgen takes one recording, not 2");
  EXPECT_EQ(with([](R& r) { r.read.comm = "a"; }), "llvm-profgen does not support \xFF{comm}");
  EXPECT_EQ(with([&](R& r) { r.inputs = {write("a.folded", "main 1\n")}; }),
            "llvm-profgen reads recordings (perf.data), and a.folded is not one; 'pgo show' says "
            "what it is");
  EXPECT_EQ(with([&](R& r) { r.outputs[0].path = r.inputs[0]; }),
            "\xFF{output} a.perf would replace a.perf, which is read");
}

TEST_F(ConvertWith, SaysWhatTheToolSaid) {
  add_profgen("echo 'error: No relevant mmap event is found in perf data.' >&2; exit 1");
  EXPECT_EQ(error(),
            "bin/llvm-profgen failed (exit status 1): error: No relevant mmap event is found in "
            "perf data.: it identifies a binary by its file name only; does \xFF{binary} have the "
            "name that it ran under?");
  add_profgen(": > \"$out\"; echo 'warning: no samples' >&2");
  EXPECT_EQ(error(), "bin/llvm-profgen made a profile without any function: warning: no samples");
}

}  // namespace
}  // namespace pgo::test::reference_tool_test
