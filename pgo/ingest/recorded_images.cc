#include "pgo/ingest/recorded_images.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "pgo/profile/address_selection.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {

bool is_absolute_path(std::string_view name) {
  return name.starts_with('/') && !name.starts_with("//");
}

void RecordedImages::add(const perf_data::Recording& recording) {
  has_aux_data_ |= recording.has_aux_data;
  for (const perf_data::ProcessEvent& event : recording.process_events) {
    if (event.kind != perf_data::ProcessEvent::Kind::kMap || !event.executable ||
        !is_absolute_path(event.name))
      continue;
    Image& image = images_[event.name];
    image.mapped++;
    BuildId id = recording.build_id_of(event);
    builds_.insert(id);
    if (image.id.empty()) image.id = id;
  }
}

void RecordedImages::add_samples(const perf_data::RecordingSummary& summary) {
  for (const perf_data::RecordingSummary::File& file : summary.files) {
    Image& image = images_[file.file.path];
    image.samples = saturating_add(image.samples, file.samples);
    if (image.id.empty()) image.id = file.file.id;
  }
}

void RecordedImages::add(const StackProfile& profile) {
  // What the sample type that is shown counts in each mapping.
  std::vector<uint64_t> counts(profile.mappings.size(), 0);
  size_t type = shown_type(profile);
  for (size_t i = 0; i < profile.samples.size(); i++) {
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    int64_t value = profile.values_of(i)[type];
    if (stack.empty() || value == 0) continue;
    MappingId mapping = profile.locations[static_cast<size_t>(stack[0])].mapping;
    if (mapping == kNoMapping) continue;
    uint64_t& count = counts[static_cast<size_t>(mapping)];
    count = saturating_add(count, magnitude_of(value));
  }
  for (size_t i = 0; i < counts.size(); i++) {
    const StackMapping& mapping = profile.mappings[i];
    std::string path(profile.text(mapping.filename));
    builds_.insert(profile.build_id_of(mapping));
    // Also names without a directory, which some producers give.
    if (path.empty() || path.starts_with('[') || path.starts_with("//")) continue;
    Image& image = images_[path];
    image.samples = saturating_add(image.samples, counts[i]);
    if (image.id.empty()) image.id = profile.build_id_of(mapping);
  }
  has_unknown_main_ |= !profile.mappings.empty() && profile.mappings[0].build_id == kEmptyString;
}

void RecordedImages::add(const AddressProfile& profile) {
  for (const BinaryCounts& counts : profile.binaries) {
    Image& image = images_[counts.path_hint];
    image.samples = saturating_add(
        image.samples, counts.traces.empty() ? counts.pc_sample_weight() : sum_of_traces(counts));
    if (image.id.empty()) image.id = counts.id;
    builds_.insert(counts.id);
  }
}

std::string RecordedImages::list(const std::string& indent) const {
  constexpr size_t kShown = 8;
  std::vector<const std::pair<const std::string, Image>*> sorted;
  for (const auto& image : images_) sorted.push_back(&image);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::tie(a->second.samples, a->second.mapped) >
           std::tie(b->second.samples, b->second.mapped);
  });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, sorted.size()); i++)
    text += "\n" + indent + sorted[i]->first + "  " +
            (sorted[i]->second.id.empty() ? "no build ID" : sorted[i]->second.id.hex());
  if (sorted.size() > kShown)
    text += "\n" + indent + "and " + std::to_string(sorted.size() - kShown) + " more";
  return sorted.empty() ? "\n" + indent + "no binary at all" : text;
}

void RecordedImages::add(const RecordedImages& other) {
  has_aux_data_ |= other.has_aux_data_;
  has_unknown_main_ |= other.has_unknown_main_;
  for (const auto& [path, image] : other.images_) {
    Image& mine = images_[path];
    mine.samples = saturating_add(mine.samples, image.samples);
    mine.mapped = saturating_add(mine.mapped, image.mapped);
    if (mine.id.empty()) mine.id = image.id;
  }
  builds_.insert(other.builds_.begin(), other.builds_.end());
  for (const auto& [file, samples] : other.others_)
    others_[file] = saturating_add(others_[file], samples);
}

void RecordedImages::add(const std::vector<perf_data::OtherFile>& others) {
  add_others(others);
  for (const perf_data::OtherFile& other : others) {
    uint64_t& samples = images_[other.file.path].samples;
    samples = saturating_add(samples, other.samples);
  }
}

void RecordedImages::add_others(const std::vector<perf_data::OtherFile>& others) {
  for (const perf_data::OtherFile& other : others) {
    uint64_t& samples = others_[{other.file.path, other.file.id}];
    samples = saturating_add(samples, other.samples);
  }
}

std::vector<perf_data::OtherFile> RecordedImages::others() const {
  std::vector<perf_data::OtherFile> sorted;
  for (const auto& [file, samples] : others_)
    sorted.push_back({{file.first, file.second}, samples});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.samples > b.samples; });
  return sorted;
}

bool RecordedImages::has_build(const BuildId& id) const {
  return std::any_of(builds_.begin(), builds_.end(),
                     [&](const BuildId& other) { return !id.empty() && id.matches(other); });
}

std::optional<std::string> RecordedImages::find_bolt_relative(const BuildId& id) const {
  for (const auto& [path, image] : images_)
    if (!image.id.matches(id) && image.id.matches_bolted(id)) return path;
  return std::nullopt;
}

}  // namespace pgo
