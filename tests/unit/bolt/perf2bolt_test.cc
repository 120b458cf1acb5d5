// Runs shell scripts that behave as perf2bolt does; tests/e2e/bolt/ run the real one.
#include "bolt/perf2bolt.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/data/elf_builder.h"

namespace pgo::perf2bolt_test {
namespace {

const ToolLimits kLimits{std::chrono::minutes(1)};

class Perf2boltTest : public testing::Test {
 protected:
  Perf2boltTest() {
    std::string path = testing::TempDir() + "/perf2bolt-XXXXXX";
    directory_ = ::mkdtemp(path.data());
    ::setenv("TMPDIR", temporary().c_str(), 1);
    std::filesystem::create_directory(temporary());
  }
  ~Perf2boltTest() override {
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(directory_);
  }

  std::string temporary() const { return directory_ + "/tmp"; }

  std::string add_script(const std::string& name, const std::string& text) const {
    std::string path = directory_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
  }

  // A perf2bolt of this version; called as `perf2bolt -pa -p IN -o OUT BINARY` it does `work`.
  std::string add_perf2bolt(const std::string& name, const std::string& version,
                            const std::string& work = "") const {
    return add_script(name, "if [ \"$1\" = --version ]; then echo 'LLVM (http://llvm.org/):'; " +
                                ("echo '  Debian LLVM version " + version + "'; exit; fi\n") +
                                work);
  }

  Result<Perf2bolt> find() const { return find_perf2bolt({.program = "", .path = directory_}); }
  std::string find_error() const {
    Result<Perf2bolt> found = find();
    return found ? "found " + found->program : found.error().message;
  }
  std::string run_error(const std::string& work) const {
    Result<Perf2boltOutput> output = run_perf2bolt({add_perf2bolt("perf2bolt", "22.1.8", work), 22},
                                                   "T 1 2 3 4\n", "./app", kLimits);
    if (output) return "no error";
    const Error& error = output.error();
    return error.message + (error.advice.empty() ? "" : "; " + error.advice);
  }

  std::string directory_;
};

TEST_F(Perf2boltTest, NoneInstalled) {
  EXPECT_EQ(find_error(),
            "fdata: needs perf2bolt of LLVM 22: install bolt-22, or write preagg:PATH, and run "
            "perf2bolt on it where BOLT is installed");
}

TEST_F(Perf2boltTest, TooOld) {
  add_perf2bolt("perf2bolt", "19.1.7");
  EXPECT_EQ(find_error(), "fdata: needs perf2bolt of LLVM 22, but " + directory_ +
                              "/perf2bolt is from LLVM 19: install bolt-22, or write preagg:PATH, "
                              "and run perf2bolt on it where BOLT is installed");
}

TEST_F(Perf2boltTest, NewerOneBesideATooOldOne) {
  add_perf2bolt("perf2bolt-22", "19.1.7");
  add_perf2bolt("perf2bolt", "22.1.8");
  Result<Perf2bolt> found = find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->program, directory_ + "/perf2bolt");
  EXPECT_EQ(found->llvm_major, 22u);
}

TEST_F(Perf2boltTest, TheNameWithTheVersionComesFirst) {
  add_perf2bolt("perf2bolt", "22.1.8");
  add_perf2bolt("perf2bolt-22", "22.1.8");
  Result<Perf2bolt> found = find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->program, directory_ + "/perf2bolt-22");
}

TEST_F(Perf2boltTest, OneThatNamesNoVersionIsSkipped) {
  add_script("perf2bolt-22", "exit 1");
  add_perf2bolt("perf2bolt", "22.1.8");
  Result<Perf2bolt> found = find();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->program, directory_ + "/perf2bolt");
}

TEST_F(Perf2boltTest, IsNotRunOnWhatClaimsToInflateToGigabytes) {
  Elf64_Chdr header{};
  header.ch_size = uint64_t{3} << 30;
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0,
                      {reinterpret_cast<const char*>(&header), sizeof header});
  const std::vector<uint8_t> bytes = builder.finish();
  const std::string app = directory_ + "/app";
  std::ofstream(app, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  Result<Perf2boltOutput> output =
      run_perf2bolt({add_perf2bolt("perf2bolt", "22.1.8", "touch " + directory_ + "/ran"), 22},
                    "T 1 2 3 4\n", app, kLimits);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().message,
            app +
                ": its compressed section .debug_info claims to inflate from 24 bytes to "
                "3221225472, more than any real one does");
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/ran"));
}

