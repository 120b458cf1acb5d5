#include "pgo/remote_registry/next_page.h"

#include <gtest/gtest.h>

namespace pgo::next_page_test {
namespace {

std::string next(std::string_view header) {
  auto url = next_page(header, *net::parse_http_url("https://r:5000/v2/a/tags/list?n=2"));
  return url ? *url : "error: " + url.error().message;
}

TEST(NextPage, ReadsLinksOfRegistries) {
  EXPECT_EQ(next("</v2/a/tags/list?last=t2&n=2>; rel=\"next\""),
            "https://r:5000/v2/a/tags/list?last=t2&n=2");
  EXPECT_EQ(next("</v2/a/tags/list?last=t2>;rel=next"), "https://r:5000/v2/a/tags/list?last=t2");
  EXPECT_EQ(next("<https://r:5000/x?a=1>; rel=\"next\""), "https://r:5000/x?a=1");
  EXPECT_EQ(next("<list?last=b>; title=\"x\"; rel=\"next\""),
            "https://r:5000/v2/a/tags/list?last=b");
  EXPECT_EQ(next("<?last=c>; rel=\"next\""), "https://r:5000/v2/a/tags/list?last=c");
  EXPECT_EQ(next("</first>; rel=\"prev\", </third>; rel=\"next\""), "https://r:5000/third");
}

TEST(NextPage, EndsWhereThereIsNone) {
  for (const char* header :
       {"", "</a>", "</a>; rel=\"prev\"", "<", "</a; rel=\"next\"", "rel=\"next\""})
    EXPECT_EQ(next(header), "") << header;
}

TEST(NextPage, StaysOnItsServer) {
  EXPECT_EQ(next("<https://elsewhere/a>; rel=\"next\""),
            "error: https://r:5000/v2/a/tags/list: the next page is on another server, "
            "https://elsewhere");
  EXPECT_EQ(
      next("<http://r:5000/a>; rel=\"next\""),
      "error: https://r:5000/v2/a/tags/list: the next page is on another server, http://r:5000");
  EXPECT_EQ(
      next("<https://r:port/a>; rel=\"next\""),
      "error: https://r:5000/v2/a/tags/list: the answer leads to an invalid URL: https://r:port/a");
}

}  // namespace
}  // namespace pgo::next_page_test
