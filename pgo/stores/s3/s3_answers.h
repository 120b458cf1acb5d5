// The XML that S3 and stores like it answer with.
//
//   PGO_TRY(ListPage page, parse_list(response.body, "s3://bucket/prefix"));
//
// Differences between stores are allowed for: an ETag may be missing or unquoted, an error may have
// no message or no body at all. A number of entries larger than the bytes can hold is impossible:
// each is an element of its own. Entities that a document declares itself are not expanded.
//
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo::s3 {

struct ListedObject {
  std::string key;
  std::string etag;  // without quotes; empty: none
  std::optional<uint64_t> size;
  std::optional<int64_t> modified;  // in nanoseconds since 1970

  bool operator==(const ListedObject&) const = default;
};

struct ListPage {
  std::vector<ListedObject> objects;
  std::string next;  // the token that continues the list; empty: it ends here
};

// A page of ListObjectsV2. `shown` is what messages call the list. Error: kInput.
Result<ListPage> parse_list(std::string_view xml, const std::string& shown);

// What a store says of a request that it refuses.
struct StoreError {
  int status = 0;
  std::string code = {};     // "NoSuchKey"; empty: the answer had none
  std::string message = {};  // one line of at most 200 characters; empty: none
  std::string region = {};   // where the bucket is, when it is not where it was looked for

  bool operator==(const StoreError&) const = default;
};

// Never fails: what cannot be read is empty. Also the errors of STS.
StoreError parse_error(int status, std::string_view body);

// The ID of a multipart upload that was begun. Error: kInput.
Result<std::string> parse_upload_id(std::string_view xml, const std::string& shown);
// A multipart upload may fail after the status 200 was sent. Nothing: it was completed.
std::optional<StoreError> parse_completion(std::string_view xml);

// "abc" of "\"abc\"", of "abc" and of a weak ETag, W/"abc".
std::string unquoted_etag(std::string_view etag);

// Is `text` a name of a region, so that it may become part of a host name?
bool is_region(std::string_view text);
// "eu-west-1.amazonaws.com"; regions of China have a domain of their own.
std::string aws_domain(const std::string& region);

}  // namespace pgo::s3
