// SHA-256 (FIPS 180-4): to name an input, and to say which script a page may run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace elapid {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// Takes bytes as they come.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Ends it.
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

/// As sha256sum prints it.
[[nodiscard]] std::string in_hex(const Sha256Digest& digest);

/// As a Content-Security-Policy has it, RFC 4648.
[[nodiscard]] std::string in_base64(const Sha256Digest& digest);

}  // namespace elapid
