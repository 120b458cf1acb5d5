// A mixed load for zstd: log lines, records of numbers and noise, in pieces of different sizes,
// packed at several levels, in one call or as a stream, and unpacked again.
//
//   mixed_zstd ROUNDS SEED
//
// Prints a checksum of what was packed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd.h"

enum { kPiece = 256 * 1024 };

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (uint32_t)((state >> 33) % limit);
}

static size_t fill_with_lines(char* out, size_t size) {
  static const char* const kWords[] = {
      "connection", "accepted", "from",   "timeout", "user",  "session", "closed", "GET",
      "POST",       "/index",   "/query", "error",   "retry", "status",  "bytes",  "queue"};
  size_t used = 0;
  while (used + 128 < size) {
    used +=
        (size_t)sprintf(out + used, "2024-05-%02u %02u:%02u ", 1 + below(28), below(24), below(60));
    for (uint32_t left = 2 + below(6); left > 0; left--)
      used += (size_t)sprintf(out + used, "%s ", kWords[below(16) * below(17) / 17]);
    used += (size_t)sprintf(out + used, "id=%u\n", below(100000));
  }
  return used;
}

static size_t fill_with_records(char* out, size_t size) {
  uint32_t time = below(1000000), used = 0;
  while (used + 16 < size) {
    time += below(50);
    uint32_t record[4] = {time, below(64), below(8) ? 7 : below(100000), used};
    memcpy(out + used, record, sizeof record);
    used += sizeof record;
  }
  return used;
}

static size_t fill_with_noise(char* out, size_t size) {
  for (size_t i = 0; i < size; i++) out[i] = (char)below(256);
  return size;
}

static size_t fill(char* out) {
  size_t size = 1000 + below(kPiece - 1000);
  switch (below(8)) {
    case 0: return fill_with_noise(out, size);
    case 1:
    case 2: return fill_with_records(out, size);
    default: return fill_with_lines(out, size);
  }
}

static size_t check(size_t result) {
  if (!ZSTD_isError(result)) return result;
  fprintf(stderr, "mixed_zstd: %s\n", ZSTD_getErrorName(result));
  exit(1);
}

static size_t pack_as_stream(ZSTD_CCtx* context, char* out, size_t room, const char* in,
                             size_t size) {
  ZSTD_outBuffer packed = {out, room, 0};
  for (size_t at = 0; at < size;) {
    size_t piece = size - at < 20000 ? size - at : 20000;
    ZSTD_inBuffer given = {in + at, piece, 0};
    at += piece;
    size_t left;
    do
      left = check(ZSTD_compressStream2(context, &packed, &given,
                                        at == size ? ZSTD_e_end : ZSTD_e_continue));
    while (at == size ? left > 0 : given.pos < given.size);
  }
  return packed.pos;
}

int main(int argc, char** argv) {
  static const int kLevels[] = {1, 2, 3, 3, 3, 4, 5, 6, 9, 12};
  if (argc != 3) return 2;
  state = strtoull(argv[2], NULL, 10) * 2654435761U + 1;
  size_t room = ZSTD_compressBound(kPiece);
  char *in = malloc(kPiece), *packed = malloc(room), *out = malloc(kPiece);
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_DCtx* reader = ZSTD_createDCtx();
  if (!in || !packed || !out || !context || !reader) abort();
  uint64_t sum = 0;
  for (long round = strtol(argv[1], NULL, 10); round > 0; round--) {
    size_t size = fill(in);
    check(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters));
    check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevels[below(10)]));
    check(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, (int)below(2)));
    size_t length = below(3) ? check(ZSTD_compress2(context, packed, room, in, size))
                             : pack_as_stream(context, packed, room, in, size);
    for (uint32_t reads = 2 + below(8); reads > 0; reads--)
      if (check(ZSTD_decompressDCtx(reader, out, kPiece, packed, length)) != size ||
          memcmp(in, out, size) != 0)
        return 1;
    for (size_t i = 0; i < length; i++) sum = sum * 31 + (unsigned char)packed[i];
  }
  printf("%llu\n", (unsigned long long)sum);
  ZSTD_freeDCtx(reader);
  ZSTD_freeCCtx(context);
  free(out), free(packed), free(in);
  return 0;
}
