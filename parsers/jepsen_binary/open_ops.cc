#include "parsers/jepsen_binary/open_ops.h"

#include <string>
#include <utility>

#include "parsers/fressian/codes.h"
#include "parsers/fressian/decoder.h"
#include "parsers/jepsen_binary/block_file.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/object_reader.h"
#include "parsers/jepsen_binary/salvaged_ops.h"
#include "parsers/jepsen_binary/test_entries.h"

namespace elapid::jepsen_binary {

namespace {

// The operations of a test.fressian: one map, with a list as its :history.

class FressianOps : public OpTexts {
 public:
  /// With `salvages`, an error ends the operations.
  FressianOps(FileBytes bytes, bool salvages)
      : reader_(bytes, 0, FilePart::kToTheEnd), salvages_(salvages) {}

  Result<bool> next(std::string& text) override;

  [[nodiscard]] std::uint64_t offset() const override { return offset_; }

  [[nodiscard]] bool is_tuple() const override { return is_tuple_; }

 private:
  Result<bool> read_op(std::string& text);
  Status find_history();
  Result<bool> next_key(std::string& key);

  ObjectReader reader_;
  bool salvages_;
  bool has_ended_ = false;
  std::optional<fressian::OpenList> test_ = {};     // the map
  std::optional<fressian::OpenList> history_ = {};  // while it is read
  std::uint64_t offset_ = 0;
  bool is_tuple_ = false;
};

Result<bool> FressianOps::next(std::string& text) {
  if (has_ended_) {
    return false;
  }
  Result<bool> more = read_op(text);
  has_ended_ = !more || !more.value();
  if (!more && salvages_ && more.error().kind == ErrorKind::kMalformed) {
    note(more.error());
    return false;
  }
  return more;
}

Result<bool> FressianOps::read_op(std::string& text) {
  fressian::Decoder& decoder = reader_.decoder();
  while (true) {
    if (!history_) {
      if (Status status = find_history(); !status.ok()) {
        return std::move(status.error());
      }
    }
    if (!history_ && decoder.has_more()) {
      return malformed_at(decoder.offset(),
                          "expected the end of the file behind the test's map, found more bytes");
    }
    if (!history_) {
      return false;
    }
    Result<bool> more = decoder.next_item(*history_);
    if (!more) {
      return more;
    }
    if (more.value()) {
      break;
    }
    history_.reset();  // the rest is read for its errors
  }
  text.clear();
  offset_ = decoder.offset();
  reader_.structs().forget();
  if (Status status = decoder.append_value(text); !status.ok()) {
    return std::move(status.error());
  }
  is_tuple_ = reader_.structs().is_tuple();
  return true;
}

/// Skips the map's entries up to the history or the end of the map.
Status FressianOps::find_history() {
  fressian::Decoder& decoder = reader_.decoder();
  std::string key;
  std::string value;
  Result<bool> more = next_key(key);
  for (; more && more.value(); more = next_key(key)) {
    const bool is_history = key == ":history";
    if (is_history && !decoder.skip_null()) {
      Result<fressian::OpenList> list = decoder.open_list();
      if (!list) {
        return std::move(list.error());
      }
      history_ = list.value();
      return {};
    }
    value.clear();
    if (Status status = is_history ? Status() : decoder.append_value(value); !status.ok()) {
      return status;
    }
  }
  return more ? Status() : Status(std::move(more.error()));
}

/// Steps to the value of the map's next key. False at the end of the map.
Result<bool> FressianOps::next_key(std::string& key) {
  fressian::Decoder& decoder = reader_.decoder();
  if (!test_) {
    Result<fressian::OpenList> map = decoder.open_map();
    if (!map) {
      return std::move(map.error());
    }
    test_ = map.value();
  }
  Result<bool> more = decoder.next_item(*test_);
  if (!more || !more.value()) {
    return more;
  }
  key.clear();
  if (Status status = decoder.append_value(key); !status.ok()) {
    return std::move(status.error());
  }
  more = decoder.next_item(*test_);
  if (more && !more.value()) {
    return malformed_at(decoder.offset(), "expected a value for the map's last key, found none");
  }
  return more;
}

}  // namespace

Result<Container> find_container(ByteSource& source) {
  Result<std::string> first = FileBytes(source).read_at(0, 1);
  if (!first) {
    return std::move(first.error());
  }
  // The reader of blocks reports other files.
  const unsigned code = first.value().empty() ? 0U : static_cast<unsigned char>(first.value()[0]);
  const bool is_fressian =
      code == fressian::kMap || code == fressian::kResetCaches || code == fressian::kFooter;
  return is_fressian ? Container::kFressian : Container::kBlocks;
}

Result<std::unique_ptr<OpTexts>> open_ops(ByteSource& source, Container container, bool salvages,
                                          std::optional<std::uint64_t> around) {
  if (container == Container::kFressian) {
    return std::unique_ptr<OpTexts>(std::make_unique<FressianOps>(FileBytes(source), salvages));
  }
  if (!salvages) {
    Result<std::unique_ptr<BlockOps>> ops = open_blocks(source, around);
    return ops ? Result<std::unique_ptr<OpTexts>>(std::move(ops).value())
               : Result<std::unique_ptr<OpTexts>>(std::move(ops.error()));
  }
  BlockFile file{FileBytes(source)};
  if (Result<std::int32_t> version = file.version(); !version) {
    return std::move(version.error());
  }
  return std::unique_ptr<OpTexts>(std::make_unique<SalvagedOps>(file, around));
}

Result<std::unique_ptr<BlockOps>> open_blocks(ByteSource& source,
                                              std::optional<std::uint64_t> around) {
  BlockFile file{FileBytes(source)};
  if (Result<std::int32_t> version = file.version(); !version) {
    return std::move(version.error());
  }
  Result<std::uint64_t> offset = file.index_offset();
  Result<BlockIndex> index =
      offset ? file.index_at(offset.value()) : Result<BlockIndex>(std::move(offset.error()));
  if (!index) {
    return std::move(index.error());
  }
  if (Status status = around ? Status() : file.check_behind(index.value().block); !status.ok()) {
    return std::move(status.error());
  }
  Result<BlockId> history = find_history(file, index.value());
  if (!history) {
    return std::move(history.error());
  }
  return std::make_unique<BlockOps>(file, std::move(index).value(), history.value(), around);
}

}  // namespace elapid::jepsen_binary
