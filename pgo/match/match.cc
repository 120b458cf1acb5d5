#include "pgo/match/match.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "converters/format.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/llvm_sample/profile_digest.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/parallel.h"
#include "pgo/binary/binary.h"
#include "pgo/binary/debug_place.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/elf/probe_table.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// The binary with what is known about it.
struct Subject {
  std::unique_ptr<ElfImage> image;
  std::unique_ptr<ElfImage> debug;  // null when the image has debug information, or nothing has
  std::optional<ProfileNote> note;
  std::optional<StalenessStatistics> statistics;

  const ElfImage& debug_image() const { return debug ? *debug : *image; }
  const ElfImage& symbols() const { return image->symbols().empty() ? debug_image() : *image; }
  std::string noted_digest() const { return note ? note->profile : std::string(); }
};

Result<Subject> open_subject(const MatchRequest& request) {
  Subject subject;
  PGO_TRY(ElfImage image, open_elf(request.binary));
  subject.image = std::make_unique<ElfImage>(std::move(image));
  if (!has_debug_info(*subject.image) || !request.debug.files.empty()) {
    PGO_TRY(std::optional<std::string> path, find_debug_file(*subject.image, request.debug));
    if (!path && !request.debug.files.empty())
      return fail(
          ErrorKind::kMismatch,
          "\xFF{debug-file} " + request.debug.files.front() + " is not of " + request.binary +
              " (" +
              (subject.image->build_id().empty() ? "none" : subject.image->build_id().hex()) + ")");
    if (path) {
      PGO_TRY(ElfImage debug, ElfImage::open(*path));
      subject.debug = std::make_unique<ElfImage>(std::move(debug));
    }
  }
  subject.note = read_profile_note(*subject.image);
  subject.statistics = find_staleness_statistics(*subject.image);
  if (!subject.statistics && subject.debug)
    subject.statistics = find_staleness_statistics(*subject.debug);
  return subject;
}

bool has_digest(const std::string& path, const std::string& digest) {
  Result<MappedFile> file = MappedFile::open(path);
  return file && profile_digest(file->bytes()) == digest;
}

// In a build tree of the CMake package, the profile is where the compiler was given it:
// prodpgo/<16 digits>/ in some folder above the binary. One that was pulled is in the cache.
std::string find_noted_profile(const MatchRequest& request, const std::string& digest) {
  constexpr std::string_view kAlgorithm = "sha256:";
  constexpr size_t kDirectoryDigits = 16;
  if (!digest.starts_with(kAlgorithm) || digest.size() < kAlgorithm.size() + kDirectoryDigits)
    return {};
  if (digest.find_first_not_of("0123456789abcdef", kAlgorithm.size()) != std::string::npos)
    return {};
  const std::string directory = digest.substr(kAlgorithm.size(), kDirectoryDigits);
  std::error_code ignored;
  fs::path at = fs::absolute(request.binary, ignored).parent_path();
  for (; !at.empty(); at = at.parent_path()) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(at / "prodpgo" / directory, ignored))
      if (has_digest(entry.path().string(), digest)) return entry.path().string();
    if (at == at.root_path()) break;
  }
  if (request.blobs.empty()) return {};
  std::string blob = request.blobs + "/" + digest.substr(kAlgorithm.size());
  return has_digest(blob, digest) ? blob : std::string();
}

Failure no_profile(const std::string& binary, const Subject& subject) {
  if (!subject.note || subject.noted_digest().empty())
    return fail(ErrorKind::kUsage, binary + ": has no note of a profile that it was built with",
                "name one with \xFF{profile}");
  return fail(ErrorKind::kUsage,
              binary + ": was built with the profile " +
                  (subject.note->name.empty() ? "?" : subject.note->name) + ", " +
                  subject.noted_digest() + ", which is not found",
              "name it with \xFF{profile}");
}

// The function that a symbol is of, or of a part of (f.cold, f.__uniq.1.llvm.2): f, f.__uniq.1.
llvm::StringRef function_of(llvm::StringRef symbol) {
  constexpr llvm::StringRef kUnique = ".__uniq.";
  size_t unique = symbol.find(kUnique);
  return symbol.take_front(
      symbol.find('.', unique == llvm::StringRef::npos ? 0 : unique + kUnique.size()));
}

// The functions without lines or probes; has(hash) is whether a function has them.
template <typename Has>
StaticNames bare_functions(const ElfImage& symbols, const Has& has) {
  StaticNames names;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    llvm::StringRef name = function_of({symbol.name.data(), symbol.name.size()});
    if (symbol.function && !has(function_guid(name))) names.add(name);
  }
  return names;
}

