// The shapes of BL, WH, RH, chengRW-1000, viper-1000 and rubis-9k were measured on the originals.
// Of the other presets only figures are known. In HD-10k, 61 % of the writes share key and value
// with another write, and 121 share one pair: this fits a hundred values for all keys by a Zipf law
// with exponent 1.5. For TPC-C, Twitter and RUBiS the operations a transaction are known, and the
// share of writes that follow a read. The number of repeated values was fitted to the reads that
// VeriStrong's pruning left open (455 for Twitter, 1,045 for RUBiS).
#include "harness/generate/presets.h"

#include <algorithm>
#include <array>
#include <limits>

namespace elapid {

namespace {

constexpr std::string_view kStrict = "strict-serializable";
constexpr std::string_view kStrongSnapshot = "strong-snapshot-isolation";

/// Clients that repeat a transaction until it commits, so that no transaction stays aborted.
constexpr SimulationOptions clients(std::size_t sessions, std::uint64_t transactions,
                                    std::uint32_t pace_percent = 100, bool loads = false) {
  return {.sessions = sessions,
          .transactions = transactions,
          .retries = std::numeric_limits<std::uint64_t>::max(),
          .pace_percent = pace_percent,
          .loads = loads};
}

/// Alternating reads and writes of skewed keys. Writes of some keys repeat values, those of the
/// others count up.
constexpr Recipe mixed(std::size_t keys, std::uint32_t reads, SimulationOptions clients) {
  return {.workload = "rw-register",
          .store = kStrict,
          .requests = {.keys = keys,
                       .max_writes = 0,
                       .key_law = {.kind = Law::Kind::kZipf, .exponent_thousandths = 500},
                       .min_length = 8,
                       .max_length = 8,
                       .reads = reads,
                       .values = 100,
                       .value_law = {.kind = Law::Kind::kZipf, .exponent_thousandths = 500},
                       .repeating = 500'000},
          .clients = clients};
}

constexpr Recipe high_duplication(std::string_view store) {
  Recipe recipe = mixed(5'000, 500'000, clients(25, 10'000));
  recipe.store = store;
  recipe.requests.value_law.exponent_thousandths = 1'500;
  recipe.requests.repeating = 1'000'000;
  return recipe;
}

constexpr Recipe general(std::uint32_t reads) {
  return {.workload = "rw-register",
          .store = kStrongSnapshot,
          .requests = {.keys = 10'000,
                       .max_writes = 0,
                       .key_law = {.kind = Law::Kind::kZipf},
                       .min_length = 15,
                       .max_length = 15,
                       .reads = reads},
          .clients = clients(20, 2'000)};
}

constexpr Recipe blind(std::string_view store, std::uint32_t reads, SimulationOptions clients) {
  return {.workload = "blind-writes",
          .store = store,
          .requests = {.keys = 10'000,
                       .max_writes = 0,
                       .min_length = 8,
                       .max_length = 8,
                       .reads = reads,
                       .loads = clients.loads},
          .clients = clients};
}

constexpr Recipe application(std::string_view workload, std::string_view store,
                             std::uint64_t values, std::uint32_t repeating,
                             SimulationOptions clients) {
  return {.workload = workload,
          .store = store,
          .requests = {.values = values, .repeating = repeating},
          .clients = clients};
}

constexpr std::array kPresets = {
    Preset{"BlindW-RW", "Cobra: half of the transactions only read, half only write",
           blind(kStrict, 500'000, clients(24, 10'000))},
    Preset{"BlindW-RM", "Cobra: nine of ten transactions only read",
           blind(kStrict, 900'000, clients(24, 10'000))},
    Preset{"GeneralRH", "PolySI: 95 % reads", general(950'000)},
    Preset{"GeneralRW", "PolySI: 50 % reads", general(500'000)},
    Preset{"GeneralWH", "PolySI: 30 % reads", general(300'000)},
    Preset{"BL-1k", "VeriStrong: values repeat in half of the keys",
           mixed(500, 500'000, clients(20, 1'000))},
    Preset{"WH-1k", "VeriStrong: the same, 30 % reads", mixed(500, 300'000, clients(20, 1'000))},
    Preset{"BL-10k", "VeriStrong: values repeat in half of the keys",
           mixed(5'000, 500'000, clients(25, 10'000))},
    Preset{"WH-10k", "VeriStrong: the same, 30 % reads",
           mixed(5'000, 300'000, clients(25, 10'000))},
    Preset{"RH-10k", "VeriStrong: the same, 95 % reads",
           mixed(5'000, 950'000, clients(25, 10'000))},
    Preset{"HD-10k", "VeriStrong: six of ten writes repeat a value of their key",
           high_duplication(kStrict)},
    Preset{"HD-10k-skewed", "The same with write skew", high_duplication(kStrongSnapshot)},
    Preset{"chengRW-1000", "VeriStrong: blind writes, after a transaction that loads",
           blind(kStrict, 500'000, clients(24, 961, 180, true))},
    Preset{"chengRW-16000", "VeriStrong: the same, longer",
           blind(kStrict, 500'000, clients(24, 15'263, 180, true))},
    Preset{"viper-1000", "Viper: blind writes",
           blind(kStrongSnapshot, 500'000, clients(24, 962, 120))},
    Preset{"viper-10000", "Viper: the same, longer",
           blind(kStrongSnapshot, 500'000, clients(24, 9'623, 120))},
    Preset{"tpcc-10k", "VeriStrong: hardly more than an operation a transaction",
           application("counters", kStrict, 20, 500'000, clients(8, 10'364, 140))},
    Preset{"tpcc-14k", "PolySI: orders and payments",
           application("tpcc", kStrict, 20, 500'000, clients(24, 13'870, 140))},
    Preset{"twitter-10k", "VeriStrong: tweets, followers, timelines",
           application("twitter", kStrict, 2, 400'000, clients(8, 10'444, 140))},
    Preset{"rubis-10k", "VeriStrong: an auction site, rows of few values",
           application("rubis", kStrict, 3, 1'000'000, clients(8, 10'289, 140))},
    Preset{"rubis-9k", "PolySI: an auction site, all values differ",
           application("rubis", kStrongSnapshot, 0, 0, clients(24, 9'358, 140))},
};

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(kPresets, name, &Preset::name);
  return found == kPresets.end() ? nullptr : &*found;
}

}  // namespace elapid
