#include "pgo/cli/option_words.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo {
namespace {

TEST(OptionWords, KnownNamesInBracesBecomeOptions) {
  EXPECT_EQ(with_option_words("choose one with {event}, or name {binary}"),
            "choose one with --event, or name --binary");
  EXPECT_EQ(with_option_words("name it with {stale}"),
            "name it with --stale (in CMake: BOLT_STALE)");
}

TEST(OptionWords, StringsOfJsonAreShownSo) {
  nlohmann::json json = {{"reason", "name it with {binary}"}, {"list", {"{log}", 1}}};
  EXPECT_EQ(json_with_option_words(json),
            nlohmann::json({{"reason", "name it with --binary"}, {"list", {"--log", 1}}}));
}

TEST(OptionWords, OtherBracesStay) {
  EXPECT_EQ(with_option_words("a{b}: {} {event"), "a{b}: {} {event");
  EXPECT_EQ(with_option_words("{{event}}"), "{--event}");
}

TEST(OptionWords, AdviceFollowsTheMessage) {
  EXPECT_EQ(error_text({ErrorKind::kInput, "a.perf: is cut short", ""}), "a.perf: is cut short");
  EXPECT_EQ(error_text({ErrorKind::kInput, "a.perf: has two events", "choose one with {event}"}),
            "a.perf: has two events; choose one with --event");
}

}  // namespace
}  // namespace pgo