TEST_F(Perf2boltTest, EndsAtTheTimeout) {
  std::string program = add_perf2bolt("perf2bolt", "22.1.8", "sleep 60");
  Result<Perf2boltOutput> output =
      run_perf2bolt({program, 22}, "T 1 2 3 4\n", "./app", {std::chrono::milliseconds(50)});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().message, "fdata: " + program +
                                        " did not end within 0 s on ./app; it "
                                        "printed last: it printed nothing");
  EXPECT_EQ(output.error().advice, "allow more time with \xFF{timeout}");
}

TEST_F(Perf2boltTest, EndsAtTheTimeoutWhenAskedForItsVersion) {
  std::string program = add_script("perf2bolt", "echo 'LLVM version'; sleep 60");
  Result<Perf2bolt> found =
      find_perf2bolt({.program = program, .path = "", .timeout = std::chrono::milliseconds(1000)});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, program + " --version did not end within 1 s");
}

TEST_F(Perf2boltTest, NotAPerf2bolt) {
  std::string path = add_script("perf2bolt", "echo hello");
  EXPECT_EQ(find_error(),
            "fdata: " + path +
                " --version names no LLVM version: is it perf2bolt? install bolt-22, "
                "or write preagg:PATH, and run perf2bolt on it where BOLT is installed");
}

TEST_F(Perf2boltTest, TheChosenProgramMustExist) {
  for (const std::string& program : {directory_ + "/mine", std::string("perf2bolt-of-nobody")}) {
    Result<Perf2bolt> found = find_perf2bolt({.program = program, .path = ""});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, program + ": no such program; name perf2bolt");
    EXPECT_EQ(found.error().kind, ErrorKind::kUnsupported);
  }
}

TEST_F(Perf2boltTest, TheChosenNameIsLookedUpInPath) {
  add_perf2bolt("my-perf2bolt", "22.1.8");
  const std::string before = ::getenv("PATH");
  ::setenv("PATH", (directory_ + ":" + before).c_str(), 1);
  Result<Perf2bolt> found = find_perf2bolt({.program = "my-perf2bolt", .path = ""});
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->program, directory_ + "/my-perf2bolt");
}

TEST_F(Perf2boltTest, HandsTheTextOverAndTakesTheProfile) {
  std::string program = add_perf2bolt(
      "perf2bolt", "22.1.8",
      "[ \"$1 $2 $4 $6\" = '-pa -p -o ./app' ] || exit 9\n"
      "cat \"$3\" > \"$5\"\n"
      "echo 'BOLT-WARNING: BOLT is estimated to optimize better with 1.5x more samples.' >&2\n"
      "echo 'BOLT-WARNING: jump past end detected at 0x5 in function f : replacing with nop.' >&2\n"
      "echo 'PERF2BOLT-WARNING: odd' >&2\n"
      "echo 'BOLT-ERROR: worse' >&2\n"
      "echo 'PERF2BOLT: traces mismatching disassembled function contents: 12 (3.5%)'\n"
      "echo 'PERF2BOLT: out of range traces involving unknown regions: 0 (0.0%)'\n"
      "echo 'BOLT-INFO: 20 out of 28 functions in the binary (71.4%) have non-empty execution "
      "profile'");
  std::ostringstream said;
  Result<Perf2boltOutput> output =
      run_perf2bolt({program, 22}, "T 1 2 3 4\n", "./app", {kLimits.timeout, &said});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->fdata, "T 1 2 3 4\n");
  EXPECT_EQ(output->figures.mismatching_traces, 12u);
  EXPECT_DOUBLE_EQ(output->figures.mismatching_percent, 3.5);
  EXPECT_EQ(output->figures.out_of_range_traces, 0u);
  EXPECT_EQ(output->figures.profiled_functions, 20u);
  EXPECT_EQ(output->figures.functions, 28u);
  const auto& warnings = output->diagnostics.entries();
  EXPECT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings.at("thin-profile").messages[0],
            "perf2bolt: more samples would make the layout better");
  EXPECT_EQ(warnings.at("perf2bolt").messages[0],
            "perf2bolt: unknown warning: PERF2BOLT-WARNING: odd");
  EXPECT_EQ(output->errors, (std::vector<std::string>{"BOLT-ERROR: worse"}));
  EXPECT_NE(said.str().find("replacing with nop"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(temporary()));
}

