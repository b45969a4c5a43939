#include "harness/generate/workloads/applications.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// Requests on initial rows, which are drawn by a law, and on new rows.
class Application : public KeyedRequests {
 public:
  bool final_read(std::size_t /*n*/, Request& /*out*/) override { return false; }

 protected:
  Application(const WorkloadOptions& options, std::size_t rows)
      : KeyedRequests({rows, 0, {}}), options_(options) {}

  [[nodiscard]] KeyRef row(std::size_t number) const { return keys().at(number); }

  void read(KeyRef key, Request& out) { add(OpKind::kRead, key, out); }

  /// Overwrites a row, often with one of few values, as for a status or a quantity.
  void write(KeyRef key, Random& random, Request& out) {
    const bool is_one_of_few = options_.values > 0 && random.per_million(options_.repeating);
    add(OpKind::kWrite, key, out,
        is_one_of_few ? static_cast<std::int64_t>(1 + random.below(options_.values)) : next_++);
  }

  void update(KeyRef key, Random& random, Request& out) {
    read(key, out);
    write(key, random, out);
  }

  /// Inserts a row that no other transaction uses.
  void insert(Request& out) {
    const KeyRef key = keys().fresh();
    add(OpKind::kWrite, key, out, next_++);
    keys().release(key.slot);
  }

  void update_fresh(Random& random, Request& out) {
    const KeyRef key = keys().fresh();
    update(key, random, out);
    keys().release(key.slot);
  }

 private:
  WorkloadOptions options_;
  std::int64_t next_ = 1'000;
};

class RubisRequests : public Application {
 public:
  explicit RubisRequests(const WorkloadOptions& options) : Application(options, kItems + kUsers) {}

  void next(Random& random, Request& out) override {
    const std::size_t kind = random.below(100);
    if (kind < 37) {
      browse(random, out);
    } else if (kind < 57) {  // buys
      insert(out);
      read(user(random), out);
      write(item(random), random, out);
    } else if (kind < 73) {  // sells
      read(user(random), out);
      insert(out);
    } else if (kind < 89) {  // comments
      read(user(random), out);
      update(user(random), random, out);
      insert(out);
    } else {
      bid(random, out);
    }
  }

 private:
  static constexpr std::size_t kItems = 20'000;
  static constexpr std::size_t kUsers = 20'000;

  KeyRef item(Random& random) const { return row(items_.draw(random)); }

  KeyRef user(Random& random) const { return row(kItems + random.below(kUsers)); }

  void browse(Random& random, Request& out) {
    out.only_reads = true;
    for (int i = 0; i < 8; ++i) {
      read(random.percent(40) ? item(random) : user(random), out);
    }
  }

  void bid(Random& random, Request& out) {
    const std::array users = {user(random), user(random)};
    read(item(random), out);
    for (const KeyRef key : users) {
      read(key, out);
    }
    for (const KeyRef key : users) {
      write(key, random, out);
    }
    insert(out);
  }

  Distribution items_ = {{.kind = Law::Kind::kZipf, .exponent_thousandths = 850}, kItems};
};

class TwitterRequests : public Application {
 public:
  explicit TwitterRequests(const WorkloadOptions& options) : Application(options, 2 * kUsers) {}

  void next(Random& random, Request& out) override {
    const std::size_t kind = random.below(100);
    if (kind < 34) {
      tweet(random, out);
    } else if (kind < 66) {
      follow(random, out);
    } else {
      look(random, out);
    }
  }

 private:
  static constexpr std::size_t kUsers = 1'000;

  // The rows are the users, followed by the lists of their followers.

  void tweet(Random& random, Request& out) {
    const std::size_t user = users_.draw(random);
    const KeyRef tweet = keys().fresh();
    if (has_tweeted_[user]) {
      keys().release(latest_[user].slot);
    }
    has_tweeted_[user] = true;
    latest_[user] = tweet;
    write(tweet, random, out);
    update(row(user), random, out);
  }

  void follow(Random& random, Request& out) {
    const std::size_t user = random.below(kUsers);
    const std::size_t other = users_.draw(random);
    const KeyRef follows = keys().fresh();
    read(row(user), out);
    write(follows, random, out);
    write(row(kUsers + other), random, out);
    keys().release(follows.slot);
  }

