// The operations in a test.fressian: one object, a map with a list as its :history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parsers/fressian/decoder.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/object_reader.h"
#include "parsers/jepsen_binary/op_texts.h"

namespace elapid::jepsen_binary {

class FressianOps : public OpTexts {
 public:
  /// With `salvages`, the first error ends the operations.
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

}  // namespace elapid::jepsen_binary
