// Any bytes as a file of the AWS tools: an error of one line that names its line, or sections.
#include <cstdlib>

#include "pgo/stores/s3/aws_ini.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<s3::AwsIni> ini = s3::AwsIni::parse(text, "fuzz");
  if (!ini) {
    if (!ini.error().message.starts_with("fuzz: line ")) std::abort();
    return 0;
  }
  for (const char* key : {"region", "aws_access_key_id", "s3.addressing_style"}) {
    const std::string& value = ini->value("default", key);
    if (value.find('\n') != value.npos || value.size() > size) std::abort();
    if (!value.empty() && !ini->has_section("default")) std::abort();
  }
  return 0;
}
