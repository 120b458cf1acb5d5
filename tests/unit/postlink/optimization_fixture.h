// A shell script stands in for llvm-bolt: it copies a candidate that the test wrote.
// tests/e2e/bolt/ run the real one.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "pgo/elf/bolt/layout_id.h"
#include "pgo/postlink/optimization.h"
#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::optimization_test {
inline const std::string kId = "\x01\x02\x03\x04\x05\x06\x07\x08";
inline const std::string kBoltedId =
    "\x01\x02\x03\x04\x05\x06\x07\x09";  // as llvm-bolt passes it on

// An executable with one function and the relocations of its code, and with a note for `profile`.
inline std::string program(const std::string& id, const std::string& code,
                           const std::string& profile = "") {
  ElfBuilder elf;
  elf.header.e_type = ET_EXEC;
  elf.header.e_machine = EM_X86_64;
  elf.header.e_entry = 0x1000;
  uint16_t text = elf.next_section();
  elf.add_code(0x1000, code);
  std::string note = ElfBuilder::note("GNU", NT_GNU_BUILD_ID, id);
  uint64_t at = elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x2000, note);
  elf.add_segment(PT_LOAD, PF_R, at, note.size(), 0x2000);
  if (!profile.empty())
    elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x3000,
                    ElfBuilder::note("ProdPGO", 1, R"({"profile":")" + profile + "\"}"));
  elf.add_section(".rela.text", SHT_RELA, 0, 0, "");
  elf.add_symbol("main", STT_FUNC, text, 0x1000, code.size());
  std::vector<uint8_t> bytes = elf.finish();
  return {bytes.begin(), bytes.end()};
}

// As `candidate` is delivered.
inline std::string with_layout_id(std::string candidate) {
  const std::string file = candidate;
  Result<ElfImage> image =
      ElfImage::parse({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, "candidate");
  if (image) write_layout_id(*image, candidate);
  return candidate;
}

inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OptimizationTest : public test::TemporaryFiles {
 protected:
  OptimizationTest() {
    write("prog", program(kId, std::string(16, '\xc3')));
    ::chmod(path("prog").c_str(), 0750);
    const std::string candidate = program(kBoltedId, std::string(24, '\xc3'));
    write("candidate", candidate);
    write("layout", with_layout_id(candidate));
    write("prog.fdata", "1 main 0 1 main 4 0 1\n");
    request.input = path("prog");
    request.output = path("out");
    request.profiles = {path("prog.fdata")};
    request.perf2bolt = path("perf2bolt");  // there is none, and fdata needs none
  }

  // Called as `llvm-bolt IN -o OUT -data=PROFILE ...` it copies the candidate and does `work`.
  void add_llvm_bolt(const std::string& work = "") {
    write(
        "llvm-bolt",
        "#!/bin/sh\n"
        "case $1 in\n"
        "--version) echo '  LLVM version 22.1.8'; exit ;;\n"
        "--help-hidden) printf '  --reorder-blocks=<value> - x\\n    =ext-tsp - x\\n"
        "  --enable-bat - x\\n  --no-huge-pages - x\\n'; exit ;;\n"
        "esac\n"
        "cp " +
            path("candidate") +
            " \"$3\"\n"
            "echo 'BOLT-INFO: 1 out of 2 functions in the binary (50.0%) have non-empty execution "
            "profile'\n" +
            work + "\n");
    ::chmod(path("llvm-bolt").c_str(), 0755);
    request.llvm_bolt = path("llvm-bolt");
  }
  // The result, or what optimize() fails with in the place of a result's failure.
  OptimizeResult run() {
    Result<OptimizeResult> result = optimize(request);
    if (result) return *std::move(result);
    OptimizeResult failed;
    failed.failure = result.error();
    return failed;
  }
  std::string failure() {
    OptimizeResult result = run();
    if (!result.failure) return "no error";
    return result.failure->message +
           (result.failure->advice.empty() ? "" : "; " + result.failure->advice);
  }
  // The counts are refused, and nothing is written.
  void expect_refused_counts(const std::string& message, const std::string& advice) {
    const OptimizeResult result = run();
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(*result.failure, (Error{ErrorKind::kUnsupported, message, advice}));
    EXPECT_TRUE(result.refused_counts);
    EXPECT_EQ(result.delivered, Delivered::kNothing);
    EXPECT_FALSE(std::filesystem::exists(path("out")));
  }
  static std::string checks_of(const OptimizeResult& result) {
    std::string text;
    for (const CheckOutcome& one : result.checks)
      text += std::to_string(static_cast<int>(one.check)) +
              std::to_string(static_cast<int>(one.state)) + one.reason + ";";
    return text;
  }

  OptimizeRequest request;
};

}  // namespace pgo::optimization_test
