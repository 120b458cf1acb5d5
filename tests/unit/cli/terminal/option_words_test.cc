#include "pgo/cli/terminal/option_words.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/cli/terminal/document_path.h"

namespace pgo::option_words_test {
namespace {

TEST(OptionWords, NamesBecomeOptions) {
  EXPECT_EQ(with_option_words("choose one with \xFF{event}, or name \xFF{binary}"),
            "choose one with --event, or name --binary");
  EXPECT_EQ(with_option_words("name it with \xFF{stale}"),
            "name it with --stale (in CMake: BOLT_STALE; in Bazel: stale)");
  EXPECT_EQ(with_option_words("link with \xFF{emit-relocs}"),
            "link with -Wl,--emit-relocs (in CMake: BOLT of prodpgo_profilable or "
            "prodpgo_optimize; in Bazel: bolt = True)");
}

TEST(OptionWords, DocumentsBecomePaths) {
  EXPECT_EQ(with_option_words("see \xFF{docs/guide/merge.md}: docs/"),
            "see " + document_path("docs/guide/merge.md") + ": docs/");
}

TEST(OptionWords, StringsOfJsonAreShownSo) {
  nlohmann::json json = {
      {"reason", "name it with \xFF{binary}"},
      {"warnings", {{{"messages", {"use \xFF{log}", "and {top}"}}, {"path", "{log}"}}}},
      {"count", 1}};
  EXPECT_EQ(
      json_with_option_words(json),
      nlohmann::json({{"reason", "name it with --binary"},
                      {"warnings", {{{"messages", {"use --log", "and {top}"}}, {"path", "{log}"}}}},
                      {"count", 1}}));
}

TEST(OptionWords, WarningsAreShownSo) {
  Diagnostics diagnostics;
  for (const char* file : {"a", "b", "c", "d"})
    diagnostics.warn("damaged", std::string(file) + ": use \xFF{log}");
  diagnostics.warn("old", "{top}");
  const std::map<std::string, Diagnostics::Entry> expected{
      {"damaged", {{"a: use --log", "b: use --log", "c: use --log"}, 4}}, {"old", {{"{top}"}, 1}}};
  EXPECT_EQ(with_option_words(diagnostics).entries(), expected);
}

// Whatever a user calls a file, wherever it is in a sentence.
TEST(OptionWords, NamesInBracesStay) {
  for (std::string text : {"{binary}", "{top}: cannot open", "the file {binary} is empty",
                           "hosts/{top} and 'x/{event}'", "({log}), {docs/guide/merge.md}"})
    EXPECT_EQ(with_option_words(text), text);
  EXPECT_EQ(with_option_words("\xFF{output} {top}"), "-o {top}");
  EXPECT_EQ(error_text({ErrorKind::kIo, "{top}: cannot open", "\xFF{top} shows more"}),
            "{top}: cannot open; --top shows more");
}

TEST(OptionWords, NamesThatAreNoUtf8Stay) {
  for (std::string text : {"\xFF", "\xFF{", "\xFF{}", "\xFFm\xFCller{top}: is empty", "\xFF{tip}"})
    EXPECT_EQ(with_option_words(text), text);
  EXPECT_EQ(with_option_words("\xFF.perf: see \xFF{top}"), "\xFF.perf: see --top");
}

TEST(OptionWords, AdviceFollowsTheMessage) {
  EXPECT_EQ(error_text({ErrorKind::kInput, "a.perf: is cut short", ""}), "a.perf: is cut short");
  EXPECT_EQ(error_text({ErrorKind::kMismatch, "no file has one of:\n  01", "archive it"}),
            "no file has one of:\n  01\n  archive it");
  EXPECT_EQ(
      error_text({ErrorKind::kInput, "a.perf: has two events", "choose one with \xFF{event}"}),
      "a.perf: has two events; choose one with --event");
}

}  // namespace
}  // namespace pgo::option_words_test
