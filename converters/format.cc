#include "converters/format.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "converters/address/address_profile_reader.h"
#include "converters/bolt_yaml/bolt_yaml.h"
#include "converters/convert_report/convert_report.h"
#include "converters/fdata/fdata.h"
#include "converters/folded/folded.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/gperftools/gperftools_cpu.h"
#include "converters/llvm_sample/llvm_sample_format.h"
#include "converters/perf_data/recording.h"
#include "converters/pprof/pprof_reader.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/base/mapped_file.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

template <LlvmSampleFormat format>
bool is_llvm_form(Bytes contents) {
  return detect_llvm_sample(contents) == format;
}

// In this order: perf.data to LLVM's binary forms have magic numbers, the others are texts, of
// which folded stacks are the most lenient.
constexpr FormatInfo kFormats[] = {
    {Format::kPerfData, perf_data::is_perf_data, "a", "perf.data recording", FormatUse::kConvert},
    {Format::kElf, ElfImage::is_elf, "an", "ELF file"},
    {Format::kAddressProfile, is_address_profile, "an", "address profile",
     FormatUse::kConvertAndMerge, false, "addr", ".addr",
     "address profile, to be merged and converted later", FormatUse::kConvertAndMerge},
    {Format::kGcc, is_gcc_auto_profile, "a", "GCC profile", FormatUse::kNone, false, "gcc", ".afdo",
     "profile for GCC 12's -fauto-profile", FormatUse::kConvert},
    {Format::kGcc13, nullptr, "a", "GCC profile", FormatUse::kNone, false, "gcc-13", "",
     "the same for GCC 13 to 15, with discriminators", FormatUse::kConvert},
    {Format::kConvertReport, is_convert_report, "a", "report of pgo convert"},
    {Format::kBoltYaml, is_bolt_yaml, "a", "BOLT profile in YAML"},
    {Format::kFdata, is_fdata, "a", "BOLT profile (fdata)", FormatUse::kNone, false, "fdata",
     ".fdata", "BOLT profile; runs the installed perf2bolt", FormatUse::kConvert},
    {Format::kPreaggregated, is_preaggregated, "", "pre-aggregated traces", FormatUse::kConvert,
     false, "preagg", ".preagg", "traces for perf2bolt -pa", FormatUse::kConvert},
    {Format::kLlvm, is_llvm_form<LlvmSampleFormat::kExtBinary>, "an", "LLVM sample profile",
     FormatUse::kMerge, false, "llvm", ".prof", "LLVM sample profile, extensible binary",
     FormatUse::kConvertAndMerge},
    {Format::kLlvmBinary, is_llvm_form<LlvmSampleFormat::kBinary>, "an", "LLVM sample profile",
     FormatUse::kMerge, false, "llvm-binary", "", "the same, raw binary",
     FormatUse::kConvertAndMerge},
    {Format::kLlvmText, is_llvm_form<LlvmSampleFormat::kText>, "an", "LLVM sample profile",
     FormatUse::kMerge, false, "llvm-text", ".proftext", "the same, text",
     FormatUse::kConvertAndMerge},
    {Format::kGperftools, is_gperftools_cpu, "a", "gperftools CPU profile",
     FormatUse::kConvertAndMerge, true},
    {Format::kPprof, is_pprof, "a", "pprof profile", FormatUse::kConvertAndMerge, true, "pprof",
     ".pb.gz", "pprof profile", FormatUse::kAll},
    {Format::kPprofPlain, nullptr, "a", "pprof profile", FormatUse::kNone, true, "pprof-plain",
     ".pb", "the same, not compressed", FormatUse::kConvertAndMerge},
    {Format::kFolded, is_folded, "", "folded stacks", FormatUse::kMerge, true, "folded", ".folded",
     "folded stacks, for flame graphs", FormatUse::kMergeAndDiff},
    {Format::kGo, nullptr, "a", "pprof profile for Go", FormatUse::kNone, true, "go", ".pgo",
     "default.pgo for go build -pgo", FormatUse::kMerge},
    {Format::kFlamePage, nullptr, "a", "page", FormatUse::kNone, false, "html", ".html",
     "flame graph and table of functions: one page for browsers", FormatUse::kAllPages},
    {Format::kFlamePicture, nullptr, "an", "SVG picture", FormatUse::kNone, false, "svg", ".svg",
     "flame graph as a picture", FormatUse::kMergeAndDiff},
    {Format::kMarkdown, nullptr, "a", "table in Markdown", FormatUse::kNone, false, "md", ".md",
     "table for a ticket or a pull request", FormatUse::kAllTables},
    {Format::kJson, nullptr, "a", "JSON file", FormatUse::kNone, false, "json", ".json",
     "all figures, for programs", FormatUse::kAllTables},
    {Format::kJunit, nullptr, "a", "JUnit XML file", FormatUse::kNone, false, "junit", ".xml",
     "test results for a CI system (JUnit XML)", FormatUse::kVerify},
    {Format::kBenchmark, nullptr, "a", "list of benchmarks", FormatUse::kNone, false, "benchmark",
     "", "for github-action-benchmark (customSmallerIsBetter)", FormatUse::kVerify},
};

