#include "pgo/postlink/optimization.h"

#include <filesystem>
#include <utility>

#include "converters/address/address_profile_writer.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "tests/data/small_profiles.h"
#include "tests/unit/postlink/optimization_fixture.h"

namespace pgo::optimization_test {
namespace {

TEST_F(OptimizationTest, WritesTheCandidateWithThePermissionsOfTheInput) {
  add_llvm_bolt("echo odd >&2");
  request.check = "test -x {} && cmp {} " + path("layout");
  request.log = path("log");
  OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(result.delivered, Delivered::kResult);
  EXPECT_EQ(contents_of(path("out")), contents_of(path("layout")));
  struct stat status{};
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0750u);
  EXPECT_EQ(result.program, path("llvm-bolt"));
  EXPECT_EQ(result.version, "22.1.8");
  EXPECT_EQ(result.options,
            (std::vector<std::string>{"-reorder-blocks=ext-tsp", "-enable-bat", "-no-huge-pages"}));
  EXPECT_EQ(result.missing_options.size(), 3u);
  EXPECT_EQ(result.profile->kind, PostlinkProfileKind::kFdata);
  EXPECT_EQ(result.profile->contents, "");
  EXPECT_EQ(result.log.functions, 2u);
  EXPECT_FALSE(result.replaced_input);
  EXPECT_EQ(checks_of(result),
            "00;10;21the program has no loader, or its loader is not on this system;30;");
  EXPECT_TRUE(contents_of(path("log")).ends_with("odd\n")) << contents_of(path("log"));
  EXPECT_FALSE(result.log_incomplete);
}

TEST_F(OptimizationTest, SameInputsGiveTheSameBytesInPlaceToo) {
  add_llvm_bolt();
  ASSERT_EQ(failure(), "no error");
  request.output = request.input;
  request.read.jobs = 3;
  OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_TRUE(result.replaced_input);
  EXPECT_EQ(contents_of(path("prog")), contents_of(path("out")));
}

TEST_F(OptimizationTest, DeliversTheInputOrNothingOnFailure) {
  add_llvm_bolt("echo no >&2; exit 3");
  OptimizeResult result = run();
  EXPECT_EQ(result.delivered, Delivered::kInput);
  EXPECT_EQ(result.failure->kind, ErrorKind::kInput);
  EXPECT_EQ(result.failure->message,
            path("llvm-bolt") + " failed (exit status 3) on " + path("prog") + ": no");
  EXPECT_EQ(contents_of(path("out")), contents_of(path("prog")));
  std::filesystem::remove(path("out"));
  request.on_failure = OnFailure::kError;
  EXPECT_EQ(run().delivered, Delivered::kNothing);
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

// An fdata has no samples to choose from; so nothing is delivered.
TEST_F(OptimizationTest, RefusesToChooseSamplesOfAnFdata) {
  add_llvm_bolt();
  const std::string is = path("prog.fdata") + ": is a BOLT profile, to which ",
                    advice = " does not apply; give the recordings that it was made from";
  request.read.events = {"cycles:u"};
  EXPECT_EQ(failure(), is + "\xFF{event}" + advice);
  request.read = {};
  request.read.comm = "server";
  EXPECT_EQ(failure(), is + "\xFF{comm}" + advice);
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(OptimizationTest, RefusesAResultThatIsAnotherProgram) {
  add_llvm_bolt();
  write("candidate", program("\x08\x07\x06\x05\x04\x03\x02\x01", "\xc3"));
  EXPECT_EQ(failure(),
            "the result is not the same program:\n"
            "  it has the build ID 0807060504030201, not that of its input");
  write("candidate", "hello");
  EXPECT_EQ(run().failure->kind, ErrorKind::kMismatch);
}

TEST_F(OptimizationTest, RefusesAResultThatLlvmBoltCallsAnError) {
  add_llvm_bolt("echo 'BOLT-ERROR: lost' >&2");
  EXPECT_EQ(failure(), "llvm-bolt wrote a result, but reports errors:\n  BOLT-ERROR: lost");
}

TEST_F(OptimizationTest, RefusesAResultThatFailsTheCommand) {
  add_llvm_bolt();
  request.check = "echo no >&2; false {}";
  EXPECT_EQ(failure(),
            "the result does not pass \xFF{check} 'echo no >&2; false {}': exit status 1: no");
  request.check = "kill -SEGV $$; {}";
  EXPECT_EQ(
      failure(),
      "the result does not pass \xFF{check} 'kill -SEGV $$; {}': signal 11: it printed nothing");
}

std::string stale(unsigned samples) {
  return "echo 'BOLT-WARNING: " + std::to_string(samples) +
         " out of 1000 samples in the binary (x%) belong to functions with invalid (possibly "
         "stale) "
         "profile'";
}

TEST_F(OptimizationTest, WarnsOfAProfileThatFitsBadly) {
  add_llvm_bolt(stale(249));
  EXPECT_FALSE(run().diagnostics.entries().contains("stale"));
  add_llvm_bolt(stale(251));
  OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(
      result.diagnostics.entries().at("stale").messages,
      (std::vector<std::string>{
          "25.1 % of the profile's samples are in functions whose code differs in " + path("prog") +
          ", so they are not used: they are of another build; if you have that build, name "
          "it with \xFF{stale}"}));
}

TEST_F(OptimizationTest, KeepsTheInputWhereOnlyItsCodeHasChanged) {
  add_llvm_bolt(stale(501));
  request.on_failure = OnFailure::kKeepStale;
  OptimizeResult result = run();
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(result.is_stale);
  EXPECT_EQ(result.delivered, Delivered::kInput);
  EXPECT_EQ(contents_of(path("out")), contents_of(path("prog")));
  std::filesystem::remove(path("out"));
  // Whatever else goes wrong.
  for (const char* fault : {"exit 3", "echo 'BOLT-ERROR: lost' >&2",
                            "echo 'BOLT-INFO: 0 out of 2 functions in the "
                            "binary (0.0%) have non-empty execution profile'"}) {
    add_llvm_bolt(fault);
    result = run();
    ASSERT_TRUE(result.failure) << fault;
    EXPECT_FALSE(result.is_stale) << fault;
    EXPECT_EQ(result.delivered, Delivered::kNothing) << fault;
    EXPECT_FALSE(std::filesystem::exists(path("out"))) << fault;
  }
}

TEST_F(OptimizationTest, RefusesAProfileOfAnotherBuild) {
  add_llvm_bolt(stale(501));
  EXPECT_EQ(failure(),
            "50.1 % of the profile's samples are in functions whose code differs in " +
                path("prog") +
                ": it is of another build; if you have that build, name it with \xFF{stale}");
  EXPECT_EQ(run().failure->kind, ErrorKind::kMismatch);
}

TEST_F(OptimizationTest, AnUnknownFitIsAnOutcome) {
  add_llvm_bolt("echo 'BOLT-WARNING: 3 functions have invalid (possibly stale) profile'");
  OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(result.checks[0].state, CheckOutcome::State::kUnknown);
  EXPECT_EQ(result.checks[0].reason, "llvm-bolt did not print how much of the profile matches");
}

TEST_F(OptimizationTest, TheInputIsNotItsOwnEarlierBuild) {
  add_llvm_bolt();
  request.stale = request.input;
  EXPECT_EQ(failure(),
            path("prog") +
                ": is this build itself (build ID 0102030405060708), not an earlier "
                "one; name a copy of the build that was recorded, kept outside this "
                "build, with \xFF{stale}, or leave that out when this is the build that was "
                "recorded");
}

// A release without a change is built once more, and last week's copy is named as each week.
TEST_F(OptimizationTest, ACopyOfTheInputIsNoEarlierBuild) {
  add_llvm_bolt();
  std::filesystem::copy_file(request.input, path("copy"));
  request.stale = path("copy");
  OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  for (const std::string& option : result.options)
    EXPECT_EQ(option.find("stale"), option.npos) << option;
}

TEST_F(OptimizationTest, RefusesWhatLlvmBoltCannotOptimize) {
  add_llvm_bolt();
  ElfBuilder elf;
  elf.header.e_type = ET_EXEC;
  elf.header.e_machine = EM_X86_64;
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "\xc3");
  elf.add_symbol("main", STT_FUNC, 1, 0x1000, 1);
  std::vector<uint8_t> bytes = elf.finish();
  write("prog", {bytes.begin(), bytes.end()});
  EXPECT_EQ(failure(),
            path("prog") +
                ": has no relocations, without which functions cannot be moved; link with "
                "\xFF{emit-relocs}, and strip nothing but debug information before BOLT");
  EXPECT_EQ(run().delivered, Delivered::kInput);
}

TEST_F(OptimizationTest, SaysWhatIsWrongWithOptions) {
  add_llvm_bolt();
  auto with = [&](const std::string& option) {
    request.extra_options = {option};
    return failure();
  };
  EXPECT_EQ(with("main"), "main: is not an option of llvm-bolt; write one as -name=value");
  EXPECT_EQ(with("--data2=x"),
            "--data2=x: cannot be passed on, because pgo sets llvm-bolt's files itself");
  EXPECT_EQ(with("-instrument"),
            "-instrument: makes an instrumented program, not an optimized one; run llvm-bolt "
            "itself for that");
  EXPECT_EQ(with("-nonsense"), path("llvm-bolt") + " (LLVM 22.1.8) has no option -nonsense");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(OptimizationTest, SaysWhatIsWrongWithPaths) {
  add_llvm_bolt();
  const OptimizeRequest good = request;
  auto refused = [&](auto change) {
    request = good;
    change(request);
    return failure();
  };
  std::string fdata = path("prog.fdata"), prog = path("prog"), out = path("out");
  using R = OptimizeRequest;
  EXPECT_EQ(refused([&](R& r) { r.output = fdata; }),
            "\xFF{output} " + fdata + " would replace " + fdata + ", which is read");
  EXPECT_EQ(refused([&](R& r) { r.log = prog; }),
            "\xFF{log} " + prog + " would replace " + prog + ", which is read");
  EXPECT_EQ(refused([&](R& r) { r.log = path("./out"); }),
            out + " would be written twice, by \xFF{output} and by \xFF{log}");
  EXPECT_EQ(refused([&](R& r) { r.report = prog; }),
            "\xFF{report} " + prog + " would replace " + prog + ", which is read");
  EXPECT_EQ(refused([&](R& r) { r.report = out; }),
            out + " would be written twice, by \xFF{output} and by \xFF{report}");
  EXPECT_EQ(refused([&](R& r) { r.log = r.report = path("log"); }),
            path("log") + " would be written twice, by \xFF{report} and by \xFF{log}");
  EXPECT_EQ(refused([&](R& r) { r.log = "-"; }),
            "\xFF{log} -: must name a file, because the figures go to standard output");
  EXPECT_EQ(refused([&](R& r) { r.output = "-"; }),
            "\xFF{output} -: must name a file, so that the result can be checked");
  EXPECT_EQ(refused([&](R& r) { r.check = "true"; }),
            "\xFF{check} 'true': has no {} for the path of the result");
  EXPECT_EQ(refused([&](R& r) { r.input = fdata; }).find(fdata), 0u);
}

// What is read of a directory is whatever has samples, and that is not replaced.
TEST_F(OptimizationTest, ReplacesNothingThatIsReadOfADirectory) {
  add_llvm_bolt();
  std::filesystem::create_directory(path("hosts"));
  const std::string addresses =
      write("hosts/a.addr", *write_address_profile(test::pc_sample_profile(
                                "0102030405060708", "/srv/prog", {{ElfAddr{0x1000}, 1, 1}})));
  const std::string other = write("hosts/notes.txt", "of the week\n");
  request.profiles = {path("hosts")};
  request.output = addresses;
  EXPECT_EQ(failure(),
            "\xFF{output} " + addresses + " would replace " + addresses + ", which is read");
  request.output = other;
  EXPECT_EQ(failure().find("would replace"), std::string::npos);
}

TEST_F(OptimizationTest, SaysWhatIsWrongWithProfiles) {
  add_llvm_bolt();
  auto with = [&](const std::string& name, const std::string& contents) {
    write(name, contents);
    request.profiles = {path(name)};
    return failure();
  };
  EXPECT_EQ(with("empty", ""), path("empty") + ": is empty; was it cut short, or never finished?");
  EXPECT_EQ(with("a.afdo", write_gcc_auto_profile({})),
            path("a.afdo") +
                ": is a GCC profile, which counts lines and functions, and llvm-bolt needs "
                "branches by address; give the recording it was made from, or the fdata that 'pgo "
                "convert' makes from that");
  EXPECT_EQ(
      with("a.prof", "main:2:1\n 1: 2\n").find(path("a.prof") + ": is an LLVM sample profile, "),
      0u);
  EXPECT_EQ(with("a.profraw", "\x81rforpl\xff"),
            path("a.profraw") +
                ": is a raw LLVM profile of instrumented code; llvm-profdata merge reads it");
  EXPECT_EQ(with("zero.fdata", "1 main 0 1 main 4 0 0\n"),
            path("zero.fdata") + ": has no counts: every record in it is 0");
  EXPECT_EQ(with("a.yaml",
                 "---\nheader:\n  profile-version: 1\n  binary-build-id: ff00\nfunctions:\n...\n"),
            path("a.yaml") + ": is a profile of build ff00, but " + path("prog") +
                " is build 0102030405060708; record this build, optimize that one, or name that "
                "one with \xFF{stale}");
  request.profiles = {path("prog.fdata"), path("zero.fdata")};
  EXPECT_EQ(failure(), path("prog.fdata") +
                           ": cannot be combined with other profiles; merge several of its "
                           "kind with merge-fdata, or give recordings, which are added up");
  request.profiles = {path("none")};
  EXPECT_EQ(failure(), path("none") + ": no such profile");
}

}  // namespace
}  // namespace pgo::optimization_test
