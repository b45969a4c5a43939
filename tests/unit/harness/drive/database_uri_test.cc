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
  CHECK(why_not("sqlite:?journal") ==
        "expected parameters, as journal=wal, behind the ? of sqlite:?journal");
  CHECK(why_not("sqlite:?=wal").starts_with("expected parameters"));
  CHECK(why_not("sqlite:?a=1&b=2&a=3") == "the parameter a is there twice");
}

TEST_CASE("A password of an address is for the driver alone") {
  const DatabaseUri uri = parse_database_uri("mysql://me:s%40c@host/db?socket=/s").value();
  CHECK(uri.text == "mysql://me:***@host/db?socket=/s");
  CHECK(uri.address == "//me:s@c@host/db");
  CHECK(uri.encoded_address == "//me:s%40c@host/db");
  CHECK(parse_database_uri("postgres:?password=a%26b&user=x").value().text ==
        "postgres:?password=***&user=x");
  CHECK(without_password("postgres://me@host/db?user=a@b") == "postgres://me@host/db?user=a@b");
  CHECK(without_password("redis://host:6379") == "redis://host:6379");
  CHECK(without_password("sqlite:/tmp/a:b@c") == "sqlite:/tmp/a:b@c");
  for (const char* const address :
       {"mysql://me:secret%zz@host/db", "mysql://me:se?cret@host/db", "mysql://me:secret@h/d?x"}) {
    CHECK(why_not(address).find("cret") == std::string::npos);
  }
}
