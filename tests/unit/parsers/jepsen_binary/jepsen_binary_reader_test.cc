#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parsers/edn/value_text.h"
#include "parsers/jepsen/edn_format.h"
#include "parsers/jepsen_binary/open_ops.h"
#include "parsers/read.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

Result<History> read_edn_sample(const std::string& name) {
  return read_edn_history(*memory_source(name, binary_sample(name)), {});
}

/// Everything about the events that verdicts depend on.
std::string events(const History& history) {
  std::string out;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      const Event event = history.event(txn, kind);
      out += event.id.is_none()
                 ? "- "
                 : std::to_string(event.id.value) + '/' + std::to_string(event.index) + '@' +
                       std::to_string(event.time.value_or(-1)) + ' ';
    }
  }
  return out;
}

TEST_CASE("Jepsen files give the history of their history.edn") {
  const auto edn = read_edn_sample("list-append-9ops.history.edn");
  REQUIRE(edn);
  const History& expected = edn.value();
  CHECK(expected.txn_count() == 4);
  for (const char* name :
       {"list-append-9ops.jepsen", "list-append-9ops-chunk4.jepsen",
        "list-append-9ops-chunk4-gc.jepsen", "no-results.jepsen", "rewritten-write-test.jepsen",
        "ok-trailing-unsealed-chunk.jepsen", "test.fressian"}) {
    INFO(name);
    const auto binary = read_binary(binary_sample(name));
    REQUIRE(binary);
    const History& history = binary.value();
    CHECK(binary.value().workload() == edn.value().workload());
    CHECK(summary(history) == summary(expected));
    CHECK(events(history) == events(expected));
    CHECK(history.info().event_count == 9);
    CHECK(history.info().format == "jepsen");
    CHECK(history.info().files == std::vector<std::string>{"test.jepsen"});
    CHECK(history.info().source_bytes == binary_sample(name).size());
    CHECK(history.info().f == expected.info().f);
    CHECK(history.info().initial == expected.info().initial);
    CHECK(history.info().assumptions == expected.info().assumptions);
    CHECK(history.info().remarks.empty());
  }
}

TEST_CASE("a file of version 0 holds maps without indices") {
  const auto edn = read_edn_sample("list-append-9ops.history.edn");
  const auto binary = read_binary(binary_sample("v0-like-maps.jepsen"));
  REQUIRE(binary);
  CHECK(summary(binary.value()) == summary(edn.value()));
}

TEST_CASE("a test that never ran has no operations") {
  CHECK(outcome(binary_sample("initial-only.jepsen")) ==
        "test.jepsen: byte 0: expected operations, found none");
  CHECK(outcome(binary_sample("ok-older-index.jepsen")) ==
        outcome(binary_sample("initial-only.jepsen")));
}

TEST_CASE("the dialect is told by the first bytes or asked for") {
  CHECK(read_binary(binary_sample("list-append-9ops.jepsen"), {}, "binary"));
  CHECK(read_binary(binary_sample("test.fressian"), {}, "fressian"));
  const auto not_blocks = read_binary(binary_sample("test.fressian"), {}, "binary");
  REQUIRE_FALSE(not_blocks);
  CHECK(
      not_blocks.error().to_string() ==
      "test.jepsen: byte 0: expected a file that begins with `JEPSEN`, found bytes c0 ec 12 ca f7 "
      "cd");
  const auto not_fressian = read_binary(binary_sample("list-append-9ops.jepsen"), {}, "fressian");
  REQUIRE_FALSE(not_fressian);
  CHECK(not_fressian.error().message == "expected a map, found code 0x4a");
}

TEST_CASE("Jepsen files: bytes behind the object of a test.fressian are an error") {
  for (const std::string& behind :
       {std::string(100, '\0'), std::string("hello"), binary_sample("test.fressian")}) {
    const auto longer = read_binary(binary_sample("test.fressian") + behind, {}, "fressian");
    REQUIRE_FALSE(longer);
    CHECK(longer.error().byte_offset == binary_sample("test.fressian").size());
    CHECK(longer.error().message ==
          "expected the end of the file behind the test's map, found more bytes");
    const auto salvaged =
        read_binary(binary_sample("test.fressian") + behind, {.salvage = true}, "fressian");
    REQUIRE(salvaged);
    CHECK(salvaged.value().txn_count() == 4);
  }
}

TEST_CASE("a store's directory is read as one of its files") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(ELAPID_TEST_DATA) / "formats/jepsen-binary";
  Sources sources(folder.string());
  const auto parsed = read_jepsen_binary(sources, "fressian", {});
  REQUIRE(parsed);
  CHECK(parsed.value().info().files ==
        std::vector<std::string>{(folder / "test.fressian").string()});
  Sources without_jepsen(folder.string());
  CHECK(read_jepsen_binary(without_jepsen, {}, {}));
  Sources missing(folder.string());
  CHECK_FALSE(read_jepsen_binary(missing, "binary", {}));
}

