#include "parsers/jepsen_binary/block_file.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace elapid::jepsen_binary {

namespace {

constexpr std::uint64_t kVersionOffset = 6;
constexpr std::size_t kChecksumOffset = 8;
constexpr std::size_t kTypeOffset = 12;

std::string hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

std::string hex_bytes(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    char text[4];
    std::snprintf(text, sizeof text, " %02x", static_cast<unsigned char>(c));
    out += text;
  }
  return bytes.empty() ? " none" : out;
}

Error too_short(std::uint64_t offset, std::string_view what, std::uint64_t wanted,
                std::uint64_t found) {
  return malformed_at(offset, "expected " + std::string(what) + " of " + std::to_string(wanted) +
                                  " bytes, found the end of the input after " +
                                  std::to_string(found));
}

bool is_known(std::int64_t type) {
  return type >= static_cast<std::int64_t>(BlockType::kIndex) &&
         type <= static_cast<std::int64_t>(BlockType::kBigVector);
}

}  // namespace

std::int64_t big_endian(std::string_view bytes) {
  const bool is_negative = static_cast<unsigned char>(bytes.front()) >= 0x80;
  std::uint64_t bits = is_negative ? ~std::uint64_t{0} : 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
  }
  return static_cast<std::int64_t>(bits);
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string name_of(const Block& block) {
  return block.id == 0 ? "the block" : "block " + std::to_string(block.id);
}

Result<std::int32_t> BlockFile::version() {
  Result<std::string> head = bytes_.read_at(0, kIndexOffset);
  if (!head) {
    return std::move(head.error());
  }
  const std::string_view bytes = head.value();
  if (!bytes.starts_with(kMagic)) {
    return malformed_at(0, "expected a file that begins with `JEPSEN`, found bytes" +
                               hex_bytes(bytes.substr(0, kMagic.size())));
  }
  if (bytes.size() < kIndexOffset) {
    return too_short(kVersionOffset, "a version", kVersionBytes, bytes.size() - kVersionOffset);
  }
  const std::int64_t version = big_endian(bytes.substr(kVersionOffset));
  if (version != 0 && version != 1) {
    return malformed_at(kVersionOffset,
                        "expected version 0 or 1, found " + std::to_string(version));
  }
  return static_cast<std::int32_t>(version);
}

Result<std::uint64_t> BlockFile::index_offset() {
  Result<std::string> bytes = bytes_.read_at(kIndexOffset, kOffsetBytes);
  if (!bytes) {
    return std::move(bytes.error());
  }
  const bool is_there = bytes.value().size() == kOffsetBytes;
  const std::int64_t offset = is_there ? big_endian(bytes.value()) : 0;
  if (offset < static_cast<std::int64_t>(kFirstBlock)) {
    return malformed_at(kIndexOffset, "expected the offset of the block index, found " +
                                          (is_there ? std::to_string(offset) : "the end") +
                                          ": this file has no block index");
  }
  return static_cast<std::uint64_t>(offset);
}

Result<Block> BlockFile::block_at(std::uint64_t offset) {
  Result<std::string> read = bytes_.read_at(offset, kBlockHeader);
  if (!read) {
    return std::move(read.error());
  }
  const std::string_view header = read.value();
  if (header.size() < kBlockHeader) {
    return too_short(offset, "a block's header", kBlockHeader, header.size());
  }
  const std::int64_t size = big_endian(header.substr(0, kOffsetBytes));
  if (size < static_cast<std::int64_t>(kBlockHeader)) {
    return malformed_at(
        offset, "expected a block of at least 28 bytes, found a length of " + std::to_string(size));
  }
  const std::int64_t type = big_endian(header.substr(kTypeOffset, kTypeBytes));
  if (!is_known(type)) {
    return malformed_at(
        offset, "expected a block of a type from 1 to 5, found type " + std::to_string(type));
  }
  const Block block{.offset = offset,
                    .size = static_cast<std::uint64_t>(size),
                    .type = static_cast<BlockType>(type),
                    .checksum = static_cast<std::uint32_t>(
                        big_endian(header.substr(kChecksumOffset, kChecksumBytes)))};
  Result<std::uint64_t> end = bytes_.size();
  if (!end) {
    return std::move(end.error());
  }
  if (block.size > end.value() - offset) {
    return too_short(offset, "a block", block.size, end.value() - offset);
  }
  return block;
}

