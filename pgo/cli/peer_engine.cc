#include "pgo/cli/peer_engine.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/perf_data/recording.h"
#include "pgo/base/end_requests.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"

namespace pgo {
namespace {

constexpr size_t kShownDifferences = 10;

struct Peer {
  std::string_view name;
  std::string_view program_too;  // another name of the program
  std::string_view package;
  std::string_view recording, binary, output, format;  // its options
  std::string_view debug_file, pid;                    // empty: it has no such option
  std::string_view by_line;                            // empty: it knows nothing else
  std::string_view needs;                              // a program that it runs
};

constexpr Peer kPeers[] = {
    {"llvm-profgen", "llvm-profgen-22", "llvm-22", "--perfdata=", "--binary=", "--output=",
     "--format=", "--debug-binary=", "--pid=", "--use-dwarf-correlation", "perf"},
    {"create_llvm_prof", "", "autofdo", "--profile=", "--binary=", "--out=", "--format=", "", "",
     "", ""},
};

const Peer& peer_named(const std::string& name) {
  return *std::find_if(std::begin(kPeers), std::end(kPeers),
                       [&](const Peer& peer) { return peer.name == name; });
}

std::string_view format_name(LlvmSampleFormat format) {
  switch (format) {
    case LlvmSampleFormat::kText: return "text";
    case LlvmSampleFormat::kBinary: return "binary";
    case LlvmSampleFormat::kExtBinary: return "extbinary";
  }
  return "";
}

std::string search_path() { return search_path_from_environment() + ":" + kDebianLlvmDirectory; }

std::optional<std::string> find_peer(const Peer& peer) {
  std::optional<std::string> found = find_program(peer.name, search_path());
  if (!found && !peer.program_too.empty()) found = find_program(peer.program_too, search_path());
  return found;
}

Failure cannot(const Peer& peer, const std::string& what) {
  return fail(ErrorKind::kUsage, std::string(peer.name) + " " + what);
}

// Peers read branch stacks of recordings. What else they do not understand is theirs to say.
Result<void> check_input(const Peer& peer, const std::string& path) {
  if (path == "-") return cannot(peer, "reads no standard input; name a file");
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return ok();
  if (!perf_data::is_perf_data(file->bytes()))
    return cannot(peer, "reads recordings (perf.data), and " + path +
                            " is none; 'pgo show' tells what it is");
  Result<perf_data::Recording> recording = perf_data::scan_recording(file->bytes(), path, {});
  if (!recording || recording->has_aux_data) return ok();
  if (std::any_of(recording->events.begin(), recording->events.end(),
                  [](const perf_data::EventAttr& event) { return event.has_branch_stacks(); }))
    return ok();
  return cannot(peer, "needs branch stacks (perf record -b), and " + path +
                          " has plain samples, which only pgo itself makes profiles of");
}

// What our options are in the peer's words.
Result<std::vector<std::string>> translate(const Peer& peer, const ConvertOptions& options) {
  PGO_TRY(std::vector<InputFile> files, find_input_files(options.inputs));
  if (files.size() != 1)
    return cannot(peer, "takes one recording; " + std::to_string(files.size()) + " are named");
  PGO_CHECK(check_input(peer, files[0].path));
  if (options.binaries.size() != 1) return cannot(peer, "takes one --binary");
  if (!options.comm.empty()) return cannot(peer, "has no --comm");
  if (!options.event.empty()) return cannot(peer, "has no --event");
  if (!options.time.empty()) return cannot(peer, "has no --time");
  std::vector<std::string> arguments{std::string(peer.recording) + files[0].path,
                                     std::string(peer.binary) + options.binaries[0]};
  if (!options.pids.empty()) {
    if (peer.pid.empty()) return cannot(peer, "has no --pid");
    if (options.pids.size() > 1) return cannot(peer, "takes one --pid");
    arguments.push_back(std::string(peer.pid) + std::to_string(options.pids[0]));
  }
  if (!options.debug_files.empty()) {
    if (peer.debug_file.empty()) return cannot(peer, "has no --debug-file");
    if (options.debug_files.size() > 1) return cannot(peer, "takes one --debug-file");
    arguments.push_back(std::string(peer.debug_file) + options.debug_files[0]);
  }
  if (options.by_line && !peer.by_line.empty()) arguments.emplace_back(peer.by_line);
  return arguments;
}

std::string advice(const std::string& words) {
  if (words.find("No relevant mmap event") != std::string::npos)
    return ": it knows a binary by its file name alone; is --binary called as it was when it ran?";
  if (words.find("Read/skipped") != std::string::npos)
    return ": it does not know a record of this newer perf.data";
  return "";
}

// Is an offset of its place one that no line has, as line 0 gets?
bool is_line_zero(const CountDifference* difference) {
  constexpr unsigned kFirstImpossible = 32768;
  std::string_view place = difference->place;  // "offset > callee > offset.discriminator"
  while (true) {
    unsigned offset = 0;
    std::from_chars(place.data(), place.data() + place.size(), offset);
    if (offset >= kFirstImpossible) return true;
    size_t next = place.find(" > ");
    if (next == std::string_view::npos) return false;
    place.remove_prefix(next + 3);
  }
}

std::string count_text(std::optional<uint64_t> count) {
  return count ? format_count(*count) : "none";
}

}  // namespace

std::vector<std::string> PeerEngine::names() {
  std::vector<std::string> names;
  for (const Peer& peer : kPeers) names.emplace_back(peer.name);
  return names;
}

Result<PeerEngine> PeerEngine::find(const std::string& name, const ConvertOptions& options) {
  const Peer& peer = peer_named(name);
  PeerEngine engine;
  engine.name_ = name;
  PGO_TRY(engine.arguments_, translate(peer, options));
  std::optional<std::string> program = find_peer(peer);
  if (!program)
    return fail(ErrorKind::kUnsupported, name + " is neither in PATH nor in " +
                                             kDebianLlvmDirectory + ": install " +
                                             std::string(peer.package));
  if (!peer.needs.empty() && !find_program(peer.needs, search_path()))
    return fail(ErrorKind::kUnsupported, name + " runs " + std::string(peer.needs) +
                                             ", which is not in PATH: install linux-perf");
  engine.program_ = *program;
  return engine;
}

Result<void> PeerEngine::check_format(LlvmSampleFormat format) const {
  if (name_ != "create_llvm_prof" || format != LlvmSampleFormat::kExtBinary) return ok();
  // Older ones, as Debian 12 has them, do not write the extensible form.
  PGO_TRY(Finished help, run_subprocess({program_, "--help"}));
  if ((help.output + help.error).find("extbinary") != std::string::npos) return ok();
  return fail(ErrorKind::kUnsupported, program_ +
                                           " writes no extensible binary profile; use -o "
                                           "llvm-binary:PATH or -o llvm-text:PATH");
}

Result<std::string> PeerEngine::run(LlvmSampleFormat format) const {
  const Peer& peer = peer_named(name_);
  EndRequests requests;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string output = directory.file("profile");
  std::vector<std::string> command{program_};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  command.push_back(std::string(peer.format) + std::string(format_name(format)));
  command.push_back(std::string(peer.output) + output);
  PGO_TRY(Finished finished, run_subprocess(command));
  std::string words = last_words(finished);
  if (finished.exit_status != 0)
    return fail(ErrorKind::kInput, program_ + " failed (exit status " +
                                       std::to_string(finished.exit_status) + "): " + words +
                                       advice(words));
  Result<MappedFile> made = MappedFile::open(output);
  Bytes bytes = made ? made->bytes() : Bytes{};
  if (!bytes.empty()) {
    PGO_TRY(LlvmSampleFile profile, read_llvm_sample(bytes, program_ + "'s profile"));
    if (profile.profile.functions.empty()) bytes = {};
  }
  if (bytes.empty())
    return fail(ErrorKind::kEmpty, program_ + " made a profile without any function: " + words);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string format_check(const ProfileDifference& difference, const std::string& peer) {
  if (difference.identical())
    return "identical to " + peer + ": " + format_count(difference.functions, "function") + ", " +
           format_count(difference.counts, "count");
  std::string text = "not as " + peer + ": " + format_count(difference.differences.size()) +
                     " of " + format_count(difference.counts) + " counts differ, in " +
                     format_count(difference.different_functions) + " of " +
                     format_count(difference.functions) + " functions";
  if (difference.flow_sensitivity_differs)
    text += "; only one of the two has flow-sensitive discriminators";
  if (difference.probes_differ) text += "; only one of the two counts by pseudo probe";
  // The largest difference of each function, as many functions as are shown.
  std::vector<const CountDifference*> shown;
  std::map<std::string_view, uint64_t> counts;
  for (const CountDifference& one : difference.differences)
    if (counts[one.function]++ == 0 && shown.size() < kShownDifferences) shown.push_back(&one);
  for (const CountDifference* one : shown) {
    text += "\n  " + one->function + "  " + one->place + ":  " + count_text(one->first) +
            " here, " + count_text(one->second) + " there";
    if (counts[one->function] > 1)
      text += "  (and " + format_count(counts[one->function] - 1, "smaller one") + ")";
  }
  if (std::any_of(shown.begin(), shown.end(), is_line_zero))
    text +=
        "\n  (offsets from 32768 on are code without a line, line 0, which llvm-profgen writes at "
        "(0 "
        "- first line) mod 65536: see docs/llvm-profgen.md)";
  if (shown.size() < counts.size())
    text += "\n  and " + format_count(counts.size() - shown.size(), "more function");
  return text;
}

nlohmann::json check_json(const ProfileDifference& difference, const std::string& peer) {
  auto count = [](std::optional<uint64_t> value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  nlohmann::json largest = nlohmann::json::array();
  for (size_t i = 0; i < std::min(kShownDifferences, difference.differences.size()); i++) {
    const CountDifference& one = difference.differences[i];
    largest.push_back({{"function", one.function},
                       {"place", one.place},
                       {"ours", count(one.first)},
                       {"theirs", count(one.second)}});
  }
  return {{"peer", peer},
          {"identical", difference.identical()},
          {"functions", difference.functions},
          {"different_functions", difference.different_functions},
          {"counts", difference.counts},
          {"different_counts", difference.differences.size()},
          {"largest", largest}};
}

}  // namespace pgo
