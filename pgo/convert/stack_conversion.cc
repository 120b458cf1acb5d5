#include "pgo/convert/stack_conversion.h"

#include <algorithm>
#include <utility>

#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"
#include "pgo/stacks/machine_labels.h"
#include "pgo/stacks/stack_output.h"
#include "pgo/stacks/stack_source.h"

namespace pgo {
namespace {

// An option without effect on stack profiles, and what it applies to.
struct ForeignOption {
  const char* name;  // null: no such option was given
  const char* use;
};

ForeignOption find_foreign_option(const ConvertRequest& request) {
  if (request.as_llvm_profgen()) return {"\xFF{compat}", "LLVM profiles"};
  if (!request.check_against.empty()) return {"\xFF{check-against}", "LLVM profiles"};
  if (request.count_by == CountBy::kLine) return {"\xFF{by-line}", "profiles for compilers"};
  if (request.without_line == WithoutLine::kAnywhereInFunction)
    return {"\xFF{without-lines}", "profiles for compilers"};
  if (!request.perf2bolt.empty()) return {"\xFF{perf2bolt}", "fdata outputs"};
  return {};
}

// What the request itself forbids.
Result<void> check_stack_request(const ConvertRequest& request) {
  auto is_stacks = [](const OutputSpec& output) { return is_stack_format(output.format); };
  auto stacks = std::find_if(request.outputs.begin(), request.outputs.end(), is_stacks);
  auto other = std::find_if_not(request.outputs.begin(), request.outputs.end(), is_stacks);
  if (stacks != request.outputs.end() && other != request.outputs.end())
    return fail(ErrorKind::kUsage,
                stacks->path + " is a stack profile, and " + other->path +
                    " is made from counts by address",
                "write them with two commands");
  const ForeignOption foreign = find_foreign_option(request);
  if (foreign.name == nullptr) return ok();
  return fail(ErrorKind::kUsage, std::string(foreign.name) + " is for " + foreign.use,
              "write " + request.outputs[0].path + " without it");
}

Result<InputFile> one_input(std::vector<InputFile> files) {
  if (files.size() == 1) return std::move(files[0]);
  return fail(ErrorKind::kUsage,
              "a stack profile is made from one input, and there are " +
                  std::to_string(files.size()) + " (" + files[0].path + ", " + files[1].path +
                  (files.size() > 2 ? ", ...)" : ")"),
              "convert them one by one, then add up the results with 'pgo merge'");
}

// Without a binary there are no names: what is left to do is to change the format.
Result<void> check_use(const ConvertRequest& request, const InputBytes& input) {
  if (!request.binaries.empty() || !input.format() || !is_stack_format(*input.format()))
    return ok();
  return fail(ErrorKind::kUsage,
              input.describe(", a stack profile already; the binaries that ran give names to its "
                             "addresses"),
              "name them with \xFF{binary}");
}

}  // namespace

bool wants_stacks(const ConvertRequest& request) {
  return std::any_of(request.outputs.begin(), request.outputs.end(),
                     [](const OutputSpec& output) { return is_stack_format(output.format); });
}

Result<StackConversion> convert_stacks(const ConvertRequest& request) {
  PGO_CHECK(check_stack_request(request));
  PGO_TRY(std::vector<InputFile> files, find_input_files(request.inputs));
  PGO_TRY(BinarySet binaries,
          BinarySet::open(request.binaries, request.debug, BinaryUse::kNames, ProbeUse::kNone));
  PGO_CHECK(binaries.assume(request.assumed_build_ids));

  StackConversion result;
  std::vector<PlannedFile> planned = plan_files(request.outputs, binaries, request.other_files);
  PGO_CHECK(check_plan(planned, paths_to_read(request.binaries, request.debug, files)));
  PGO_CHECK(leave_out_outputs(planned, files, result.diagnostics));
  PGO_TRY(InputFile file, one_input(std::move(files)));
  PGO_TRY(InputBytes input, InputBytes::open(file.path));
  PGO_CHECK(check_digest(file, input.file()));
  PGO_CHECK(check_use(request, input));

  PGO_TRY(StackSource source, read_stack_source(input, {request.read}));
  add_machine_labels(source);
  const size_t type = shown_type(source.profile);
  result.naming = name_stacks(source.profile, binaries, {file.path, type, request.read.jobs});
  result.diagnostics.add(source.diagnostics);
  result.diagnostics.add(result.naming.diagnostics);
  for (const OutputSpec& output : request.outputs) {
    PGO_TRY(std::string contents, write_stacks(source.profile, output.format, result.diagnostics));
    result.outputs.push_back({output.path, std::move(contents)});
  }
  result.totals = totals_of(source.profile);
  result.weight = result.totals[type];
  result.samples = source.profile.samples.size();
  result.binaries = binaries.binaries().size();
  result.host = std::move(source.host);
  result.cpu_model = std::move(source.cpu_model);
  result.lost = source.lost;
  return result;
}

}  // namespace pgo
