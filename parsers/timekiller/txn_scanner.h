// The fast way to read a transaction: JSON as usual writers write it.
#pragma once

#include <cstdint>
#include <string_view>

#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// Understands the known fields in any order, white space, integers and strings of integers. The
/// general reader does the rest (other fields, escapes, names that are no integers, errors).
class TxnScanner {
 public:
  /// Reads the object at the beginning of `text`, which is at byte `offset` of the input. False if
  /// it is incomplete or not understood: `txn` then holds a part of it.
  bool read(std::string_view text, std::uint64_t offset, TimekillerTxn& txn);

  /// Whether the last text ended before the object did.
  [[nodiscard]] bool ran_out() const { return at_ == end_; }

  /// Bytes of the last object.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  [[nodiscard]] char peek() const { return at_ == end_ ? '\0' : *at_; }

  void skip_space();
  bool take(char wanted);
  bool take_string(std::string_view& text);
  bool take_integer(std::int64_t& number);
  bool take_bare_integer(std::int64_t& number);
  template <class ReadField>
  bool take_object(unsigned required, ReadField read_field);
  template <class ReadElement>
  bool take_array(ReadElement read_element);
  bool read_field(std::string_view key, unsigned& bit, TimekillerTxn& txn);
  bool read_clock(TimekillerClock& clock);
  bool read_plain_op(TimekillerOp& op);
  bool read_op(TimekillerTxn& txn);
  bool read_op_field(std::string_view key, unsigned& bit, TimekillerTxn& txn, TimekillerOp& op);
  bool read_value(TimekillerTxn& txn, TimekillerOp& op);

  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* at_ = nullptr;
  std::uint64_t offset_ = 0;
};

}  // namespace elapid
