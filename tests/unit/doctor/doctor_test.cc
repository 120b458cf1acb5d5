// examine() of a machine that has nothing, and of binaries that are written here. Programs are
// looked for in an empty directory, but for LLVM's, which have a directory of their own.
#include "pgo/doctor/doctor.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "pgo/doctor/binary_check.h"
#include "pgo/doctor/tool_check.h"
#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::doctor_test {
namespace {

class DoctorTest : public test::TemporaryFiles {
 protected:
  // The findings about the ELF file `elf`, as "verdict topic: text -> advice" by topic.
  static std::string finding(const Findings& findings, const std::string& topic) {
    const char* names[] = {"ok", "warning", "missing", "error"};
    for (const Finding& one : findings.all())
      if (one.topic == topic)
        return names[static_cast<int>(one.verdict)] + std::string(": ") + one.text +
               (one.advice.empty() ? "" : " -> " + one.advice);
    return "none";
  }
  Findings check(ElfBuilder& elf) const {
    Findings findings;
    check_binary(write("server", elf.finish()), DebugPlaces{{}, {}}, 1, findings);
    return findings;
  }
};

TEST_F(DoctorTest, SaysWhatIsLostWithoutAToolOfLlvm) {
  Findings findings;
  check_llvm_tools(directory(), directory(), findings);
  EXPECT_EQ(finding(findings, "llvm-profgen"),
            "warning: not found: \xFF{check-against} and \xFF{with} llvm-profgen cannot be used -> "
            "install "
            "llvm-22");
}

TEST_F(DoctorTest, FindsWhatABareBinaryLacks) {
  ElfBuilder elf;
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                  std::string(16, '\xc3'));
  Findings findings = check(elf);
  EXPECT_EQ(
      finding(findings, "build ID"),
      "warning: none: recordings identify it by its file name only -> link with -Wl,--build-id");
  EXPECT_EQ(
      finding(findings, "debug lines"),
      "missing: none: counts cannot be assigned to source lines -> it is stripped: give the file "
      "as it was linked, or name its debug file with \xFF{debug-file}");
  EXPECT_EQ(finding(findings, "symbols"),
            "missing: none: it is stripped, so its code cannot be found -> keep the unstripped "
            "file, or a debug file (objcopy --only-keep-debug)");
  EXPECT_EQ(finding(findings, "probes"),
            "warning: not known: stripping removes them, too -> name the debug file with "
            "\xFF{debug-file}, here and for pgo convert");
  EXPECT_EQ(finding(findings, "profile"), "ok: the file has no note of one");
  EXPECT_TRUE(findings.has(Verdict::kMissing));
  EXPECT_FALSE(findings.has(Verdict::kError));
}

TEST_F(DoctorTest, SaysWhetherSingleStepsCanRecordAProgram) {
  auto steps_of = [&](const std::string& loader, Elf64_Half type) {
    ElfBuilder elf;
    elf.header.e_type = type;
    elf.header.e_machine = EM_X86_64;
    if (!loader.empty()) elf.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0x1000, loader);
    const std::string file = write("server", elf.finish());
    ::chmod(file.c_str(), 0755);
    Findings findings;
    check_binary(file, DebugPlaces{{}, {}}, 1, findings);
    return finding(findings, "steps");
  };
  const std::string glibc("/lib64/ld-linux-x86-64.so.2\0", 28),
      musl("/lib/ld-musl-x86_64.so.1\0", 25);
  const std::string refused =
                        "warning: " + path("server") + " cannot be recorded by single steps: ",
                    advice = " -> use \xFF{engine} perf, clock or emulate";
  EXPECT_EQ(steps_of(glibc, ET_DYN),
            "ok: single steps can record it: pgo record \xFF{engine} step");
  EXPECT_EQ(steps_of("", ET_EXEC),
            refused + "it is linked statically, and preloads nothing" + advice);
  EXPECT_EQ(
      steps_of(musl, ET_EXEC),
      refused + "its dynamic loader, /lib/ld-musl-x86_64.so.1, is not that of glibc" + advice);
  EXPECT_EQ(steps_of("", ET_DYN), "none");  // a library
}

TEST_F(DoctorTest, FindsIdentitySymbolsAndNote) {
  ElfBuilder elf;
  uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                  std::string(16, '\xc3'));
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x2000,
                  ElfBuilder::note("GNU", 3, "\x01\x02\x03\x04"));
  elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x3000,
                  ElfBuilder::note("ProdPGO", 1, R"({"name":"server","tool":"ProdPGO 0.1.0"})"));
  elf.add_symbol("main", STT_FUNC, text, 0x1000, 16);
  Findings findings = check(elf);
  EXPECT_EQ(finding(findings, "build ID"), "ok: 01020304");
  EXPECT_EQ(finding(findings, "symbols"), "ok: 1 function");
  EXPECT_EQ(finding(findings, "profile"), "ok: built with server, applied by ProdPGO 0.1.0");
  EXPECT_EQ(finding(findings, "debug lines"),
            "missing: none: counts cannot be assigned to source lines -> build with "
            "-gline-tables-only -fdebug-info-for-profiling, or -g; the debug information may be "
            "split off afterwards");
}

TEST_F(DoctorTest, CannotExamineWhatIsNoElfFile) {
  Findings findings;
  check_binary(write("text", "text"), {}, 1, findings);
  ASSERT_EQ(findings.all().size(), 1u);
  EXPECT_EQ(findings.all()[0].verdict, Verdict::kError);
  EXPECT_EQ(findings.all()[0].topic, "file");
}

TEST_F(DoctorTest, ExaminesAMachineWithoutCompilers) {
  DoctorRequest request;
  request.search_path = directory();
  request.binaries = {write("text", "t")};
  DoctorResult result = examine(request).value();
  EXPECT_EQ(
      finding(result.machine, "compiler"),
      "missing: neither clang nor gcc is in PATH -> install clang-22, or name a compiler with "
      "\xFF{compiler}");
  EXPECT_EQ(
      finding(result.machine, "perf"),
      "warning: perf was not found -> install it (Debian: apt-get install linux-perf; Ubuntu: "
      "linux-tools-generic; Fedora: perf)");
  // Single steps need no program in the search path.
  const bool can_step = finding(result.machine, "steps") ==
                        "ok: single steps record branches of programs that pgo starts: pgo record "
                        "\xFF{engine} step";
  EXPECT_EQ(finding(result.machine, "recording"),
            can_step ? "none"
                     : "missing: neither perf nor single steps nor emulation work here -> set up "
                       "one of these; recordings of other machines can still be converted");
  ASSERT_EQ(result.binaries.size(), 1u);
  EXPECT_EQ(result.binaries[0].path, request.binaries[0]);
  EXPECT_TRUE(result.has(Verdict::kError));
  EXPECT_FALSE(result.is_ready());
}

TEST_F(DoctorTest, RefusesWhatIsNotThere) {
  DoctorRequest request;
  request.search_path = directory();
  request.binaries = {path("nowhere")};
  EXPECT_EQ(examine(request).error().message, path("nowhere") + ": does not exist");
  request.binaries.clear();
  request.compilers = {"nowhere"};
  EXPECT_EQ(examine(request).error().message, "\xFF{compiler} nowhere: there is no such program");
}

}  // namespace
}  // namespace pgo::doctor_test
