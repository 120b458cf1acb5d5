#include "pgo/cli/file_kind.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "bolt/bolt_yaml.h"
#include "bolt/fdata.h"
#include "bolt/preaggregated.h"
#include "converters/address/address_profile_reader.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/perf_data/recording.h"
#include "pgo/base/inflate.h"
#include "pgo/base/mapped_file.h"
#include "pgo/cli/stack_input.h"

namespace pgo {
namespace {

// In the order in which they are asked: magic numbers first, then texts from strict to lenient.
constexpr FileKind kKinds[] = {
    {"recording", "a recording", perf_data::is_perf_data, describe_recording},
    {"ELF file", "an ELF file", ElfImage::is_elf, describe_elf},
    {"address profile", "an address profile", is_address_profile, describe_address_profile},
    {"GCC profile", "a GCC profile", is_gcc_auto_profile, describe_gcc_profile},
    {"report of pgo convert", "a report of pgo convert", is_report, describe_report},
    {"BOLT YAML", "a YAML profile of BOLT", is_bolt_yaml, describe_bolt_yaml},
    {"fdata", "an fdata profile of BOLT", is_fdata, describe_fdata},
    {"pre-aggregated traces", "a file of pre-aggregated traces", is_preaggregated,
     describe_preaggregated},
    {"LLVM sample profile", "an LLVM sample profile", is_llvm_sample, describe_llvm_sample},
    {"profile of stacks", "a profile of stacks", is_stack_profile, describe_stacks},
};

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
Failure unknown_compressed_file(Bytes bytes, const std::string& path, const std::string& how,
                                const std::string& tool) {
  Result<InflatedBytes> inflated = inflate(bytes, path);
  if (!inflated) return Failure{inflated.error()};
  std::string is_compressed = path + ": is compressed by " + how;
  if (inflated->bytes().empty())
    return fail(ErrorKind::kInput,
                is_compressed + ", and nothing is inside; was it cut short, or never finished?");
  if (const FileKind* kind = find_file_kind(inflated->bytes()))
    return fail(ErrorKind::kUnsupported,
                is_compressed + " (" + kind->name + "); uncompress it first (" + tool + ")");
  return fail(ErrorKind::kUnsupported,
              is_compressed + ", and what is inside " + describe_unknown(inflated->bytes()));
}

}  // namespace

const FileKind* find_file_kind(Bytes bytes) {
  auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                           [&](const FileKind& one) { return one.is(bytes); });
  return kind == std::end(kKinds) ? nullptr : kind;
}

bool is_convertible(Bytes bytes, const FileKind* kind) {
  if (kind == nullptr) return false;
  if (kind->describe == describe_stacks) {
    Result<InflatedBytes> inflated = inflate(bytes, "");
    return inflated && find_stack_format(inflated->bytes()) != StackFormat::kFolded;
  }
  return kind->describe == describe_recording || kind->describe == describe_preaggregated ||
         kind->describe == describe_address_profile;
}

std::string tell_file(Bytes bytes, const std::string& path, const std::string& after) {
  const FileKind* kind = find_file_kind(bytes);
  return kind == nullptr ? unknown_file(bytes, path).error.message
                         : path + ": is " + kind->with_article + after;
}

std::string tell_inconvertible_file(Bytes bytes, const std::string& path) {
  const FileKind* kind = find_file_kind(bytes);
  if (kind == nullptr) return unknown_file(bytes, path).error.message;
  std::string text = path + ": is " + kind->with_article;
  if (kind->describe == describe_stacks)
    return path +
           ": is folded stacks, which have neither addresses nor lines: fetch pprof from where "
           "they are from, or record. As a makeshift, pgo merge makes pprof of them (-o x.pb.gz), "
           "of which pgo convert --without-lines makes do with the functions";
  if (kind->describe == describe_elf) return text + "; what is needed here is a recording of it";
  if (kind->describe == describe_report) return text + ", and holds figures alone";
  return text + ", which is made of recordings; those are needed here";
}

Result<ElfImage> open_elf(const std::string& path) {
  Result<ElfImage> image = ElfImage::open(path);
  if (image || path == "-") return image;
  Result<MappedFile> file = MappedFile::open(path);
  if (!file || ElfImage::is_elf(file->bytes())) return image;
  return fail(ErrorKind::kInput,
              tell_file(file->bytes(), path, ", and a program or library (ELF) is needed there"));
}

Failure unknown_file(Bytes bytes, const std::string& path) {
  if (bytes.empty())
    return fail(ErrorKind::kInput, path + ": is empty; was it cut short, or never finished?");
  switch (find_compression(bytes)) {
    case Compression::kGzip: return unknown_compressed_file(bytes, path, "gzip", "gunzip");
    case Compression::kZstd: return unknown_compressed_file(bytes, path, "zstd", "unzstd");
    case Compression::kNone: break;
  }
  return fail(ErrorKind::kUnsupported, path + ": " + describe_unknown(bytes));
}

}  // namespace pgo
