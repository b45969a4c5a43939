// Walks over the arrays of a certificate, element by element, and looks up their names in the
// history of the certificate.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/ir/ids.h"
#include "engine/ir/result.h"
#include "engine/verdict/order_evidence.h"
#include "parsers/json/document.h"

namespace elapid {

/// The field with the reason of a clause in a step of a proof about rows, by RowsProofStep::Reason;
/// the last reason, kDerived, has no field.
inline constexpr std::array<std::string_view, 11> kRowReasons = {
    "found",   "overlap", "cycle",     "meaning",  "contents", "versions",
    "version", "written", "fractured", "at-least", "at-most"};

/// The transactions and keys that a certificate may name. A name that the history lacks makes the
/// certificate wrong, but the file stays readable: the first such name is kept, and means a
/// transaction or key that proves nothing.
class CertificateNames {
 public:
  /// The history must outlive this.
  explicit CertificateNames(const History& history) : history_(&history) {}

  [[nodiscard]] TxnId txn(std::uint64_t number, json::Value where);
  /// Requires a string.
  [[nodiscard]] KeyId key(json::Value name);
  /// A part of a row: see engine/verdict/rows_evidence.h. Requires a string.
  [[nodiscard]] std::uint32_t row_part(json::Value name);
  /// A value of the history, or a small integer. Requires a string.
  [[nodiscard]] ValueId value(json::Value name);
  /// Whether the transaction has an operation of this number with a predicate.
  [[nodiscard]] bool is_by_predicate(TxnId txn, std::uint32_t mop) const;

  /// The first name that the history lacks, with its byte in the file.
  [[nodiscard]] const std::optional<Error>& unknown() const { return unknown_; }

 private:
  void note(json::Value where, std::string message);

  const History* history_;
  std::optional<Error> unknown_ = {};
};

/// Walks over the elements of an array. After an error, which it keeps, it finds no more.
class CertificateElements {
 public:
  explicit CertificateElements(json::Value array);

  [[nodiscard]] bool at_end() const { return error_ || next_ == end_; }

  [[nodiscard]] std::optional<Error> error() && { return std::move(error_); }

  /// The next element; nothing, with an error, at the end.
  std::optional<json::Value> take(std::string_view expected);

  std::string_view take_word();
  std::int64_t take_integer();
  TxnId take_txn(CertificateNames& names);

  /// The next version; null is none().
  TxnId take_version(CertificateNames& names);
  KeyId take_key(CertificateNames& names);
  /// Of null none().
  KeyId take_key_or_null(CertificateNames& names);

  /// The number of a transaction, for its commit, or `["start", NUMBER]`.
  OrderEvent take_event(CertificateNames& names);
  /// The next event; null is none().
  OrderEvent take_event_or_null(CertificateNames& names);
  std::uint32_t take_row_part(CertificateNames& names);
  /// The value of a column, as a string of EDN; null is none().
  ValueId take_value(CertificateNames& names);
  /// The place of an operation in its transaction, from 0.
  std::uint32_t take_place();
  /// How an operation found a row: `found`, `missed`, or the place of a row in its result.
  std::uint32_t take_way();

  /// 0 if there is no length.
  std::uint32_t take_length();

  void check_end();
  void fail(json::Value where, std::string message);

 private:
  TxnId txn(json::Value value, CertificateNames& names);
  /// A natural number; larger numbers become the largest one.
  std::uint64_t natural(json::Value value, std::string_view expected);

  json::Value array_;
  json::Value next_;
  json::Value end_;
  std::optional<Error> error_;
};

}  // namespace elapid
