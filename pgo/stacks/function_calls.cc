#include "pgo/stacks/function_calls.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "pgo/code/function_symbols.h"
#include "pgo/elf/mapping_owners.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/stacks/stack_names.h"

namespace pgo {
namespace {

std::vector<const ElfImage*> files_of(const BinarySet& binaries) {
  std::vector<const ElfImage*> files;
  for (const Binary& binary : binaries.binaries()) files.push_back(binary.image.get());
  return files;
}

class CallFinder {
 public:
  CallFinder(const StackProfile& branches, const BinarySet& binaries)
      : branches_(branches),
        binaries_(binaries),
        files_(files_of(binaries)),
        owners_(branches, files_, OtherBuilds::kAreOthers) {}

  bool is_call(LocationId target, LocationId branch);

 private:
  struct Code {
    size_t binary = 0;
    ElfAddr addr;
  };

  std::optional<Code> code_at(LocationId location) const;
  const FunctionSymbols& functions_of(size_t binary);

  const StackProfile& branches_;
  const BinarySet& binaries_;
  const std::vector<const ElfImage*> files_;
  const MappingOwners owners_;
  std::map<size_t, FunctionSymbols> functions_;  // of binaries, once asked for
};

std::optional<CallFinder::Code> CallFinder::code_at(LocationId id) const {
  const StackLocation& location = branches_.locations[static_cast<size_t>(id)];
  const OptElfAddr addr = owners_.find_code(location.mapping, location.address);
  if (!addr) return std::nullopt;
  const std::optional<size_t> image = owners_[location.mapping].image;
  return image ? std::optional(Code{*image, *addr}) : std::nullopt;
}

const FunctionSymbols& CallFinder::functions_of(size_t number) {
  const Binary& binary = binaries_.binaries()[number];
  return functions_.try_emplace(number, *binary.image, binary.symbol_image()).first->second;
}

bool CallFinder::is_call(LocationId target, LocationId branch) {
  const std::optional<Code> to = code_at(target);
  if (!to) return false;
  const FunctionSymbols& functions = functions_of(to->binary);
  const std::optional<uint32_t> called = functions.find_entry(to->addr);
  if (!called || functions.entered_by(*called) != called) return false;
  const std::optional<Code> from = code_at(branch);
  if (!from || from->binary != to->binary) return true;
  const std::optional<uint32_t> caller = functions.find(from->addr);
  if (!caller || functions.entered_by(*caller) != called) return true;
  const CodeByte instruction = binaries_.binaries()[from->binary].code->at(from->addr);
  return instruction.is_code() && instruction.kind() == CodeByte::kCall;
}

}  // namespace

StackProfile find_calls(StackProfile branches, const BinarySet& binaries, unsigned jobs) {
  Diagnostics told_of_samples;  // what is assumed of files is the same for these
  binaries.assume_build_ids(branches, "", told_of_samples);
  CallFinder finder(branches, binaries);
  auto stack_of = [&](size_t sample) {
    return branches.stacks[static_cast<size_t>(branches.samples[sample].stack)];
  };
  keep_samples(branches, [&](size_t sample) {
    return finder.is_call(stack_of(sample)[0], stack_of(sample)[1]);
  });
  FlatLists<LocationId> targets;
  for (size_t i = 0; i < branches.stacks.size(); i++) {
    targets.push(branches.stacks[i][0]);
    targets.end_list();
  }
  branches.stacks = std::move(targets);
  branches.normalize();
  StackNameOptions naming;
  naming.jobs = jobs;
  name_stacks(branches, binaries, naming);
  return branches;
}

}  // namespace pgo
