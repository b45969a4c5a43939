#include "engine/elle/value_hash.h"

#include <catch2/catch.hpp>
#include <vector>

#include "engine/elle/record_hash.h"
#include "engine/ir/history_builder.h"

namespace elapid::elle {
namespace {

std::uint32_t java(std::string_view text) {
  return hash_of_text(text, HashCode::kJava);
}

std::int32_t clojure(std::string_view text) {
  return static_cast<std::int32_t>(hash_of_text(text, HashCode::kClojure));
}

TEST_CASE("value hash: Java's") {
  CHECK(java("nil") == 0);
  CHECK(java("-123456789012") == 3197704719U);
  CHECK(java(R"("abc")") == 96354);
  CHECK(java("[1 2 3]") == 30817);
  CHECK(java(":txn") == 1021362290);
  CHECK(java(":a/b") == 1013910665);
  CHECK(java("\"\u00e9\U0001F600\\n\\\"x\"") == 3652462228U);
  CHECK(java("[nil [true -5] :r]") == 1015154217);
  CHECK(java("1.25") == 0x3ff40000U);  // Double.hashCode: the halves of its bits
  CHECK(java("-0.0") == 0x80000000U);
  CHECK(java("18446744073709551616N") == 31U * 31U);  // BigInteger.hashCode of 2^64
  CHECK(java("-4294967296N") == 0U - 31U);
  CHECK(java("1/2") == (1 ^ 2));
  CHECK(java(R"(\a)") == 'a');
  CHECK(java(R"(\newline)") == '\n');
  CHECK(java("#{1 2}") == 3);
  CHECK(java("{1 2 3 5}") == (1 ^ 2) + (3 ^ 5));
  CHECK(java("[1 #inst \"2020\"]") == 0);
}

TEST_CASE("value hash: Clojure's") {
  // (hash x) at a Clojure prompt, for values whose hashes are documented or widely quoted.
  CHECK(clojure("nil") == 0);
  CHECK(clojure("0") == 0);
  CHECK(clojure("1") == 1392991556);
  CHECK(clojure("42") == 1871679806);
  CHECK(clojure("true") == 1231);
  CHECK(clojure("false") == 1237);
  CHECK(clojure("\"\"") == 0);
  CHECK(clojure(":a") == -2123407586);
  CHECK(clojure("[]") == -2017569654);
  CHECK(clojure("[1 2 3]") == 736442005);
  CHECK(clojure("{}") == -15128758);
  CHECK(clojure("#{}") == -15128758);
  CHECK(clojure("-0.0") == 0);
  CHECK(clojure("1.25") == 0x3ff40000);
}

TEST_CASE("value hash: a vector's is that of its text") {
  HistoryBuilder builder;
  std::vector<ValueId> elements;
  for (const char* text : {"1", "-5", "9223372036854775807", ":k", "\"s\"", "[1 :a]", "nil"}) {
    elements.push_back(builder.values().intern(text));
  }
  const Result<History> history = std::move(builder).build({});
  REQUIRE(history);
  CHECK(clojure_hash(history.value(), elements) ==
        hash_of_text("[1 -5 9223372036854775807 :k \"s\" [1 :a] nil]", HashCode::kClojure));
}

TEST_CASE("value hash: sets iterate by five bits at a time, the low ones first") {
  CHECK(iterates_before(1, 2));
  CHECK_FALSE(iterates_before(2, 1));
  CHECK_FALSE(iterates_before(7, 7));
  CHECK(iterates_before(32, 1));  // 0, then 1; against 1
  CHECK(iterates_before(1U | 3U << 5, 1U | 4U << 5));
  CHECK(iterates_before(0x40000000U, 0x80000000U));  // the last two bits
}

TEST_CASE("an operation hashes as Jepsen's record") {
  HistoryBuilder builder;
  const KeyId x = builder.key(builder.values().intern(R"("x")"));
  const KeyId y = builder.key(builder.values().intern(":y"));
  const std::vector<MopInput> mops = {
      {.kind = OpKind::kRead, .key = x},
      {.kind = OpKind::kWrite, .key = y, .value = ValueId::integer(-2)}};
  for (const EventType type : {EventType::kInvoke, EventType::kOk}) {
    const bool is_ok = type == EventType::kOk;
    REQUIRE(builder
                .add_event({.type = type,
                            .process = 3,
                            .index = is_ok ? 7 : 6,
                            .time = is_ok ? 1000 : 900,
                            .mops = mops})
                .ok());
  }
  HistoryInfo info;
  info.f = builder.values().intern(":txn");
  const Result<History> history = std::move(builder).build(std::move(info));
  REQUIRE(history);
  CHECK(record_hash(history.value(), TxnId{0}) == 800402282);
}

}  // namespace
}  // namespace elapid::elle
