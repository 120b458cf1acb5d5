#include "pgo/source/path_template.h"

#include <gtest/gtest.h>

namespace pgo::path_template_test {
namespace {

TEST(PathTemplate, ReadsLabelsOffTheEndOfAPath) {
  Result<PathTemplate> form = PathTemplate::parse("{service}/{version}/{host}.pb.gz");
  ASSERT_TRUE(form);
  const Labels wanted{{"service", "queryd"}, {"version", "1.42"}, {"host", "web-1"}};
  EXPECT_EQ(form->labels_of("/srv/profiles/queryd/1.42/web-1.pb.gz"), wanted);
  EXPECT_EQ(form->labels_of("queryd/1.42/web-1.pb.gz"), wanted);
  EXPECT_EQ(form->labels_of("1.42/web-1.pb.gz"), std::nullopt);
  EXPECT_EQ(form->labels_of("queryd/1.42/web-1.pb"), std::nullopt);
}

TEST(PathTemplate, TakesAsMuchAsPossibleWithoutASlash) {
  Result<PathTemplate> form = PathTemplate::parse("{host}-{hour}.data");
  EXPECT_EQ(form->labels_of("x/web-1-08.data"), (Labels{{"host", "web-1"}, {"hour", "08"}}));
}

TEST(PathTemplate, TakesOtherCharactersLiterally) {
  Result<PathTemplate> form = PathTemplate::parse("a+(b).{x}");
  EXPECT_EQ(form->labels_of("a+(b).1"), (Labels{{"x", "1"}}));
  EXPECT_EQ(form->labels_of("aab.1"), std::nullopt);
}

TEST(PathTemplate, RefusesWhatNamesNoLabels) {
  auto message = [](const char* text) { return PathTemplate::parse(text).error().message; };
  EXPECT_EQ(message("x.pb.gz"),
            "\xFF{path-template} x.pb.gz: has no key; a template looks like "
            "{service}/{version}/{host}.pb.gz");
  EXPECT_NE(message("{a}/{a}").find("has the key 'a' twice"), std::string::npos);
  EXPECT_NE(message("{a").find("'}' is missing"), std::string::npos);
  EXPECT_NE(message("{}").find("a key has no name"), std::string::npos);
}

}  // namespace
}  // namespace pgo::path_template_test
