#include "engine/argue/origins.h"

#include <catch2/catch.hpp>
#include <string_view>

#include "tests/oracle/random_rows.h"

namespace elapid::argue {
namespace {

/// A history with what can be told of it.
struct Told {
  explicit Told(std::string_view text)
      : history(rows_history(text)), writes(history, {}), origins(history, writes) {}

  [[nodiscard]] TxnId only_writer_of(std::int64_t row, std::uint32_t part, ValueId value) const {
    return origins.only_writer(history.find_key(ValueId::integer(row)), part, value);
  }

  History history;
  RowWrites writes;
  Origins origins;
};

TEST_CASE("origins: a value that one transaction wrote into a column is its own") {
  const Told told(
      "0: [:insert 1 {:a 1}]\n"
      "1: [:insert 2 {:a 2}]\n"
      "2: [:update 1 {:a 3}]\n"
      "3: [:update 1 {:a 3}]");
  CHECK(told.only_writer_of(1, kFirstColumn, ValueId::integer(1)) == TxnId{0});
  CHECK(told.only_writer_of(1, kFirstColumn, ValueId::integer(2)) == TxnId::none());
  CHECK(told.only_writer_of(1, kFirstColumn, ValueId::integer(3)) == TxnId::none());
  CHECK(told.only_writer_of(2, kRowExistence, RowParts::existence(true)) == TxnId{1});
}

TEST_CASE("origins: a writer of unrecorded rows may have written any of the table") {
  const Told told(
      "0: [:insert 1 {:a 1}]\n"
      "1: [:insert 2 {:a 1}]\n"
      "2: [:up [:in :a 1 1] {:a 4} 1]\n"
      "3: [:update 2 {:a 4}]");
  CHECK(told.only_writer_of(1, kFirstColumn, ValueId::integer(4)) == TxnId{2});
  CHECK(told.only_writer_of(2, kFirstColumn, ValueId::integer(4)) == TxnId::none());
}

TEST_CASE("origins: what a transaction may have made itself tells of no other") {
  const Told told(
      "0: [:insert 1 {:a 1}]\n"
      "1: [:r 1 {:a 1}] [:update 1 {:a 2}] [:r 1 {:a 2}]");
  CHECK(told.origins
            .sights(told.history.find_key(ValueId::integer(1)), kFirstColumn, ValueId::integer(1))
            .size() == 1);
  CHECK(told.origins
            .sights(told.history.find_key(ValueId::integer(1)), kFirstColumn, ValueId::integer(2))
            .empty());
}

}  // namespace
}  // namespace elapid::argue
