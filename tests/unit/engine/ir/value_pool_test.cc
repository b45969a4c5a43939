#include "engine/ir/value_pool.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/ir/shown_name.h"

namespace elapid {
namespace {

TEST_CASE("values: small integers are inline, larger ones and all else interned") {
  ValuePool pool;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, ValueId::kInlineMin, ValueId::kInlineMax}) {
    CHECK(pool.integer(n).is_integer());
    CHECK(pool.integer(n).as_integer() == n);
  }
  for (const std::int64_t n :
       {ValueId::kInlineMin - 1, ValueId::kInlineMax + 1, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()}) {
    CHECK_FALSE(pool.integer(n).is_integer());
    CHECK(pool.text(pool.integer(n)) == std::to_string(n));
    CHECK(pool.integer(n) == pool.intern(std::to_string(n)));
    CHECK(pool.class_of(pool.integer(n)) == ValueClass::kLong);
  }
  CHECK(pool.intern("12") == ValueId::integer(12));
}

TEST_CASE("values: one text, one id") {
  ValuePool pool;
  const ValueId x = pool.intern(":x");
  CHECK(pool.intern(":x") == x);
  CHECK(pool.intern("\":x\"") != x);
  CHECK(pool.find(":x") == x);
  CHECK(pool.find(":y").is_none());
  CHECK(pool.find("7") == ValueId::integer(7));
  CHECK(pool.text(x) == ":x");
}

TEST_CASE("values: what looks like a number is one only if it is its canonical form") {
  ValuePool pool;
  const ValueId one = ValueId::integer(1);
  for (const char* text : {"1.0", "1N", "\"1\"", ":1", "[1]", "1/2", "+1", "-", "\\1"}) {
    INFO(text);
    const ValueId value = pool.intern(text);
    CHECK_FALSE(value.is_integer());
    CHECK(value != one);
    CHECK(pool.text(value) == text);
    CHECK(pool.find(text) == value);
  }
}

TEST_CASE("values: the largest and smallest inline integers have interned neighbours") {
  ValuePool pool;
  const std::size_t before = pool.size();
  CHECK(pool.intern("1073741823") == ValueId::integer(ValueId::kInlineMax));
  CHECK(pool.intern("-1073741824") == ValueId::integer(ValueId::kInlineMin));
  CHECK(pool.size() == before);
  const ValueId above = pool.intern("1073741824");
  const ValueId below = pool.intern("-1073741825");
  CHECK(pool.size() == before + 2);
  CHECK_FALSE(above.is_integer());
  CHECK_FALSE(below.is_integer());
  CHECK(pool.find("1073741824") == above);
  CHECK(pool.find("-1073741826").is_none());
}

TEST_CASE("values: nothing is neither nil nor a value") {
  CHECK(ValueId::none().is_none());
  CHECK_FALSE(ValueId::none().is_nil());
  CHECK_FALSE(ValueId::none().is_integer());
  CHECK_FALSE(ValueId::nil().is_none());
  CHECK(ValuePool().text(ValueId::none()) == "none");
  CHECK(ValuePool().text(ValueId::nil()) == "nil");
}

TEST_CASE("values: ids survive growth") {
  ValuePool pool;
  for (int n = 0; n < 1000; ++n) {
    pool.intern(":key-" + std::to_string(n));
  }
  for (int n = 0; n < 1000; ++n) {
    const std::string text = ":key-" + std::to_string(n);
    CHECK(pool.text(pool.find(text)) == text);
  }
}

TEST_CASE("values: integers that are not inline survive growth") {
  ValuePool pool;
  std::vector<std::int64_t> integers;
  for (std::int64_t i = 1; i <= 3000; ++i) {
    for (const std::int64_t n : {i << 31, i << 40, ValueId::kInlineMax + i, ValueId::kInlineMin - i,
                                 i * 0x123456789abcd}) {
      integers.push_back(n);
      pool.integer(n);
    }
  }
  const std::size_t size = pool.size();
  for (const std::int64_t n : integers) {
    const ValueId id = pool.integer(n);
    REQUIRE(pool.as_integer(id) == n);
    REQUIRE(pool.find(std::to_string(n)) == id);
  }
  CHECK(pool.size() == size);
  CHECK(pool.find("-9223372036854775807").is_none());
}

