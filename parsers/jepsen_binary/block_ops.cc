#include "parsers/jepsen_binary/block_ops.h"

#include <algorithm>
#include <utility>

namespace elapid::jepsen_binary {

namespace {

constexpr std::size_t kCountBytes = 8;
constexpr std::size_t kFirstBytes = 8;
constexpr std::size_t kEntryBytes = 12;

}  // namespace

BlockOps::BlockOps(BlockFile file, BlockIndex index, BlockId history,
                   std::optional<std::uint64_t> around)
    : file_(file), index_(std::move(index)), around_(around) {
  if (history != 0) {
    pending_.push_back({.id = history});
  }
}

Result<bool> BlockOps::next(std::string& text) {
  Result<bool> more = has_op();
  if (!more || !more.value()) {
    return more;
  }
  text.clear();
  offset_ = reader_->decoder().offset();
  reader_->structs().forget();
  if (Status status = reader_->decoder().append_value(text); !status.ok()) {
    return std::move(status.error());
  }
  is_tuple_ = reader_->structs().is_tuple();
  ++count_;
  return true;
}

/// In an open stream.
bool BlockOps::next_plain(PlainRecords& records, OpMap& op) {
  if (reader_ == nullptr || list_) {
    return false;
  }
  const std::uint64_t offset = reader_->decoder().offset();
  if (!records.read(reader_->decoder(), op)) {
    return false;
  }
  offset_ = offset;
  is_tuple_ = false;
  ++count_;
  return true;
}

/// Opens blocks until one has another operation.
Result<bool> BlockOps::has_op() {
  while (true) {
    if (reader_ != nullptr) {
      Result<bool> more = list_ ? reader_->decoder().next_item(*list_)
                                : Result<bool>(reader_->decoder().has_more());
      if (!more || more.value()) {
        return more;
      }
      if (Status status = close(); !status.ok()) {
        return std::move(status.error());
      }
    }
    if (pending_.empty()) {
      return false;
    }
    const Pending pending = pending_.back();
    pending_.pop_back();
    if (Status status = open(pending); !status.ok()) {
      return std::move(status.error());
    }
  }
}

Result<std::optional<BlockOps::Leaf>> BlockOps::next_leaf() {
  while (!pending_.empty()) {
    const Pending pending = pending_.back();
    pending_.pop_back();
    Result<Block> block = file_.find(index_, pending.id);
    if (!block) {
      return std::move(block.error());
    }
    if (block.value().type != BlockType::kBigVector) {
      return std::optional(Leaf{block.value(), pending.size});
    }
    if (Status status = open_vector(block.value(), pending); !status.ok()) {
      return std::move(status.error());
    }
  }
  return std::optional<Leaf>();
}

Status BlockOps::open(const Pending& pending) {
  Result<Block> found = file_.find(index_, pending.id);
  if (!found) {
    return std::move(found.error());
  }
  const Block& block = found.value();
  switch (block.type) {
    case BlockType::kBigVector:
      return open_vector(block, pending);
    case BlockType::kFressian:
    case BlockType::kFressianStream:
      return open_leaf(block, pending);
    default:
      return malformed_at(block.offset, "expected operations in " + name_of(block) +
                                            ", found a block of type " +
                                            std::to_string(static_cast<int>(block.type)));
  }
}

Status BlockOps::open_leaf(const Block& block, const Pending& pending) {
  if (around_ && (*around_ < block.data() || *around_ >= block.end())) {
    count_ += pending.size.value_or(0);
    return {};
  }
  if (Status status = file_.verify(block); !status.ok()) {
    return status;
  }
  reader_ = std::make_unique<ObjectReader>(file_.bytes(), block.data(), block.end());
  list_.reset();
  current_ = pending;
  block_ = block;
  if (block.type == BlockType::kFressianStream || reader_->decoder().skip_null()) {
    return {};
  }
  Result<fressian::OpenList> list = reader_->decoder().open_list();
  if (!list) {
    return std::move(list.error());
  }
  list_ = list.value();
  return {};
}

Status BlockOps::open_vector(const Block& block, const Pending& pending) {
  if (Status status = file_.verify(block); !status.ok()) {
    return status;
  }
  if (!vectors_.insert(block.offset).second) {
    return malformed_at(block.offset, "expected big vectors without a cycle, found " +
                                          name_of(block) + " in itself");
  }
  Result<std::string> data = file_.data(block);
  if (!data) {
    return std::move(data.error());
  }
  std::string_view entries = data.value();
  if (entries.size() % kEntryBytes != kCountBytes) {
    return malformed_at(block.offset, "expected a big vector of 8 bytes and 12 a chunk, found " +
                                          std::to_string(entries.size()));
  }
  const auto count = static_cast<std::uint64_t>(big_endian(entries.substr(0, kCountBytes)));
  entries.remove_prefix(kCountBytes);
  if (pending.size.value_or(count) != count) {
    return malformed_at(block.offset, "expected " + std::to_string(*pending.size) +
                                          " elements in " + name_of(block) + ", found " +
                                          std::to_string(count));
  }
  total_ = total_.value_or(count);
  return expand(block, pending, entries, count);
}

/// Puts a big vector's chunks on the stack, from the last to the first.
Status BlockOps::expand(const Block& block, const Pending& pending, std::string_view entries,
                        std::uint64_t count) {
  std::uint64_t end = count;
  while (!entries.empty()) {
    const std::string_view entry = entries.substr(entries.size() - kEntryBytes);
    entries.remove_suffix(kEntryBytes);
    const auto first = static_cast<std::uint64_t>(big_endian(entry.substr(0, kFirstBytes)));
    if (first >= end) {
      return malformed_at(block.offset, "expected a chunk of " + name_of(block) +
                                            " that begins before element " + std::to_string(end) +
                                            ", found one at " + std::to_string(first));
    }
    pending_.push_back({.id = static_cast<BlockId>(big_endian(entry.substr(kFirstBytes))),
                        .first = pending.first + first,
                        .size = end - first});
    end = first;
  }
  if (end != 0) {
    return malformed_at(block.offset, "expected chunks of " + name_of(block) +
                                          " from element 0 on, found them from " +
                                          std::to_string(end));
  }
  return {};
}

/// At the end of a block: checks that it had the promised number of operations.
Status BlockOps::close() {
  reader_.reset();
  const std::uint64_t found = count_ - current_.first;
  if (current_.size && found != *current_.size) {
    return malformed_at(block_.offset, "expected " + std::to_string(*current_.size) +
                                           " operations in " + name_of(block_) + ", found " +
                                           std::to_string(found));
  }
  return {};
}

}  // namespace elapid::jepsen_binary
