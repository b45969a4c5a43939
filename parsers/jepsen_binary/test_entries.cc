#include "parsers/jepsen_binary/test_entries.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "parsers/edn/token.h"
#include "parsers/jepsen_binary/object_reader.h"

namespace elapid::jepsen_binary {

namespace {

constexpr std::uint64_t kRestBytes = 4;  // of a partial map: the id of the map beneath

constexpr std::string_view kHistory = ":history";

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

/// A block of the test: the entries asked for, and the block of the map beneath.
struct TestBlock {
  TestEntries entries = {};
  BlockId rest = 0;
};

/// Adds the requested entries of one map. Few are requested, and values may be long.
Status find_in_map(fressian::Decoder& decoder, std::span<const std::string_view> keys,
                   TestEntries& entries) {
  Result<fressian::OpenList> map = decoder.open_map();
  if (!map) {
    return std::move(map.error());
  }
  Result<bool> more = decoder.next_item(map.value());
  for (; more && more.value(); more = decoder.next_item(map.value())) {
    std::string key;
    std::string value;
    if (Status status = decoder.append_value(key); !status.ok()) {
      return status;
    }
    more = decoder.next_item(map.value());
    if (!more || !more.value()) {
      break;
    }
    const std::uint64_t offset = decoder.offset();
    if (Status status = decoder.append_value(value); !status.ok()) {
      return status;
    }
    if (key == kHistory && !parse_ref(value)) {
      return malformed_at(
          offset, "expected a reference to a block as :history, found " + edn::in_quotes(value));
    }
    if (std::ranges::find(keys, key) != keys.end()) {
      entries.emplace_back(std::move(key), std::move(value));
    }
  }
  return more ? Status() : Status(std::move(more.error()));
}

Result<TestBlock> read_test_block(BlockFile& file, const Block& block,
                                  std::span<const std::string_view> keys) {
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
  Status status = find_in_map(reader.decoder(), keys, test.entries);
  return status.ok() ? Result<TestBlock>(std::move(test)) : Result<TestBlock>(status.error());
}

}  // namespace

Result<TestEntries> find_entries(BlockFile& file, const BlockIndex& index,
                                 std::span<const std::string_view> keys) {
  TestEntries all;
  BlockId id = index.root;
  for (std::size_t maps = 0; id != 0 && all.size() < keys.size(); ++maps) {
    Result<Block> block = file.find(index, id);
    Status status = block ? file.verify(block.value()) : Status(block.error());
    if (!status.ok()) {
      return std::move(status.error());
    }
    if (maps == index.offsets.size()) {  // more maps than there are blocks
      return malformed_at(block.value().offset, "expected partial maps without a cycle, found one");
    }
    Result<TestBlock> test = read_test_block(file, block.value(), keys);
    if (!test) {
      return std::move(test.error());
    }
    for (auto& [key, value] : test.value().entries) {
      const auto is_same = [&](const auto& entry) { return entry.first == key; };
      if (std::ranges::none_of(all, is_same)) {
        all.emplace_back(std::move(key), std::move(value));
      }
    }
    id = test.value().rest;
  }
  return all;
}

Result<BlockId> find_history(BlockFile& file, const BlockIndex& index) {
  const std::array keys = {kHistory};
  const Result<TestEntries> found = find_entries(file, index, keys);
  if (!found) {
    return found.error();
  }
  return found.value().empty() ? 0 : parse_ref(found.value().front().second).value_or(0);
}

}  // namespace elapid::jepsen_binary