Status BlockFile::verify(const Block& block) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::uint32_t computed = 0;
  for (std::uint64_t at = block.data(); at < block.end(); at += kPiece) {
    const std::uint64_t left = block.end() - at;
    Result<std::string> piece =
        bytes_.read_at(at, static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, left)));
    if (!piece) {
      return std::move(piece.error());
    }
    computed = crc32(piece.value(), computed);
  }
  Result<std::string> header = bytes_.read_at(block.offset, kBlockHeader);
  if (!header) {
    return std::move(header.error());
  }
  header.value().replace(kChecksumOffset, kChecksumBytes, kChecksumBytes, '\0');
  computed = crc32(header.value(), computed);
  if (computed != block.checksum) {
    return malformed_at(block.offset, "expected checksum " + hex(block.checksum) + " of " +
                                          name_of(block) + ", found " + hex(computed));
  }
  return {};
}

Result<Block> BlockFile::whole_block_at(std::uint64_t offset) {
  Result<Block> block = block_at(offset);
  if (block) {
    if (Status status = verify(block.value()); !status.ok()) {
      return std::move(status.error());
    }
  }
  return block;
}

Status BlockFile::check_behind(const Block& block) {
  Result<std::uint64_t> end = bytes_.size();
  if (!end) {
    return std::move(end.error());
  }
  for (std::uint64_t at = block.end(); at < end.value();) {
    const Result<std::string> header = bytes_.read_at(at, kBlockHeader);
    if (!header) {
      return header.error();
    }
    if (header.value().find_first_not_of('\0') == std::string::npos) {
      return {};  // the block is still being written
    }
    Result<Block> next = block_at(at);
    if (!next) {
      next.error().message += ", in the bytes behind the index";
      return std::move(next.error());
    }
    at = next.value().end();
  }
  return {};
}

Result<BlockIndex> BlockFile::index_at(std::uint64_t offset) {
  Result<Block> block = whole_block_at(offset);
  if (!block) {
    return std::move(block.error());
  }
  if (block.value().type != BlockType::kIndex) {
    return malformed_at(offset, "expected the block index, found a block of type " +
                                    std::to_string(static_cast<int>(block.value().type)));
  }
  constexpr std::size_t kEntry = kIdBytes + kOffsetBytes;
  Result<std::string> data = this->data(block.value());
  if (!data) {
    return std::move(data.error());
  }
  std::string_view rest = data.value();
  if (rest.size() % kEntry != kIdBytes) {
    return malformed_at(offset, "expected an index of 4 bytes and 12 a block, found " +
                                    std::to_string(rest.size()));
  }
  BlockIndex index{.block = block.value(),
                   .root = static_cast<BlockId>(big_endian(rest.substr(0, kIdBytes)))};
  for (rest.remove_prefix(kIdBytes); !rest.empty(); rest.remove_prefix(kEntry)) {
    const auto id = static_cast<BlockId>(big_endian(rest.substr(0, kIdBytes)));
    index.offsets[id] = static_cast<std::uint64_t>(big_endian(rest.substr(kIdBytes, kOffsetBytes)));
  }
  return index;
}

Result<Block> BlockFile::find(const BlockIndex& index, BlockId id) {
  const auto found = index.offsets.find(id);
  if (found == index.offsets.end()) {
    return malformed_at(index.block.offset,
                        "expected block " + std::to_string(id) + " in the index, found none");
  }
  Result<Block> block = block_at(found->second);
  if (block) {
    block.value().id = id;
  }
  return block;
}

Result<std::string> BlockFile::data(const Block& block) {
  return bytes_.read_at(block.data(), static_cast<std::size_t>(block.size - kBlockHeader));
}

}  // namespace elapid::jepsen_binary
