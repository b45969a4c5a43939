#include "harness/generate/workloads/transactions.h"

#include <algorithm>
#include <optional>

#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

constexpr std::int64_t kFirstLoadedValue = 1'000'000'000;

/// Keys and the values written to them.
class ReadWriteRequests : public KeyedRequests {
 public:
  ReadWriteRequests(const WorkloadOptions& options, bool has_lists)
      : KeyedRequests({options.keys, options.max_writes, options.key_law}),
        options_(options),
        read_(has_lists ? OpKind::kReadList : OpKind::kRead),
        write_(has_lists ? OpKind::kAppend : OpKind::kWrite) {
    if (!has_lists && options.values > 0) {
      values_.emplace(options.value_law, options.values);
    }
  }

  [[nodiscard]] std::vector<RequestStep> initial_writes() const override {
    std::vector<RequestStep> writes;
    for (std::size_t place = 0; options_.loads && place < keys().count(); ++place) {
      const KeyRef ref = keys().at(place);
      writes.push_back({OpKind::kWrite, ref.slot, ref.key, kFirstLoadedValue + ref.key});
    }
    return writes;
  }

  /// Reads one key after another at the end.
  bool final_read(std::size_t n, Request& out) override {
    if (n >= keys().count()) {
      return false;
    }
    add_read(n, out);
    out.only_reads = true;
    return true;
  }

 protected:
  [[nodiscard]] const WorkloadOptions& options() const { return options_; }

  std::size_t draw_key(Random& random) const { return keys().draw(random); }

  void add_read(std::size_t place, Request& out) { add(read_, keys().at(place), out); }

  void add_write(std::size_t place, Random& random, Request& out) {
    const KeyRef ref = keys().at(place);
    add(write_, ref, out);
    const std::uint64_t nth = keys().count_write(place);
    const bool repeats = values_ && is_repeating(ref.key);
    out.steps.back().value = static_cast<std::int64_t>(repeats ? 1 + values_->draw(random) : nth);
  }

  /// Draws distinct keys in random order: `count`, or all keys if there are fewer.
  void draw_distinct(std::size_t count, Random& random, std::vector<std::size_t>& places) const {
    places.clear();
    count = std::min(count, keys().count());
    while (places.size() < count) {
      const std::size_t place = draw_key(random);
      if (std::ranges::find(places, place) == places.end()) {
        places.push_back(place);
      }
    }
  }

  std::size_t draw_length(Random& random) const {
    return options_.min_length + random.below(options_.max_length - options_.min_length + 1);
  }

 private:
  /// A hash of the key decides, so no state is needed.
  [[nodiscard]] bool is_repeating(std::int64_t key) const {
    const std::uint64_t hash = (static_cast<std::uint64_t>(key) + 1) * 0x9e37'79b9'7f4a'7c15U;
    return (hash >> 32) % 1'000'000 < options_.repeating;
  }

  WorkloadOptions options_;
  OpKind read_;
  OpKind write_;
  std::optional<Distribution> values_ = {};
};

class MixedRequests : public ReadWriteRequests {
 public:
  using ReadWriteRequests::ReadWriteRequests;

  void next(Random& random, Request& out) override {
    out.only_reads = true;
    for (std::size_t n = draw_length(random); n > 0; --n) {
      const std::size_t place = draw_key(random);
      if (random.per_million(options().reads)) {
        add_read(place, out);
      } else {
        add_write(place, random, out);
        out.only_reads = false;
      }
    }
  }
};

class BlindWriteRequests : public ReadWriteRequests {
 public:
  explicit BlindWriteRequests(const WorkloadOptions& options) : ReadWriteRequests(options, false) {}

  void next(Random& random, Request& out) override {
    out.only_reads = random.per_million(options().reads);
    draw_distinct(draw_length(random), random, places_);
    for (const std::size_t place : places_) {
      out.only_reads ? add_read(place, out) : add_write(place, random, out);
    }
  }

 private:
  std::vector<std::size_t> places_ = {};
};

class MiniRequests : public ReadWriteRequests {
 public:
  explicit MiniRequests(const WorkloadOptions& options) : ReadWriteRequests(options, false) {}

  void next(Random& random, Request& out) override {
    out.only_reads = random.per_million(options().reads);
    draw_distinct(1 + random.below(2), random, places_);
    for (const std::size_t place : places_) {
      add_read(place, out);
    }
    if (!out.only_reads) {
      // Writes one of the keys that were read, or both.
      const std::size_t first = random.below(places_.size());
      const bool writes_both = places_.size() == 2 && random.below(2) == 0;
      add_write(places_[first], random, out);
      if (writes_both) {
        add_write(places_[1 - first], random, out);
      }
    }
  }

 private:
  std::vector<std::size_t> places_ = {};
};

}  // namespace

std::unique_ptr<RequestSource> list_append_requests(const WorkloadOptions& options) {
  return std::make_unique<MixedRequests>(options, true);
}

std::unique_ptr<RequestSource> rw_register_requests(const WorkloadOptions& options) {
  return std::make_unique<MixedRequests>(options, false);
}

std::unique_ptr<RequestSource> blind_write_requests(const WorkloadOptions& options) {
  return std::make_unique<BlindWriteRequests>(options);
}

std::unique_ptr<RequestSource> mini_requests(const WorkloadOptions& options) {
  return std::make_unique<MiniRequests>(options);
}

}  // namespace elapid
