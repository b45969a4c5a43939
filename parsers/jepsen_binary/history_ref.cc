#include "parsers/jepsen_binary/history_ref.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/edn/token.h"
#include "parsers/jepsen_binary/object_reader.h"

namespace elapid::jepsen_binary {

namespace {

constexpr std::uint64_t kRestBytes = 4;  // of a partial map: the id of the map beneath

std::optional<BlockId> parse_ref(std::string_view text) {
  constexpr std::string_view kTag = "#block-ref ";
  if (text == "nil") {
    return 0;
  }
  if (!text.starts_with(kTag)) {
    return std::nullopt;
  }
  const std::string_view digits = text.substr(kTag.size());
  const char* const end = digits.data() + digits.size();
  BlockId id = 0;
  const auto parsed = std::from_chars(digits.data(), end, id);
  return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(id) : std::nullopt;
}

/// The reference in one map; nothing if it has no :history.
Result<std::optional<BlockId>> find_in_map(fressian::Decoder& decoder) {
  Result<fressian::OpenList> map = decoder.open_map();
  if (!map) {
    return std::move(map.error());
  }
  Result<bool> more = decoder.next_item(map.value());
  for (; more && more.value(); more = decoder.next_item(map.value())) {
    std::string key;
    std::string value;
    if (Status status = decoder.append_value(key); !status.ok()) {
      return std::move(status.error());
    }
    more = decoder.next_item(map.value());
    if (!more || !more.value()) {
      break;
    }
    const std::uint64_t offset = decoder.offset();
    if (Status status = decoder.append_value(value); !status.ok()) {
      return std::move(status.error());
    }
    if (key == ":history") {
      const auto id = parse_ref(value);
      return id ? Result<std::optional<BlockId>>(id)
                : malformed_at(offset, "expected a reference to a block as :history, found " +
                                           edn::in_quotes(value));
    }
  }
  if (!more) {
    return std::move(more.error());
  }
  return std::optional<BlockId>();
}

/// A block of the test: what it says, and the block of the map that it is laid over.
struct TestBlock {
  std::optional<BlockId> history = {};
  BlockId rest = 0;
};

Result<TestBlock> read_test_block(BlockFile& file, const Block& block) {
  TestBlock test;
  std::uint64_t begin = block.data();
  if (block.type == BlockType::kPartialMap) {
    if (block.end() - begin < kRestBytes) {
      return malformed_at(block.offset, "expected a partial map's 4 bytes, found fewer");
    }
    Result<std::string> rest = file.bytes().read_at(begin, kRestBytes);
    if (!rest) {
      return std::move(rest.error());
    }
    test.rest = static_cast<BlockId>(big_endian(rest.value()));
    begin += kRestBytes;
  } else if (block.type != BlockType::kFressian) {
    return malformed_at(block.offset, "expected a map in " + name_of(block) +
                                          ", which is the test's, found a block of type " +
                                          std::to_string(static_cast<int>(block.type)));
  }
  ObjectReader reader(file.bytes(), begin, block.end());
  Result<std::optional<BlockId>> history = find_in_map(reader.decoder());
  if (!history) {
    return std::move(history.error());
  }
  test.history = history.value();
  return test;
}

}  // namespace

Result<BlockId> find_history(BlockFile& file, const BlockIndex& index) {
  BlockId id = index.root;
  for (std::size_t maps = 0; id != 0; ++maps) {
    Result<Block> block = file.find(index, id);
    Status status = block ? file.verify(block.value()) : Status(block.error());
    if (!status.ok()) {
      return std::move(status.error());
    }
    if (maps == index.offsets.size()) {  // as many as there are blocks, and yet another one
      return malformed_at(block.value().offset, "expected partial maps without a cycle, found one");
    }
    const Result<TestBlock> test = read_test_block(file, block.value());
    if (!test) {
      return test.error();
    }
    if (test.value().history) {
      return *test.value().history;
    }
    id = test.value().rest;
  }
  return 0;
}

}  // namespace elapid::jepsen_binary
