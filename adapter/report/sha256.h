// SHA-256 (FIPS 180-4): identifies an input, and the script that a page may run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace elapid {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// Takes bytes in pieces.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Ends the hash.
  [[nodiscard]] Sha256Digest finish();

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_ = {};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  // bytes
};

[[nodiscard]] Sha256Digest sha256(std::string_view bytes);

/// The text that sha256sum prints.
[[nodiscard]] std::string in_hex(const Sha256Digest& digest);

/// The text in a Content-Security-Policy, RFC 4648.
[[nodiscard]] std::string in_base64(const Sha256Digest& digest);

}  // namespace elapid
