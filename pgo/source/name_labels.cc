#include "pgo/source/name_labels.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

std::string label_text(const Labels& labels, const char* key) {
  auto found = labels.find(key);
  return found == labels.end() ? "" : found->second;
}

std::string digits_of(std::string text) {
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  return text;
}

// "202611261330", with or without minutes and seconds.
std::optional<int64_t> time_of_digits(std::string digits) {
  if (digits.size() == 10) digits += "00";
  if (digits.size() == 12) digits += "00";
  if (digits.size() != 14) return std::nullopt;
  const std::string_view part = digits;
  std::string text(part.substr(0, 4));
  text.append("-").append(part.substr(4, 2)).append("-").append(part.substr(6, 2));
  text.append("T").append(part.substr(8, 2)).append(":").append(part.substr(10, 2));
  return parse_time(text.append(":").append(part.substr(12, 2)));
}

// Names that do not fit: how many, and the first ones.
class Misfits {
 public:
  void add(const std::string& name) {
    if (count_++ < Diagnostics::kShown) list_ += (list_.empty() ? "" : ", ") + name;
  }
  uint64_t count() const { return count_; }
  // "a, b, c and 2 others".
  std::string list() const {
    if (count_ <= Diagnostics::kShown) return list_;
    return list_ + " and " + format_count(count_ - Diagnostics::kShown, "other");
  }

 private:
  uint64_t count_ = 0;
  std::string list_;
};

class LabelledSource final : public Source {
 public:
  LabelledSource(std::unique_ptr<Source> source, NameLabels names)
      : source_(std::move(source)), names_(std::move(names)) {}

  const std::string& name() const override { return source_->name(); }
  const std::string& identity() const override { return source_->identity(); }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override {
    PGO_TRY(std::vector<SourceObject> objects, source_->list(query, diagnostics));
    names_.add_to(objects, name(), diagnostics);
    return objects;
  }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override {
    source_->fetch(objects, sink);
  }
  bool lists_all_times() const override { return source_->lists_all_times(); }
  std::string how_to_keep(LostPart part) const override { return source_->how_to_keep(part); }

 private:
  std::unique_ptr<Source> source_;
  NameLabels names_;
};

}  // namespace

void NameLabels::add_to(std::vector<SourceObject>& objects, const std::string& source,
                        Diagnostics& diagnostics) const {
  auto path_of = [&](const std::string& name) {
    if (root.empty() || root.ends_with('/')) return root + name;
    const bool is_the_object = objects.size() == 1 && ("/" + root).ends_with("/" + name);
    return is_the_object ? root : root + "/" + name;
  };
  Misfits others, without_hour;
  for (SourceObject& object : objects) {
    std::optional<Labels> labels = form.labels_of(path_of(object.name));
    if (!labels) {
      others.add(object.name);
      continue;
    }
    const bool has_hour = labels->contains("hour");
    for (auto& [key, text] : *labels) object.labels[key] = std::move(text);
    if (!has_hour) continue;
    const std::optional<int64_t> time = hour_of(object.labels);
    if (!time) without_hour.add(object.name);
    if (!time || object.time_evidence == TimeEvidence::kStore) continue;
    object.time = *time;
    object.time_evidence = TimeEvidence::kName;
  }
  const std::string of_all = " of " + format_count(objects.size(), "name");
  if (others.count() > 0)
    diagnostics.warn(kNoTemplateMatch,
                     source + ": " + format_count(others.count()) + of_all +
                         (others.count() == 1 ? " does" : " do") + " not end like " + form.text() +
                         (others.count() == 1 ? ", so it gives" : ", so they give") +
                         " no labels: " + others.list());
  if (without_hour.count() > 0)
    diagnostics.warn(
        kNoHourInName,
        source + ": {hour} is not a date and hour, such as 2026-11-26T13, in " +
            format_count(without_hour.count()) + of_all +
            ", so the time that the source has is used instead: " + without_hour.list());
}

std::unique_ptr<Source> with_name_labels(std::unique_ptr<Source> source, NameLabels names) {
  return std::make_unique<LabelledSource>(std::move(source), std::move(names));
}

std::optional<int64_t> hour_of(const Labels& labels) {
  const std::string hour = label_text(labels, "hour");
  std::string date = label_text(labels, "date");
  if (date.empty()) date = label_text(labels, "day");
  const std::string digits = digits_of(hour);
  if (digits.empty()) return std::nullopt;
  if (digits.size() <= 4) return time_of_digits(digits_of(date) + digits);  // "13" or "1300"
  if (digits.size() == 8) return std::nullopt;  // a date alone, which parse_time() reads, too
  if (std::optional<int64_t> time = parse_time(hour)) return time;
  // Digits of a zone are none of the time.
  return hour.find('+') != hour.npos ? std::nullopt : time_of_digits(digits);
}

}  // namespace pgo
