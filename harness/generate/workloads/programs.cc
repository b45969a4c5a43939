// A transaction is a function that reads and writes rows. If it uses the result of a read, it runs
// once as if the row were new, and again from its beginning when the result is known. Its random
// draws come from a seed of its own, so it repeats its earlier operations.
//
// Example: `vote` reads the votes of the telephone. Its request begins as [r, r, r, w, w], and ends
// as [r, r, r] if the telephone has voted.
#include "harness/generate/workloads/programs.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

class Program : public KeyedRequests {
 public:
  Program() : KeyedRequests({1, 0, {}}) {}

  void next(Random& random, Request& out) final {
    out.numbers = {++last_, static_cast<std::int64_t>(random.bits() >> 1U)};
    run_again(out);
    out.depends_on_reads = !open_[last_].asked.empty();
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) final {
    Answers& answers = open_[request.numbers[0]];
    const auto asked = std::ranges::find(answers.asked, step);
    if (asked != answers.asked.end()) {
      answers.told.resize(static_cast<std::size_t>(asked - answers.asked.begin()));
      answers.told.push_back(seen ? meaning_of(*seen) : 0);
      for (std::size_t i = step + 1; i < request.steps.size(); ++i) {
        keys().release(request.steps[i].slot);
      }
      request.steps.resize(step + 1);
      run_again(request);
    }
    return {};
  }

  void done(const Request& request) override {
    KeyedRequests::done(request);
    open_.erase(request.numbers[0]);
  }

  bool final_read(std::size_t /*n*/, Request& /*out*/) override { return false; }

 protected:
  /// Draws a transaction and runs it. The same draws and answers make the same steps.
  virtual void run(Random& chance) = 0;

  void name(std::string_view function) { request_->function = function; }

  /// The row that these numbers identify. The program numbers its tables.
  KeyRef row(std::int64_t table, std::int64_t first = 0, std::int64_t second = 0,
             std::int64_t third = 0) {
    const auto [found, is_new] = rows_.try_emplace({table, first, second, third});
    if (is_new) {
      found->second = keys().fresh();
    }
    return found->second;
  }

  void read(KeyRef row) { take_step(OpKind::kRead, row, 0); }

  /// The meaning of the row's value; 0 if the row has no writer, or is not known yet.
  std::int64_t ask(KeyRef row) {
    Answers& answers = open_[request_->numbers[0]];
    answers.asked.push_back(at_);
    read(row);
    return answers.asked.size() <= answers.told.size() ? answers.told[answers.asked.size() - 1] : 0;
  }

  /// Writes a unique value with a meaning.
  void write(KeyRef row, std::int64_t meaning = 0) {
    const std::int64_t value = request_->numbers[0] * kStepsAtMost + static_cast<std::int64_t>(at_);
    if (meaning == 0) {
      meanings_.erase(value);
    } else {
      meanings_[value] = meaning;
    }
    take_step(OpKind::kWrite, row, value);
  }

  void update(KeyRef row) {
    read(row);
    write(row);
  }

 private:
  static constexpr std::int64_t kStepsAtMost = 1'000;  // of a transaction

  /// The steps of an open transaction whose results it uses, and the results of those that have
  /// run.
  struct Answers {
    std::vector<std::size_t> asked = {};
    std::vector<std::int64_t> told = {};
  };

  [[nodiscard]] std::int64_t meaning_of(std::int64_t value) const {
    const auto found = meanings_.find(value);
    return found == meanings_.end() ? 0 : found->second;
  }

  /// Adds the missing steps to the request.
  void run_again(Request& request) {
    request_ = &request;
    at_ = 0;
    open_[request.numbers[0]].asked.clear();
    Random chance(static_cast<std::uint64_t>(request.numbers[1]));
    run(chance);
  }

  void take_step(OpKind kind, KeyRef row, std::int64_t value) {
    if (at_++ == request_->steps.size()) {
      add(kind, row, *request_, value);
    }
  }

