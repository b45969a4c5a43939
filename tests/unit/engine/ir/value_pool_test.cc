#include "engine/ir/value_pool.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

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

}  // namespace
}  // namespace elapid