/// The texts of all operations, in canonical EDN.
std::vector<std::string> canonical_ops(std::string bytes) {
  const auto source = memory_source("test.jepsen", std::move(bytes));
  auto ops = jepsen_binary::open_ops(*source, jepsen_binary::Container::kBlocks, false);
  std::vector<std::string> texts;
  std::string text;
  while (ops && ops.value()->next(text).value()) {
    const auto edn = memory_source({}, text);
    edn::Scanner scanner(*edn);
    scanner.next();
    texts.emplace_back();
    REQUIRE(append_form(scanner, edn::TextStyle::kCanonical, texts.back()).ok());
  }
  return texts;
}

TEST_CASE("values of every kind are those of the history.edn") {
  const auto edn = memory_source({}, binary_sample("exotic.history.edn"));
  edn::Scanner scanner(*edn);
  std::vector<std::string> expected;
  while (scanner.next() == edn::TokenKind::kOpenMap) {
    expected.emplace_back();
    REQUIRE(append_form(scanner, edn::TextStyle::kCanonical, expected.back()).ok());
  }
  CHECK(expected.size() == 3);
  CHECK(canonical_ops(binary_sample("exotic-values.jepsen")) == expected);
}

TEST_CASE("an error in an operation is at the place of the operation") {
  FileMaker maker;
  std::vector<std::string> ops = appends(0, 2);
  const std::uint64_t second = 18 + 28 + fressian_of({ops[0]}).size();
  ops[1] = "{:f :txn :process 0 :type :ok :value [[:append :x 1] 5]}";
  maker.add(4, fressian_of(ops), 1);
  maker.add_test(2, 1);
  const auto result = read_binary(maker.index(2));
  REQUIRE_FALSE(result);
  CHECK_THAT(result.error().message, Catch::Contains("expected a micro-operation"));
  CHECK(result.error().byte_offset == second);
  CHECK_FALSE(result.error().line);
}

TEST_CASE("positions are those of operations in the file") {
  const std::string bytes = binary_sample("list-append-9ops-chunk4.jepsen");
  const auto parsed = read_binary(bytes);
  REQUIRE(parsed);
  const Event first = parsed.value().event(TxnId{0}, EventKind::kInvocation);
  CHECK(first.position.offset == 314 + 28);
  CHECK(bytes[314 + 28] == '\xef');  // a new structure
  const Event ok = parsed.value().event(TxnId{0}, EventKind::kCompletion);
  CHECK(bytes[ok.position.offset] == '\xa0');  // another one of its type
}

TEST_CASE("events of binary histories are read again") {
  for (const char* name : {"list-append-9ops-chunk4.jepsen", "list-append-9ops.jepsen",
                           "v0-like-maps.jepsen", "test.fressian"}) {
    INFO(name);
    const auto source = memory_source("test.jepsen", binary_sample(name));
    const auto parsed = read_binary(binary_sample(name));
    REQUIRE(parsed);
    const History& history = parsed.value();
    std::string extras;
    const DetailsReader read = open_jepsen_binary_details(*source);
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        const Event event = history.event(txn, kind);
        if (event.id.is_none()) {
          continue;
        }
        const auto details = read(event.position.offset, false);
        REQUIRE(details);
        CHECK(details.value().f == ":txn");
        for (const auto& [key, value] : details.value().extras) {
          extras += key + ' ' + value + ' ';
        }
      }
    }
    CHECK(extras == R"(:error [:timeout "read timed out"] :error :conflict )");
  }
}

/// Bytes in memory. Counts those that are read again.
class CountedSource : public ByteSource {
 public:
  explicit CountedSource(const std::string& bytes)
      : ByteSource("counted"), source_(memory_source("counted", bytes)) {}

  Result<std::size_t> read(std::span<char> into) override { return source_->read(into); }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    Result<std::size_t> count = source_->reread(offset, into);
    bytes_ += count ? count.value() : 0;
    return count;
  }

  Status rewind() override { return source_->rewind(); }

  [[nodiscard]] std::uint64_t total() const override { return source_->total(); }

  [[nodiscard]] std::uint64_t consumed() const override { return source_->consumed(); }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t bytes_ = 0;
};

