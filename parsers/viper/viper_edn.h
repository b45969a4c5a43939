// Viper's EDN: Jepsen's :ok operations, with one more element in micro-operations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/viper/viper_history.h"
#include "parsers/viper/viper_txn.h"

namespace elapid {

/// Reads `{:type :ok :f :txn :value [[:w 1 101 nil] [:r 2 nil false]] :process 3}`, one after
/// another, in one of two ways (ViperTxn::is_of_rows). As registers or lists: `:i` and `:d` are
/// writes as well, and the elements after a value are ignored. As rows: with all elements.
class ViperEdnReader {
 public:
  /// Borrows both; keys and values are those of `history`. Reads from the source's first byte on.
  ViperEdnReader(ByteSource& source, ViperHistory& history) : scanner_(source), history_(history) {
    scanner_.skip_byte_order_mark();
  }

  /// Steps to the next transaction. False at the end and after an error, see status().
  bool next(ViperTxn& txn);

  /// Error kMalformed with a byte offset: the syntax, a form that is no map with a :value, a :type
  /// other than :ok, a micro-operation other than :r, :w, :i, :d, :range and :append; as rows, a
  /// micro-operation without its result or with lists.
  [[nodiscard]] Status status() const;

  [[nodiscard]] std::uint64_t offset() const { return scanner_.offset(); }

 private:
  struct SeenKeys {
    bool type = false;
    bool process = false;
    bool value = false;
  };

  bool read_entry(ViperTxn& txn, SeenKeys& seen);
  bool read_mops(ViperTxn& txn);
  bool read_mop(ViperTxn& txn);
  bool read_success(bool& has_succeeded);
  bool read_op(std::uint64_t offset, ViperTxn& txn);
  std::string add_op(std::span<const std::string> forms, std::uint64_t offset, ViperTxn& txn);
  std::string add_range(std::span<const std::string> forms, std::uint64_t offset, ViperTxn& txn);
  ValueId value_of(std::string_view text);
  bool read_list(ViperTxn& txn, MopInput& mop);
  bool read_value(ValueId& value);
  bool fail_at(std::uint64_t offset, std::string message);
  bool fail(const char* expected);

  edn::Scanner scanner_;
  ViperHistory& history_;
  std::string text_;
};

}  // namespace elapid
