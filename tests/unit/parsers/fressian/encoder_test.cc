#include "parsers/fressian/encoder.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "parsers/fressian/edn_encoder.h"
#include "parsers/fressian/hex.h"
#include "tests/unit/parsers/fressian/decoding.h"

namespace elapid::fressian {
namespace {

TEST_CASE("encoded integers are as short as Fressian has them") {
  const auto size = [](std::int64_t n) {
    std::string bytes;
    Encoder(bytes).integer(n);
    CHECK(decoded(bytes) == std::to_string(n));
    return bytes.size();
  };
  for (const std::int64_t n : {-1, 0, 63}) {
    CHECK(size(n) == 1);
  }
  CHECK(size(-2) == 2);
  CHECK(size(64) == 2);
  CHECK(size(-4096) == 2);
  CHECK(size(4095) == 2);
  CHECK(size(-4097) == 3);
  CHECK(size(4096) == 3);
  CHECK(size(524287) == 3);
  CHECK(size(524288) == 4);
  CHECK(size(33554432) == 5);
  CHECK(size(8589934592) == 6);
  CHECK(size(2199023255552) == 7);
  CHECK(size(562949953421311) == 7);
  CHECK(size(562949953421312) == 9);
  CHECK(size(-562949953421313) == 9);
  CHECK(size(std::numeric_limits<std::int64_t>::max()) == 9);
  CHECK(size(std::numeric_limits<std::int64_t>::min()) == 9);
}

TEST_CASE("names that come again are references") {
  std::string bytes;
  Encoder encoder(bytes);
  encoder.keyword("a");
  encoder.keyword("a");
  encoder.cached_keyword("invoke");
  encoder.cached_keyword("invoke");
  std::string hex;
  append_hex(bytes, hex);
  CHECK(hex ==
        "caf7cddb61"
        "caf780"
        "cdcaf7cde0696e766f6b65"
        "81");
  CHECK(decoded(bytes) == ":a :a :invoke :invoke");
}

TEST_CASE("caches beyond the places with codes of their own") {
  std::string bytes;
  Encoder encoder(bytes);
  std::string expected;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 40; ++i) {
      const std::string name = "k" + std::to_string(i);
      encoder.keyword(name);
      encoder.begin_struct(name, 1);
      encoder.integer(i);
      expected += ":" + name + " #" + name + " " + std::to_string(i) + " ";
    }
  }
  CHECK(decoded(bytes) + ' ' == expected);
}

TEST_CASE("a long string goes in chunks of whole units") {
  std::string text(65534, 'a');
  text += "\xe2\x82\xac";  // its second byte would be the first of the next chunk
  text += std::string(70000, 'b');
  std::string bytes;
  Encoder(bytes).string(text);
  CHECK(static_cast<unsigned char>(bytes[0]) == 0xe2);
  CHECK(decoded(bytes) == '"' + text + '"');
  CHECK(static_cast<unsigned char>(bytes[1 + 3 + 65534]) == 0xe2);  // of the second chunk
}

std::string round_trip(const std::string& edn) {
  std::string bytes;
  Encoder encoder(bytes);
  const Status status = encode_edn(edn, encoder);
  return status.ok() ? decoded(bytes) : status.error().message;
}

TEST_CASE("EDN values come back from Fressian") {
  for (const char* edn : {"nil",
                          "true",
                          "false",
                          "0",
                          "-12345678901",
                          "1.5",
                          "-0.1",
                          "##Inf",
                          "##-Inf",
                          "##NaN",
                          ":a",
                          ":n/a",
                          "a",
                          "n/a",
                          "/",
                          "\"\"",
                          "\"a\\\"\\n\"",
                          "\"\\ud83d\"",
                          "\"\xf0\x9f\x98\x80\"",
                          "[1 [2 nil]]",
                          "[]",
                          "{:a 1 :b [2]}",
                          "{}",
                          "#inst \"2020-02-29T12:34:56.789-00:00\"",
                          "#inst \"1969-12-31T23:59:59.999-00:00\"",
                          "#uuid \"00112233-4455-6677-8899-aabbccddeeff\"",
                          "#bytes \"00ff\"",
                          "123456789012345678901234567890N",
                          "-123456789012345678901234567890N",
                          "#my/tag [1 2]",
                          "1.5M",
                          "-15M",
                          "1.5E+30M",
                          "0M"}) {
    CHECK(canonical(round_trip(edn)) == edn);
  }
  CHECK(round_trip("#{1 2}") == "#persistent-hash-set [1 2]");
  CHECK(round_trip("#{}") == "#persistent-hash-set nil");
  CHECK(round_trip("-3/4") == "#ratio [-3 4]");
  CHECK(round_trip("\\a") == "#char 97");
}

TEST_CASE("what cannot be encoded is an error") {
  CHECK_THAT(round_trip(""), Catch::Contains("expected a form"));
  CHECK_THAT(round_trip("[1"), Catch::Contains("found the end of the input"));
  CHECK_THAT(round_trip(std::string(600, '[') + std::string(600, ']')),
             Catch::Contains("at most 512 levels"));
  CHECK_THAT(round_trip(std::string(20000, '1') + 'N'), Catch::Contains("at most 9800 digits"));
}

}  // namespace
}  // namespace elapid::fressian
