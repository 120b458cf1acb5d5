// Runs shell scripts that behave as llvm-bolt does; tests/e2e/bolt/ run the real one.
#include "bolt/llvm_bolt.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace pgo::llvm_bolt_test {
namespace {

class LlvmBoltTest : public testing::Test {
 protected:
  LlvmBoltTest() {
    std::string path = testing::TempDir() + "/llvm-bolt-XXXXXX";
    directory_ = ::mkdtemp(path.data());
  }
  ~LlvmBoltTest() override { std::filesystem::remove_all(directory_); }

  // Called as `llvm-bolt IN -o OUT -data=PROFILE ...` it does `work`.
  std::string add(const std::string& name, const std::string& version,
                  const std::string& work = "") const {
    std::string path = directory_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "#!/bin/sh\n"
                        << "case $1 in\n"
                        << "--version) echo '  Debian LLVM version " << version << "'; exit ;;\n"
                        << "--help-hidden) echo '  --reorder-blocks=<value> - x'; exit ;;\n"
                        << "esac\n"
                        << work << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
  }
  std::string run_error(const std::string& work) const {
    LlvmBolt tool{add("llvm-bolt", "22.1.8", work), "22.1.8", {}};
    Result<BoltedBinary> bolted = run_llvm_bolt(
        tool,
        {.input = "app", .profile = "1 main 0 1 main 4 0 1\n", .options = {"-x"}, .limits = {}});
    if (bolted) return "no error";
    const Error& error = bolted.error();
    return error.message + (error.advice.empty() ? "" : "; " + error.advice);
  }

  std::string directory_;
};

TEST_F(LlvmBoltTest, IsLookedForInThePathAndBesidePerf2bolt) {
  add("a/llvm-bolt", "19.1.7");
  add("b/llvm-bolt-22", "22.1.8");
  std::string beside = add("c/llvm-bolt", "22.1.9"), perf2bolt = add("c/perf2bolt", "22.1.9");
  std::string path = directory_ + "/a:" + directory_ + "/b";
  Result<LlvmBolt> found = find_llvm_bolt({.program = "", .beside = perf2bolt, .path = path});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->program, directory_ + "/b/llvm-bolt-22");
  EXPECT_EQ(found->version, "22.1.8");
  EXPECT_TRUE(found->supported.has("reorder-blocks"));
  found = find_llvm_bolt({.program = "", .beside = perf2bolt, .path = directory_});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->version, "22.1.9");
  EXPECT_EQ(std::filesystem::canonical(found->program), std::filesystem::canonical(beside));
}

TEST_F(LlvmBoltTest, NoneAndNone) {
  EXPECT_EQ(find_llvm_bolt({.program = "", .beside = "", .path = directory_}).error().message,
            "llvm-bolt was not found: install bolt-22, put it into PATH, or name it with "
            "\xFF{llvm-bolt}");
  EXPECT_EQ(find_llvm_bolt({.program = "/bin/echo", .beside = "", .path = ""}).error().message,
            "/bin/echo --version names no LLVM version: is it llvm-bolt?");
}

TEST_F(LlvmBoltTest, GivesTheResultAndTheFigures) {
  LlvmBolt tool{add("llvm-bolt", "22.1.8",
                    "[ \"$1 $2 $5\" = 'app -o -x' ] || exit 9\n"
                    "cat \"${4#-data=}\" > \"$3\"\n"
                    "echo 'BOLT-INFO: 14 out of 29 functions in the binary (48.3%) have non-empty "
                    "execution profile'\n"
                    "echo 'BOLT-WARNING: odd' >&2"),
                "22.1.8",
                {}};
  Result<BoltedBinary> bolted =
      run_llvm_bolt(tool, {.input = "app", .profile = "profile", .options = {"-x"}, .limits = {}});
  ASSERT_TRUE(bolted) << bolted.error().message;
  EXPECT_EQ(bolted->file.bytes().size(), 7u);
  EXPECT_EQ(bolted->log.functions, 29u);
  EXPECT_EQ(bolted->log.warnings.entries().at("llvm-bolt").messages[0],
            "llvm-bolt: unknown warning: BOLT-WARNING: odd");
}

TEST_F(LlvmBoltTest, FailuresSayWhatItSaidAndWhatToDo) {
  std::string program = directory_ + "/llvm-bolt";
  EXPECT_EQ(run_error("echo no >&2; exit 3"), program + " failed (exit status 3) on app: no");
  EXPECT_EQ(run_error("kill -ABRT $$"), program + " crashed (signal 6) on app: it printed nothing");
  EXPECT_EQ(run_error("echo 'BOLT-ERROR: function reordering only works when relocations are "
                      "enabled' >&2; exit 1"),
            program +
                " failed (exit status 1) on app: BOLT-ERROR: function reordering only works when "
                "relocations are enabled; link with -Wl,--emit-relocs (or -Wl,-q), which keeps "
                "relocations in the file");
  EXPECT_EQ(run_error("echo done"), program + " succeeded on app, but wrote no binary: done");
}

TEST_F(LlvmBoltTest, GivesTheYamlAndHowTheCountsFit) {
  // Called as `llvm-bolt IN -o /dev/null -data=PROFILE -w YAML`.
  LlvmBolt tool{add("llvm-bolt", "22.1.8",
                    "[ \"$1 $2 $3 $5\" = 'app -o /dev/null -w' ] || exit 9\n"
                    "{ echo '---'; cat \"${4#-data=}\"; } > \"$6\"\n"
                    "echo 'BOLT-WARNING: 3 (25.0% of all profiled) functions have invalid "
                    "(possibly stale) profile. Use -report-stale to see the list'"),
                "22.1.8",
                {}};
  const Result<BoltYaml> yaml =
      make_bolt_yaml(tool, {.input = "app", .profile = "1 f\n", .options = {}, .limits = {}});
  ASSERT_TRUE(yaml) << yaml.error().message;
  EXPECT_EQ(yaml->contents, "---\n1 f\n");
  EXPECT_EQ(yaml->log.stale_functions, 3u);
}

TEST_F(LlvmBoltTest, SaysWhyThereIsNoYaml) {
  auto error = [&](const std::string& work) {
    const Result<BoltYaml> yaml =
        make_bolt_yaml({add("llvm-bolt", "22.1.8", work), "22.1.8", {}},
                       {.input = "app", .profile = "1 f\n", .options = {}, .limits = {}});
    return yaml ? "no error" : yaml.error().message;
  };
  const std::string program = directory_ + "/llvm-bolt";
  EXPECT_EQ(error("echo no >&2; exit 3"), program + " failed (exit status 3) on app: no");
  EXPECT_EQ(error("echo done"), program + " succeeded on app, but wrote no YAML: done");
}

}  // namespace
}  // namespace pgo::llvm_bolt_test
