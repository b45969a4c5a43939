// The operations of a test.jepsen whose run crashed, or that was damaged later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "parsers/jepsen_binary/block_file.h"
#include "parsers/jepsen_binary/block_ops.h"
#include "parsers/jepsen_binary/object_reader.h"
#include "parsers/jepsen_binary/op_texts.h"

namespace elapid::jepsen_binary {

/// Begins with the newest index that leads to a history, and returns its operations up to the first
/// block that is not whole. If all are whole, the blocks after those of the index may continue the
/// history: Jepsen writes an index only when a chunk is full. They are taken as long as they are
/// whole; then the unfinished block follows, up to the first error in it.
class SalvagedOps : public OpTexts {
 public:
  /// `around` as in BlockOps.
  explicit SalvagedOps(BlockFile file, std::optional<std::uint64_t> around = {});

  Result<bool> next(std::string& text) override;

  [[nodiscard]] std::uint64_t offset() const override { return offset_; }

  [[nodiscard]] bool is_tuple() const override { return is_tuple_; }

 private:
  Status open();
  Result<std::optional<BlockIndex>> usable_index(std::uint64_t offset);
  Result<std::optional<BlockIndex>> newest_index();
  Result<bool> next_indexed(std::string& text);
  Result<bool> next_behind(std::string& text);
  Result<bool> open_behind();
  Result<bool> is_unfinished();
  Result<bool> take(std::string& text);
  void end(const Error& error);

  BlockFile file_;
  std::optional<std::uint64_t> around_;
  bool is_open_ = false;
  bool has_ended_ = false;
  std::unique_ptr<BlockOps> indexed_ = {};     // the index's history, until it ends
  std::unique_ptr<ObjectReader> behind_ = {};  // a block after it
  std::uint64_t behind_offset_ = kFirstBlock;  // the offset of the next such block
  BlockId history_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t offset_ = 0;
  bool is_tuple_ = false;
};

}  // namespace elapid::jepsen_binary
