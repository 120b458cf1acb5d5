#include "pgo/cli/describe_applied.h"

#include <cstdio>
#include <filesystem>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/llvm_sample/profile_digest.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/parallel.h"
#include "pgo/cli/elf_facts.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/elf/probe_table.h"
#include "pgo/elf/staleness_statistics.h"
#include "pgo/symbolize/profile_fit.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// What is said about each Fit, in its order.
struct FitText {
  const char* json;
  const char* line;   // in the list of shares
  const char* table;  // of one function
  const char* advice;
};
constexpr FitText kFits[kFitCount] = {
    {"place", "", "", ""},
    {"optimised_away", "", "", ""},
    {"other_discriminator", "the line is there, but in other pieces", "line changed",
     "the source changed since it was profiled"},
    {"no_line", "the function is there, but not the line", "function changed",
     "the source changed since it was profiled"},
    {"no_line_when_profiled", "had no line when it was profiled", "had no line",
     "build what is profiled with -mllvm -pick-merged-source-locations (clang), as "
     "prodpgo_profilable does"},
    {"other_name", "static functions that this build gives other names", "other name",
     "build both with one compiler; clang's with -funique-internal-linkage-names and a prefix map, "
     "as prodpgo_profilable does"},
    {"no_debug_info", "the function is there, without debug information of it", "no debug info",
     "build all of the program with -gline-tables-only -fdebug-info-for-profiling, or -g; in "
     "CMake, "
     "LINKED takes its static libraries along"},
    {"no_function", "no code of such functions", "not in this build",
     "renamed, removed, optimised away, or of another program"},
    {"changed", "the function is there with another control flow", "function changed",
     "the source changed since it was profiled, or another version of clang compiled it"},
    {"no_probes", "the function is there, without pseudo probes", "no probes",
     "build all of the program with -fpseudo-probe-for-profiling; in CMake, LINKED takes its "
     "static "
     "libraries along"},
};

const FitText& text_of(Fit fit) { return kFits[static_cast<size_t>(fit)]; }

// Percent of a profile that still has a place after the usual edits. By probe a function that was
// edited loses all: with one edit in each of twelve hot functions of Lua 29 % were left, by line 66
// %.
constexpr double kUsualShareByLine = 50, kUsualShareByProbe = 20;

// The binary with what is known about it.
struct Subject {
  std::unique_ptr<ElfImage> image;
  std::unique_ptr<ElfImage> debug;  // null when the image has debug information, or nothing has
  nlohmann::json note;              // null when there is none
  std::optional<StalenessStatistics> statistics;

  const ElfImage& debug_image() const { return debug ? *debug : *image; }
  const ElfImage& symbols() const { return image->symbols().empty() ? debug_image() : *image; }
  std::string noted_digest() const {
    return note.is_object() ? note.value("profile", std::string()) : std::string();
  }
};

Result<Subject> open_subject(const AppliedOptions& options) {
  Subject subject;
  PGO_TRY(ElfImage image, open_elf(options.binary));
  subject.image = std::make_unique<ElfImage>(std::move(image));
  if (!has_debug_info(*subject.image) || !options.describe.debug.files.empty()) {
    PGO_TRY(std::optional<std::string> path,
            find_debug_file(*subject.image, options.describe.debug));
    if (!path && !options.describe.debug.files.empty())
      return fail(ErrorKind::kMismatch, "--debug-file " + options.describe.debug.files.front() +
                                            " is not of " + options.binary + " (" +
                                            format_build_id(subject.image->build_id().hex()) + ")");
    if (path) {
      PGO_TRY(ElfImage debug, ElfImage::open(*path));
      subject.debug = std::make_unique<ElfImage>(std::move(debug));
    }
  }
  subject.note = profile_note(*subject.image);
  subject.statistics = find_staleness_statistics(*subject.image);
  if (!subject.statistics && subject.debug)
    subject.statistics = find_staleness_statistics(*subject.debug);
  return subject;
}

