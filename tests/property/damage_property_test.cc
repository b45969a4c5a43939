// Bytes that are no history, and histories with bytes behind their end or without their end: an
// error, or with --salvage a warning; never something else than was recorded.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "harness/generate/random.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/property/random_document.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes;
  while (bytes.size() < count) {
    bytes += static_cast<char>(random.below(256));
  }
  return bytes;
}

/// What formats begin with. None of these is a history.
std::string random_head(Random& random) {
  const std::string zeros(72, '\0');
  const std::array<std::string, 18> heads = {
      "",   "S",       "\xc0",    "JEPSEN", zeros,      zeros.substr(0, 64),
      "{",  "[",       "{:type ", "[{\"",   "{\"type",  "r(1,2,3,4)",
      "//", "R0a W0a", "w 1 1",   "(",      "5\n0 1 A", "INFO  jepsen.util - 0\t:invoke\t"};
  return heads.at(random.below(heads.size()));
}

bool has_salvaged(const History& history) {
  return std::ranges::any_of(history.info().remarks, [](const Remark& remark) {
    return remark.kind == Remark::Kind::kSalvaged;
  });
}

bool is_called_valid(const History& history) {
  const auto level = Model::kPl2;
  const Result<Verdict> verdict = check(history, {.models = ModelSet{level}});
  return verdict && verdict.value().validity == Validity::kValid;
}

TEST_CASE("damage property: random bytes are never a valid history") {
  for (std::uint64_t seed = 1; seed <= case_count(3000); ++seed) {
    Random random(seed);
    const std::string head = random_head(random);
    const std::string bytes = head + random_bytes(random, 16 + random.below(300));
    for (const bool salvage : {false, true}) {
      const auto loaded = read_history(memory_source("h", bytes), {.salvage = salvage});
      INFO("seed " << seed << " head `" << head << "` salvage " << salvage);
      const bool is_doubted = loaded && salvage && has_salvaged(loaded.value().history());
      CHECK((!loaded || is_doubted || !is_called_valid(loaded.value().history())));
    }
  }
}

TEST_CASE("damage property: zeros are never a valid history") {
  for (const std::size_t count : {1U, 48U, 71U, 72U, 73U, 80U, 5000U, 70'000U}) {
    const auto loaded = read_history(memory_source("h", std::string(count, '\0')), {});
    INFO(count);
    CHECK(loaded.ok() == (count == 72));  // a header and no session
    CHECK((!loaded || !is_called_valid(loaded.value().history())));
  }
}

/// The file, or of a directory the first one with something in it.
std::string file_of(const std::string& output) {
  if (!fs::is_directory(output)) {
    return output;
  }
  std::string first;
  for (const auto& entry : fs::directory_iterator(output)) {
    const std::string path = entry.path().string();
    if (entry.file_size() > 0 && path.ends_with(".log") && (first.empty() || path < first)) {
      first = path;
    }
  }
  return first;
}

void overwrite(const std::string& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// A random history written in a format, to be damaged.
class Written {
 public:
  Written(std::uint64_t seed, const Target& target) : target_(target) {
    const Document document = random_document(seed);
    auto loaded = read_history(memory_source("h", document.edn), {});
    REQUIRE(loaded);
    if (loaded.value().history().workload() == Workload::kOther) {
      return;
    }
    const auto report = write_history(loaded.value().history(), loaded.value().history().workload(),
                                      path(), {.target = &target, .policy = LossPolicy::kAny});
    if (report && report.value().txns > 0) {
      file_ = file_of(path());
      bytes_ = content_of(file_);
    }
  }

  [[nodiscard]] bool is_there() const { return !bytes_.empty(); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// What a reader makes of the output with these bytes in place of the file's own.
  [[nodiscard]] Result<LoadedHistory> read_with(std::string_view bytes, bool salvage) const {
    overwrite(file_, bytes);
    return read_history(path(), {.format = FormatName{target_.format, std::string(target_.dialect)},
                                 .salvage = salvage});
  }

 private:
  [[nodiscard]] std::string path() const { return folder_ / "out"; }

  const Target& target_;
  TemporaryFolder folder_;
  std::string file_;
  std::string bytes_;
};

TEST_CASE("damage property: bytes behind the end are an error, or salvaged with a warning") {
  std::size_t damaged = 0;
  for (std::uint64_t seed = 1; seed <= case_count(300); ++seed) {
    Random random(seed);
    const Target& target = targets()[seed % targets().size()];
    const Written written(seed, target);
    if (!written.is_there()) {
      continue;
    }
    ++damaged;
    const std::string bytes = written.bytes() + '\xff' + random_bytes(random, random.below(1000));
    INFO("seed " << seed << ' ' << text(target) << '\n' << written.bytes());
    CHECK_FALSE(written.read_with(bytes, false).ok());
    const auto salvaged = written.read_with(bytes, true);
    CHECK((!salvaged || has_salvaged(salvaged.value().history())));
  }
  CHECK(damaged > case_count(300) / 2);
}

/// Formats that say how much is to come: every beginning of a file but the whole is broken.
/// Elsewhere a file may end behind any line.
bool announces_its_end(const Target& target) {
  constexpr std::array<std::string_view, 5> kThey = {"json", "timekiller", "jepsen:binary",
                                                     "dbcop:bincode", "dbcop:json"};
  return std::ranges::find(kThey, text(target)) != kThey.end();
}

TEST_CASE("damage property: a history that breaks off is an error, or says less") {
  for (std::uint64_t seed = 1; seed <= case_count(300); ++seed) {
    Random random(seed);
    const Target& target = targets()[seed % targets().size()];
    const Written written(seed, target);
    if (!written.is_there()) {
      continue;
    }
    const auto whole = written.read_with(written.bytes(), false);
    REQUIRE(whole);
    std::string_view bytes = written.bytes();
    bytes = bytes.substr(0, bytes.find_last_not_of('\n'));  // not its last byte that means anything
    const std::string_view cut = bytes.substr(0, random.below(bytes.size()));
    INFO("seed " << seed << ' ' << text(target) << '\n' << cut);
    const auto part = written.read_with(cut, false);
    CHECK((!part || !announces_its_end(target)));
    CHECK((!part || part.value().history().op_count() <= whole.value().history().op_count()));
  }
}

}  // namespace
}  // namespace elapid