  std::int64_t last_ = 0;  // transactions are numbered from 1
  std::map<std::array<std::int64_t, 4>, KeyRef> rows_ = {};
  std::unordered_map<std::int64_t, std::int64_t> meanings_ = {};  // of values
  std::unordered_map<std::int64_t, Answers> open_ = {};           // by transaction
  // For the transaction that runs:
  Request* request_ = nullptr;
  std::size_t at_ = 0;
};

class SmallbankRequests : public Program {
 public:
  explicit SmallbankRequests(const WorkloadOptions& options)
      : accounts_(options.key_law, std::max<std::size_t>(options.keys, 2)) {}

 private:
  enum Table : std::uint8_t { kAccount, kSavings, kChecking };

  void run(Random& chance) override {
    const std::size_t kind = chance.below(6);
    const auto one = static_cast<std::int64_t>(accounts_.draw(chance));
    std::int64_t other = one;
    while (other == one) {
      other = static_cast<std::int64_t>(accounts_.draw(chance));
    }
    read(row(kAccount, one));
    switch (kind) {
      case 0:
        return balance(one);
      case 1:
        name("deposit-checking");
        return update(row(kChecking, one));
      case 2:
        name("transact-savings");
        return update(row(kSavings, one));
      case 3:
        return amalgamate(one, other);
      case 4:
        balance(one);
        name("write-check");
        return write(row(kChecking, one));
      default:
        return send_payment(one, other);
    }
  }

  void balance(std::int64_t one) {
    name("balance");
    read(row(kSavings, one));
    read(row(kChecking, one));
  }

  void amalgamate(std::int64_t one, std::int64_t other) {
    name("amalgamate");
    read(row(kAccount, other));
    const std::array moved = {row(kSavings, one), row(kChecking, one), row(kChecking, other)};
    std::ranges::for_each(moved, [&](KeyRef key) { read(key); });
    std::ranges::for_each(moved, [&](KeyRef key) { write(key); });
  }

  void send_payment(std::int64_t one, std::int64_t other) {
    name("send-payment");
    read(row(kAccount, other));
    read(row(kChecking, one));
    read(row(kChecking, other));
    write(row(kChecking, one));
    write(row(kChecking, other));
  }

  Distribution accounts_;
};

class VoterRequests : public Program {
  enum Table : std::uint8_t { kContestant, kArea, kVotesOfPhone, kVotes };

  static constexpr std::size_t kContestants = 6;

  void run(Random& chance) override {
    name("vote");
    const auto contestant = static_cast<std::int64_t>(chance.below(kContestants));
    read(row(kContestant, contestant));
    read(row(kArea));
    const bool has_voted = ask(row(kVotesOfPhone)) != 0;
    if (!has_voted) {
      write(row(kVotesOfPhone), 1);
      write(row(kVotes, contestant));
    }
  }
};

class TpcCRequests : public Program {
  /// The meaning of values: in a district, its undelivered orders or a customer's last order, the
  /// number of an order; in an order, its customer.
  enum Table : std::uint8_t {
    kWarehouse,
    kDistrict,
    kUndelivered,
    kCustomer,
    kLastOf,
    kOrder,
    kLine,
    kItem,
    kStock
  };

  static constexpr std::size_t kDistricts = 2;
  static constexpr std::size_t kCustomers = 5;  // of each, numbered from 1
  static constexpr std::size_t kItems = 20;

  void run(Random& chance) override {
    const std::size_t kind = chance.below(100);
    const auto district = static_cast<std::int64_t>(chance.below(kDistricts));
    const auto customer = static_cast<std::int64_t>(1 + chance.below(kCustomers));
    if (kind < 45) {
      new_order(district, customer, chance);
    } else if (kind < 88) {
      payment(district, customer);
    } else if (kind < 92) {
      order_status(district, customer);
    } else if (kind < 96) {
      delivery();
    } else {
      stock_level(district, chance);
    }
  }

  static std::vector<std::int64_t> draw_items(std::size_t count, Random& chance) {
    std::vector<std::int64_t> items(kItems);
    std::iota(items.begin(), items.end(), 0);
    chance.shuffle(items);
    items.resize(count);
    return items;
  }