// In a build tree of the CMake package, the profile is where the compiler was given it:
// prodpgo/<16 digits>/ in some folder above the binary.
std::string find_noted_profile(const std::string& binary, const std::string& digest) {
  constexpr std::string_view kAlgorithm = "sha256:";
  constexpr size_t kDirectoryDigits = 16;
  if (!digest.starts_with(kAlgorithm) || digest.size() < kAlgorithm.size() + kDirectoryDigits)
    return {};
  std::string directory = digest.substr(kAlgorithm.size(), kDirectoryDigits);
  if (directory.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  std::error_code ignored;
  fs::path at = fs::absolute(binary, ignored).parent_path();
  for (; !at.empty(); at = at.parent_path()) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(at / "prodpgo" / directory, ignored)) {
      Result<MappedFile> file = MappedFile::open(entry.path().string());
      if (file && profile_digest(file->bytes()) == digest) return entry.path().string();
    }
    if (at == at.root_path()) break;
  }
  return {};
}

Failure no_profile(const std::string& binary, const Subject& subject) {
  if (subject.noted_digest().empty())
    return fail(ErrorKind::kUsage,
                binary +
                    ": has no note of a profile that it was built with; name one with "
                    "--profile");
  return fail(ErrorKind::kUsage, binary + ": was built with the profile " +
                                     subject.note.value("name", std::string("?")) + ", " +
                                     subject.noted_digest() +
                                     ", which is not found; name it with --profile");
}

// The function that a symbol is of, or of a part of (f.cold, f.__uniq.1.llvm.2): f, f.__uniq.1.
llvm::StringRef function_of(llvm::StringRef symbol) {
  constexpr llvm::StringRef kUnique = ".__uniq.";
  size_t unique = symbol.find(kUnique);
  return symbol.take_front(
      symbol.find('.', unique == llvm::StringRef::npos ? 0 : unique + kUnique.size()));
}

// The functions that lack what the profile goes by; `has` tells by hash which ones have it.
template <typename Has>
StaticNames bare_functions(const ElfImage& symbols, const Has& has) {
  StaticNames names;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    llvm::StringRef name = function_of({symbol.name.data(), symbol.name.size()});
    if (symbol.function && !has(function_guid(name))) names.add(name);
  }
  return names;
}

Result<ProfileFit> fit_by_line(const SourceProfile& profile, const Subject& subject,
                               const AppliedOptions& options, Diagnostics& diagnostics) {
  const ElfImage& image = subject.debug_image();
  if (!has_debug_info(image))
    return fail(ErrorKind::kInput,
                options.binary +
                    ": has no debug information, so its lines cannot be compared with those of "
                    "the profile; " +
                    advise_on_missing(image,
                                      "build with -gline-tables-only, or name its debug "
                                      "file with --debug-file"));
  PGO_TRY(std::unique_ptr<DebugInfo> debug_info,
          DebugInfo::open(image, resolve_jobs(options.describe.jobs)));
  SourcePlaces places(*debug_info, wanted_functions(profile),
                      has_flow_sensitive_discriminators(subject.symbols())
                          ? Discriminators::kWhole
                          : Discriminators::kEncoded,
                      SymbolNames(subject.symbols()));
  for (const std::string& file : places.missing_split_files())
    diagnostics.warn("missing-split-file",
                     debug_info->path() + ": " + file +
                         ", which has debug information of it (-gsplit-dwarf), was not found; its "
                         "functions count as missing");
  diagnostics.add(debug_info->damage().diagnostics(debug_info->path()));
  return fit_to_places(profile, places, bare_functions(subject.symbols(), [&](uint64_t guid) {
                         return places.has_function(guid);
                       }));
}

Result<ProfileFit> fit_by_probe(const SourceProfile& profile, const Subject& subject) {
  // llvm-strip takes them away, GNU strip leaves them.
  const ElfImage& image = has_probes(*subject.image) ? *subject.image : subject.debug_image();
  if (!has_probes(image))
    return fail(ErrorKind::kInput,
                subject.image->path() +
                    ": has no pseudo probes, and the profile counts by probe; " +
                    advise_on_missing(image,
                                      "build with -fpseudo-probe-for-profiling, or name its "
                                      "debug file with --debug-file"));
  PGO_TRY(ProbeFunctions functions, ProbeFunctions::read(image));
  return fit_to_probes(profile, functions, bare_functions(subject.symbols(), [&](uint64_t guid) {
                         return functions.find(guid) != nullptr;
                       }));
}