Result<ProfileMatch> match_by_line(const SourceProfile& profile, const Subject& subject,
                                   const MatchRequest& request, Diagnostics& diagnostics) {
  const ElfImage& image = subject.debug_image();
  if (!has_debug_info(image))
    return fail(ErrorKind::kInput,
                request.binary +
                    ": has no debug information, so its lines cannot be compared with those of "
                    "the profile",
                advise_on_missing(image, std::string("build with ") + kDebugOptions +
                                             ", or name its debug file with \xFF{debug-file}"));
  PGO_TRY(std::unique_ptr<DebugInfo> debug_info,
          DebugInfo::open(image, resolve_jobs(request.jobs)));
  SourcePlaces places(*debug_info, wanted_functions(profile),
                      has_flow_sensitive_discriminators(subject.symbols())
                          ? Discriminators::kWhole
                          : Discriminators::kEncoded,
                      SymbolNames(subject.symbols()));
  for (const std::string& file : places.missing_split_files())
    diagnostics.warn(
        kMissingSplitFile,
        debug_info->path() + ": " + file +
            ", which has a part of its debug information (-gsplit-dwarf), was not found; its "
            "functions count as missing");
  diagnostics.add(debug_info->damage().diagnostics(debug_info->path()));
  return match_lines(profile, places, bare_functions(subject.symbols(), [&](uint64_t guid) {
                       return places.has_function(guid);
                     }));
}

Result<ProfileMatch> match_by_probe(const SourceProfile& profile, const Subject& subject) {
  // llvm-strip takes them away, GNU strip leaves them.
  const ElfImage& image = has_probes(*subject.image) ? *subject.image : subject.debug_image();
  if (!has_probes(image))
    return fail(ErrorKind::kInput,
                subject.image->path() + ": has no pseudo probes, and the profile counts by probe",
                advise_on_missing(image,
                                  "build with -fpseudo-probe-for-profiling, or name its debug "
                                  "file with \xFF{debug-file}"));
  PGO_TRY(ProbeFunctions functions, ProbeFunctions::read(image));
  return match_probes(profile, functions, bare_functions(subject.symbols(), [&](uint64_t guid) {
                        return functions.find(guid) != nullptr;
                      }));
}

// A profile that can be compared.
Result<LlvmSampleFile> read_profile(Bytes bytes, const std::string& shown) {
  const std::optional<Format> format = detect_format(bytes);
  if (format && is_gcc_profile(*format))
    return fail(
        ErrorKind::kUnsupported,
        shown + ": is a profile for GCC, which lacks the data to be compared with a build",
        "convert the same recordings into another with \xFF{output} FILE.prof, and name that one "
        "with \xFF{profile}");
  if (!format || !is_llvm_profile(*format))
    return fail(
        ErrorKind::kUnsupported,
        shown + ": is not an LLVM sample profile, the only kind that can be compared with a build",
        "pgo convert makes one from recordings");
  return read_llvm_sample(bytes, shown);
}

}  // namespace

std::optional<bool> MatchResult::is_noted_profile() const {
  if (!note || note->profile.empty()) return std::nullopt;
  return note->profile == profile_digest;
}

Result<MatchResult> match(const MatchRequest& request) {
  MatchResult result;
  result.binary = request.binary;
  result.of_several = request.of_several;
  PGO_TRY(Subject subject, open_subject(request));
  std::string path = request.profile.empty() ? find_noted_profile(request, subject.noted_digest())
                                             : request.profile;
  if (path.empty()) return no_profile(request.binary, subject);
  result.profile = request.shown_as.empty() ? path : request.shown_as;

  PGO_TRY(MappedFile file, MappedFile::open(path, {.wants = is_llvm_sample}));
  PGO_TRY(LlvmSampleFile sample, read_profile(file.bytes(), result.profile));
  result.diagnostics.add(sample.profile.diagnostics);
  result.profile_digest = profile_digest(file.bytes());
  bool by_probe = sample.profile.is_probe_based;
  result.basis = by_probe ? MatchBasis::kProbe : MatchBasis::kLine;
  result.min_match = request.min_match.value_or(by_probe ? thresholds::kUsualMatchByProbe
                                                         : thresholds::kUsualMatchByLine);
  PGO_TRY(result.match, by_probe
                            ? match_by_probe(sample.profile, subject)
                            : match_by_line(sample.profile, subject, request, result.diagnostics));

  if (result.match.weights.all() == 0)
    return fail(ErrorKind::kEmpty,
                result.profile + ": has no counts, so there is nothing to compare");
  if (request.of_several) result.left_out = result.match.leave_out_absent();
  if (!result.has_counts())
    result.diagnostics.warn(
        "no-counts-for-binary",
        result.profile + ": has no counts for functions of " + request.binary +
            "; perhaps it did not run during the recording, or pgo convert did not get it by "
            "\xFF{binary}, or its functions had other names (pgo show " +
            result.profile +
            " lists those of the profile). If this is expected, turn the comparison off: "
            "\xFF{min-match=0}");
  result.note = std::move(subject.note);
  result.compiler = subject.statistics;
  return result;
}

}  // namespace pgo
