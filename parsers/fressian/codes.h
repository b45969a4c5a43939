// The first byte of each Fressian object (org.fressian.impl.Codes, version 0.6).
#pragma once

#include <cstddef>
#include <cstdint>

namespace elapid::fressian {

/// Codes. For a range with one meaning, the first code.
enum Code : std::uint8_t {
  kPriorityCacheGet = 0x80,  ///< 32 codes
  kStructCacheGet = 0xa0,    ///< 16 codes
  kLongArray = 0xb0,
  kDoubleArray = 0xb1,
  kBooleanArray = 0xb2,
  kIntArray = 0xb3,
  kFloatArray = 0xb4,
  kObjectArray = 0xb5,
  kMap = 0xc0,
  kSet = 0xc1,
  kUuid = 0xc3,
  kRegex = 0xc4,
  kUri = 0xc5,
  kBigInteger = 0xc6,
  kBigDecimal = 0xc7,
  kInstant = 0xc8,
  kSymbol = 0xc9,
  kKeyword = 0xca,
  kPriorityCacheGetAt = 0xcc,
  kPriorityCachePut = 0xcd,
  kFooter = 0xcf,       ///< comes four times
  kShortBytes = 0xd0,   ///< 8 codes
  kBytesChunk = 0xd8,   ///< more chunks follow
  kBytes = 0xd9,        ///< all bytes, or the last chunk
  kShortString = 0xda,  ///< 8 codes
  kStringChunk = 0xe2,
  kString = 0xe3,
  kShortList = 0xe4,  ///< 8 codes
  kList = 0xec,
  kClosedList = 0xed,  ///< ends with kEndOfList
  kOpenList = 0xee,    ///< the same, or ends with the input
  kStruct = 0xef,
  kStructCacheGetAt = 0xf0,
  kTrue = 0xf5,
  kFalse = 0xf6,
  kNull = 0xf7,
  kInt64 = 0xf8,
  kFloat = 0xf9,
  kDouble = 0xfa,
  kDoubleZero = 0xfb,
  kDoubleOne = 0xfc,
  kEndOfList = 0xfd,
  kResetCaches = 0xfe,
  kMinusOne = 0xff,
};

inline constexpr std::size_t kShortLengths = 8;   ///< lengths 0 to 7 have codes of their own
inline constexpr std::size_t kPriorityGets = 32;  ///< these places of the priority cache, too
inline constexpr std::size_t kStructGets = 16;    ///< and these of the struct cache

/// Integers with their high bits in the code: `code - zero` above `bytes` further bytes.
struct PackedInteger {
  std::uint8_t first;
  std::uint8_t zero;
  std::uint8_t end;
  std::uint8_t bytes;
};

inline constexpr PackedInteger kPackedIntegers[] = {
    {0x00, 0x00, 0x40, 0}, {0x40, 0x50, 0x60, 1}, {0x60, 0x68, 0x70, 2}, {0x70, 0x72, 0x74, 3},
    {0x74, 0x76, 0x78, 4}, {0x78, 0x7a, 0x7c, 5}, {0x7c, 0x7e, 0x80, 6}};

}  // namespace elapid::fressian
