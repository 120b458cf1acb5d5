// pgo convert: recordings and sample profiles into profiles for clang, GCC and BOLT. run() reads as
// the steps, from files to files; nothing is written before everything has been made.

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bolt/perf2bolt.h"
#include "bolt/preaggregated.h"
#include "converters/address/address_profile_writer.h"
#include "converters/gcc_auto/gcc_source_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/cli/binary_set.h"
#include "pgo/cli/bolted_binary.h"
#include "pgo/cli/command.h"
#include "pgo/cli/conversion_report.h"
#include "pgo/cli/convert_options.h"
#include "pgo/cli/empty_profile.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_profile.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/output_file.h"
#include "pgo/cli/output_paths.h"
#include "pgo/cli/peer_engine.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/cli/product.h"
#include "pgo/cli/progress.h"
#include "pgo/cli/sample_choice.h"
#include "pgo/cli/shared_names.h"
#include "pgo/profile/split_half.h"

namespace pgo {
namespace {

using perf_data::Compatibility;

// What a run holds on to. It lives until the program ends, which does not take it apart: freeing
// the maps of a large profile costs a tenth of the run.
struct Conversion {
  ConvertOptions options;
  BinarySet binaries;
  Perf2bolt perf2bolt;  // found when an output is fdata
  ConversionResult result;
};

LlvmSampleFormat llvm_format(const OutputFile& output) {
  if (output.format == OutputFormat::kLlvmText) return LlvmSampleFormat::kText;
  return output.format == OutputFormat::kLlvmBinary ? LlvmSampleFormat::kBinary
                                                    : LlvmSampleFormat::kExtBinary;
}

Result<perf_data::ReadOptions> read_options(const ConvertOptions& options) {
  perf_data::ReadOptions read;
  read.comm = options.comm;
  read.event = options.event;
  read.jobs = options.jobs;
  read.pids = options.pids;
  if (options.as_llvm_profgen()) read.compatibility = Compatibility::kLlvmProfgen;
  PGO_TRY(read.time, parse_time_window(options.time));
  return read;
}

ProbeUse probe_use(const ConvertOptions& options) {
  if (options.by_line) return ProbeUse::kNone;
  // llvm-profgen looks for probes in the binary alone.
  return options.as_llvm_profgen() ? ProbeUse::kOfBinary : ProbeUse::kOfBinaryOrDebugFile;
}

// Two kinds of profiles that cannot be one; `path` is of the binary that differs from the first.
Result<void> check_same_kind(const SourceProfile& all, const SourceProfile& one,
                             const std::string& path) {
  if (all.functions.empty()) return ok();
  if (all.is_probe_based != one.is_probe_based)
    return fail(ErrorKind::kMismatch,
                path +
                    ": only some of the binaries have pseudo probes; a profile is either by "
                    "probe or by line: convert them one by one, or all with --by-line");
  if (all.is_flow_sensitive != one.is_flow_sensitive)
    return fail(ErrorKind::kMismatch,
                path +
                    ": only some of the binaries were built with flow-sensitive discriminators "
                    "(-enable-fs-discriminator); their profiles cannot be one");
  return ok();
}

// Names of functions without counts of lines would call everything cold.
Result<void> check_has_lines(const SourceProfile& profile) {
  const LineCoverage& coverage = profile.coverage;
  if (profile.is_probe_based || coverage.all == 0) return ok();
  if (saturating_add(coverage.no_function, coverage.no_line) < coverage.all) return ok();
  std::string text = "no code that ran has a line in the debug information";
  const auto& oddities = profile.diagnostics.entries();
  auto damage = oddities.find(DebugDamage::kKind);
  return fail(ErrorKind::kEmpty, damage != oddities.end()
                                     ? text + ": " + damage->second.messages[0]
                                     : text + "; was the binary built with " + kDebugOptions + "?");
}

// Uses the counts up: they are large, and so is what becomes of them.
Result<SourceProfile> symbolize(std::vector<BinaryCounts> counted, const BinarySet& binaries,
                                const ConvertOptions& options) {
  BuildOptions build;
  build.jobs = options.jobs;
  if (options.as_llvm_profgen()) {
    build.gcc_code = GccCode::kAsLlvmProfgen;
    build.line_zero = LineZero::kWrite;
    build.outside_callers = OutsideCallers::kAtAddressOne;
  }
  SourceProfile all;
  for (const BinaryCounts& counts : counted)
    if (counts.traces.empty() && counts.ips.empty() &&
        find_bolted(*binaries.of(counts).image, binaries) == nullptr)
      all.diagnostics.warn("idle-binary", counts.path_hint +
                                              ": did not run in these recordings; nothing of it is "
                                              "in the profile");
  PGO_TRY(MovedCounts moved, move_counts_to_bolt_inputs(std::move(counted), binaries));
  all.coverage.broken_ranges = moved.broken_ranges;
  for (BinaryCounts& counts : moved.counts) {
    if (counts.traces.empty()) continue;
    const Binary& binary = binaries.of(counts);
    std::string path = counts.path_hint;
    Progress progress("symbolizing " + path, 0, "compile units");
    build.progress = [&](uint64_t done, uint64_t total) {
      progress.set_total(total);
      progress.update(done);
    };
    PGO_TRY(SourceProfile one, build_source_profile(binary.symbolized(), std::move(counts), build));
    if (size_t shared = count_shared_names(one, binary))
      one.diagnostics.warn(
          "shared-names",
          path + ": " + format_count(shared, "name in the profile is", "names in the profile are") +
              " that of several functions, which share their counts; " + kMakeNamesUnique);
    PGO_CHECK(check_same_kind(all, one, path));
    // Of several binaries one may have no lines, unless they were lost.
    if (one.diagnostics.entries().contains(DebugDamage::kKind)) PGO_CHECK(check_has_lines(one));
    all.add(std::move(one));
  }
  if (all.functions.empty())
    return fail(ErrorKind::kEmpty,
                all.is_probe_based
                    ? "no code that ran has pseudo probes; is it all of libraries that were built "
                      "without -fpseudo-probe-for-profiling? --by-line counts by line"
                    : std::string("no code that ran has a function in the debug information; was "
                                  "the binary built with ") +
                          kDebugOptions + "?");
  PGO_CHECK(check_has_lines(all));
  return all;
}

Result<void> make_bolt_products(const OutputFile& output, const Conversion& conversion,
                                std::vector<Product>& products) {
  const BinarySet& binaries = conversion.binaries;
  const std::vector<BinaryCounts>& counted = conversion.result.profile.binaries;
  auto ran = [&](const Binary& binary) {
    return std::any_of(counted.begin(), counted.end(), [&](const BinaryCounts& counts) {
      return &binaries.of(counts) == &binary && !counts.traces.empty();
    });
  };
  for (const BinaryCounts& counts : counted) {
    const ElfImage& image = *binaries.of(counts).image;
    std::string path = path_for_binary(output.path, image.path(), image.build_id().hex());
    const Binary* bolted = find_bolted(image, binaries);
    if (bolted && !ran(*bolted)) bolted = nullptr;
    if (binaries.binaries().size() > 1 && counts.traces.empty()) {
      print_warning(image.path() +
                    (bolted ? ": did not run, but what llvm-bolt made of it; "
                            : ": did not run in these recordings; ") +
                    path + " is not written" +
                    (bolted ? ", and that of " + bolted->image->path() + " is for it" : ""));
      continue;
    }
    if (bolted)
      print_warning(path + " and that of " + bolted->image->path() + " are both for " +
                    image.path() +
                    ", and merge-fdata does not join them: take the one with more samples");
    PGO_TRY(std::string text, write_preaggregated(counts));
    if (output.format == OutputFormat::kFdata) {
      PGO_TRY(Perf2boltOutput fdata,
              run_perf2bolt(conversion.perf2bolt, text, image.path(), {conversion.options.most()}));
      print_perf2bolt(path, fdata);
      products.push_back({path, std::move(fdata.fdata), perf2bolt_json(fdata)});
      continue;
    }
    products.push_back({path, std::move(text), nullptr});
  }
  return ok();
}

Result<std::string> write_source_profile(const SourceProfile& source, const OutputFile& output,
                                         unsigned jobs) {
  if (output.is_llvm()) return write_llvm_sample(source, llvm_format(output), jobs);
  PGO_TRY(GccAutoProfile profile,
          make_gcc_auto_profile(source, output.format == OutputFormat::kGcc13
                                            ? GccPlaces::kDiscriminators
                                            : GccPlaces::kLines));
  return write_gcc_auto_profile(profile);
}

// What was read, before anything is made of it.
Result<std::vector<Product>> make_address_products(const std::vector<OutputFile>& outputs,
                                                   const AddressProfile& profile) {
  std::vector<Product> products;
  for (const OutputFile& output : outputs) {
    if (!output.is_address()) continue;
    PGO_TRY(std::string contents, write_address_profile(profile));
    products.push_back({output.path, std::move(contents), nullptr});
  }
  return products;
}

// What is known by function and line alone cannot be stored by address.
Result<void> check_has_addresses(const std::vector<OutputFile>& outputs,
                                 const InputProfile& input) {
  for (const OutputFile& output : outputs)
    if (output.is_address() && !input.named.stacks.empty())
      return fail(
          ErrorKind::kUsage,
          output.path +
              ": an address profile cannot hold samples without addresses; pgo merge adds up "
              "profiles of names and lines");
  return ok();
}

// Without branch records: the outputs but address profiles need traces.
Result<void> use_plain_samples(const std::vector<OutputFile>& outputs, InputProfile& input,
                               Conversion& conversion) {
  if (conversion.options.as_llvm_profgen()) return ok();
  if (std::all_of(outputs.begin(), outputs.end(),
                  [](const OutputFile& output) { return output.is_address(); })) {
    if (keep_plain_samples(input.profile)) conversion.result.grade = kIpGrade;
    return ok();
  }
  const ConvertOptions& options = conversion.options;
  std::optional<PlainSamples>& plain = conversion.result.plain;
  if (input.named.stacks.empty()) {
    PGO_TRY(plain, infer_from_plain_samples(input.profile, conversion.binaries, options.jobs));
  } else {
    PGO_TRY(plain,
            infer_from_named_samples(
                std::move(input.named), input.profile, conversion.binaries,
                options.without_lines ? WithoutLine::kAnywhereInFunction : WithoutLine::kLeaveOut,
                options.jobs));
  }
  if (plain) conversion.result.grade = plain->grade();
  return ok();
}

// `products` are those that are made already.
Result<std::vector<Product>> make_products(const std::vector<OutputFile>& outputs,
                                           Conversion& conversion, std::vector<Product> products) {
  for (const OutputFile& output : outputs)
    if (!output.merges_binaries()) PGO_CHECK(make_bolt_products(output, conversion, products));
  for (const OutputFile& output : outputs) {
    if (!output.merges_binaries() || output.is_address()) continue;
    if (!conversion.result.source) {
      PGO_TRY(SourceProfile built, symbolize(std::move(conversion.result.profile.binaries),
                                             conversion.binaries, conversion.options));
      conversion.result.source = std::move(built);
    }
    PGO_TRY(std::string contents,
            write_source_profile(*conversion.result.source, output, conversion.options.jobs));
    products.push_back({output.path, std::move(contents), nullptr});
  }
  return products;
}

// The figures go to the file and to standard output that ask for them.
Result<void> write_products_and_report(std::vector<Product> products, const nlohmann::json& json,
                                       const ConvertOptions& options) {
  if (!options.report.empty()) products.push_back({options.report, json_text(json), nullptr});
  if (options.json) products.push_back({"-", json_text(json), nullptr});
  return write_products(products);
}

// Every output, made by another tool.
Result<void> run_engine(const ConvertOptions& options, const std::vector<OutputFile>& outputs) {
  PGO_TRY(PeerEngine peer, PeerEngine::find(options.engine, options));
  for (const OutputFile& output : outputs) {
    if (!output.is_llvm())
      return fail(ErrorKind::kUsage, options.engine + " makes LLVM profiles only; write " +
                                         output.path + " without --engine");
    PGO_CHECK(peer.check_format(llvm_format(output)));
  }
  PGO_CHECK(check_output_paths(outputs, {}, options));
  std::vector<Product> products;
  nlohmann::json json{{"engine", peer.program()}};
  for (const OutputFile& output : outputs) {
    PGO_TRY(std::string contents, peer.run(llvm_format(output)));
    products.push_back({output.path, std::move(contents), nullptr});
    json["outputs"].push_back(output_json(products.back()));
  }
  return write_products_and_report(std::move(products), json, options);
}

// Our profile beside the peer's, both as a compiler would read them.
Result<ProfileDifference> compare_with(const PeerEngine& peer, const SourceProfile& source) {
  auto read = [](const std::string& contents, const std::string& name) {
    return read_llvm_sample({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()},
                            name);
  };
  PGO_TRY(std::string theirs, peer.run(LlvmSampleFormat::kExtBinary));
  PGO_TRY(std::string ours, write_llvm_sample(source, LlvmSampleFormat::kExtBinary));
  PGO_TRY(LlvmSampleFile first, read(ours, "our profile"));
  PGO_TRY(LlvmSampleFile second, read(theirs, peer.program() + "'s profile"));
  return find_differences(first.profile, second.profile);
}

Result<std::optional<PeerEngine>> find_peer_to_check(const ConvertOptions& options,
                                                     const std::vector<OutputFile>& outputs) {
  if (options.check_against.empty()) return std::optional<PeerEngine>();
  if (std::none_of(outputs.begin(), outputs.end(),
                   [](const OutputFile& output) { return output.is_llvm(); }))
    return fail(ErrorKind::kUsage, "--check-against " + options.check_against +
                                       " compares LLVM profiles; write one (-o llvm:PATH)");
  PGO_TRY(PeerEngine peer, PeerEngine::find(options.check_against, options));
  return std::optional<PeerEngine>(std::move(peer));
}

Result<void> find_tools(const std::vector<OutputFile>& outputs, Conversion& conversion) {
  for (const OutputFile& output : outputs) {
    if (output.format != OutputFormat::kFdata || !conversion.perf2bolt.program.empty()) continue;
    PGO_TRY(Perf2bolt tool,
            find_perf2bolt({conversion.options.perf2bolt, "", conversion.options.most()}));
    conversion.perf2bolt = std::move(tool);
  }
  return ok();
}

// LLVM's binary form and GCC's have no place for probes; better said before hours of recordings are
// read.
Result<void> check_forms(const std::vector<OutputFile>& outputs, const BinarySet& binaries) {
  for (const OutputFile& output : outputs)
    for (const Binary& binary : binaries.binaries()) {
      if (binary.probes == nullptr) continue;
      std::string which = "pseudo probes, which " + binary.image->path() + " has; ";
      if (output.format == OutputFormat::kLlvmBinary)
        return fail(ErrorKind::kUsage, output.path + ": LLVM's binary form has no place for " +
                                           which + "use another form (-o llvm:PATH), or --by-line");
      if (output.is_gcc())
        return fail(ErrorKind::kUsage, output.path + ": GCC has no " + which +
                                           "--by-line counts by line, in all outputs");
    }
  return ok();
}

Result<ExitCode> run(Conversion& conversion) {
  const ConvertOptions& options = conversion.options;

  // What is wanted.
  PGO_TRY(std::vector<OutputFile> outputs, parse_outputs(options));
  if (options.as_llvm_profgen() && options.binaries.size() > 1)
    return fail(ErrorKind::kUsage,
                "--compat=llvm-profgen takes one --binary, as llvm-profgen does");
  if (!options.engine.empty()) {
    PGO_CHECK(run_engine(options, outputs));
    return kExitDone;
  }
  PGO_TRY(std::optional<PeerEngine> peer, find_peer_to_check(options, outputs));

  // The binaries and how to read their code.
  PGO_TRY(conversion.binaries,
          BinarySet::open(options.binaries, {options.debug_files, options.debug_roots},
                          probe_use(options)));
  PGO_CHECK(conversion.binaries.assume(options.assumed_build_ids));

  // What writing needs.
  PGO_CHECK(check_forms(outputs, conversion.binaries));
  PGO_CHECK(check_output_paths(outputs, conversion.binaries, options));
  PGO_CHECK(find_tools(outputs, conversion));

  // All recordings, as counts by address.
  PGO_TRY(perf_data::ReadOptions read, read_options(options));
  PGO_TRY(InputProfile input,
          read_input_profile(options.inputs, written_paths(outputs, conversion.binaries, options),
                             conversion.binaries, read));
  warn_of_idle_options(options, input);
  PGO_CHECK(check_has_addresses(outputs, input));
  PGO_TRY(std::vector<Product> as_read, make_address_products(outputs, input.profile));
  PGO_CHECK(use_plain_samples(outputs, input, conversion));
  if (auto error = explain_if_empty(input.profile, conversion.binaries, input.images))
    return fail(error->kind, error->message);
  if (auto words = explain_if_little(input.profile, conversion.binaries, input.images))
    input.profile.diagnostics.warn("little-used", *words);
  conversion.result.profile = std::move(input.profile);
  conversion.result.unused = std::move(input.unused);
  for (const BinaryCounts& counts : conversion.result.profile.binaries)
    conversion.result.counted.push_back({{"path", counts.path_hint},
                                         {"build_id", counts.id.hex()},
                                         {"traces", counts.traces.size()},
                                         {"ips", counts.ips.size()}});

  std::optional<double> overlap = conversion.result.plain
                                      ? conversion.result.plain->split_half_overlap
                                      : overlap_of_trace_halves(conversion.result.profile.binaries);

  // Every output, in memory, and what a peer makes of the recording; then all files on disk.
  PGO_TRY(std::vector<Product> products, make_products(outputs, conversion, std::move(as_read)));
  double density = conversion.result.source ? conversion.result.source->density(options.jobs) : 0;
  conversion.result.quality = judge_quality(conversion.result.plain, density, overlap);
  if (input.has_preaggregated_traces && !conversion.result.plain)
    conversion.result.quality.name = nullptr;
  std::optional<Result<ProfileDifference>> check;
  if (peer && conversion.result.source) check = compare_with(*peer, *conversion.result.source);
  nlohmann::json json = conversion_json(conversion.result, products);
  if (peer && check && *check) json["check"] = check_json(**check, peer->program());
  PGO_CHECK(write_products_and_report(std::move(products), json, options));

  // What became of it all.
  print_conversion(conversion.result);
  if (!peer || !check) return kExitDone;
  if (!*check) return fail(check->error().kind, check->error().message);
  print_note(format_check(**check, peer->program()));
  if ((*check)->identical()) return kExitDone;
  if (!options.as_llvm_profgen())
    print_note("the default keeps what llvm-profgen loses; --compat=llvm-profgen gives its counts");
  return kExitNo;
}

}  // namespace

void declare_convert(CLI::App& app, int& exit_code) {
  auto conversion = std::make_shared<Conversion>();
  ConvertOptions* options = &conversion->options;
  app.add_option("INPUT", options->inputs,
                 "Recordings (perf.data, with branch stacks or without), address profiles (.addr), "
                 "pprof and gperftools profiles and pre-aggregated traces (.preagg, of one "
                 "binary): files, globs, directories, @LIST, or - for standard input")
      ->required();
  app.add_option("-b,--binary", options->binaries,
                 "The ELF file that ran; several are told apart by build id")
      ->required()
      ->allow_extra_args(false);
  app.add_option("-o,--output", options->outputs,
                 "What to write, several times if you like:\n" + output_formats_help())
      ->required()
      ->allow_extra_args(false);
  app.add_option(
         "--assume-build-id", options->assumed_build_ids,
         "What a profile of stacks names without a build id (gperftools) is the binary with "
         "this one: by file name, or the main binary")
      ->allow_extra_args(false);
  app.add_flag("--by-line", options->by_line,
               "Count by line even where the binary has pseudo probes");
  app.add_flag(
      "--without-lines", options->without_lines,
      "Use samples that name a function without a line, and that have no address: they may "
      "be anywhere in it");
  app.add_option("--compat", options->compatibility,
                 "llvm-profgen: the very counts of llvm-profgen 22, its losses included")
      ->check(one_of({"llvm-profgen"}));
  app.add_option(
         "--check-against", options->check_against,
         "Run this tool as well, show where its profile differs, and exit 1 if it does; of one "
         "recording")
      ->check(one_of({"llvm-profgen"}));
  app.add_option("--engine", options->engine, "Let this installed tool make the profile instead")
      ->check(one_of(PeerEngine::names()))
      ->excludes("--check-against")
      ->excludes("--compat");
  app.add_option("--debug-file", options->debug_files,
                 "Where the debug information of a stripped --binary is")
      ->allow_extra_args(false);
  app.add_option("--debug-root", options->debug_roots,
                 "Directories with debug files by build id (.build-id/ab/cdef….debug) or path")
      ->capture_default_str()
      ->allow_extra_args(false);
  app.add_option("--event", options->event,
                 "Count this event, of pprof this sample type (default: the one with branch "
                 "stacks, the only one, or CPU samples)");
  app.add_option("--pid", options->pids, "Count only these processes: 5,6 or one after another")
      ->delimiter(',')
      ->check(whole_number())
      ->allow_extra_args(false);
  app.add_option("--comm", options->comm, "Count only threads of this name");
  app.add_option("--time", options->time, "Count only FIRST,LAST in seconds, either may be empty");
  app.add_option("--perf2bolt", options->perf2bolt, "The perf2bolt to run for fdata:");
  app.add_option("--timeout", options->timeout, "Seconds that perf2bolt has")
      ->capture_default_str()
      ->check(whole_number(1));
  app.add_option("-j,--jobs", options->jobs, "Threads (default: all cores)")->check(whole_number());
  app.add_option("--report", options->report, "Write the figures as JSON to this file");
  app.add_flag("--json", options->json, "Print the figures as JSON on standard output");
  app.footer(
      "Branch records of all inputs add up as they are, whatever the hosts' sampling periods.\n"
      "Plain samples count when no input has branch stacks.\n"
      "Example:\n"
      "  pgo convert recordings/ --binary ./server -o server.prof -o server.fdata\n"
      "  clang++ -O2 -fprofile-sample-use=server.prof …");
  app.callback([conversion, &exit_code] {
    Result<ExitCode> done = run(*conversion);
    exit_code = done ? *done : report_error(done.error());
  });
}

}  // namespace pgo
