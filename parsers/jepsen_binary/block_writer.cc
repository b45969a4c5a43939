#include "parsers/jepsen_binary/block_writer.h"

namespace elapid::jepsen_binary {

void append_big_endian(std::int64_t value, unsigned bytes, std::string& out) {
  constexpr unsigned kByteBits = 8;
  for (unsigned i = bytes; i-- > 0;) {
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (kByteBits * i) & 0xffU);
  }
}

BlockWriter::BlockWriter(std::int32_t version, OutputFile& out) : out_(out) {
  std::string header(kMagic);
  append_big_endian(version, kVersionBytes, header);
  append_big_endian(0, kOffsetBytes, header);
  out_ << header;
}

BlockId BlockWriter::add(BlockType type, std::string_view data) {
  ++last_id_;
  append_big_endian(last_id_, kIdBytes, index_);
  append_big_endian(static_cast<std::int64_t>(out_.size()), kOffsetBytes, index_);
  write(type, data);
  return last_id_;
}

void BlockWriter::finish(BlockId root) {
  std::string offset;
  append_big_endian(static_cast<std::int64_t>(out_.size()), kOffsetBytes, offset);
  std::string data;
  append_big_endian(root, kIdBytes, data);
  write(BlockType::kIndex, data + index_);
  out_.overwrite(kIndexOffset, offset);
}

void BlockWriter::write(BlockType type, std::string_view data) {
  std::string size;
  append_big_endian(static_cast<std::int64_t>(data.size() + kBlockHeader), kOffsetBytes, size);
  std::string rest;
  append_big_endian(static_cast<std::int64_t>(type), kTypeBytes, rest);
  rest.resize(kBlockHeader - kOffsetBytes - kChecksumBytes);
  std::string checksum;
  append_big_endian(crc32(size + std::string(kChecksumBytes, '\0') + rest, crc32(data)),
                    kChecksumBytes, checksum);
  out_ << size << checksum << rest << data;
}

}  // namespace elapid::jepsen_binary
