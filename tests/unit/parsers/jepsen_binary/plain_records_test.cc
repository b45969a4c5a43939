// The short cut reads records as their texts are read, and leaves what has another shape.
#include "parsers/jepsen_binary/plain_records.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "parsers/jepsen_binary/op_text_stream.h"
#include "parsers/jepsen_binary/open_ops.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

using jepsen_binary::OpTextStream;

std::string told(const OpMap& op) {
  std::string text =
      std::to_string(op.offset) + ' ' + std::to_string(op.type ? static_cast<int>(*op.type) : -1) +
      ' ' + std::to_string(static_cast<int>(op.process_kind)) + ' ' + std::to_string(op.process) +
      ' ' + op.process_name + ' ' + std::to_string(op.index.value_or(-7)) + ' ' +
      std::to_string(op.time.value_or(-7)) + ' ' + std::to_string(op.f.bits()) +
      (op.has_odd_time ? " odd time" : "") + (op.has_extras ? " extras" : "") +
      (op.has_value ? " value" : "") + (op.begins_mops ? " mops" : "") +
      (op.may_be_tuple ? " tuple" : "") + (op.is_mops() ? "" : " none") +
      (op.not_list ? " no list" : "") + ' ' + op.whole.text;
  for (const std::uint64_t first : {op.first_append, op.first_write, op.first_other}) {
    text += ' ' + (first == OpMap::kNoPlace ? "-" : std::to_string(first));
  }
  for (const MopInput& mop : op.mops) {
    text += '\n' + std::to_string(static_cast<int>(mop.kind)) + ' ' +
            std::to_string(key_name(mop).bits()) + ' ' + std::to_string(mop.value.bits()) + ' ' +
            std::to_string(mop.list_begin) + ' ' + std::to_string(mop.list_length);
  }
  for (const ValueId element : op.elements) {
    text += ' ' + std::to_string(element.bits());
  }
  return text;
}

struct Told {
  std::vector<std::string> ops;
  std::string end;  ///< the error, or the number of values
  std::size_t plain = 0;
};

Told all_of(const std::string& file, Workload workload, bool has_short_cut) {
  const auto source = memory_source("test.jepsen", file);
  auto ops = jepsen_binary::open_blocks(*source);
  REQUIRE(ops);
  ValuePool values;
  OpTextStream stream(*ops.value(), values, workload);
  if (!has_short_cut) {
    stream.take_no_short_cut();
  }
  Told found;
  while (stream.next()) {
    found.ops.push_back(told(stream.op()) + ' ' + std::to_string(stream.count()));
    found.plain += stream.op().is_plain ? 1U : 0U;
  }
  found.end =
      stream.status().ok() ? std::to_string(values.size()) : stream.status().error().to_string();
  return found;
}

/// Records, with lists in all ways of writing them, and some of odd shapes.
class RecordMaker {
 public:
  RecordMaker(Random& random, std::size_t oddness) : random_(random), oddness_(oddness) {}

  std::string block(std::size_t records) {
    for (std::size_t i = 0; i < records; ++i) {
      add_record(i);
    }
    return bytes_;
  }

 private:
  [[nodiscard]] bool is_odd() { return random_.percent(oddness_); }

  template <class Add>
  void list(std::size_t size, Add add) {
    const std::size_t way = random_.below(3);
    if (way == 0 && size < 8) {
      bytes_ += static_cast<char>(0xe4 + size);
    } else if (way == 1) {
      bytes_ += static_cast<char>(0xec);
      encoder_->integer(static_cast<std::int64_t>(size));
    } else {
      encoder_->begin_list();
    }
    const bool has_end = way == 2 || (way == 0 && size >= 8);
    for (std::size_t i = 0; i < size; ++i) {
      add();
    }
    if (has_end) {
      encoder_->end_list();
    }
  }

  /// Of any length in bytes, seldom negative.
  void number() {
    const auto bits = static_cast<std::int64_t>(random_.below(std::size_t{1} << random_.below(60)));
    encoder_->integer(is_odd() ? -bits : bits);
  }

  void form(std::string_view text) { REQUIRE(fressian::encode_edn(text, *encoder_).ok()); }

  void scalar() {
    if (is_odd()) {
      form(random_.percent(50) ? "\"x\"" : ":ns/x");
    } else if (random_.percent(30)) {
      encoder_->keyword("k" + std::to_string(random_.below(40)));
    } else {
      number();
    }
  }