TEST_CASE("values: nil and false are untrue") {
  ValuePool pool;
  CHECK(pool.intern("nil") == ValueId::nil());
  CHECK_FALSE(pool.truthy(ValueId::nil()));
  CHECK_FALSE(pool.truthy(pool.intern("false")));
  CHECK(pool.truthy(pool.intern("true")));
  CHECK(pool.truthy(ValueId::integer(0)));
}

TEST_CASE("values: classes by text") {
  ValuePool pool;
  const auto class_of = [&](const char* text) { return pool.class_of(pool.intern(text)); };
  CHECK(class_of("nil") == ValueClass::kNil);
  CHECK(class_of("true") == ValueClass::kBoolean);
  CHECK(class_of("-3") == ValueClass::kLong);
  CHECK(class_of("9223372036854775808N") == ValueClass::kBigInt);
  CHECK(class_of("1/2") == ValueClass::kRatio);
  CHECK(class_of("1.5") == ValueClass::kDouble);
  CHECK(class_of("##NaN") == ValueClass::kDouble);
  CHECK(class_of("1.5M") == ValueClass::kDecimal);
  CHECK(class_of("\"a\"") == ValueClass::kString);
  CHECK(class_of("\\a") == ValueClass::kCharacter);
  CHECK(class_of(":a") == ValueClass::kKeyword);
  CHECK(class_of("a") == ValueClass::kSymbol);
  CHECK(class_of("-") == ValueClass::kSymbol);
  CHECK(class_of("[1 2]") == ValueClass::kVector);
  CHECK(class_of("{:a 1}") == ValueClass::kMap);
  CHECK(class_of("#{1}") == ValueClass::kSet);
  CHECK(class_of("#inst \"2020\"") == ValueClass::kTagged);
}

TEST_CASE("values: a pool that is full knows what it has, and says that something had no room") {
  ValuePool pool(3);  // nil and false among them
  const ValueId x = pool.intern(":x");
  CHECK(pool.intern(":x") == x);
  CHECK(pool.integer(5) == ValueId::integer(5));
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  const ValueId large = pool.integer(kLarge);
  pool.integer(kLarge + 1);
  pool.integer(kLarge + 2);
  CHECK_FALSE(pool.is_overfull());
  CHECK(pool.integer(kLarge) == large);
  CHECK_FALSE(pool.is_overfull());
  CHECK(pool.integer(kLarge + 3).is_nil());
  CHECK(pool.is_overfull());
  ValuePool texts(3);
  CHECK(texts.intern(":x") == x);
  CHECK(texts.intern(":y").is_nil());
  CHECK(texts.is_overfull());
  CHECK(texts.find(":y").is_none());
}

TEST_CASE("values: long texts are cut for evidence, and differ by a hash that is always the same") {
  ValuePool pool;
  const std::string a = '"' + std::string(300, 'a') + '"';
  const std::string b = '"' + std::string(299, 'a') + "b\"";
  CHECK(pool.shown_text(pool.intern(a)) ==
        '"' + std::string(63, 'a') + "… (302 bytes, hash b5c27956bec7fec9)");
  CHECK(pool.shown_text(pool.intern(b)) != pool.shown_text(pool.intern(a)));
  CHECK(pool.text(pool.intern(a)) == a);
  CHECK(pool.shown_text(ValueId::integer(7)) == "7");
  CHECK(pool.shown_text(pool.intern(":x")) == ":x");
  CHECK(pool.shown_text(ValueId::none()) == "none");
  CHECK(shown_name(std::string(256, 'a')) == std::string(256, 'a'));
  // No character is cut in two.
  CHECK(shown_name(std::string(63, 'a') + "\u00e4" + std::string(200, 'b'))
            .starts_with(std::string(63, 'a') + "…"));
}

}  // namespace
}  // namespace elapid
