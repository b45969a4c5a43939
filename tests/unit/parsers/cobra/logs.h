// Logs made record by record, for the tests of Cobra's reader.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace elapid {

constexpr std::uint64_t kInit = 0xbebeebee;
constexpr std::uint64_t kNull = 0xdeadbeef;
constexpr std::uint64_t kDelete = 0xabcdefab;
constexpr std::uint64_t kUniversal = 0xabddefee;

inline std::string big_endian(std::uint64_t number, int bytes) {
  std::string out;
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(number >> static_cast<unsigned>(shift));
  }
  return out;
}

inline std::string record(char letter, std::initializer_list<std::uint64_t> numbers) {
  std::string out(1, letter);
  for (const std::uint64_t number : numbers) {
    out += big_endian(number, 8);
  }
  return out;
}

inline std::string read_op(std::uint64_t writer, std::uint64_t write, std::uint64_t key,
                           std::uint64_t hash) {
  return record('R', {writer, write, key, hash});
}

inline std::string write_op(std::uint64_t write, std::uint64_t key, std::uint64_t hash) {
  return record('W', {write, key, hash});
}

inline std::string txn(std::uint64_t id, const std::string& ops) {
  return record('S', {id}) + ops + record('C', {id});
}

inline std::string timed_txn(std::uint64_t id, std::uint64_t start, std::uint64_t commit,
                             const std::string& ops) {
  return record('S', {id, start}) + ops + record('C', {id, commit});
}

/// What a .debug file says of one transaction.
inline std::string debug_lines(const std::string& hex_id,
                               std::initializer_list<const char*> events) {
  std::string out;
  for (const char* event : events) {
    out += "[DEBUG] Txn[" + hex_id + "] " + event + '\n';
  }
  return out;
}

}  // namespace elapid
