#include "pgo/show/conversion_report.h"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "pgo/code/llvm_error.h"

namespace pgo {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

// LLVM reads nested values by recursion, so a file of nothing but brackets would end the stack.
constexpr size_t kMaxDepth = 64;
// What is read takes some seventy times the bytes; reports are far shorter.
constexpr size_t kMaxReport = size_t{16} << 20;

bool is_nested_too_deep(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') i++;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      depth--;
    }
  }
  return false;
}

const Value* field(const Value* object, llvm::StringRef key) {
  const Object* fields = object == nullptr ? nullptr : object->getAsObject();
  return fields == nullptr ? nullptr : fields->get(key);
}

uint64_t count_of(const Value* value) {
  return value == nullptr ? 0 : value->getAsUINT64().value_or(0);
}

std::optional<double> number_of(const Value* value) {
  return value == nullptr ? std::nullopt : value->getAsNumber();
}

std::string text_of(const Value* value) {
  std::optional<llvm::StringRef> text = value == nullptr ? std::nullopt : value->getAsString();
  return text ? text->str() : "";
}

Accounting accounting_of(const Value* object) {
  Accounting accounting;
  accounting.seen = count_of(field(object, "seen"));
  accounting.used = count_of(field(object, "used"));
  const Value* dropped = field(object, "dropped");
  for (size_t i = 0; i < kDroppedCount; i++) {
    std::string_view name = dropped_name(static_cast<Dropped>(i));
    accounting.dropped[i] = count_of(field(dropped, {name.data(), name.size()}));
  }
  return accounting;
}

// Calls visit(element) for each element of a list; what is not a list has none.
template <typename Visit>
void for_each(const Value* list, const Visit& visit) {
  const Array* elements = list == nullptr ? nullptr : list->getAsArray();
  if (elements == nullptr) return;
  for (const Value& element : *elements) visit(&element);
}

}  // namespace

Result<ConversionReport> read_conversion_report(Bytes bytes, const std::string& path) {
  if (bytes.size() > kMaxReport)
    return fail(ErrorKind::kInput, path + ": is not a report of a conversion: it is larger than " +
                                       std::to_string(kMaxReport) + " bytes");
  ConversionReport report;
  report.contents.assign(bytes.begin(), bytes.end());
  if (is_nested_too_deep(report.contents))
    return fail(ErrorKind::kInput,
                path + ": is not a report of a conversion: it is nested more than " +
                    std::to_string(kMaxDepth) + " levels deep");
  llvm::Expected<Value> json = llvm::json::parse(report.contents);
  if (!json)
    return llvm_failure(ErrorKind::kInput, path + ": is a damaged report of a conversion",
                        json.takeError());
  const Value* root = &*json;
  report.evidence = text_of(field(root, "evidence"));
  report.quality = text_of(field(root, "quality"));
  report.density = number_of(field(root, "density"));
  report.split_half_overlap = number_of(field(root, "split_half_overlap"));
  report.unsampled_flow_share = number_of(field(field(root, "inference"), "unsampled_flow_share"));
  report.samples = accounting_of(field(root, "samples"));
  report.branches = accounting_of(field(root, "branches"));
  report.lost = count_of(field(root, "lost"));
  for_each(field(root, "binaries"), [&](const Value* binary) {
    report.binaries.push_back({text_of(field(binary, "path")), text_of(field(binary, "build_id")),
                               text_of(field(binary, "quality")), count_of(field(binary, "traces")),
                               count_of(field(binary, "pc_samples"))});
  });
  for_each(field(root, "outputs"), [&](const Value* output) {
    report.outputs.push_back({text_of(field(output, "path")), count_of(field(output, "size"))});
  });
  for_each(field(root, "unused_inputs"), [&](const Value* input) {
    report.unused_inputs.push_back(
        {text_of(field(input, "path")), text_of(field(input, "reason"))});
  });
  for_each(field(root, "warnings"), [&](const Value* warning) {
    for_each(field(warning, "messages"),
             [&](const Value* message) { report.warnings.push_back(text_of(message)); });
  });
  return report;
}

}  // namespace pgo
