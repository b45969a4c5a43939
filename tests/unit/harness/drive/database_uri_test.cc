#include "harness/drive/database_uri.h"

#include <catch2/catch.hpp>

using namespace elapid;

namespace {

std::string why_not(std::string_view text) {
  const Result<DatabaseUri> uri = parse_database_uri(text);
  return uri ? "" : uri.error().message;
}

}  // namespace

TEST_CASE("The address of a database has a scheme, an address and parameters") {
  const Result<DatabaseUri> uri =
      parse_database_uri("sqlite:/tmp/a%20b.db?journal=wal&begin=im%6d");
  REQUIRE(uri.ok());
  CHECK(uri.value().scheme == "sqlite");
  CHECK(uri.value().address == "/tmp/a b.db");
  CHECK(uri.value().parameter("journal", "delete") == "wal");
  CHECK(uri.value().parameter("begin", "") == "imm");
  CHECK(uri.value().parameter("lists", "text") == "text");
  CHECK(uri.value().text == "sqlite:/tmp/a%20b.db?journal=wal&begin=im%6d");
}

TEST_CASE("An address may be empty") {
  const Result<DatabaseUri> uri = parse_database_uri("rocksdb:");
  REQUIRE(uri.ok());
  CHECK(uri.value().address.empty());
  CHECK(uri.value().parameters.empty());
}

TEST_CASE("What is no address of a database is refused") {
  CHECK(why_not("rocksdb") ==
        "expected the address of a database, as rocksdb: or sqlite:test.db, found rocksdb");
  CHECK(why_not("/tmp/x:y").starts_with("expected the address"));
  CHECK(why_not(":x").starts_with("expected the address"));
  CHECK(why_not("sqlite:%4") == "a % stands before two hexadecimal digits in sqlite:%4");
  CHECK(why_not("sqlite:%+1").starts_with("a % stands"));
  CHECK(why_not("sqlite:?journal") == "expected a parameter, as journal=wal, found journal");
  CHECK(why_not("sqlite:?=wal").starts_with("expected a parameter"));
  CHECK(why_not("sqlite:?a=1&b=2&a=3") == "the parameter a is there twice");
}