TEST_CASE("a block is decoded once for events in order, and again for others") {
  const std::string bytes = binary_sample("list-append-9ops.jepsen");
  const auto parsed = read_binary(bytes);
  REQUIRE(parsed);
  std::vector<std::uint64_t> offsets;
  for (TxnId txn{0}; txn.index() < parsed.value().txn_count(); ++txn.value) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      const Event event = parsed.value().event(txn, kind);
      if (!event.id.is_none()) {
        offsets.push_back(event.position.offset);
      }
    }
  }
  std::ranges::sort(offsets);
  REQUIRE(offsets.size() == 8);  // and one of the nemesis
  CountedSource source(bytes);
  const DetailsReader read = open_jepsen_binary_details(source);
  std::vector<std::string> values;
  std::uint64_t first_bytes = 0;
  for (const std::uint64_t offset : offsets) {
    const auto details = read(offset, true);
    REQUIRE(details);
    values.push_back(details.value().value);
    first_bytes = first_bytes == 0 ? source.bytes() : first_bytes;
  }
  CHECK(source.bytes() == first_bytes);
  CHECK_FALSE(read(offsets.back() + 1, true));
  for (std::size_t i = offsets.size(); i-- > 0;) {
    INFO(i);
    for (int twice = 0; twice < 2; ++twice) {
      const auto details = read(offsets[i], true);
      REQUIRE(details);
      CHECK(details.value().value == values[i]);
    }
    CHECK(open_jepsen_binary_details(source)(offsets[i], true).value().value == values[i]);
  }
  CHECK(source.bytes() > first_bytes);
}

TEST_CASE("events behind a reset of the caches are read again") {
  const std::string bytes = '\xfe' + binary_sample("test.fressian");
  const auto parsed = read_binary(bytes);
  REQUIRE(parsed);
  const Event ok = parsed.value().event(TxnId{0}, EventKind::kCompletion);
  CHECK(open_jepsen_binary_details(*memory_source("b", bytes))(ok.position.offset, false));
}

TEST_CASE("a compressed file is read like another one") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "test.jepsen.gz").string();
  const std::string bytes = binary_sample("list-append-9ops-chunk4.jepsen");
  const gzFile out = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())) ==
          static_cast<int>(bytes.size()));
  gzclose(out);
  auto source = open_source(path);
  REQUIRE(source);
  Sources sources(std::move(source).value());
  const auto parsed = read_jepsen_binary(sources, {}, {});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == outcome(bytes));
  CHECK(parsed.value().info().source_bytes == bytes.size());
  const Event ok = parsed.value().event(TxnId{0}, EventKind::kCompletion);
  CHECK(open_jepsen_binary_details(*sources.open(0).value())(ok.position.offset, false));
}

TEST_CASE("an event that is not there is an error") {
  const auto source = memory_source("test.jepsen", binary_sample("list-append-9ops.jepsen"));
  for (const std::uint64_t offset : {0U, 343U, 1645U, 99999U}) {
    const auto details = open_jepsen_binary_details(*source)(offset, false);
    REQUIRE_FALSE(details);
    CHECK(details.error().message == "expected an operation here, found none");
    CHECK(details.error().file == "test.jepsen");
  }
}

TEST_CASE("big vectors, lists and partial maps may hold the history") {
  const auto edn = appends(0, 10);
  FileMaker maker;
  std::string list;
  for (int i = 4; i < 7; ++i) {
    list += (list.empty() ? "[" : " ") + edn[static_cast<std::size_t>(i)];
  }
  maker.add(4, fressian_of(appends(0, 4)), 5);
  maker.add(2, fressian_of({list + "]"}), 6);
  maker.add(4, fressian_of(appends(7, 9)), 7);
  maker.add(4, fressian_of(appends(9, 10)), 8);
  maker.add(5, FileMaker::vector(5, {{0, 6}, {3, 7}}), 9);
  maker.add(5, FileMaker::vector(10, {{0, 5}, {4, 9}, {9, 8}}), 1);
  maker.add(3, big_endian_bytes(0, 4) + fressian_of({"{:name 1 :history #block-ref 1}"}), 3);
  maker.add(3, big_endian_bytes(3, 4) + fressian_of({"{:name 2 :results #block-ref 77}"}), 2);
  CHECK(outcome(maker.index(2)) ==
        "0 ok [:append :x 1]; 0 ok [:append :x 2]; 0 ok [:append :x 3]; 0 ok [:append :x 4]; "
        "0 ok [:append :x 5]");
}

TEST_CASE("the outer of two partial maps counts") {
  FileMaker maker;
  maker.add(4, fressian_of(appends(0, 2)), 5);
  maker.add(4, fressian_of(appends(2, 4)), 6);
  maker.add(3, big_endian_bytes(0, 4) + fressian_of({"{:history #block-ref 5}"}), 3);
  maker.add(3, big_endian_bytes(3, 4) + fressian_of({"{:history #block-ref 6}"}), 2);
  CHECK(outcome(maker.index(2)) == "0 ok [:append :x 2]");
}

