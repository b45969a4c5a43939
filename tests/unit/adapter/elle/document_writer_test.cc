#include "adapter/elle/document_writer.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

std::string sample(Syntax syntax) {
  DocumentWriter out(syntax);
  out.open(Container::kMap, 1);
  out.key("a").integer(-1);
  out.key("b").open(Container::kList);
  out.keyword("x");
  out.string("q\"\n");
  out.nil();
  out.boolean(false);
  out.close();
  out.key("c").open(Container::kMap);
  out.integer(1);
  out.form("[:k \"v\"]");
  out.form("\"key\"");
  out.open(Container::kSet);
  out.close();
  out.close();
  out.close();
  return std::move(out).take();
}

TEST_CASE("a document as EDN") {
  CHECK(sample(Syntax::kEdn) ==
        "{:a -1\n :b (:x \"q\\\"\\n\" nil false)\n :c {1 [:k \"v\"], \"key\" #{}}}");
}

TEST_CASE("JSON") {
  CHECK(sample(Syntax::kJson) ==
        "{\"a\": -1,\n \"b\": [\"x\", \"q\\\"\\u000a\", null, false],\n"
        " \"c\": {\"1\": [\"k\", \"v\"], \"key\": []}}");
}

TEST_CASE("a map of JSON has no key twice, whatever the keys are in EDN") {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("1").nil();
  out.integer(1);
  out.nil();
  out.form("\"1\"");
  out.nil();
  out.close();
  CHECK(std::move(out).take() == R"({"1": null, "1'": null, "\"1\"": null})");
}

TEST_CASE("items are taken back, with what separates them") {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kVector);
  const DocumentWriter::Mark empty = out.mark();
  out.integer(1);
  out.rewind(empty);
  out.integer(2);
  const DocumentWriter::Mark two = out.mark();
  out.open(Container::kMap);
  out.key("a").integer(3);
  out.close();
  out.rewind(two);
  out.integer(4);
  out.close();
  CHECK(std::move(out).take() == "[2, 4]");
}

}  // namespace
}  // namespace elapid
