#include "parsers/jepsen_binary/salvaged_ops.h"
#include "parsers/jepsen_binary/test_entries.h"

#include <algorithm>
#include <utility>

#include "parsers/edn/token.h"

namespace elapid::jepsen_binary {

namespace {

/// Whether the error is damage of the content, which salvaging handles. Others end it.
bool is_damage(const Error& error) {
  return error.kind == ErrorKind::kMalformed;
}

}  // namespace

SalvagedOps::SalvagedOps(BlockFile file, std::optional<std::uint64_t> around)
    : file_(file), around_(around) {}

Result<bool> SalvagedOps::next(std::string& text) {
  if (!is_open_) {
    is_open_ = true;
    if (Status status = open(); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (has_ended_) {
    return false;
  }
  if (indexed_ != nullptr) {
    Result<bool> more = next_indexed(text);
    if (!more || more.value() || has_ended_) {
      return more;
    }
  }
  return next_behind(text);
}

/// Chooses an index of blocks.
Status SalvagedOps::open() {
  Result<std::uint64_t> current = file_.index_offset();
  Result<std::optional<BlockIndex>> index =
      current ? usable_index(current.value())
              : Result<std::optional<BlockIndex>>(std::optional<BlockIndex>());
  if (!current) {
    note(current.error());
  }
  if (index && !index.value()) {
    index = newest_index();
  }
  if (!index) {
    return std::move(index.error());
  }
  if (!index.value()) {
    return {};
  }
  const BlockIndex& chosen = *index.value();
  behind_offset_ = chosen.block.end();
  for (const auto& [id, offset] : chosen.offsets) {
    if (const Result<Block> block = file_.block_at(offset)) {
      behind_offset_ = std::max(behind_offset_, block.value().end());
    }
  }
  indexed_ = std::make_unique<BlockOps>(file_, chosen, history_, around_);
  return {};
}

/// The index at this offset, if it leads to the whole history. Notes the reason if not.
Result<std::optional<BlockIndex>> SalvagedOps::usable_index(std::uint64_t offset) {
  Result<BlockIndex> index = file_.index_at(offset);
  Result<BlockId> history =
      index ? find_history(file_, index.value()) : Result<BlockId>(std::move(index.error()));
  if (history && history.value() != 0) {
    const Result<Block> block = file_.find(index.value(), history.value());
    const bool is_vector = block && block.value().type == BlockType::kBigVector;
    Status status = block ? Status() : Status(block.error());
    if (is_vector) {
      status = file_.verify(block.value());
    }
    if (!status.ok()) {
      history = std::move(status.error());
    }
  }
  if (history) {
    history_ = history.value();
    return std::optional(std::move(index).value());
  }
  if (!is_damage(history.error())) {
    return std::move(history.error());
  }
  note(history.error());
  return std::optional<BlockIndex>();
}

/// The last usable index among the undamaged blocks from the first one on.
Result<std::optional<BlockIndex>> SalvagedOps::newest_index() {
  std::vector<std::uint64_t> offsets;
  Result<Block> block = file_.block_at(kFirstBlock);
  for (; block; block = file_.block_at(block.value().end())) {
    if (block.value().type == BlockType::kIndex) {
      offsets.push_back(block.value().offset);
    }
  }
  if (!is_damage(block.error())) {
    return std::move(block.error());
  }
  for (; !offsets.empty(); offsets.pop_back()) {
    Result<std::optional<BlockIndex>> index = usable_index(offsets.back());
    if (!index || index.value()) {
      return index;
    }
  }
  return std::optional<BlockIndex>();
}

Result<bool> SalvagedOps::next_indexed(std::string& text) {
  Result<bool> more = indexed_->next(text);
  offset_ = indexed_->offset();
  is_tuple_ = indexed_->is_tuple();
  count_ = indexed_->count();
  if (more && more.value()) {
    return more;
  }
  if (!more && is_damage(more.error())) {
    Error error = std::move(more.error());
    if (const auto total = indexed_->total()) {
      error.message += "; there should be " + std::to_string(*total) + " operations";
    }
    end(error);
    more = false;
  }
  indexed_.reset();
  return more;
}

Result<bool> SalvagedOps::next_behind(std::string& text) {
  while (!has_ended_) {
    if (behind_ != nullptr && behind_->decoder().has_more()) {
      return take(text);
    }
    behind_.reset();
    Result<bool> is_open = open_behind();
    if (!is_open) {
      return is_open;
    }
  }
  return false;
}

/// Steps to the next block behind those of the index, and opens it if it may hold operations.
Result<bool> SalvagedOps::open_behind() {
  const std::uint64_t offset = behind_offset_;
  Result<std::uint64_t> size = file_.bytes().size();
  if (!size) {
    return std::move(size.error());
  }
  if (offset >= size.value()) {
    has_ended_ = true;
    return false;
  }
  Result<Block> block = file_.whole_block_at(offset);
  if (block) {
    behind_offset_ = block.value().end();
    if (block.value().type == BlockType::kFressianStream) {
      behind_ =
          std::make_unique<ObjectReader>(file_.bytes(), block.value().data(), block.value().end());
    }
    return true;
  }
  if (!is_damage(block.error())) {
    return std::move(block.error());
  }
  Result<bool> unfinished = is_unfinished();
  if (!unfinished) {
    return unfinished;
  }
  if (!unfinished.value()) {
    end(block.error());
    return false;
  }
  note(malformed_at(offset, "a block that the index does not name was never finished"));
  behind_ =
      std::make_unique<ObjectReader>(file_.bytes(), offset + kBlockHeader, FilePart::kToTheEnd);
  behind_offset_ = size.value();
  return true;
}

/// Whether the block is unfinished: Jepsen fills its header, which is zero at first, last.
Result<bool> SalvagedOps::is_unfinished() {
  Result<std::string> header = file_.bytes().read_at(behind_offset_, kBlockHeader);
  if (!header) {
    return std::move(header.error());
  }
  return header.value().size() == kBlockHeader &&
         header.value().find_first_not_of('\0') == std::string::npos;
}

/// Takes the next object behind the index's blocks, if it is the next operation.
Result<bool> SalvagedOps::take(std::string& text) {
  text.clear();
  const std::uint64_t begin = behind_->decoder().offset();
  behind_->structs().forget();
  Status status = behind_->decoder().append_value(text);
  const std::string expected = "{:index " + std::to_string(count_) + ',';
  if (status.ok() && !around_ && !text.starts_with(expected)) {
    status = malformed_at(begin, "expected operation " + std::to_string(count_) +
                                     " behind the indexed blocks, found " + edn::in_quotes(text));
  }
  if (!status.ok()) {
    if (!is_damage(status.error())) {
      return std::move(status.error());
    }
    end(status.error());
    return false;
  }
  offset_ = begin;
  is_tuple_ = behind_->structs().is_tuple();
  ++count_;
  return true;
}

void SalvagedOps::end(const Error& error) {
  note(error);
  has_ended_ = true;
}

}  // namespace elapid::jepsen_binary
