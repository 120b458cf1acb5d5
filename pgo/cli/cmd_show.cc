// pgo show: what a file is, by its contents and never its name. The table of kinds is the command;
// each kind has a file describe_<kind>.cc. With --applied: what of a profile is in a binary.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>

#include "bolt/bolt_yaml.h"
#include "bolt/fdata.h"
#include "bolt/preaggregated.h"
#include "converters/address/address_profile_reader.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/perf_data/recording.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/mapped_file.h"
#include "pgo/cli/command.h"
#include "pgo/cli/describe_applied.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/stack_input.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

// What --applied does instead of answering: nothing while enough has a place, or complain.
enum class Complain { kNever, kWarning, kError };

struct ShowOptions {
  DescribeOptions describe;
  std::string file;
  bool json = false;
  bool applied = false;
  std::string profile, shown_as;
  bool of_several = false;
  Complain complain = Complain::kNever;
  std::optional<double> min_share;  // percent; none: what the kind of profile lets expect
};

struct Kind {
  const char* name;
  bool (*is)(Bytes bytes);
  Result<Description> (*describe)(Bytes bytes, const std::string& path,
                                  const DescribeOptions& options);
};

// In the order in which they are asked: magic numbers first, then texts from strict to lenient.
constexpr Kind kKinds[] = {
    {"recording", perf_data::is_perf_data, describe_recording},
    {"ELF file", ElfImage::is_elf, describe_elf},
    {"address profile", is_address_profile, describe_address_profile},
    {"GCC profile", is_gcc_auto_profile, describe_gcc_profile},
    {"report of pgo convert", is_report, describe_report},
    {"BOLT YAML", is_bolt_yaml, describe_bolt_yaml},
    {"fdata", is_fdata, describe_fdata},
    {"pre-aggregated traces", is_preaggregated, describe_preaggregated},
    {"LLVM sample profile", is_llvm_sample, describe_llvm_sample},
    {"profile of stacks", is_stack_profile, describe_stacks},
};

const Kind* find_kind(Bytes bytes) {
  auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                           [&](const Kind& one) { return one.is(bytes); });
  return kind == std::end(kKinds) ? nullptr : kind;
}

// Files that are often at hand, and what to do with them.
struct Stranger {
  std::string_view magic, what;
};
constexpr Stranger kStrangers[] = {
    {"\xfd"
     "7zXZ",
     "compressed by xz; uncompress it first"},
    {"\xff"
     "lprofi\x81",
     "an LLVM profile of instrumented code; llvm-profdata show reads it"},
    {"\x81"
     "rforpl\xff",
     "a raw LLVM profile of instrumented code; llvm-profdata merge reads it"},
    {"adcg",
     "GCC profile data, of instrumented code or of a version of -fauto-profile that is not read "
     "here; gcov-dump or llvm-profdata may"},
    {"!<arch>", "a library archive; name one of the binaries that were linked"},
    {"#!", "a script; profiles are of binaries"},
};

// The first bytes as they would be typed, or in hexadecimal.
std::string first_bytes(Bytes bytes) {
  constexpr size_t kShown = 8;
  std::string text, hex;
  bool printable = true;
  for (uint8_t byte : bytes.first(std::min(kShown, bytes.size()))) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x ", byte);
    hex += digits;
    text += static_cast<char>(byte);
    printable &= byte >= 0x20 && byte < 0x7f;
  }
  if (!hex.empty()) hex.pop_back();
  return printable ? "'" + text + "'" : hex;
}

// "is a script; ..." or "begins with ...".
std::string describe_unknown(Bytes bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Stranger& stranger : kStrangers)
    if (text.starts_with(stranger.magic)) return "is " + std::string(stranger.what);
  return "begins with " + first_bytes(bytes) +
         ", which is no file that is known here: perf.data, ELF, LLVM sample profiles, "
         "GCC's auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, "
         "address profiles, pprof, gperftools' CPU profiles, folded stacks";
}

