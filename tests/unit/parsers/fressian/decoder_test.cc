#include "parsers/fressian/decoder.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/fressian/hex.h"
#include "tests/unit/parsers/fressian/decoding.h"

namespace elapid::fressian {
namespace {

/// Objects given as hexadecimal digits; spaces do not count.
std::string decoded_hex(std::string digits) {
  std::erase(digits, ' ');
  return decoded(unhex(digits));
}

TEST_CASE("Fressian integers of each width") {
  CHECK(decoded_hex("ff 00 01 3f") == "-1 0 1 63");
  CHECK(decoded_hex("4fff 4000 5000 5fff") == "-1 -4096 0 4095");
  CHECK(decoded_hex("600000 6fffff 680000") == "-524288 524287 0");
  CHECK(decoded_hex("70000000 73ffffff") == "-33554432 33554431");
  CHECK(decoded_hex("7400000000 77ffffffff") == "-8589934592 8589934591");
  CHECK(decoded_hex("780000000000 7bffffffffff") == "-2199023255552 2199023255551");
  CHECK(decoded_hex("7c000000000000 7fffffffffffff") == "-562949953421312 562949953421311");
  CHECK(decoded_hex("f88000000000000000 f87fffffffffffffff") ==
        "-9223372036854775808 9223372036854775807");
}

TEST_CASE("Fressian constants and floating-point numbers") {
  CHECK(decoded_hex("f5 f6 f7 fb fc") == "true false nil 0.0 1.0");
  CHECK(decoded_hex("f93fc00000") == "1.5");
  CHECK(decoded_hex("f93dcccccd") == "0.1");
  CHECK(decoded_hex("fac004000000000000") == "-2.5");
  CHECK(decoded_hex("fa4024000000000000") == "10.0");
  CHECK(canonical(decoded_hex("fa54b249ad2594c37d")) == "1.0E100");
  CHECK(decoded_hex("fa7ff0000000000000 f9ff800000 fa7ff8000000000000") == "##Inf ##-Inf ##NaN");
}

TEST_CASE("Fressian strings") {
  CHECK(decoded_hex("da db61 dc6162 e30461626364") == R"("" "a" "ab" "abcd")");
  CHECK(decoded_hex("e20161 e2026263 db64") == R"("abcd")");
  CHECK(decoded_hex("e20161 e30162") == R"("ab")");
  CHECK(decoded_hex("e1 61220a5c620962") == R"("a\"\n\\b\tb")");
  CHECK(decoded_hex("dcc3a9") == "\"\xc3\xa9\"");
  CHECK(decoded_hex("db00") == std::string("\"\0\"", 3));
}

TEST_CASE("Fressian strings have surrogates apart") {
  CHECK(decoded_hex("e0 eda0bdedb880") == "\"\xf0\x9f\x98\x80\"");
  CHECK(decoded_hex("e203eda0bd ddedb880") == "\"\xf0\x9f\x98\x80\"");
  CHECK(decoded_hex("ddeda0bd") == R"("\ud83d")");
  CHECK(decoded_hex("ddedb880") == R"("\ude00")");
  CHECK(decoded_hex("def09f9880") ==
        "byte 0: expected a string of UTF-16 units in one to three bytes each, found other bytes "
        "in it");
  CHECK_THAT(decoded_hex("dbc3"), Catch::Contains("found other bytes"));
  CHECK_THAT(decoded_hex("dc80c3"), Catch::Contains("found other bytes"));
}

TEST_CASE("Fressian names") {
  CHECK(decoded_hex("caf7db61 cadb6edc6162 c9f7db61 c9db6edb61") == ":a :n/ab a n/a");
  CHECK(decoded_hex("caf7dd612062") == R"(#keyword "a b")");
  CHECK(decoded_hex("cadb6edd612062") == R"(#keyword ["n" "a b"])");
  CHECK(decoded_hex("c9f7dd6e696c") == R"(#symbol "nil")");
  CHECK(decoded_hex("caf7dd6e696c") == ":nil");
  CHECK(decoded_hex("caf7da") == R"(#keyword "")");
  CHECK(decoded_hex("caf7dcc3a9") == ":\xc3\xa9");
  CHECK(decoded_hex("caf7db31 c9f7db31") == R"(:1 #symbol "1")");
  CHECK(decoded_hex("caf7dc0a61") == R"(#keyword "\na")");
  CHECK_THAT(decoded_hex("caf701"), Catch::Contains("expected strings in a keyword"));
  CHECK_THAT(decoded_hex("ca01db61"), Catch::Contains("expected strings in a keyword"));
}

TEST_CASE("Fressian collections") {
  CHECK(decoded_hex("e4 e501 e60102 ec020304") == "[] [1] [1 2] [3 4]");
  CHECK(decoded_hex("ed0102fd ee03fd ed e401 fd") == "[1 2] [3] [[] 1]");
  CHECK(decoded_hex("ee0102") == "[1 2]");
  CHECK(decoded_hex("c0e60102 c0e4 c0ed0102fd") == "{1 2} {} {1 2}");
  CHECK(decoded_hex("c1e60102 c1e4") == "#{1 2} #{}");
  CHECK(decoded_hex("b0020102 b101fb b201f5 b3020304 b401f93fc00000 b502f701") ==
        "[1 2] [0.0] [true] [3 4] [1.5] [nil 1]");
  CHECK(canonical(decoded_hex("c0e802010102")) == "{1 2 2 1}");
  CHECK_THAT(decoded_hex("c0e3"), Catch::Contains("found the end"));
  CHECK_THAT(decoded_hex("c0e501"), Catch::Contains("a value for each key, found a list of 1"));
  CHECK_THAT(decoded_hex("c001"), Catch::Contains("expected a list in this map or set, found `1`"));
}

TEST_CASE("Fressian objects that become tagged literals") {
  CHECK(decoded_hex("d0 d10f d80100d90201ff") == R"(#bytes "" #bytes "0f" #bytes "0001ff")");
  CHECK(decoded_hex("c3d91000112233445566778899aabbccddeeff") ==
        R"(#uuid "00112233-4455-6677-8899-aabbccddeeff")");
  CHECK(decoded_hex("c4db61 c5db62") == R"(#regex "a" #uri "b")");
  CHECK(decoded_hex("c800") == R"(#inst "1970-01-01T00:00:00.000-00:00")");
  CHECK(decoded_hex("c8ff") == R"(#inst "1969-12-31T23:59:59.999-00:00")");
  CHECK(decoded_hex("c8f87fffffffffffffff") == "#instant-ms 9223372036854775807");
  CHECK_THAT(decoded_hex("c3d101"), Catch::Contains("expected 16 bytes in a UUID, found 1"));
  CHECK_THAT(decoded_hex("c301"), Catch::Contains("expected bytes behind this code, found `1`"));
  CHECK_THAT(decoded_hex("c401"), Catch::Contains("expected a string behind this code"));
}

TEST_CASE("Fressian numbers of any size") {
  CHECK(decoded_hex("c6d90900ffffffffffffffff") == "18446744073709551615N");
  CHECK(decoded_hex("c6d909ff0000000000000000") == "-18446744073709551616N");
  CHECK(decoded_hex("c6d0 c6d1ff") == "0N -1N");
  CHECK(canonical(decoded_hex("c6d105")) == "5");
  CHECK(decoded_hex("c7d10f01 c7d10f00 c7d1ffff") == "15E-1M 15M -1E1M");
  CHECK(canonical(decoded_hex("c7d10f01")) == "1.5M");
  CHECK_THAT(decoded(unhex("c6d9682000") + std::string(8192, '\1')),
             Catch::Contains("at most 4096 bytes, found 8192"));
  CHECK_THAT(decoded_hex("c7d10ff87fffffffffffffff"), Catch::Contains("a scale of 32 bits"));
}

TEST_CASE("Fressian objects in the priority cache") {
  CHECK(decoded_hex("cddb61 cddb62 80 81 cc01") == R"("a" "b" "a" "b" "b")");
  // A cached keyword has its place before its name has one.
  CHECK(decoded_hex("cdcaf7cddb61 80 81") == R"(:a :a "a")");
  CHECK(decoded_hex("cde580") ==
        "byte 2: expected one of 1 cached objects that are whole, found a reference to 0");
  CHECK(decoded_hex("83") ==
        "byte 0: expected one of 0 cached objects that are whole, found a reference to 3");
  CHECK(decoded_hex("cddb61 cc05") ==
        "byte 3: expected one of 1 cached objects that are whole, found a reference to 5");
  CHECK(decoded_hex("cc f5") == "byte 1: expected an integer, found another object");
  CHECK(decoded_hex("cc ff") == "byte 1: expected a count, found -1");
}

TEST_CASE("Fressian structures and the struct cache") {
  CHECK(decoded_hex("efdb6101 05 a0 06 f000 07") == "#a 5 #a 6 #a 7");
  CHECK(decoded_hex("efdb6102 05f7 efdb6200 a10102") == "#a [5 nil] #b [] #b [] 1 2");
  CHECK(decoded_hex("efdb6101 a0 05") == "#a #a 5");
  CHECK(decoded_hex("efdd61206201 05") == R"(#struct ["a b" 5])");
  CHECK(decoded_hex("a3") ==
        "byte 0: expected one of 0 cached types of structures, found a reference to 3");
  CHECK_THAT(decoded_hex("ef0101"), Catch::Contains("expected a string as the tag"));
  CHECK_THAT(decoded_hex("efdb61ff"), Catch::Contains("expected a count, found -1"));
}

TEST_CASE("Fressian resets and footers empty the caches") {
  CHECK_THAT(decoded_hex("cddb61 fe 80"), Catch::Contains("expected one of 0 cached objects"));
  CHECK(decoded_hex("cddb61 fe cddb62 80 fe") == R"("a" "b" "b")");
  CHECK(decoded_hex("01 cfcfcfcf0000000100020002 02") == "1 2");
  CHECK(decoded_hex("01 cfcfcfcf0000000100020002") == "1");
  CHECK_THAT(decoded_hex("efdb6101 05 cfcfcfcf0000000100020002 a005"),
             Catch::Contains("expected one of 0 cached types"));
  CHECK_THAT(decoded_hex("cfcf00"), Catch::Contains("found the end") || Catch::Contains("further"));
  CHECK_THAT(decoded_hex("cfcfcf01"), Catch::Contains("footer's mark"));
}

TEST_CASE("Fressian codes that are none") {
  for (const char* code : {"b6", "bf", "c2", "cb", "ce", "f1", "f4", "fd"}) {
    CHECK(decoded_hex(code) ==
          std::string("byte 0: expected the code of an object, found 0x") + code);
  }
}

TEST_CASE("Fressian nesting has a limit") {
  CHECK(decoded(std::string(511, '\xe5') + '\1').size() == 511 * 2 + 1);
  CHECK_THAT(decoded(std::string(100'000, '\xe5')), Catch::Contains("at most 512 levels"));
  CHECK_THAT(decoded(std::string(100'000, '\xcd')), Catch::Contains("at most 512 levels"));
  CHECK(decoded(std::string(100'000, '\xfe') + '\1') == "1");
}

TEST_CASE("Fressian counts beyond the data cost nothing") {
  CHECK_THAT(decoded_hex("ecf87fffffffffffffff01"), Catch::Contains("found the end"));
  CHECK_THAT(decoded_hex("e3f87fffffffffffffff61"), Catch::Contains("65536 further bytes"));
  CHECK_THAT(decoded_hex("efdb61f87fffffffffffffff"), Catch::Contains("found the end"));
}

TEST_CASE("Fressian references that multiply are bounded") {
  // Each list has the one before twice: 2^60 elements if it were followed. The first has a string,
  // so that few copies reach the bound.
  std::string bytes = "\xcd\xe5\xe3\x5f\xff" + std::string(0xfff, 'a');
  for (int i = 0; i < 60; ++i) {
    bytes += "\xcd\xe6\xcc";
    bytes += static_cast<char>(i);
    bytes += '\xcc';
    bytes += static_cast<char>(i);
  }
  CHECK_THAT(decoded(bytes), Catch::Contains("below 256 MiB"));
}

TEST_CASE("Fressian cut anywhere is an error or whole objects") {
  const std::string whole = unhex(
      "cdcaf7cddb61c0e6800105e30461626364c3d91000112233445566778899aabbccddeeffefdb7302c6d105"
      "fac004000000000000ed0102fd");
  const std::string all = decoded(whole);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string part = decoded(whole.substr(0, size));
    CHECK((part.starts_with("byte ") || all.starts_with(part)));
  }
}

TEST_CASE("Fressian lists and maps are read item by item") {
  const auto source = memory_source("f", unhex("c0e801e602030405f7"));
  Window window(*source);
  Decoder decoder(window, 100);
  auto map = decoder.open_map();
  REQUIRE(map);
  std::string text;
  REQUIRE(decoder.next_item(map.value()).value());
  REQUIRE(decoder.append_value(text).ok());
  CHECK(text == "1");
  REQUIRE(decoder.next_item(map.value()).value());
  CHECK(decoder.offset() == 103);
  auto list = decoder.open_list();
  REQUIRE(list);
  for (const char* expected : {"2", "3"}) {
    REQUIRE(decoder.next_item(list.value()).value());
    text.clear();
    REQUIRE(decoder.append_value(text).ok());
    CHECK(text == expected);
  }
  CHECK_FALSE(decoder.next_item(list.value()).value());
  CHECK_FALSE(decoder.skip_null());
  const auto no_list = decoder.open_list();
  REQUIRE_FALSE(no_list);
  CHECK(no_list.error().message == "expected a list, found code 0x04");
  CHECK(no_list.error().byte_offset == 106);
}

}  // namespace
}  // namespace elapid::fressian
