#include "pgo/stores/profefe/profefe_answers.h"

#include <gtest/gtest.h>

namespace pgo::profefe_answers_test {
namespace {

using profefe::StoredProfile;

std::string with_labels(const std::string& labels) {
  return R"({"code":200,"body":[{"id":"dc0koh38","type":"cpu","service":"svc",)"
         R"("created_at":"2026-11-26T13:00:00.5Z")" +
         labels + "}]}";
}

TEST(ProfefeAnswers, AreListsOfProfiles) {
  const std::vector<StoredProfile> expected = {
      {"dc0koh38", "svc", {{"host", "h1"}, {"version", "1=2"}}, 1795698000'500'000'000}};
  for (const char* labels :
       {R"(,"labels":"host=h1,version=1=2")", R"(,"labels":{"host":"h1","version":"1=2"})",
        R"(,"labels":[{"Key":"host","Value":"h1"},{"key":"version","value":"1=2"}])"})
    EXPECT_EQ(profefe::parse_profiles(with_labels(labels), "p").value(), expected) << labels;
  EXPECT_EQ(profefe::parse_profiles(with_labels(""), "p").value()[0].labels, Labels());
  EXPECT_TRUE(profefe::parse_profiles(R"({"code":200,"body":null})", "p").value().empty());
}

TEST(ProfefeAnswers, AreServicesAndIds) {
  EXPECT_EQ(profefe::parse_services(R"({"code":200,"body":["a","b"]})", "p").value(),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(profefe::parse_pushed(R"({"code":200,"body":{"id":"x1"}})", "p").value(), "x1");
}

TEST(ProfefeAnswers, AreNothingElse) {
  const std::string message = "p: the server did not answer as profefe does";
  for (const char* text :
       {"", "[]", "{}", R"({"body":7})", R"({"body":[7]})", R"({"body":[{"id":""}]})",
        R"({"body":[{"id":"a/b"}]})", R"({"body":[{"id":"a?b"}]})"})
    EXPECT_EQ(profefe::parse_profiles(text, "p").error().message, message) << text;
  EXPECT_EQ(
      profefe::parse_profiles(std::string(100, '[') + std::string(100, ']'), "p").error().message,
      message);
  EXPECT_EQ(profefe::parse_services(R"({"body":["b","a","b"]})", "p").value(),
            (std::vector<std::string>{"a", "b"}));
  std::string many = R"({"body":["a")";
  for (int i = 0; i < 10'000; i++) many += R"(,"a")";
  EXPECT_EQ(profefe::parse_services(many + "]}", "p").error().message,
            "p: has more than 10000 services");
  EXPECT_EQ(profefe::parse_services(R"({"body":[7]})", "p").error().message, message);
  EXPECT_EQ(profefe::parse_pushed(R"({"body":{"id":"../x"}})", "p").error().message, message);
}

TEST(ProfefeAnswers, SayWhatIsWrong) {
  net::HttpResponse response;
  response.status = 400;
  response.body = R"({"code":400,"error":"bad request: missing \"from\""})";
  EXPECT_EQ(profefe::profefe_error("p", response).message,
            "p: the server answered 400 (Bad Request): bad request: missing \"from\"");
}

TEST(ProfefeAnswers, HaveLabelsThatWereEncoded) {
  EXPECT_EQ(profefe::labels_text({{"a+b", "1 %"}, {"host", "web-1"}}, "p").value(),
            "a%2Bb=1%20%25,host=web-1");
  EXPECT_EQ(profefe::labels_text({{"a", "b,c"}}, "p").error().message,
            "p: profefe takes no label with a comma: a=b,c");
}

}  // namespace
}  // namespace pgo::profefe_answers_test
