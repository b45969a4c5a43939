// The operations in the blocks of a test.jepsen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "parsers/fressian/decoder.h"
#include "parsers/jepsen_binary/block_file.h"
#include "parsers/jepsen_binary/object_reader.h"
#include "parsers/jepsen_binary/op_texts.h"

namespace elapid::jepsen_binary {

/// A history is nil (the test never ran), a list, a stream, or a big vector of lists and streams.
/// Each block is checked when it is reached, and decoded piece by piece.
class BlockOps : public OpTexts {
 public:
  /// `history`: the first block; 0: there are no operations. With `around`, only the operations in
  /// the block with the byte at this offset are returned.
  BlockOps(BlockFile file, BlockIndex index, BlockId history,
           std::optional<std::uint64_t> around = {});

  Result<bool> next(std::string& text) override;

  bool next_plain(PlainRecords& records, OpMap& op) override;

  [[nodiscard]] std::uint64_t offset() const override { return offset_; }

  [[nodiscard]] bool is_tuple() const override { return is_tuple_; }

  /// A block of operations, with the number of operations that its vector claims.
  struct Leaf {
    Block block = {};
    std::optional<std::uint64_t> size = {};
  };

  /// Steps over the next block that is no big vector, whatever its contents, instead of reading it;
  /// nothing at the end.
  Result<std::optional<Leaf>> next_leaf();

  [[nodiscard]] FileBytes& bytes() { return file_.bytes(); }

  /// The number of operations passed so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The number of all operations in the big vector; nothing if unread or absent.
  [[nodiscard]] std::optional<std::uint64_t> total() const { return total_; }

 private:
  /// A block still to be read, with the number of elements that its vector claims.
  struct Pending {
    BlockId id = 0;
    std::uint64_t first = 0;
    std::optional<std::uint64_t> size = {};
  };

  Status open(const Pending& pending);
  Status open_leaf(const Block& block, const Pending& pending);
  Status open_vector(const Block& block, const Pending& pending);
  Status expand(const Block& block, const Pending& pending, std::string_view entries,
                std::uint64_t count);
  Result<bool> has_op();
  Status close();

  BlockFile file_;
  BlockIndex index_;
  std::optional<std::uint64_t> around_;
  std::vector<Pending> pending_ = {};               // the next one last
  std::unordered_set<std::uint64_t> vectors_ = {};  // offsets of the big vectors met
  std::unique_ptr<ObjectReader> reader_ = {};       // of the open block
  std::optional<fressian::OpenList> list_ = {};     // if the block is a list
  Pending current_ = {};
  Block block_ = {};
  std::uint64_t count_ = 0;
  std::optional<std::uint64_t> total_ = {};
  std::uint64_t offset_ = 0;
  bool is_tuple_ = false;
};

}  // namespace elapid::jepsen_binary
