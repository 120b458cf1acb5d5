#include "pgo/doctor/binary_check.h"

#include <algorithm>

#include "bolt/bolt_check.h"
#include "bolt/bolt_fitness.h"
#include "pgo/base/number_text.h"
#include "pgo/binary/binary_set.h"
#include "pgo/binary/debug_place.h"
#include "pgo/binary/profile_note.h"
#include "pgo/code/shown_name.h"
#include "pgo/doctor/build_facts.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/elf/probe_coverage.h"
#include "pgo/profile/thresholds.h"
#include "pgo/record/program_file.h"
#include "pgo/record/stepped_program.h"

namespace pgo {
namespace {

void check_identity(const ElfImage& image, Findings& findings) {
  if (image.build_id().empty())
    findings.add({Verdict::kWarning, "build ID",
                  "none: recordings identify it by its file name only",
                  "link with -Wl,--build-id"});
  else
    findings.ok("build ID", image.build_id().hex());
}

// Whether lines can be examined. `probes` is what has pseudo probes, if anything.
bool check_debug_lines(const ElfImage& image, const DebugPlace& place, const ElfImage* probes,
                       Findings& findings) {
  if (is_bolted(image)) {
    findings.ok(
        "debug lines",
        "taken from the input of llvm-bolt: also name that file with \xFF{binary}, here and "
        "for pgo convert");
    return false;
  }
  if (!place.path.empty()) {
    findings.ok("debug lines", describe_debug_info(image, place));
    return true;
  }
  if (probes != nullptr)
    findings.ok("debug lines", "none; pseudo probes do not need any");
  else if (auto link = image.debug_link())
    findings.add(
        {Verdict::kMissing, "debug lines",
         "not found; they should be in " + std::string(link->file_name) + " (.gnu_debuglink)",
         "name it with \xFF{debug-file}, or the directory that has it with \xFF{debug-root}"});
  else
    findings.add(
        {Verdict::kMissing, "debug lines", "none: counts cannot be assigned to source lines",
         advise_on_missing(image, std::string("build with ") + kDebugOptions +
                                      "; the debug information may be split off afterwards")});
  return false;
}

void check_symbols(const ElfImage& image, const ElfImage& symbols, Findings& findings) {
  uint64_t functions = static_cast<uint64_t>(
      std::count_if(symbols.symbols().begin(), symbols.symbols().end(),
                    [](const ElfImage::Symbol& symbol) { return symbol.function; }));
  if (symbols.symbols().empty())
    findings.add({Verdict::kMissing, "symbols", "none: it is stripped, so its code cannot be found",
                  "keep the unstripped file, or a debug file (objcopy --only-keep-debug)"});
  else
    findings.ok("symbols", format_count(static_cast<uint64_t>(functions), "function") +
                               (&symbols == &image ? "" : ", in " + symbols.path()));
}

void check_bolt_fitness(const ElfImage& image, Findings& findings) {
  if (is_bolted(image)) {
    // What one file shows by itself: segments and sections that do not fit together.
    std::vector<std::string> faults = check_equivalence(image, image);
    if (!faults.empty())
      findings.add({Verdict::kMissing, "loading",
                    "damaged after llvm-bolt wrote it: it " + faults[0],
                    "GNU strip and objcopy do that; strip with llvm-strip"});
    if (has_address_translation(image))
      findings.ok("BOLT", "made by llvm-bolt, with an address translation table");
    else
      findings.add({Verdict::kMissing, "BOLT",
                    "made by llvm-bolt without an address translation table: recordings of it "
                    "cannot be translated back to the original code",
                    "make it with pgo bolt, or with llvm-bolt -enable-bat; was it stripped? "
                    "give the unstripped file, which still has the table"});
    return;
  }
  if (std::optional<BoltObstacle> obstacle = find_bolt_obstacle(image))
    findings.add({Verdict::kWarning, "BOLT", "refused: it " + obstacle->what, obstacle->advice});
  else
    findings.ok("BOLT", "can be optimized: symbols and relocations were kept");
}

// Can single steps record the program? Files that are not executed, such as libraries, are recorded
// with the programs that load them.
void check_steps(const std::string& path, const ElfImage& image, Findings& findings) {
  if (image.kind() != ElfImage::Kind::kExecutable && image.find_section(".interp") == nullptr)
    return;
  const std::string command = path.find('/') == std::string::npos ? "./" + path : path;
  Result<ProgramFile> program = find_program_file({command}, "");
  if (!program) return;
  Result<void> steps = check_stepped_program(*program);
  if (steps)
    findings.ok("steps", "single steps can record it: pgo record \xFF{engine} step");
  else
    findings.add(Verdict::kWarning, "steps", steps.error());
}

void check_profile(const ElfImage& image, Findings& findings) {
  std::optional<ProfileNote> note = read_profile_note(image);
  std::string text = "the file has no note of one";
  if (note) text = "built with " + describe_profile_note(*note);
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos; at++) text.insert(at + 1, "  ");
  findings.ok("profile", text);
}

void check_names(const BuildFacts& facts, Findings& findings) {
  bool any_clang = std::any_of(facts.compilers.begin(), facts.compilers.end(),
                               [](const std::string& name) { return name.starts_with("clang"); });
  if (!any_clang) {
    findings.ok("names", "unchanged: only clang can make the names of static functions unique");
    return;
  }
  uint64_t shared = facts.static_functions - facts.unique_static_functions;
  if (shared != 0)
    findings.add({Verdict::kWarning, "names",
                  format_count(shared) + " of " + format_count(facts.static_functions) +
                      " static functions have no unique name: functions with the same name share "
                      "their counts",
                  kMakeNamesUnique});
  else if (facts.static_functions == 1)
    findings.ok("names", "the only static function has a unique name");
  else if (facts.static_functions != 0)
    findings.ok("names", "each of the " + format_count(facts.static_functions) +
                             " static functions has a unique name");
  else
    findings.ok("names", "clang compiled no static functions");
}

// Clang's -gline-tables-only writes lines of all code, and functions only where they were inlined.
// Without them nothing more can be said of the functions that they describe.
void check_split_files(const BuildFacts& facts, Findings& findings) {
  const std::vector<std::string>& missing = facts.missing_split_files;
  const bool is_one = missing.size() == 1;
  findings.add({Verdict::kMissing, "split files",
                format_count(missing.size(), ".dwo file was", ".dwo files were") + " not found (" +
                    (is_one ? "" : "the first: ") + missing[0] + "): counts of " +
                    (is_one ? "its" : "their") + " code are lost",
                "keep .dwo files where they were written, or collect them in a .dwp file beside "
                "the binary"});
}

void check_functions(const BuildFacts& facts, Findings& findings) {
  if (facts.code_without_function <= facts.code_size / thresholds::kNegligibleOneIn) return;
  findings.add(
      {facts.code_without_function == facts.code_size ? Verdict::kMissing : Verdict::kWarning,
       "functions",
       format_percent(facts.code_without_function, facts.code_size) +
           " of the code is in no function of the debug information: its counts are lost",
       "compile with -fdebug-info-for-profiling (clang), or -g"});
}

void check_calls(const BuildFacts& facts, Findings& findings) {
  if (facts.calls == 0) return;
  std::string text = format_percent(facts.calls_without_line, facts.calls) + " of " +
                     format_count(facts.calls, "call") + " have no line";
  if (facts.calls_without_line <= facts.calls / thresholds::kNegligibleOneIn)
    findings.ok("calls", text);
  else
    findings.add({Verdict::kWarning, "calls", text + ": their targets are missing from the profile",
                  "compile with -mllvm -pick-merged-source-locations (clang)"});
}

// Profiles leave out libraries that were compiled without probes, and no other tool says so.
// `facts` is null without debug information.
void check_probes(const ElfImage* probes, const ElfImage& symbols, const BuildFacts* facts,
                  Findings& findings) {
  if (probes == nullptr && symbols.symbols().empty())
    return findings.add({Verdict::kWarning, "probes", "not known: stripping removes them, too",
                         "name the debug file with \xFF{debug-file}, here and for pgo convert"});
  if (probes == nullptr) return findings.ok("probes", "none: profiles count by line");
  Result<ProbeFunctions> functions = ProbeFunctions::read(*probes);
  if (!functions) return findings.add(Verdict::kError, "probes", functions.error());
  ProbeCoverage coverage = probe_coverage(symbols, *functions);
  if (facts != nullptr)
    coverage.drop_units_with_probes([&](ElfAddr addr) { return facts->unit_of(addr); });
  if (coverage.without_size <= coverage.code_size / thresholds::kNegligibleOneIn)
    return findings.ok("probes", "present: profiles count by pseudo probe");
  constexpr size_t kNamed = 3;
  std::string names;
  for (size_t i = 0; i < std::min(kNamed, coverage.without.size()); i++)
    names += (i == 0 ? "" : ", ") + shown_name(coverage.without[i].name);
  findings.add({Verdict::kWarning, "probes",
                "present, but not in " + format_percent(coverage.without_size, coverage.code_size) +
                    " of its code, which is missing from profiles by probe: " +
                    format_count(coverage.without.size(), "function, ", "functions, the largest ") +
                    names,
                "compile all of it, with its static libraries \xFF{linked}, with "
                "-fpseudo-probe-for-profiling"});
}

Result<BuildFacts> find_build_facts(const std::string& path, const DebugPlaces& places,
                                    unsigned jobs) {
  PGO_TRY(BinarySet set, BinarySet::open({path}, places, BinaryUse::kCounts));
  return read_build_facts(set.binaries()[0], jobs);
}

std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What only its debug information shows. Calls in code with `probes` need no lines.
void check_build(const Result<BuildFacts>& facts, const ElfImage* probes, Findings& findings) {
  if (!facts) return findings.add(Verdict::kError, "compiled by", facts.error());
  if (!facts->damage.empty())
    findings.add({Verdict::kWarning, "damage", facts->damage, "build or copy the file again"});
  if (!facts->compilers.empty()) findings.ok("compiled by", comma_list(facts->compilers));
  check_names(*facts, findings);
  if (probes != nullptr) return;
  if (facts->missing_split_files.empty())
    check_functions(*facts, findings);
  else
    check_split_files(*facts, findings);
  check_calls(*facts, findings);
}

// Where debug information is, and the file that has it if it is another one.
struct FoundDebug {
  DebugPlace place;
  std::optional<ElfImage> image;
};

Result<FoundDebug> open_debug_information(const ElfImage& image, const DebugPlaces& places) {
  FoundDebug found;
  PGO_TRY(found.place, find_debug_info(image, places));
  if (found.place.path.empty() || found.place.own) return found;
  PGO_TRY(found.image, ElfImage::open(found.place.path));
  return found;
}

}  // namespace

void check_binary(const std::string& path, const DebugPlaces& places, unsigned jobs,
                  Findings& findings) {
  Result<ElfImage> opened = ElfImage::open(path);
  if (!opened) return findings.add(Verdict::kError, "file", opened.error());
  const ElfImage& image = *opened;
  Result<FoundDebug> debug = open_debug_information(image, places);
  const ElfImage* elsewhere = debug && debug->image ? &*debug->image : nullptr;
  const ElfImage* probes = find_probes(image, elsewhere);
  const ElfImage& symbols = image.symbols().empty() && elsewhere ? *elsewhere : image;

  check_identity(image, findings);
  if (!debug) findings.add(Verdict::kError, "debug lines", debug.error());
  bool has_lines = debug && check_debug_lines(image, debug->place, probes, findings);
  check_symbols(image, symbols, findings);
  std::optional<Result<BuildFacts>> facts;
  if (has_lines && !symbols.symbols().empty()) {
    facts = find_build_facts(path, places, jobs);
    check_build(*facts, probes, findings);
  }
  check_probes(probes, symbols, facts && *facts ? &**facts : nullptr, findings);
  check_bolt_fitness(image, findings);
  check_steps(path, image, findings);
  check_profile(image, findings);
}

}  // namespace pgo
