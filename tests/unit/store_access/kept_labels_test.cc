#include "pgo/store_access/kept_labels.h"

#include <gtest/gtest.h>

namespace pgo::kept_labels_test {
namespace {

using store_access::choose_kept_labels;
using store_access::KeptLabels;
using Names = std::vector<std::string>;

TEST(KeptLabels, AreServiceHostVersionAndZone) {
  const KeptLabels kept = choose_kept_labels({"__name__", "pod", "instance", "service_name",
                                              "service_version", "tid", "zone"},
                                             {}, "", "store")
                              .value();
  EXPECT_EQ(kept.names, (Names{"instance", "service_name", "service_version", "zone"}));
  const Labels apart = kept.apart({{"service_name", "queryd"}, {"tid", "7"}, {"zone", "a"}});
  EXPECT_EQ(
      apart,
      (Labels{
          {"instance", ""}, {"service_name", "queryd"}, {"service_version", ""}, {"zone", "a"}}));
  EXPECT_EQ(kept.labels_of(apart),
            (Labels{{"service", "queryd"}, {"service_name", "queryd"}, {"zone", "a"}}));
}

TEST(KeptLabels, HaveTheNamesOfTheStore) {
  const KeptLabels kept =
      choose_kept_labels({"job", "version", "tid"}, {{"service", "a"}, {"tid", "7"}}, "", "store")
          .value();
  EXPECT_EQ(kept.names, (Names{"job", "tid", "version"}));
  EXPECT_EQ(kept.matchers_of({{"service", "a"}, {"tid", "7"}, {"version", "1"}}),
            (Labels{{"job", "a"}, {"tid", "7"}, {"version", "1"}}));
  EXPECT_EQ(kept.labels_of({{"job", "a"}, {"version", "1"}}),
            (Labels{{"job", "a"}, {"service", "a"}, {"version", "1"}}));
}

TEST(KeptLabels, AreThoseThatAreNamed) {
  const KeptLabels kept =
      choose_kept_labels({"host", "rack", "service", "zone"}, {}, "rack,,host", "store").value();
  EXPECT_EQ(kept.names, (Names{"host", "rack", "service"}));
  EXPECT_EQ(store_access::names_of("b,a,,b"), (std::set<std::string, std::less<>>{"a", "b"}));
  // The server would merge all hosts.
  EXPECT_EQ(choose_kept_labels({"host", "service"}, {}, "hots", "store").error().message,
            "store: the parameter 'labels' names the label 'hots', which no profile of the window "
            "has; labels: host, service");
}

TEST(KeptLabels, MustBeInTheStore) {
  const Result<KeptLabels> none =
      choose_kept_labels({"__name__", "host", "rack"}, {{"service", "a"}}, "", "store");
  EXPECT_EQ(none.error().message,
            "store: no profile of the window has a label 'service'; labels: host, rack");
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(choose_kept_labels({"a\x1b[31m", "\xff"}, {{"x", "a"}}, "", "store").error().message,
            "store: no profile of the window has a label 'x'; labels: a?[31m, ?");
  EXPECT_EQ(choose_kept_labels({}, {{"x", "a"}}, "", "store").error().message,
            "store: no profile of the window has a label 'x'; labels: none");
}

}  // namespace
}  // namespace pgo::kept_labels_test
