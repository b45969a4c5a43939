#include "parsers/fressian/big_number.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <iterator>

namespace elapid::fressian {

namespace {

using BigInteger = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                                 boost::multiprecision::et_off>;

constexpr unsigned kByteBits = 8;

BigInteger power_of_two(std::size_t bits) {
  return BigInteger(1) << bits;
}

}  // namespace

std::string decimal_digits(std::string_view bytes) {
  BigInteger value = 0;
  for (const char byte : bytes) {
    value = (value << kByteBits) | static_cast<unsigned char>(byte);
  }
  const bool is_negative = !bytes.empty() && static_cast<unsigned char>(bytes.front()) >= 0x80;
  if (is_negative) {
    value -= power_of_two(bytes.size() * kByteBits);
  }
  return value.str();
}

std::string big_bytes(std::string_view digits) {
  const bool is_negative = digits.starts_with('-');
  const BigInteger value{std::string(digits)};
  // The number of bits without the sign, which the first bit holds.
  const BigInteger magnitude = is_negative ? -value - 1 : value;
  const std::size_t bits = magnitude == 0 ? 0 : msb(magnitude) + 1;
  const std::size_t count = bits / kByteBits + 1;
  BigInteger rest = is_negative ? power_of_two(count * kByteBits) + value : value;
  std::string bytes(count, '\0');
  for (std::size_t i = count; i-- > 0;) {
    bytes[i] = static_cast<char>(static_cast<unsigned>(rest & 0xff));
    rest >>= kByteBits;
  }
  return bytes;
}

}  // namespace elapid::fressian
