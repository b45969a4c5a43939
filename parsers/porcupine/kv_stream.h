// Porcupine's key-value histories: EDN maps whose operations name their key beside the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"

namespace elapid {

/// What a map says: `{:process 0, :type :ok, :f :get, :key "0", :value "x"}`.
struct KvOp {
  std::uint64_t offset = 0;
  std::optional<EventType> type = {};
  std::optional<std::int64_t> process = {};
  std::optional<OpKind> kind = {};  ///< :get is a read, :put a write, :append an append
  std::optional<std::string> key = {};
  std::string value = "nil";  ///< canonical text, as is the key's
};

class KvStream {
 public:
  /// Reads `source`, which is borrowed, from its first byte on.
  explicit KvStream(ByteSource& source) : scanner_(source) { scanner_.skip_byte_order_mark(); }

  /// Steps to the next operation. False at the end and after an error, see status().
  bool next();

  [[nodiscard]] const KvOp& op() const { return op_; }

  /// Error kMalformed with a byte offset: the syntax, a form that is no map, an unknown :type or
  /// :f, or one of :type, :process, :f and :key missing.
  [[nodiscard]] Status status() const;

  [[nodiscard]] std::uint64_t offset() const { return scanner_.offset(); }

 private:
  bool read_entry();
  bool read_name(const std::string& key);
  bool read_text(std::string& text);
  bool fail(const char* expected);

  edn::Scanner scanner_;
  KvOp op_;
  bool has_begun_ = false;
};

}  // namespace elapid
