#include "pgo/stores/s3/s3_answers.h"

#include <gtest/gtest.h>

namespace pgo::s3_answers_test {
namespace {

using namespace s3;

ListPage page_of(std::string_view xml) {
  Result<ListPage> page = parse_list(xml, "s3://b/p");
  EXPECT_TRUE(page) << (page ? "" : page.error().message);
  return page ? *page : ListPage();
}

Error error_of(std::string_view xml) {
  Result<ListPage> page = parse_list(xml, "s3://b/p");
  return page ? Error() : page.error();
}

constexpr const char* kPage =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>p/</Prefix>
  <KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated>
  <NextContinuationToken>a/b+c==</NextContinuationToken>
  <Contents><Key>p/a b+c=%d/é&amp;&#x20;&lt;.pb</Key><LastModified>2013-05-24T00:00:00.123Z</LastModified>
    <ETag>&#34;0123&#34;</ETag><Size>12</Size><StorageClass>STANDARD</StorageClass></Contents>
  <Contents><Key> x </Key><ETag>&quot;45-2&quot;</ETag><Size>0</Size></Contents>
</ListBucketResult>)";

TEST(ListPage, ReadsObjects) {
  const ListPage page = page_of(kPage);
  ASSERT_EQ(page.objects.size(), 2u);
  EXPECT_EQ(page.objects[0],
            (ListedObject{"p/a b+c=%d/é& <.pb", "0123", 12, 1'369'353'600'123'000'000}));
  EXPECT_EQ(page.objects[1], (ListedObject{" x ", "45-2", 0, std::nullopt}));
  EXPECT_EQ(page.next, "a/b+c==");
}

TEST(ListPage, TakesMissingAndUnquotedETags) {
  const ListPage page = page_of(
      "<ListBucketResult><Contents><Key>a</Key></Contents>"
      "<Contents><Key>b</Key><ETag>0123</ETag></Contents>"
      "<Contents><Key>c</Key><ETag>W/\"0123\"</ETag></Contents></ListBucketResult>");
  ASSERT_EQ(page.objects.size(), 3u);
  EXPECT_EQ(page.objects[0], (ListedObject{"a", "", std::nullopt, std::nullopt}));
  EXPECT_EQ(page.objects[1].etag, "0123");
  EXPECT_EQ(page.objects[2].etag, "0123");
  EXPECT_EQ(page.next, "");
}

TEST(ListPage, DecodesKeysThatSaySo) {
  const ListPage page = page_of(
      "<ListBucketResult><EncodingType>url</EncodingType>"
      "<Contents><Key>a%20+%2b%ZZ%4</Key></Contents></ListBucketResult>");
  ASSERT_EQ(page.objects.size(), 1u);
  EXPECT_EQ(page.objects[0].key, "a ++%ZZ%4");
}

TEST(ListPage, IsAnErrorWhenCut) {
  const std::string_view whole = kPage;
  for (size_t size = 0; size + 1 < whole.size(); ++size)
    ASSERT_FALSE(parse_list(whole.substr(0, size), "s3://b/p")) << size;
}

TEST(ListPage, NamesWhatIsWrong) {
  EXPECT_EQ(error_of("<html><body>Log in</body></html>"),
            (Error{ErrorKind::kInput, "s3://b/p: the answer is not a list of objects",
                   "check AWS_ENDPOINT_URL: is it the address of an S3 store?"}));
  const std::string damaged = "s3://b/p: the list of objects is damaged: ";
  auto message_of = [](const std::string& contents) {
    return error_of("<ListBucketResult>" + contents + "</ListBucketResult>").message;
  };
  EXPECT_EQ(error_of("<ListBucketResult><Contents><Key>a").message,
            damaged + "it is not well-formed XML, or it was cut short");
  EXPECT_EQ(message_of("<Contents><Size>1</Size></Contents>"), damaged + "an object has no key");
  EXPECT_EQ(message_of("<Contents><Key>" + std::string(5000, 'k') + "</Key></Contents>"),
            damaged + "a key has more than 4096 bytes");
  for (const char* size : {"-1", "1x", "18446744073709551616", "0x10"})
    EXPECT_EQ(message_of("<Contents><Key>a</Key><Size>" + std::string(size) + "</Size></Contents>"),
              damaged + "a size is not a number")
        << size;
  EXPECT_EQ(message_of("<IsTruncated>true</IsTruncated>"),
            damaged + "it continues, but has no token to ask for the rest");
}

TEST(ListPage, ExpandsNoEntitiesOfItsOwn) {
  const ListPage page = page_of(
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\">]>"
      "<ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>");
  ASSERT_EQ(page.objects.size(), 1u);
  EXPECT_EQ(page.objects[0].key, "&b;");
}

TEST(StoreError, ReadsCodeMessageAndRegion) {
  EXPECT_EQ(parse_error(403,
                        "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>"
                        "<Message>Access\n denied.</Message></Error>"),
            (StoreError{403, "AccessDenied", "Access  denied", ""}));
  EXPECT_EQ(parse_error(400,
                        "<Error><Code>AuthorizationHeaderMalformed</Code>"
                        "<Region>eu-west-1</Region></Error>"),
            (StoreError{400, "AuthorizationHeaderMalformed", "", "eu-west-1"}));
  EXPECT_EQ(parse_error(403,
                        "<ErrorResponse><Error><Type>Sender</Type>"
                        "<Code>ExpiredTokenException</Code></Error></ErrorResponse>"),
            (StoreError{403, "ExpiredTokenException", "", ""}));
}

TEST(StoreError, IsEmptyWithoutXml) {
  EXPECT_EQ(parse_error(404, ""), (StoreError{404, "", "", ""}));
  EXPECT_EQ(parse_error(500, "<html><h1>Oops</h1>"), (StoreError{500, "", "", ""}));
}

TEST(StoreError, IsShort) {
  const StoreError error =
      parse_error(500, "<Error><Code>a b</Code><Message>" + std::string(10'000, 'm') +
                           "</Message><Region>evil.example/</Region></Error>");
  EXPECT_EQ(error, (StoreError{500, "", std::string(200, 'm'), ""}));
}

TEST(Upload, HasAnId) {
  Result<std::string> id = parse_upload_id(
      "<InitiateMultipartUploadResult><UploadId>a/b</UploadId></InitiateMultipartUploadResult>",
      "s3://b/k");
  ASSERT_TRUE(id);
  EXPECT_EQ(*id, "a/b");
  id = parse_upload_id("<x/>", "s3://b/k");
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().message, "s3://b/k: the answer has no upload ID");
}

TEST(Completion, MayBeAnError) {
  EXPECT_EQ(parse_completion("<CompleteMultipartUploadResult/>"), std::nullopt);
  EXPECT_EQ(parse_completion("<Error><Code>InternalError</Code></Error>"),
            (StoreError{200, "InternalError", "", ""}));
  EXPECT_EQ(parse_completion(""), (StoreError{200, "", "", ""}));
}

TEST(AwsDomain, IsAnotherOneInChina) {
  EXPECT_EQ(aws_domain("eu-west-1"), "eu-west-1.amazonaws.com");
  EXPECT_EQ(aws_domain("cn-north-1"), "cn-north-1.amazonaws.com.cn");
}

}  // namespace
}  // namespace pgo::s3_answers_test