// Damage is told by inflating, which also tells what is inside.
Failure unknown_compressed_file(Bytes bytes, const std::string& path, const std::string& how) {
  Result<InflatedBytes> inflated = inflate(bytes, path);
  if (!inflated) return Failure{inflated.error()};
  std::string is_compressed = path + ": is compressed by " + how;
  if (inflated->bytes().empty())
    return fail(ErrorKind::kInput,
                is_compressed + ", and nothing is inside; was it cut short, or never finished?");
  if (const Kind* kind = find_kind(inflated->bytes()))
    return fail(ErrorKind::kUnsupported,
                is_compressed + " (" + kind->name + "); uncompress it first");
  return fail(ErrorKind::kUnsupported,
              is_compressed + ", and what is inside " + describe_unknown(inflated->bytes()));
}

Failure unknown_file(Bytes bytes, const std::string& path) {
  if (bytes.empty())
    return fail(ErrorKind::kInput, path + ": is empty; was it cut short, or never finished?");
  switch (find_compression(bytes)) {
    case Compression::kGzip: return unknown_compressed_file(bytes, path, "gzip");
    case Compression::kZstd: return unknown_compressed_file(bytes, path, "zstd");
    case Compression::kNone: break;
  }
  return fail(ErrorKind::kUnsupported, path + ": " + describe_unknown(bytes));
}

// What `pgo convert` takes; of profiles of stacks not the folded ones, which have no addresses.
bool is_convertible(Bytes bytes, const Kind* kind) {
  if (kind == nullptr) return false;
  if (kind->describe == describe_stacks) {
    Result<InflatedBytes> inflated = inflate(bytes, "");
    return inflated && find_stack_format(inflated->bytes()) != StackFormat::kFolded;
  }
  return kind->describe == describe_recording || kind->describe == describe_preaggregated ||
         kind->describe == describe_address_profile;
}

// The files below a directory that conversions would look at, and which of them they read.
Result<Description> describe_directory(const std::string& path, const DescribeOptions& options) {
  PGO_TRY(std::vector<InputFile> files, find_input_files({path}));
  Description description;
  description.json = {{"path", path}, {"format", "directory"}, {"files", nlohmann::json::array()}};
  std::vector<std::vector<std::string>> rows;
  uint64_t readable = 0;
  for (const InputFile& input : files) {
    Result<MappedFile> file = MappedFile::open(input.path);
    Bytes bytes = file ? file->bytes() : Bytes{};
    const Kind* kind = find_kind(bytes);
    std::string name = !file ? "cannot be read" : kind == nullptr ? "not known" : kind->name;
    readable += is_convertible(bytes, kind);
    if (rows.size() < options.top) rows.push_back({input.path, name, format_size(bytes.size())});
    description.json["files"].push_back(
        {{"path", input.path}, {"kind", name}, {"size", bytes.size()}});
  }
  description.json["readable"] = readable;
  TextSheet sheet;
  sheet.line(path + ": directory of " + format_count(files.size(), "file") +
             "; pgo convert reads " + format_count(readable) + " of them");
  sheet.table({{"FILE"}, {"KIND"}, {"SIZE", Align::kRight}}, rows);
  if (rows.size() < files.size())
    sheet.line("  and " + format_count(files.size() - rows.size()) + " more (--top)");
  description.text = sheet.text();
  return description;
}

Result<void> print(const ShowOptions& options, const Description& description) {
  return write_file_atomically("-", options.json ? json_text(description.json) : description.text);
}

Result<ExitCode> run_applied(const ShowOptions& options) {
  Result<AppliedAnswer> answer = describe_applied(
      {options.file, options.profile, options.shown_as, options.of_several, options.describe});
  bool is_enough = answer && 100 * answer->share >= options.min_share.value_or(answer->usual_share);
  // A build hears of what may be the reason only when there is something to give a reason for.
  if (answer && options.complain != Complain::kNever && !is_enough)
    print_warnings(answer->diagnostics);
  if (options.complain == Complain::kWarning) {
    if (!is_enough) print_warning(answer ? answer->complaint : answer.error().message);
    return kExitDone;
  }
  if (!answer) return Failure{answer.error()};
  if (options.complain == Complain::kError) {
    if (!is_enough) report_error({ErrorKind::kMismatch, answer->complaint});
  } else {
    PGO_CHECK(print(options, answer->description));
    print_warnings(answer->diagnostics);
  }
  return is_enough ? kExitDone : kExitNo;
}

