#include "engine/online/atom.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "engine/ir/json_string.h"

namespace elapid {
namespace {

TEST_CASE("atoms of integers need no table up to 62 bits, and are integers beyond") {
  constexpr std::int64_t kLeast62 = -(std::int64_t{1} << 61);
  AtomTable table;
  std::set<Atom> atoms;
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{42}, kLeast62, -(kLeast62 + 1)}) {
    CHECK(AtomTable().json(table.integer(number)) == std::to_string(number));
    atoms.insert(table.integer(number));
  }
  CHECK(table.entries().size() == 0);
  for (const std::int64_t number :
       {kLeast62 - 1, -kLeast62, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()}) {
    CHECK(table.json(table.integer(number)) == std::to_string(number));
    CHECK(table.integer(number) == table.literal(std::to_string(number)));
    atoms.insert(table.integer(number));
  }
  CHECK(table.entries().size() == 4);
  CHECK(atoms.size() == 9);
}

TEST_CASE("atoms of texts that are numbered on take no memory each") {
  AtomTable table;
  CHECK(table.json(table.text("txn-17")) == R"("txn-17")");
  const std::size_t memory = table.extent().memory;
  std::set<Atom> atoms;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = "txn-" + std::to_string(i);
    CHECK(table.json(table.text(text)) == '"' + text + '"');
    atoms.insert(table.text(text));
  }
  CHECK(atoms.size() == 1000);
  CHECK(table.extent().memory == memory);
}

TEST_CASE("atoms: equal iff what they stand for is equal") {
  const std::vector<std::string> texts = {"txn-17",
                                          "txn-017",
                                          "txn-0017",
                                          "txn-",
                                          "txn",
                                          "",
                                          "0",
                                          "00",
                                          "17",
                                          "017",
                                          "txn-0",
                                          "txn-00",
                                          "99999999999999999999",
                                          "x9999999999999",
                                          "x09999999999999",
                                          "x99999999999999",
                                          "17x",
                                          "true",
                                          "-5",
                                          "\"",
                                          "\n\x01",
                                          "\xC3\xA9",
                                          "1.5"};
  AtomTable table;
  std::set<Atom> atoms;
  for (const std::string& text : texts) {
    INFO(text);
    const Atom atom = table.text(text);
    CHECK(atom == table.text(text));
    CHECK(table.json(atom) == json_quoted(text));
    atoms.insert(atom);
  }
  CHECK(atoms.size() == texts.size());
  for (const Atom atom : {table.integer(17), table.integer(-5), table.literal("1.5"),
                          table.literal("true"), Atom::nil(), Atom::none()}) {
    CHECK(atoms.insert(atom).second);
  }
}

TEST_CASE("atoms as JSON") {
  AtomTable table;
  CHECK(table.json(Atom::nil()) == "null");
  CHECK(table.json(Atom::none()) == "null");
  CHECK(table.json(table.literal("1.5")) == "1.5");
  CHECK(table.json(table.literal("\"a\\\\\x1b\"")) == R"("a\\\u001b")");
  CHECK(table.json(table.literal("false")) == "false");
  CHECK(table.json(table.literal(":key")) == R"(":key")");
  CHECK(table.json(table.literal("18446744073709551616")) == "18446744073709551616");
  CHECK(table.json(table.text("a\"b\\c\t\x1F\xC3\xA9")) == "\"a\\\"b\\\\c\\u0009\\u001f\xC3\xA9\"");
  CHECK(table.literal("12") == table.integer(12));
  CHECK(Atom().is_none());
  CHECK(Atom::from_bits(table.integer(7).bits()) == table.integer(7));
}

TEST_CASE("atoms mean the same in a table that was restored") {
  AtomTable table;
  std::vector<Atom> atoms;
  for (const char* text : {"b-1", "a", "a-2", "a"}) {
    atoms.push_back(table.text(text));
    atoms.push_back(table.literal(text));
  }
  AtomTable again;
  for (std::size_t i = 0; i < table.entries().size(); ++i) {
    const AtomTable::Entry& entry = table.entries()[i];
    again.restore(entry);
  }
  for (const Atom atom : atoms) {
    CHECK(again.json(atom) == table.json(atom));
  }
  CHECK(again.text("a") == table.text("a"));
  CHECK(again.literal("a") == table.literal("a"));
  CHECK(again.text("b-7") == table.text("b-7"));
  CHECK(again.extent().memory == table.extent().memory);
  CHECK(again.text("new") == table.text("new"));
}

}  // namespace
}  // namespace elapid