// Files that are often at hand and are of no use here, and what to do with them.
struct ForeignFormat {
  std::string_view magic, what;
};
constexpr std::string_view kOldPprof =
    "a text profile in pprof's legacy format; 'go tool pprof -proto -output=OUT.pb.gz FILE' "
    "converts it to the current format";
constexpr ForeignFormat kForeignFormats[] = {
    // JSON with sorted keys: the first ones.
    {"{\n  \"builds\": [", "a report of pgo fetch; name the bundle that it is about instead"},
    {"{\n \"members\": [", "the bundle.json of a bundle; name its directory instead"},
    {"heap profile: ", kOldPprof},
    {"goroutine profile: total ", kOldPprof},
    {"threadcreate profile: total ", kOldPprof},
    {"--- heapz ", kOldPprof},
    {"--- growthz ", kOldPprof},
    {"--- contention", kOldPprof},
    {"--- mutex", kOldPprof},
    {"--- threadz ", kOldPprof},
    {"--- Thread ", kOldPprof},
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
     "GCC profile data, of instrumented code or of a version of -fauto-profile that pgo does not "
     "read; try gcov-dump or llvm-profdata"},
    {"!<arch>", "a library archive; name one of the binaries that were linked"},
    {"#!", "a script; only binaries have profiles"},
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

// The version of a profile for -fauto-profile, whichever it is: "gcda", version, 0, and the tag of
// its names.
std::optional<uint32_t> find_auto_profile_version(Bytes bytes) {
  ByteCursor cursor(bytes);
  uint32_t magic = cursor.u32(), version = cursor.u32();
  cursor.u32();
  bool is_auto_profile = magic == 0x67636461 && cursor.u32() == 0xaa000000 && cursor.ok();
  return is_auto_profile ? std::optional(version) : std::nullopt;
}

}  // namespace

std::span<const FormatInfo> all_formats() { return kFormats; }

const FormatInfo& info_of(Format format) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [&](const FormatInfo& info) { return info.format == format; });
}

std::optional<Format> detect_format(Bytes contents) {
  contents = contents.first(std::min(contents.size(), kKindBytes));
  for (const FormatInfo& info : kFormats)
    if (info.detect != nullptr && info.detect(contents)) return info.format;
  return std::nullopt;
}

bool is_used_by(FormatUse use, FormatUse command) {
  return (static_cast<uint8_t>(use) & static_cast<uint8_t>(command)) != 0;
}

bool is_llvm_profile(Format format) {
  return format == Format::kLlvm || format == Format::kLlvmBinary || format == Format::kLlvmText;
}

bool is_gcc_profile(Format format) { return format == Format::kGcc || format == Format::kGcc13; }

bool is_stack_format(Format format) {
  return format == Format::kPprof || format == Format::kPprofPlain || format == Format::kGo ||
         format == Format::kGperftools || format == Format::kFolded;
}

bool is_text_format(Format format) {
  return format == Format::kLlvmText || format == Format::kFdata ||
         format == Format::kPreaggregated || format == Format::kFolded ||
         format == Format::kMarkdown || format == Format::kJson || format == Format::kJunit ||
         format == Format::kBenchmark;
}

bool merges_binaries(Format format) {
  return format != Format::kFdata && format != Format::kPreaggregated;
}

std::string describe_foreign_format(Bytes contents) {
  if (std::optional<uint32_t> version = find_auto_profile_version(contents))
    return "is a profile for GCC's -fauto-profile of version " + std::to_string(*version) +
           ", an old format of create_gcov; GCC 12 to 15 take version 2, which 'pgo convert "
           "\xFF{output} FILE.afdo' or 'create_gcov --gcov_version=2' makes from the recording";
  std::string_view text = as_text(contents);
  for (const ForeignFormat& foreign : kForeignFormats)
    if (text.starts_with(foreign.magic)) return "is " + std::string(foreign.what);
  return "begins with " + first_bytes(contents) +
         ", which is none of the known formats: perf.data, ELF, LLVM sample profiles, "
         "GCC's auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, "
         "address profiles, pprof, gperftools' CPU profiles, folded stacks";
}

}  // namespace pgo