// A share of `whole` for people: what is little is told from nothing.
std::string format_share(uint64_t part, uint64_t whole) {
  std::string text = format_percent(part, whole);
  return part != 0 && text == "0.0 %" ? "< 0.1 %" : text;
}

void add_shares(const ProfileFit& fit, Description& description, TextSheet& sheet) {
  uint64_t all = fit.weights.all(), gone = fit.weights.of(Fit::kOptimisedAway);
  std::string lost;
  for (size_t i = 0; i < kFitCount; i++) {
    uint64_t weight = fit.weights.by_fit[i];
    description.json["weight"][kFits[i].json] = weight;
    if (*kFits[i].line == 0 || weight == 0) continue;
    lost += (lost.empty() ? "" : "\n") + format_share(weight, all) + "  " + kFits[i].line + ":\n" +
            std::string(2, ' ') + kFits[i].advice;
  }
  std::string kept = format_percent(all - fit.weights.lost(), all) + " of the profile";
  if (gone != 0)
    kept += "; of " + format_share(gone, all) + " no code is left, but of the lines around it";
  sheet.row("has a place", kept);
  if (!lost.empty()) sheet.row("lost", lost);
}

void add_compiler(const StalenessStatistics& found, Description& description, TextSheet& sheet) {
  description.json["compiler"] = {
      {"call_sites", found.call_sites},
      {"lost_call_sites", found.lost_call_sites},
      {"recovered_call_sites", found.recovered_call_sites},
      {"lost_call_site_samples", found.lost_call_site_samples},
      {"recovered_call_site_samples", found.recovered_call_site_samples},
      {"functions", found.functions},
      {"changed_functions", found.changed_functions},
      {"samples", found.samples},
      {"changed_samples", found.changed_samples}};
  std::string text = "call sites not found: " + format_count(found.lost_call_sites) + " of " +
                     format_count(found.call_sites) + ", " +
                     format_count(found.lost_call_site_samples, "count");
  if (found.recovered_call_sites != 0)
    text += "\ncall sites found elsewhere (-salvage-stale-profile): " +
            format_count(found.recovered_call_sites) + ", " +
            format_count(found.recovered_call_site_samples, "count");
  if (found.renamed_functions != 0)
    text += "\nrenamed functions found (-salvage-unused-profile): " +
            format_count(found.renamed_functions) + ", " +
            format_count(found.renamed_samples, "count");
  if (found.samples != 0)
    text += "\nin changed functions: " + format_share(found.changed_samples, found.samples) +
            " of the counts";
  sheet.row("compiler", text);
}

void add_functions(const ProfileFit& fit, size_t top, Description& description, TextSheet& sheet) {
  description.json["functions"] = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  for (const FunctionFit& function : fit.functions) {
    uint64_t lost = function.weights.lost();
    if (lost == 0 || rows.size() == top) break;
    Fit reason = function.weights.main_loss();
    std::string name = shown_name(function.name);
    rows.push_back({format_count(lost), format_share(lost, fit.weights.all()),
                    format_percent(lost, function.weights.all()), text_of(reason).table, name});
    nlohmann::json json = {{"function", function.name},
                           {"weight", function.weights.all()},
                           {"lost", lost},
                           {"reason", text_of(reason).json}};
    if (!function.other_name.empty()) json["other_name"] = function.other_name;
    description.json["functions"].push_back(json);
  }
  if (!rows.empty())
    sheet.table({{"LOST", Align::kRight},
                 {"SHARE", Align::kRight},
                 {"OF IT", Align::kRight},
                 {"MOST OF IT"},
                 {"FUNCTION"}},
                rows);
}

// What `functions` lost most, and how to see more of it.
std::string complaint(const ProfileFit& fit, const AppliedOptions& options,
                      const std::string& profile) {
  constexpr size_t kNamed = 3;
  uint64_t all = fit.weights.all(), lost = fit.weights.lost();
  if (lost == 0) return {};
  const FitText& reason = text_of(fit.weights.main_loss());
  std::string names;
  for (size_t i = 0; i < kNamed && i < fit.functions.size(); i++)
    if (fit.functions[i].weights.lost() != 0)
      names += (i == 0 ? "" : ", ") + shown_name(fit.functions[i].name);
  return options.binary + ": only " + format_percent(all - lost, all) + " of " +
         (options.of_several ? "what the profile " + profile + " has of its functions"
                             : "the profile " + profile) +
         " has a place in it. Most of the rest: " + reason.line + " (" + reason.advice +
         "). These functions lost most: " + names + ". All of it: pgo show --applied " +
         options.binary + " --profile " + profile + (options.of_several ? " --several" : "");
}