Result<ExitCode> run(const ShowOptions& options) {
  if (options.applied) return run_applied(options);
  if (!options.describe.event.empty() && options.describe.binaries.empty())
    return fail(ErrorKind::kUsage,
                "--event chooses what is counted for --binary; name a binary as well");
  std::error_code ignored;
  if (std::filesystem::is_directory(options.file, ignored)) {
    if (!options.describe.binaries.empty())
      return fail(ErrorKind::kUsage, "--binary looks into one recording, and " + options.file +
                                         " is a directory; pgo convert reads all that it has");
    PGO_TRY(Description description, describe_directory(options.file, options.describe));
    PGO_CHECK(print(options, description));
    return kExitDone;
  }
  PGO_TRY(MappedFile file, MappedFile::open(options.file));
  const Kind* kind = find_kind(file.bytes());
  if (kind == nullptr) return unknown_file(file.bytes(), options.file);
  if (!options.describe.binaries.empty() && kind->describe != describe_recording)
    return fail(ErrorKind::kUsage,
                "--binary looks into recordings, and " + options.file + " is none");
  PGO_TRY(Description description, kind->describe(file.bytes(), options.file, options.describe));
  PGO_CHECK(print(options, description));
  return kExitDone;
}

}  // namespace

void declare_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  DescribeOptions& describe = options->describe;
  app.add_option("FILE", options->file,
                 "perf.data, ELF, profiles for LLVM, GCC and BOLT, pre-aggregated traces, "
                 "address profiles, pprof, a\n"
                 "report of pgo convert, or a directory of such; - for standard input")
      ->required();
  CLI::Option* binary =
      app.add_option("-b,--binary", describe.binaries,
                     "What ran in a recording: shows what a conversion would use of it")
          ->allow_extra_args(false);
  app.add_option("--debug-file", describe.debug.files,
                 "Where the debug information of a stripped binary is")
      ->allow_extra_args(false);
  app.add_option("--debug-root", describe.debug.roots,
                 "Directories with debug files by build id (.build-id/ab/cdef….debug) or path")
      ->capture_default_str()
      ->allow_extra_args(false);
  CLI::Option* event = app.add_option(
      "--event", describe.event,
      "Count this event of a recording (default: the one with branch stacks, or\nthe only one)");
  app.add_option("--top", describe.top, "Lines of each table")
      ->capture_default_str()
      ->check(whole_number());
  app.add_option("-j,--jobs", describe.jobs, "Threads (default: all cores)")->check(whole_number());
  app.add_flag("--json", options->json, "Print JSON: raw names, exact figures");
  CLI::Option* applied = app.add_flag(
      "--applied", options->applied,
      "Of a binary: how much of a profile has a place in it, and why the rest has not");
  applied->excludes(binary)->excludes(event);
  CLI::Option* profile =
      app.add_option("--profile", options->profile,
                     "The LLVM sample profile for --applied (default: the one that the binary's "
                     "note names, where the CMake package put it)")
          ->needs(applied);
  app.add_option("--shown-as", options->shown_as,
                 "What to call the profile that is a copy of another file")
      ->needs(profile);
  app.add_option("--min-share", options->min_share,
                 "With --applied: exit 1 when less of the profile, in percent, has a place\n"
                 "(default: 50 of a profile by line, 20 of one by probe)")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(applied);
  app.add_flag("--several", options->of_several,
               "With --applied: the profile is of several binaries; leave out what this one has no "
               "function for")
      ->needs(applied);
  const std::map<std::string, Complain> complaints = {{"warning", Complain::kWarning},
                                                      {"error", Complain::kError}};
  app.add_option("--complain", options->complain,
                 "With --applied: no answer, but when less than --min-share has a place, or none "
                 "can be told,\none warning and exit 0, or one error")
      ->transform(CLI::CheckedTransformer(complaints).description(""))
      ->type_name("warning|error")
      ->needs(applied);
  app.footer(
      "The funnel of a recording goes as far as the files that were mapped; with --binary it goes\n"
      "on to what a conversion would use.\n"
      "With --applied, a profile and a binary that was built with it are compared by the lines "
      "that code\n"
      "comes from, wherever it was inlined.\n"
      "Examples:\n"
      "  pgo show server.perf --binary ./server\n"
      "  pgo show --applied ./server --profile server.prof");
  app.callback([options, &exit_code] {
    Result<ExitCode> code = run(*options);
    exit_code = code ? *code : report_error(code.error());
  });
}

}  // namespace pgo
