#include "pgo/base/markup_text.h"

#include <gtest/gtest.h>

namespace pgo::markup_text_test {
namespace {

TEST(MarkupText, IsText) {
  EXPECT_EQ(markup_text("<a href=\"x\">'&amp;"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;");
  EXPECT_EQ(markup_text(""), "");
}

}  // namespace
}  // namespace pgo::markup_text_test
