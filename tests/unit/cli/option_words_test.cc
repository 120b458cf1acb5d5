#include "pgo/cli/option_words.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/cli/document_path.h"

namespace pgo {
namespace {

TEST(OptionWords, KnownNamesInBracesBecomeOptions) {
  EXPECT_EQ(with_option_words("choose one with {event}, or name {binary}"),
            "choose one with --event, or name --binary");
  EXPECT_EQ(with_option_words("name it with {stale}"),
            "name it with --stale (in CMake: BOLT_STALE)");
}

TEST(OptionWords, DocumentsBecomePaths) {
  EXPECT_EQ(with_option_words("see {docs/guide/merge.md}: {docs/"),
            "see " + document_path("docs/guide/merge.md") + ": {docs/");
}

TEST(OptionWords, StringsOfJsonAreShownSo) {
  nlohmann::json json = {
      {"reason", "name it with {binary}"},
      {"warnings", {{{"messages", {"use {log}", "and {top}"}}, {"path", "{log}"}}}},
      {"path", "{top}"},
      {"options", {"{log}", 1}}};
  EXPECT_EQ(
      json_with_option_words(json),
      nlohmann::json({{"reason", "name it with --binary"},
                      {"warnings", {{{"messages", {"use --log", "and --top"}}, {"path", "{log}"}}}},
                      {"path", "{top}"},
                      {"options", {"{log}", 1}}}));
}

TEST(OptionWords, OtherBracesStay) {
  EXPECT_EQ(with_option_words("a{b}: {} {event"), "a{b}: {} {event");
  EXPECT_EQ(with_option_words("{{event}}"), "{{event}}");
}

TEST(OptionWords, NamesInBracesStay) {
  for (std::string text : {"{top}: cannot open", "hosts/{top} and 'x/{event}'", "-o '{output}'",
                           "a:\n  {binary}  no build id", "is NOT optimized: {log}: cannot write",
                           "{top}/a.perf is empty"})
    EXPECT_EQ(with_option_words(text), text);
  EXPECT_EQ(with_option_words("{output} {top}: cannot write"), "-o {top}: cannot write");
  EXPECT_EQ(error_text({ErrorKind::kIo, "{top}: cannot open", "{top} shows more"}),
            "{top}: cannot open; --top shows more");
}

TEST(OptionWords, AdviceFollowsTheMessage) {
  EXPECT_EQ(error_text({ErrorKind::kInput, "a.perf: is cut short", ""}), "a.perf: is cut short");
  EXPECT_EQ(error_text({ErrorKind::kInput, "a.perf: has two events", "choose one with {event}"}),
            "a.perf: has two events; choose one with --event");
}

}  // namespace
}  // namespace pgo