  void look(Random& random, Request& out) {
    out.only_reads = true;
    read(row(kUsers + random.below(kUsers)), out);
    for (int i = 0; i < 4; ++i) {
      const std::size_t user = users_.draw(random);
      read(row(user), out);
      if (has_tweeted_[user]) {
        read(latest_[user], out);
      }
    }
  }

  Distribution users_ = {{.kind = Law::Kind::kZipf, .exponent_thousandths = 1'000}, kUsers};
  std::vector<KeyRef> latest_ = std::vector<KeyRef>(kUsers);
  std::vector<bool> has_tweeted_ = std::vector<bool>(kUsers);
};

class TpccRequests : public Application {
 public:
  explicit TpccRequests(const WorkloadOptions& options) : Application(options, kEnd) {}

  void next(Random& random, Request& out) override {
    const std::size_t kind = random.below(100);
    if (kind < 40) {
      order(random, out);
    } else if (kind < 80) {
      const auto [warehouse, district] = place(random);
      for (const KeyRef key : {warehouse, district, customer(random)}) {
        update(key, random, out);
      }
      update_fresh(random, out);
    } else if (kind < 88) {  // looks at the stock
      out.only_reads = true;
      read(place(random).second, out);
      for (int i = 0; i < 130; ++i) {
        read(row(kStock + random.below(kItems)), out);
      }
    } else {  // looks at an order
      out.only_reads = true;
      for (int i = 0; i < 10; ++i) {
        read(customer(random), out);
      }
    }
  }

 private:
  static constexpr std::size_t kWarehouses = 4;
  static constexpr std::size_t kDistricts = 10;  // of each
  static constexpr std::size_t kItems = 5'000;
  static constexpr std::size_t kCustomers = 3'000;
  // The first row of each kind.
  static constexpr std::size_t kDistrict = kWarehouses;
  static constexpr std::size_t kCustomer = kDistrict + kWarehouses * kDistricts;
  static constexpr std::size_t kStock = kCustomer + kCustomers;
  static constexpr std::size_t kItem = kStock + kItems;
  static constexpr std::size_t kEnd = kItem + kItems;

  /// A random warehouse and one of its districts.
  std::pair<KeyRef, KeyRef> place(Random& random) const {
    const std::size_t warehouse = random.below(kWarehouses);
    return {row(warehouse), row(kDistrict + kDistricts * warehouse + random.below(kDistricts))};
  }

  KeyRef customer(Random& random) const { return row(kCustomer + random.below(kCustomers)); }

  void order(Random& random, Request& out) {
    const auto [warehouse, district] = place(random);
    read(warehouse, out);
    update(district, random, out);
    read(customer(random), out);
    for (int i = 0; i < 5; ++i) {
      const std::size_t item = random.below(kItems);
      read(row(kItem + item), out);
      update(row(kStock + item), random, out);
    }
    for (int i = 0; i < 2; ++i) {
      update_fresh(random, out);
    }
  }
};

class CountersRequests : public Application {
 public:
  explicit CountersRequests(const WorkloadOptions& options) : Application(options, kRows) {}

  void next(Random& random, Request& out) override {
    const KeyRef key = row(random.below(kRows));
    out.only_reads = random.percent(90);
    out.only_reads ? read(key, out) : update(key, random, out);
  }

 private:
  static constexpr std::size_t kRows = 50;
};

}  // namespace

std::unique_ptr<RequestSource> rubis_requests(const WorkloadOptions& options) {
  return std::make_unique<RubisRequests>(options);
}

std::unique_ptr<RequestSource> twitter_requests(const WorkloadOptions& options) {
  return std::make_unique<TwitterRequests>(options);
}

std::unique_ptr<RequestSource> tpcc_requests(const WorkloadOptions& options) {
  return std::make_unique<TpccRequests>(options);
}

std::unique_ptr<RequestSource> counters_requests(const WorkloadOptions& options) {
  return std::make_unique<CountersRequests>(options);
}

}  // namespace elapid
