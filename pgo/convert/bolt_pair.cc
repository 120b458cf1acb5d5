#include "pgo/convert/bolt_pair.h"

#include <algorithm>
#include <filesystem>

#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

bool is_input_of(const ElfImage& image, const ElfImage& bolted) {
  return !is_bolted(image) && image.build_id().matches_bolted(bolted.build_id());
}

bool has_input_of(const std::vector<std::string>& paths, const ElfImage& bolted) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    Result<ElfImage> image = ElfImage::open(path);
    return image && is_input_of(*image, bolted);
  });
}

}  // namespace

std::vector<std::string> with_bolt_inputs_beside(const std::vector<std::string>& paths) {
  std::vector<std::string> all = paths;
  for (const std::string& path : paths) {
    const std::string beside = path + std::string(kBeforeBolt);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(beside, ignored)) continue;
    // Errors are reported later, when the counts are converted and these files are opened again.
    Result<ElfImage> bolted = ElfImage::open(path), input = ElfImage::open(beside);
    if (bolted && input && has_address_translation(*bolted) && !input->symbols().empty() &&
        is_input_of(*input, *bolted) && !has_input_of(all, *bolted))
      all.push_back(beside);
  }
  return all;
}

bool has_bolted(const ElfImage& input, const BinarySet& binaries) {
  return std::ranges::any_of(binaries.binaries(), [&](const Binary& other) {
    return other.image.get() != &input && is_bolted(*other.image) &&
           other.image->build_id().matches_bolted(input.build_id());
  });
}

const Binary* find_bolt_input(const ElfImage& bolted, const BinarySet& binaries) {
  if (!is_bolted(bolted)) return nullptr;
  for (const Binary& other : binaries.binaries())
    if (is_input_of(*other.image, bolted)) return &other;
  return nullptr;
}

const Binary* find_translation_target(const ElfImage& bolted, const BinarySet& binaries) {
  return has_address_translation(bolted) ? find_bolt_input(bolted, binaries) : nullptr;
}

}  // namespace pgo
