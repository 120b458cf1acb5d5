// What `pgo convert --report` wrote, as it was said then: how much was used and why the rest was
// not, what was counted, what was made.

#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {
namespace {

using nlohmann::json;

constexpr size_t kMostReport = size_t{1} << 26;  // bytes

// A report may have been altered, or written by another version: what is not there is nothing.
json field(const json& object, const char* key) {
  return object.is_object() ? object.value(key, json()) : json();
}

uint64_t count_of(const json& value) {
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : "?";
}

Accounting accounting_of(const json& object) {
  Accounting accounting;
  accounting.seen = count_of(field(object, "seen"));
  accounting.used = count_of(field(object, "used"));
  for (size_t i = 0; i < kDroppedCount; i++)
    accounting.dropped[i] =
        count_of(field(field(object, "dropped"), dropped_name(static_cast<Dropped>(i)).data()));
  return accounting;
}

std::string lines_of(const json& list, std::string (*describe)(const json&)) {
  std::string text;
  if (!list.is_array()) return text;
  for (const json& one : list) text += (text.empty() ? "" : "\n") + describe(one);
  return text;
}

void add_row(TextSheet& sheet, const std::string& label, const std::string& value) {
  if (!value.empty()) sheet.row(label, value);
}

json parse(Bytes bytes) {
  return json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
}

}  // namespace

bool is_report(Bytes bytes) {
  if (bytes.empty() || bytes[0] != '{' || bytes.size() > kMostReport) return false;
  json report = parse(bytes);
  return field(report, "grade").is_string() && field(report, "samples").is_object() &&
         field(report, "branches").is_object();
}

Result<Description> describe_report(Bytes bytes, const std::string& path, const DescribeOptions&) {
  Description description;
  description.json = parse(bytes);
  const json& report = description.json;
  AddressProfile profile;
  profile.samples = accounting_of(field(report, "samples"));
  profile.branches = accounting_of(field(report, "branches"));
  profile.lost = count_of(field(report, "lost"));

  TextSheet sheet;
  sheet.line(path + ": report of pgo convert");
  sheet.row("grade", text_of(report["grade"]));
  const json quality = field(report, "quality");
  auto add_figure = [&](const char* label, const char* figure) {
    if (json value = field(quality, figure); value.is_string()) sheet.row(label, value);
  };
  add_figure("class", "class");
  add_figure("density", "density");
  add_figure("halves agree", "split_half_overlap");
  add_row(sheet, "binaries", lines_of(field(report, "binaries"), [](const json& binary) {
            return text_of(field(binary, "path")) + "  " +
                   format_build_id(text_of(field(binary, "build_id"))) + "  " +
                   format_count(count_of(field(binary, "traces")), "trace");
          }));
  add_row(sheet, "outputs", lines_of(field(report, "outputs"), [](const json& output) {
            return text_of(field(output, "path")) + "  " +
                   format_size(count_of(field(output, "size")));
          }));
  add_row(sheet, "not used", lines_of(field(report, "unused_inputs"), text_of));
  add_row(sheet, "warnings", lines_of(field(report, "warnings"), [](const json& warning) {
            return lines_of(field(warning, "messages"), text_of);
          }));
  sheet.block(format_funnel(profile));
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