  void micro_op() {
    const std::size_t kind = random_.below(is_odd() ? 5 : 3);
    list(is_odd() ? 2 + random_.below(3) : 3, [&, part = 0]() mutable {
      ++part;
      if (part == 1) {
        constexpr std::string_view kNames[] = {"r", "append", "w", "read", "cas"};
        encoder_->keyword(kNames[kind]);
      } else if (part == 3 && kind == 0 && random_.percent(60)) {
        random_.percent(20) ? encoder_->null() : list(random_.below(12), [&] { scalar(); });
      } else {
        scalar();
      }
    });
  }

  void value() {
    if (is_odd()) {
      form(random_.percent(50) ? "{:a [1 2]}" : "[1 [[:r :x 1]]]");
    } else if (random_.percent(10)) {
      encoder_->null();
    } else {
      list(random_.below(4), [&] { micro_op(); });
    }
  }

  void add_record(std::size_t i) {
    constexpr std::string_view kTypes[] = {"invoke", "ok", "fail", "info"};
    encoder_->begin_struct("jepsen.history.Op", is_odd() ? 6 : 7);
    encoder_->integer(static_cast<std::int64_t>(i));
    is_odd() ? encoder_->null() : number();
    encoder_->cached_keyword(kTypes[random_.below(4)]);
    is_odd() ? encoder_->cached_keyword("nemesis") : number();
    encoder_->cached_keyword(is_odd() ? "other" : "txn");
    value();
    if (is_odd()) {
      form(random_.percent(50) ? "{:error \"no\"}" : "{}");
    } else {
      encoder_->null();
    }
    if (is_odd()) {
      bytes_ += static_cast<char>(0xfe);  // the caches are empty again
      encoder_.emplace(bytes_);
    }
  }

  Random& random_;
  std::size_t oddness_;
  std::string bytes_;
  std::optional<fressian::Encoder> encoder_{bytes_};
};

std::string file_of(const std::vector<std::string>& blocks, std::size_t records) {
  FileMaker file;
  std::vector<std::pair<std::uint64_t, std::int32_t>> chunks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto id = static_cast<std::int32_t>(10 + i);
    file.add(4, blocks[i], id);
    chunks.emplace_back(i * records, id);
  }
  file.add(5, FileMaker::vector(blocks.size() * records, chunks), 2);
  file.add_test(1, 2);
  return file.index(1);
}

TEST_CASE("property: records by the short cut are what their texts are") {
  std::size_t plain = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= case_count(2000); ++seed) {
    Random random(seed);
    const std::size_t oddness = seed % 3 == 0 ? 0 : seed % 3;
    constexpr std::size_t kRecords = 30;
    std::vector<std::string> blocks;
    for (int i = 0; i < 2; ++i) {
      blocks.push_back(RecordMaker(random, oddness).block(kRecords));
    }
    if (seed % 4 == 0) {  // some byte is another one
      std::string& block = blocks[random.below(2)];
      block[random.below(block.size())] = static_cast<char>(random.below(256));
    }
    const std::string file = file_of(blocks, kRecords);
    for (const Workload workload : {Workload::kListAppend, Workload::kRwRegister}) {
      INFO("seed " << seed << ", " << workload.name());
      const Told expected = all_of(file, workload, false);
      const Told found = all_of(file, workload, true);
      REQUIRE(found.ops == expected.ops);
      REQUIRE(found.end == expected.end);
      plain += found.plain;
      all += found.ops.size();
      CHECK(expected.plain == 0);
    }
  }
  CHECK(plain > all / 20);
}

TEST_CASE(
    "a record of Jepsen's generators is read by the short cut, but for the first of its words") {
  std::string bytes;
  fressian::Encoder encoder(bytes);
  for (std::int64_t i = 0; i < 9; ++i) {
    encoder.begin_struct("jepsen.history.Op", 7);
    encoder.integer(i);
    encoder.integer(1'000'000 * i);
    encoder.cached_keyword(i % 2 == 0 ? "invoke" : "ok");
    encoder.integer(3);
    encoder.cached_keyword("txn");
    bytes += "\xe6\xe7";  // lists of two and of three
    encoder.keyword("append");
    encoder.keyword("x");
    encoder.integer(i / 2 + 1);
    bytes += '\xe7';
    encoder.keyword("r");
    encoder.integer(8);
    i % 2 == 0 ? encoder.null() : static_cast<void>(bytes += "\xe5\x07");
    encoder.null();
  }
  const Told found = all_of(file_of({bytes}, 9), Workload::kListAppend, true);
  CHECK(found.ops == all_of(file_of({bytes}, 9), Workload::kListAppend, false).ops);
  CHECK(found.ops.size() == 9);
  CHECK(found.plain == 6);  // the last ends too near to the end of the block
}

}  // namespace
}  // namespace elapid
