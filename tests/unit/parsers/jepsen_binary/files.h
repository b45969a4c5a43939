// Jepsen files for tests: the samples, and files made block by block.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "parsers/bytes/sources.h"
#include "parsers/fressian/edn_encoder.h"
#include "parsers/jepsen_binary/jepsen_binary_format.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// One of tests/data/formats/jepsen-binary.
inline std::string binary_sample(const std::string& name) {
  return file_bytes(std::filesystem::path(ELAPID_TEST_DATA) / "formats/jepsen-binary" / name);
}

inline Result<History> read_binary(std::string bytes, const ReadOptions& options = {},
                                   const std::string& dialect = {}) {
  Sources sources(memory_source("test.jepsen", std::move(bytes)));
  return read_jepsen_binary(sources, dialect, options);
}

/// The transactions, or the error.
inline std::string outcome(std::string bytes, const ReadOptions& options = {}) {
  const auto result = read_binary(std::move(bytes), options);
  return result ? summary(result.value()) : result.error().to_string();
}

/// Fressian of EDN forms behind one another, with one pair of caches. An operation is given as
/// `#jepsen.history.Op` of a vector of its seven parts.
inline std::string fressian_of(const std::vector<std::string>& forms) {
  std::string bytes;
  fressian::Encoder encoder(bytes);
  for (const std::string& form : forms) {
    if (!fressian::encode_edn(form, encoder).ok()) {
      return {};
    }
  }
  return bytes;
}

inline std::string big_endian_bytes(std::uint64_t value, unsigned count) {
  std::string bytes;
  for (unsigned i = count; i-- > 0;) {
    bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  }
  return bytes;
}

/// A test.jepsen, block by block.
class FileMaker {
 public:
  FileMaker() : bytes_("JEPSEN" + big_endian_bytes(1, 4) + big_endian_bytes(0, 8)) {}

  /// Adds a block, with an id if it is to be in the index. Its offset.
  std::uint64_t add(int type, const std::string& data, std::int32_t id = 0) {
    const std::uint64_t offset = bytes_.size();
    const std::string size = big_endian_bytes(data.size() + 28, 8);
    const std::string rest =
        big_endian_bytes(static_cast<std::uint64_t>(type), 2) + std::string(14, '\0');
    const std::string checked = data + size + std::string(4, '\0') + rest;
    const auto crc = crc32_z(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(checked.data()),
                             checked.size());
    bytes_ += size + big_endian_bytes(crc, 4) + rest + data;
    if (id != 0) {
      index_ += big_endian_bytes(static_cast<std::uint32_t>(id), 4) + big_endian_bytes(offset, 8);
    }
    return offset;
  }

  /// A big vector of chunks: first element and block.
  static std::string vector(std::uint64_t count,
                            const std::vector<std::pair<std::uint64_t, std::int32_t>>& chunks) {
    std::string data = big_endian_bytes(count, 8);
    for (const auto& [first, id] : chunks) {
      data += big_endian_bytes(first, 8) + big_endian_bytes(static_cast<std::uint32_t>(id), 4);
    }
    return data;
  }

  /// The root: a test whose history is this block.
  void add_test(std::int32_t id, std::int32_t history) {
    add(2, fressian_of({"{:name \"demo\" :history #block-ref " + std::to_string(history) + "}"}),
        id);
  }

  /// Writes the index and refers to it. The bytes so far.
  const std::string& index(std::int32_t root) {
    const std::uint64_t offset =
        add(1, big_endian_bytes(static_cast<std::uint32_t>(root), 4) + index_);
    bytes_.replace(10, 8, big_endian_bytes(offset, 8));
    return bytes_;
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  void append(const std::string& bytes) { bytes_ += bytes; }

 private:
  std::string bytes_;
  std::string index_;
};

/// Operation maps of a history that appends 1, 2, 3... to :x, two an append.
inline std::vector<std::string> appends(int first, int last) {
  std::vector<std::string> ops;
  for (int i = first; i < last; ++i) {
    const std::string type = i % 2 == 0 ? ":invoke" : ":ok";
    ops.push_back("{:f :txn :index " + std::to_string(i) + " :process 0 :type " + type +
                  " :value [[:append :x " + std::to_string(i / 2 + 1) + "]]}");
  }
  return ops;
}

}  // namespace elapid
