// Porcupine's key-value histories: EDN maps of operations with a key beside the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"

namespace elapid {

/// An operation map: `{:process 0, :type :ok, :f :get, :key "0", :value "x"}`.
struct KvOp {
  std::uint64_t offset = 0;
  std::optional<EventType> type = {};
  std::optional<std::int64_t> process = {};
  std::optional<OpKind> kind = {};  ///< :get is a read, :put a write, :append an append
  std::optional<std::string> key = {};
  std::string value = "nil";  ///< canonical text, as the key is
};

class KvStream {
 public:
  /// Reads the borrowed `source` from its first byte on.
  explicit KvStream(ByteSource& source) : scanner_(source) { scanner_.skip_byte_order_mark(); }

  /// Steps to the next operation. False at the end and after an error, see status().
  bool next();

  [[nodiscard]] const KvOp& op() const { return op_; }

  /// Error kMalformed with a byte offset: the syntax, a form that is no map, an unknown :type or
  /// :f, or a missing :type, :process, :f or :key.
  [[nodiscard]] Status status() const;

  [[nodiscard]] std::uint64_t offset() const { return scanner_.offset(); }

 private:
  bool read_entry();
  bool read_name(const std::string& key);
  bool read_text(std::string& text);
  bool fail(const char* expected);

  edn::Scanner scanner_;
  KvOp op_;
  bool has_value_ = false;
  bool has_begun_ = false;
};

}  // namespace elapid