TEST_F(Perf2boltTest, FailuresSayWhatItSaidAndWhatToDo) {
  std::string program = directory_ + "/perf2bolt";
  EXPECT_EQ(run_error("for i in 1 2 3 4 5; do echo line $i >&2; done; exit 1"),
            "fdata: " + program + " failed (exit status 1) on ./app: line 3; line 4; line 5");
  EXPECT_EQ(run_error("exit 2"),
            "fdata: " + program + " failed (exit status 2) on ./app: it printed nothing");
  EXPECT_EQ(run_error("echo 'BOLT-ERROR: input file was processed by BOLT.' >&2; exit 1"),
            "fdata: " + program +
                " failed (exit status 1) on ./app: BOLT-ERROR: input file was processed by BOLT.; "
                "give the binary from which BOLT made this one; recordings of this one are read "
                "when it was made with llvm-bolt -enable-bat, as 'pgo bolt' does");
  EXPECT_EQ(run_error("echo stack >&2; kill -SEGV $$"),
            "fdata: " + program +
                " crashed (signal 11) on ./app: stack; LLVM 22 crashes where the last function of "
                ".text jumps past its end, as clang's code may after a call that never returns; if "
                "that is the cause, build with \xFF{trap-unreachable} and record again");
  EXPECT_EQ(run_error("echo stack >&2; kill -ABRT $$"),
            "fdata: " + program + " crashed (signal 6) on ./app: stack");
  EXPECT_TRUE(std::filesystem::is_empty(temporary()));
}

TEST_F(Perf2boltTest, IsAskedToBeLessStrictWhenItGivesUp) {
  std::string program =
      add_perf2bolt("perf2bolt", "22.1.8",
                    "[ \"$7\" = -strict=0 ] && { cat \"$3\" > \"$5\"; printf hello; exit; }\n"
                    "echo 'BOLT-ERROR: 8 unclaimed PC-relative relocation(s) left in data.' >&2\n"
                    "echo 'BOLT-ERROR: unable to proceed with --strict' >&2; exit 1");
  std::ostringstream said;
  Result<Perf2boltOutput> output =
      run_perf2bolt({program, 22}, "T 1 2 3 4\n", "./app", {kLimits.timeout, &said});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->fdata, "T 1 2 3 4\n");
  EXPECT_EQ(said.str(),
            "BOLT-ERROR: 8 unclaimed PC-relative relocation(s) left in data.\n"
            "BOLT-ERROR: unable to proceed with --strict\nhello\n");
}

TEST_F(Perf2boltTest, AnEmptyProfileIsAnError) {
  std::string expected =
      "fdata: perf2bolt found no branch in a function of ./app; is it the binary that was "
      "recorded?";
  EXPECT_EQ(run_error(": > \"$5\""), expected);
  EXPECT_EQ(run_error("exit 0"), expected);
  // Its build ID was recorded.
  Result<Perf2boltOutput> output =
      run_perf2bolt({add_perf2bolt("perf2bolt", "22.1.8", "exit 0"), 22}, "T 1 2 3 4\n", "./app",
                    kLimits, BuildIdentity::kProven);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().message, "fdata: perf2bolt found no branch in a function of ./app");
  EXPECT_EQ(output.error().advice, "does it have the symbols of its functions?");
}

TEST_F(Perf2boltTest, NoTemporaryDirectory) {
  ::setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EQ(run_error("exit 0"),
            "fdata: cannot make a directory in /nonexistent: No such file or directory: set TMPDIR "
            "to another");
}

}  // namespace
}  // namespace pgo::perf2bolt_test
