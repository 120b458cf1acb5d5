// The table of file formats: the name of each, how to recognize its contents, the file names it is
// written under, and the commands that read it.
//
//   std::optional<Format> format = detect_format(bytes);     kPerfData
//   info_of(*format).name                                    "perf.data recording"
//
// The table knows no reader and no writer: who reads a file switches on its Format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"

namespace pgo {

enum class Format : uint8_t {
  kPerfData,
  kElf,
  kAddressProfile,
  kGcc,    // for GCC 12: counts by line
  kGcc13,  // for GCC 13 and later: counts by line and discriminator; detected as kGcc
  kConvertReport,
  kBoltYaml,
  kFdata,
  kPreaggregated,
  kLlvm,  // extensible binary
  kLlvmBinary,
  kLlvmText,
  kGperftools,
  kPprof,       // compressed by gzip, as nearly all of them are
  kPprofPlain,  // not compressed; detected as kPprof
  kGo,          // pprof as Go's compiler takes it; detected as kPprof
  kFolded,
  // Only written.
  kFlamePage,
  kFlamePicture,
  kMarkdown,
  kJson,
  kJunit,
  kBenchmark,  // github-action-benchmark's JSON
};

// Commands that take a format as an input, or write it.
enum class FormatUse : uint8_t {
  kNone = 0,
  kConvert = 1,
  kMerge = 2,
  kDiff = 4,
  kVerify = 8,
  kCost = 16,
  kLockDiff = 32,
  kConvertAndMerge = kConvert | kMerge,
  kMergeAndDiff = kMerge | kDiff,
  kAllTables = kDiff | kVerify | kCost | kLockDiff,
  kAllPages = kMerge | kDiff | kVerify,
  kAll = kConvert | kMerge | kDiff,
};

struct FormatInfo {
  Format format = Format::kElf;
  // Of the uncompressed contents; null for what is detected as another one.
  bool (*detect)(Bytes contents) = nullptr;
  std::string_view article, name;      // "a", "perf.data recording"; no article for a plural
  FormatUse input = FormatUse::kNone;  // who reads it
  bool may_be_compressed = false;      // its readers take gzip and zstd
  // As an output: "llvm" of "llvm:PATH", ".prof", and what it is. No prefix: it is not written.
  std::string_view prefix = {}, extension = {}, description = {};
  FormatUse output = FormatUse::kNone;

  // "a perf.data recording".
  std::string with_article() const {
    return std::string(article) + (article.empty() ? "" : " ") + std::string(name);
  }
};

// All formats, in the order in which contents are tried: magic numbers first, then text formats
// from strict to lenient.
std::span<const FormatInfo> all_formats();
const FormatInfo& info_of(Format format);

// What `contents`, which are not compressed, are; nothing when no format is recognized. The first
// kKindBytes decide (pgo/base/mapped_file.h).
std::optional<Format> detect_format(Bytes contents);

// `command` is one of a single command.
bool is_used_by(FormatUse use, FormatUse command);
bool is_llvm_profile(Format format);
bool is_gcc_profile(Format format);
// pprof, gperftools' CPU profiles and folded stacks.
bool is_stack_format(Format format);
// May it be printed on a terminal?
bool is_text_format(Format format);
// One file for all binaries together; BOLT's formats need one file for each binary.
bool merges_binaries(Format format);

// An output of a command: in which format, and where; "-" is standard output.
struct OutputSpec {
  Format format = Format::kLlvm;
  std::string path;
};

// What `contents` are when no format is recognized: "begins with 'MZ', ..." or a foreign format by
// its name, and what to do with it. To stand behind "PATH: ".
std::string describe_foreign_format(Bytes contents);

}  // namespace pgo
