#include "pgo/stores/s3/s3_answers.h"

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "pgo/base/time_text.h"
#include "pgo/base/utf8.h"
#include "pgo/net/percent_encoding.h"

namespace pgo::s3 {

namespace {

constexpr size_t kMaxMessage = 200;
// Longer than any key may be.
constexpr size_t kMaxKey = 4096;

// False: it is not well-formed, such as a document that was cut; `document` has what came before.
bool parse_xml(std::string_view xml, pugi::xml_document& document) {
  // Spaces are part of keys: not trimmed.
  return static_cast<bool>(document.load_buffer(xml.data(), xml.size(),
                                                pugi::parse_default | pugi::parse_ws_pcdata_single,
                                                pugi::encoding_utf8));
}

// What people read: one line, without control characters.
std::string one_line(std::string_view text, size_t limit) {
  std::string line = valid_utf8(text.substr(0, std::min(text.size(), 4 * limit)));
  size_t characters = 0, end = 0;
  for (; end < line.size(); ++end) {
    const uint8_t byte = static_cast<uint8_t>(line[end]);
    if (byte < ' ' || byte == 127) line[end] = ' ';
    if ((byte & 0xC0) != 0x80 && characters++ == limit) break;
  }
  line.resize(end);
  while (line.ends_with(' ') || line.ends_with('.')) line.pop_back();
  return line;
}

// Names of errors are words.
std::string error_code(std::string_view text) {
  const bool is_word =
      !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_';
      });
  return is_word ? std::string(text) : "";
}

StoreError error_of(const pugi::xml_node& error, int status) {
  StoreError found;
  found.status = status;
  found.code = error_code(error.child_value("Code"));
  found.message = one_line(error.child_value("Message"), kMaxMessage);
  const std::string_view region = error.child_value("Region");
  if (is_region(region)) found.region = region;
  return found;
}

}  // namespace

Result<ListPage> parse_list(std::string_view xml, const std::string& shown) {
  pugi::xml_document document;
  const bool is_whole = parse_xml(xml, document);
  const pugi::xml_node list = document.child("ListBucketResult");
  if (!list)
    return fail(ErrorKind::kInput, shown + ": the answer is not a list of objects",
                "check AWS_ENDPOINT_URL: is it the address of an S3 store?");
  auto damaged = [&](const char* what) {
    return fail(ErrorKind::kInput, shown + ": the list of objects is damaged: " + what);
  };
  if (!is_whole) return damaged("it is not well-formed XML, or it was cut short");
  ListPage page;
  const bool is_encoded = std::string_view(list.child_value("EncodingType")) == "url";
  for (const pugi::xml_node& entry : list.children("Contents")) {
    ListedObject object;
    object.key = entry.child_value("Key");
    if (is_encoded) object.key = net::percent_decode(object.key);
    if (object.key.empty()) return damaged("an object has no key");
    if (object.key.size() > kMaxKey) return damaged("a key has more than 4096 bytes");
    object.etag = unquoted_etag(entry.child_value("ETag"));
    const std::string_view size = entry.child_value("Size");
    if (!size.empty()) {
      uint64_t bytes = 0;
      const char* end = size.data() + size.size();
      const std::from_chars_result read = std::from_chars(size.data(), end, bytes);
      if (read.ec != std::errc() || read.ptr != end) return damaged("a size is not a number");
      object.size = bytes;
    }
    object.modified = parse_time(entry.child_value("LastModified"));
    page.objects.push_back(std::move(object));
  }
  if (std::string_view(list.child_value("IsTruncated")) == "true") {
    page.next = list.child_value("NextContinuationToken");
    if (page.next.empty()) return damaged("it continues, but has no token to ask for the rest");
  }
  return page;
}

StoreError parse_error(int status, std::string_view body) {
  pugi::xml_document document;
  if (!parse_xml(body, document)) return {.status = status};
  pugi::xml_node error = document.child("Error");
  if (!error) error = document.child("ErrorResponse").child("Error");  // of STS
  return error_of(error, status);
}

Result<std::string> parse_upload_id(std::string_view xml, const std::string& shown) {
  pugi::xml_document document;
  parse_xml(xml, document);
  std::string id = document.child("InitiateMultipartUploadResult").child_value("UploadId");
  if (id.empty()) return fail(ErrorKind::kInput, shown + ": the answer has no upload ID");
  return id;
}

std::optional<StoreError> parse_completion(std::string_view xml) {
  pugi::xml_document document;
  parse_xml(xml, document);
  if (document.child("CompleteMultipartUploadResult")) return std::nullopt;
  return error_of(document.child("Error"), 200);
}

std::string unquoted_etag(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    etag = etag.substr(1, etag.size() - 2);
  return std::string(etag);
}

bool is_region(std::string_view text) {
  return !text.empty() && text.size() <= 63 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string aws_domain(const std::string& region) {
  return region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
}

}  // namespace pgo::s3
