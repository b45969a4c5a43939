// Integers as bytes: small integers take few bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

/// Appends to a string. Moments, names and values are written as differences to their predecessors
/// of the same sort, since neighbours are alike.
class ByteWriter {
 public:
  void add(std::uint64_t number) {
    std::array<char, 10> bytes;
    std::size_t size = 0;
    for (; number >= 0x80; number >>= 7) {
      bytes[size++] = static_cast<char>(number | 0x80);
    }
    bytes[size++] = static_cast<char>(number);
    bytes_.append(bytes.data(), size);
  }

  void add(Moment moment) {
    add_difference(static_cast<std::uint64_t>(moment.physical), physical_);
    add(std::uint64_t{moment.logical} << 2 | moment.kind);
  }

  void add_name(Atom atom) { add_difference(atom.bits(), name_); }

  void add_value(Atom atom) { add_difference(atom.bits(), value_); }

  void add(std::string_view text) {
    add(text.size());
    bytes_ += text;
  }

  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  /// Maps small differences of either sign to small numbers.
  void add_difference(std::uint64_t number, std::uint64_t& before) {
    const std::uint64_t difference = number - before;
    const bool is_negative = difference >> 63 != 0;
    add(is_negative ? ~(difference << 1) : difference << 1);
    before = number;
  }

  std::string bytes_;
  std::uint64_t physical_ = 0;
  std::uint64_t name_ = 0;
  std::uint64_t value_ = 0;
};

/// Reads the output of ByteWriter, in the same order. After the end of damaged bytes all is 0.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        break;
      }
    }
    return number;
  }

  [[nodiscard]] Moment moment() {
    Moment moment;
    moment.physical = static_cast<std::int64_t>(difference(physical_));
    const std::uint64_t rest = number();
    moment.logical = static_cast<std::uint32_t>(rest >> 2);
    moment.kind = static_cast<Moment::Kind>(rest & 3);
    return moment;
  }

  [[nodiscard]] Atom name() { return Atom::from_bits(difference(name_)); }

  [[nodiscard]] Atom value() { return Atom::from_bits(difference(value_)); }

  [[nodiscard]] std::string_view text() {
    const std::uint64_t size = number();
    const std::string_view text = bytes_.substr(at_, size);
    at_ += text.size();
    return text;
  }

  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::uint64_t difference(std::uint64_t& before) {
    const std::uint64_t coded = number();
    before += (coded & 1) != 0 ? ~(coded >> 1) : coded >> 1;
    return before;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t physical_ = 0;
  std::uint64_t name_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace elapid