/// A file of one invocation with this value and its completion.
std::string tuple_file(const std::string& value) {
  std::string ops;
  fressian::Encoder encoder(ops);
  for (const char* type : {"invoke", "ok"}) {
    encoder.begin_struct("jepsen.history.Op", 7);
    encoder.integer(type[0] == 'i' ? 0 : 1);
    encoder.null();
    encoder.cached_keyword(type);
    encoder.integer(0);
    encoder.cached_keyword(value == "5" ? "write" : "txn");
    encoder.begin_struct("map-entry", 2);
    encoder.keyword("k");
    CHECK(fressian::encode_edn(value, encoder).ok());
    encoder.null();
  }
  FileMaker maker;
  maker.add(4, ops, 1);
  maker.add_test(2, 1);
  return maker.index(2);
}

TEST_CASE("tuples of jepsen.independent are told to the user") {
  const auto transactions = read_binary(tuple_file("[[:append :x 1]]"));
  REQUIRE_FALSE(transactions);
  CHECK_THAT(transactions.error().message,
             Catch::EndsWith("; values are tuples of jepsen.independent: with the option "
                             "independent each key is checked by itself"));
  const auto registers = read_binary(tuple_file("5"));
  REQUIRE(registers);
  REQUIRE(registers.value().info().remarks.size() == 1);
  CHECK_THAT(registers.value().info().remarks.front().message,
             Catch::StartsWith("values are tuples of jepsen.independent"));
}

TEST_CASE("each key of the tuples is a history") {
  Sources sources(memory_source("test.jepsen", tuple_file("[[:append :x 1]]")));
  ReadOptions options;
  options.independent = true;
  const auto histories = read_independent_jepsen_binary(sources, {}, options);
  REQUIRE(histories);
  REQUIRE(histories.value().size() == 1);
  CHECK(summary(histories.value().front().history) == "0 ok [:append :x 1]");
}

TEST_CASE("map entries split a file by key without being asked") {
  for (const char* value : {"[[:append :x 1]]", "5"}) {
    const auto histories = read_histories(memory_source("test.jepsen", tuple_file(value)), {});
    REQUIRE(histories);
    REQUIRE(histories.value().size() == 1);
    CHECK(histories.value().front().key() == ":k");
    CHECK(histories.value().front().history().info().assumptions.back() ==
          "The operations are those of the independent key :k, split by key because values are "
          "map entries, the tuples of Jepsen.");
  }
}

TEST_CASE("vectors do not split a file by key, nor do map entries for Elle") {
  const auto vectors =
      read_histories(memory_source("test.jepsen", binary_sample("list-append-9ops.jepsen")), {});
  REQUIRE(vectors);
  CHECK(vectors.value().front().key().empty());
  const auto elle =
      read_histories(memory_source("test.jepsen", tuple_file("5")), {.elle_compat = true});
  REQUIRE(elle);
  CHECK(elle.value().front().key().empty());
}

TEST_CASE("damaged results do not matter to the history") {
  std::string bytes = binary_sample("list-append-9ops.jepsen");
  for (const std::size_t at : {1202U, 1233U, 1184U}) {  // data, checksum, type
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
  }
  CHECK(outcome(bytes) == outcome(binary_sample("list-append-9ops.jepsen")));
}

TEST_CASE("the long sample has every rare code") {
  const std::filesystem::path path = std::filesystem::path(ELAPID_SHARED) /
                                     "formats/samples/jepsen-binary/long-string-and-tags.jepsen";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no " << path);
    return;
  }
  const auto ops = canonical_ops(file_bytes(path));
  REQUIRE(ops.size() == 402);
  CHECK(ops[401] == "{:f :f199 :index 401 :process 0 :time 3 :type :ok :value {:ns199/k 199}}");
}

TEST_CASE("a binary history is inferred and interrupted like others") {
  const std::string bytes = binary_sample("list-append-9ops.jepsen");
  ReadOptions options;
  options.workload = Workload::kRwRegister;
  REQUIRE_FALSE(read_binary(bytes, options));  // it appends
  options = {};
  options.progress = [](std::uint64_t, std::uint64_t) { return false; };
  const auto stopped = read_binary(bytes, options);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::kUnreadable);
}

TEST_CASE("a binary file cut anywhere gives the whole history or an error") {
  for (const char* name : {"list-append-9ops-chunk4.jepsen", "list-append-9ops-chunk4-gc.jepsen",
                           "rewritten-write-test.jepsen", "v0-like-maps.jepsen", "test.fressian"}) {
    const std::string whole = binary_sample(name);
    const std::string expected = outcome(whole);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto cut = read_binary(whole.substr(0, size));
      INFO(name << " cut at " << size);
      if (cut) {
        CHECK(summary(cut.value()) == expected);
      } else {
        CHECK(cut.error().kind == ErrorKind::kMalformed);
      }
    }
  }
}

}  // namespace
}  // namespace elapid