// The digest of the given profile beside the one that the binary says it was built with.
void add_profile(const Subject& subject, const std::string& path, const std::string& digest,
                 Description& description, TextSheet& sheet) {
  std::string noted = subject.noted_digest();
  description.json["profile"] = {{"path", path}, {"digest", digest}};
  description.json["note"] = subject.note;
  description.json["is_noted_profile"] =
      noted.empty() ? nlohmann::json() : nlohmann::json(noted == digest);
  std::string text = path + "\n" + digest + "\n";
  if (noted.empty())
    text += "(the binary has no note of the profile it was built with)";
  else if (noted == digest)
    text += "the one that the binary was built with";
  else
    text += "not the one that the binary was built with: " + describe_profile_note(subject.note);
  sheet.row("profile", text);
}

}  // namespace

Result<AppliedAnswer> describe_applied(const AppliedOptions& options) {
  PGO_TRY(Subject subject, open_subject(options));
  std::string path = options.profile.empty()
                         ? find_noted_profile(options.binary, subject.noted_digest())
                         : options.profile;
  if (path.empty()) return no_profile(options.binary, subject);
  const std::string& shown = options.shown_as.empty() ? path : options.shown_as;
  PGO_TRY(MappedFile file, MappedFile::open(path));
  if (is_gcc_auto_profile(file.bytes()))
    return fail(ErrorKind::kUnsupported,
                shown +
                    ": is a profile for GCC, which has too little to be compared with a build; "
                    "convert the same recordings into another with -o FILE.prof, and name that one "
                    "with --profile");
  if (!is_llvm_sample(file.bytes()))
    return fail(ErrorKind::kUnsupported,
                shown +
                    ": is no LLVM sample profile, the only kind that can be compared with a "
                    "build; pgo convert makes them of recordings");
  PGO_TRY(LlvmSampleFile sample, read_llvm_sample(file.bytes(), shown));
  AppliedAnswer answer;
  bool by_probe = sample.profile.is_probe_based;
  PGO_TRY(ProfileFit fit, by_probe
                              ? fit_by_probe(sample.profile, subject)
                              : fit_by_line(sample.profile, subject, options, answer.diagnostics));
  if (fit.weights.all() == 0)
    return fail(ErrorKind::kEmpty, shown + ": counts nothing, so there is nothing to apply");
  uint64_t all = fit.weights.all(), left_out = options.of_several ? fit.leave_out_absent() : 0;
  if (fit.weights.all() == 0)
    return fail(ErrorKind::kEmpty, shown + ": counts no function that " + options.binary + " has");

  answer.share = fit.share();
  answer.usual_share = by_probe ? kUsualShareByProbe : kUsualShareByLine;
  answer.complaint = complaint(fit, options, shown);
  Description& description = answer.description;
  description.json = {{"path", options.binary},
                      {"format", "applied"},
                      {"by", by_probe ? "probe" : "line"},
                      {"share", answer.share},
                      {"left_out", left_out},
                      {"compiler", nullptr},
                      {"warnings", warnings_json(answer.diagnostics)}};
  TextSheet sheet;
  sheet.line(options.binary + ": what of a profile has a place in it, by " +
             (by_probe ? "checksums of functions" : "line"));
  add_profile(subject, shown, profile_digest(file.bytes()), description, sheet);
  sheet.row("weight", format_count(fit.weights.all(), "count") + " in " +
                          format_count(fit.functions.size(), "function") + ", inlined ones too");
  if (options.of_several)
    sheet.row("left out", format_share(left_out, all) +
                              " of the profile is of functions that this "
                              "one does not have (--several)");
  add_shares(fit, description, sheet);
  if (subject.statistics) add_compiler(*subject.statistics, description, sheet);
  add_functions(fit, options.describe.top, description, sheet);
  description.text = sheet.text();
  return answer;
}

}  // namespace pgo
