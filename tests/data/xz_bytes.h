// Bytes compressed by xz, for tests of what inflates them.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pgo::test {

inline std::string xz_of(const std::vector<uint8_t>& bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, nullptr, bytes.data(), bytes.size(),
                                    reinterpret_cast<uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

}  // namespace pgo::test