  void new_order(std::int64_t district, std::int64_t customer, Random& chance) {
    name("new-order");
    const std::vector<std::int64_t> items = draw_items(5 + chance.below(11), chance);
    read(row(kWarehouse));
    read(row(kCustomer, district, customer));
    const std::int64_t order = ask(row(kDistrict, district)) + 1;
    write(row(kDistrict, district), order);
    write(row(kOrder, district, order), customer);
    write(row(kUndelivered, district), order);
    write(row(kLastOf, district, customer), order);
    std::int64_t line = 0;
    for (const std::int64_t item : items) {
      read(row(kItem, item));
      update(row(kStock, item));
      write(row(kLine, district, order, line++));
    }
  }

  void payment(std::int64_t district, std::int64_t customer) {
    name("payment");
    update(row(kWarehouse));
    const std::int64_t orders = ask(row(kDistrict, district));
    write(row(kDistrict, district), orders);
    update(row(kCustomer, district, customer));
  }

  void order_status(std::int64_t district, std::int64_t customer) {
    name("order-status");
    read(row(kCustomer, district, customer));
    if (const std::int64_t order = ask(row(kLastOf, district, customer)); order != 0) {
      read(row(kOrder, district, order));
      read(row(kLine, district, order));
    }
  }

  /// All that decides which rows it writes is read before it writes any: Redis carries out what
  /// follows a first write in one go.
  void delivery() {
    name("delivery");
    std::vector<std::array<std::int64_t, 3>> delivered;  // district, order, customer
    for (std::int64_t district = 0; district < static_cast<std::int64_t>(kDistricts); ++district) {
      if (const std::int64_t order = ask(row(kUndelivered, district)); order != 0) {
        delivered.push_back({district, order, ask(row(kOrder, district, order))});
      }
    }
    for (const auto& [district, order, customer] : delivered) {
      write(row(kUndelivered, district));
      write(row(kOrder, district, order), customer);
      update(row(kCustomer, district, customer));
    }
  }

  void stock_level(std::int64_t district, Random& chance) {
    name("stock-level");
    if (const std::int64_t order = ask(row(kDistrict, district)); order != 0) {
      read(row(kLine, district, order));
    }
    for (const std::int64_t item : draw_items(5, chance)) {
      read(row(kStock, item));
    }
  }
};

class WikipediaRequests : public Program {
  enum Table : std::uint8_t { kUser, kPage, kRevision, kText, kWatchers };

  static constexpr std::size_t kPages = 5;
  static constexpr std::size_t kUsers = 3;

  void run(Random& chance) override {
    const std::size_t kind = chance.below(100);
    const auto page = static_cast<std::int64_t>(chance.below(kPages));
    const KeyRef user = row(kUser, static_cast<std::int64_t>(chance.below(kUsers)));
    if (kind < 40) {
      get_page(page);
      name("get-page-anonymous");
    } else if (kind < 60) {
      read(user);
      get_page(page);
      name("get-page-authenticated");
    } else if (kind < 85) {
      update_page(page, user);
    } else {
      name(kind < 93 ? "add-watch-list" : "remove-watch-list");
      update(row(kWatchers, page));
      write(user);
    }
  }

  void get_page(std::int64_t page) {
    for (const Table table : {kPage, kRevision, kText}) {
      read(row(table, page));
    }
  }

  void update_page(std::int64_t page, KeyRef user) {
    name("update-page");
    read(row(kPage, page));
    for (const Table table : {kText, kRevision, kPage}) {
      write(row(table, page));
    }
    read(row(kWatchers, page));
    update(user);
  }
};

}  // namespace

std::unique_ptr<RequestSource> smallbank_requests(const WorkloadOptions& options) {
  return std::make_unique<SmallbankRequests>(options);
}

std::unique_ptr<RequestSource> voter_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<VoterRequests>();
}

std::unique_ptr<RequestSource> tpc_c_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<TpcCRequests>();
}

std::unique_ptr<RequestSource> wikipedia_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<WikipediaRequests>();
}

}  // namespace elapid
