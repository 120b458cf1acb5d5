#include "pgo/source/name_labels.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

#include "pgo/base/time_text.h"
#include "tests/data/memory_source.h"

namespace pgo::name_labels_test {
namespace {

constexpr int64_t kChanged = 1'000'000'000;

SourceObject object(const std::string& name, TimeEvidence evidence = TimeEvidence::kModified) {
  SourceObject one;
  one.name = name;
  one.time = kChanged;
  one.time_evidence = evidence;
  return one;
}

NameLabels names(const std::string& form, const std::string& root) {
  return {PathTemplate::parse(form).value(), root};
}

std::map<std::string, Diagnostics::Entry> label(const NameLabels& names,
                                                std::vector<SourceObject>& objects) {
  Diagnostics diagnostics;
  names.add_to(objects, "s3://b/p", diagnostics);
  return diagnostics.entries();
}

TEST(NameLabels, AreThoseOfAnySource) {
  auto memory = std::make_unique<test::MemorySource>("s3://b/p");
  memory->add(object("2026-11-26T13/web-1.pb"), "1");
  memory->add(object("2026-11-26T14/web-2.pb"), "2");
  std::unique_ptr<Source> source =
      with_name_labels(std::move(memory), names("{hour}/{host}.pb", "b/p"));
  EXPECT_EQ(source->name(), "s3://b/p");
  Diagnostics diagnostics;
  const std::vector<SourceObject> objects = source->list({}, diagnostics).value();
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[1].labels, (Labels{{"hour", "2026-11-26T14"}, {"host", "web-2"}}));
  EXPECT_EQ(format_time(objects[1].time), "2026-11-26T14:00:00Z");
  EXPECT_EQ(objects[1].time_evidence, TimeEvidence::kName);
  EXPECT_TRUE(diagnostics.entries().empty());
}

TEST(NameLabels, ReachIntoTheRoot) {
  auto service = [](const std::string& root, std::vector<SourceObject> objects) {
    label(names("{service}/{host}.pb", root), objects);
    return objects[0].labels["service"];
  };
  EXPECT_EQ(service("b/queryd", {object("web-1.pb")}), "queryd");
  EXPECT_EQ(service("b/queryd/", {object("web-1.pb")}), "queryd");
  EXPECT_EQ(service("", {object("queryd/web-1.pb")}), "queryd");
  // The root is the object itself.
  EXPECT_EQ(service("b/queryd/web-1.pb", {object("web-1.pb")}), "queryd");
  // A directory that is called like the only file in it.
  EXPECT_EQ(service("b/web-1.pb/", {object("web-1.pb")}), "web-1.pb");
}

TEST(NameLabels, ReplaceThoseThatTheSourceTells) {
  std::vector<SourceObject> objects{object("2026-11-26T13/web-1", TimeEvidence::kStore)};
  objects[0].labels = {{"host", "10.0.0.1"}, {"zone", "a"}};
  label(names("{hour}/{host}", "p"), objects);
  EXPECT_EQ(objects[0].labels,
            (Labels{{"host", "web-1"}, {"zone", "a"}, {"hour", "2026-11-26T13"}}));
  // The store knows when it was recorded better than a name does.
  EXPECT_EQ(objects[0].time, kChanged);
  EXPECT_EQ(objects[0].time_evidence, TimeEvidence::kStore);
}

TEST(NameLabels, CountNamesThatDoNotFit) {
  std::vector<SourceObject> objects;
  for (const char* name : {"a", "b", "c", "d", "e", "13/web-1", "night/web-2", "2026112613/web-3"})
    objects.push_back(object(name));
  const auto entries = label(names("{hour}/{host}", ""), objects);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries.at(kNoTemplateMatch).count, 1u);
  EXPECT_EQ(entries.at(kNoTemplateMatch).messages[0],
            "s3://b/p: 5 of 8 names do not end like {hour}/{host}, so they give no labels: a, b, c "
            "and 2 others");
  EXPECT_EQ(entries.at(kNoHourInName).count, 1u);
  EXPECT_EQ(
      entries.at(kNoHourInName).messages[0],
      "s3://b/p: {hour} is not a date and hour, such as 2026-11-26T13, in 2 of 8 names, so the "
      "time that the source has is used instead: 13/web-1, night/web-2");
  EXPECT_EQ(objects[6].time_evidence, TimeEvidence::kModified);
  EXPECT_EQ(objects[7].time_evidence, TimeEvidence::kName);
}

TEST(HourOf, CombinesDateAndHour) {
  auto hour = [](const char* date, const char* text, const char* key = "date") {
    Labels labels{{"hour", text}};
    if (date != nullptr) labels[key] = date;
    std::optional<int64_t> time = hour_of(labels);
    return time ? format_time(*time) : "";
  };
  EXPECT_EQ(hour(nullptr, "2026-11-26T13"), "2026-11-26T13:00:00Z");
  EXPECT_EQ(hour(nullptr, "2026112613"), "2026-11-26T13:00:00Z");
  EXPECT_EQ(hour(nullptr, "2026-11-26_13:30"), "2026-11-26T13:30:00Z");
  EXPECT_EQ(hour(nullptr, "20261126T133015Z"), "2026-11-26T13:30:15Z");
  EXPECT_EQ(hour(nullptr, "2026-11-26T13:30:15Z"), "2026-11-26T13:30:15Z");
  EXPECT_EQ(hour(nullptr, "2026-11-26T13:00+01:00"), "2026-11-26T12:00:00Z");
  EXPECT_EQ(hour("2026-11-26", "13"), "2026-11-26T13:00:00Z");
  EXPECT_EQ(hour("2026-11-26", "1345"), "2026-11-26T13:45:00Z");
  EXPECT_EQ(hour("2026-11-26", "13", "day"), "2026-11-26T13:00:00Z");
  for (const char* text :
       {"13", "", "2026112624", "2026023001", "2026-11-26", "2026-11-26T13+01", "morning"})
    EXPECT_EQ(hour(nullptr, text), "") << text;
  EXPECT_EQ(hour("26.11.", "13"), "");
  EXPECT_EQ(hour("2026112613", ""), "");
  EXPECT_EQ(hour_of({}), std::nullopt);
}

}  // namespace
}  // namespace pgo::name_labels_test
