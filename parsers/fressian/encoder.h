// Writes Fressian: one object after another, with one pair of caches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace elapid::fressian {

/// Appends to a string. Lists have an end mark, so their length need not be known in advance. The
/// caches hold names of keywords and symbols, and on request whole keywords.
class Encoder {
 public:
  /// Keeps a reference to `out`.
  explicit Encoder(std::string& out) : out_(out) {}

  void null();
  void boolean(bool value);
  void integer(std::int64_t value);
  void real(double value);
  /// Written in CESU-8.
  void string(std::string_view cesu8);
  void bytes(std::string_view bytes);
  /// The bytes of an integer in two's complement, big-endian.
  void big_integer(std::string_view twos_complement);
  void big_decimal(std::string_view twos_complement, std::int32_t scale);
  void uuid(std::string_view sixteen_bytes);
  void instant(std::int64_t ms);
  /// A name as `ns/name`, or without a namespace; without a colon.
  void keyword(std::string_view name);
  void symbol(std::string_view name);
  /// Writes a keyword that is repeated often, and caches the whole keyword.
  void cached_keyword(std::string_view name);

  /// Begins a list: objects follow, then end_list().
  void begin_list();
  /// Begins a map: keys and values follow in turn, then end_list().
  void begin_map();
  void end_list();
  /// Begins a structure: `components` objects follow.
  void begin_struct(std::string_view tag, std::uint32_t components);

 private:
  void byte(unsigned value) { out_ += static_cast<char>(value); }

  void big_endian(std::uint64_t value, unsigned bytes);
  bool reference(const std::string& text);
  void reserve(const std::string& text);
  void cached_string(std::string_view text);
  void name(std::uint8_t code, std::string_view name);

  std::string& out_;
  std::unordered_map<std::string, std::uint32_t> values_;  // places in the priority cache; keywords
                                                           // begin with a colon, strings with `"`
  std::unordered_map<std::string, std::uint32_t> types_;   // places in the struct cache
};

}  // namespace elapid::fressian
