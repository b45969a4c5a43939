#include "harness/generate/workloads/workload_table.h"

#include <algorithm>
#include <array>

#include "harness/generate/workloads/applications.h"
#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/predicates.h"
#include "harness/generate/workloads/programs.h"
#include "harness/generate/workloads/transactions.h"

namespace elapid {

namespace {

/// A workload of registers that takes all options.
constexpr GeneratedWorkload registers(GeneratedWorkload row, bool heeds_lengths) {
  row.heeds_lengths = heeds_lengths;
  row.heeds_values = true;
  return row;
}

/// A workload in which all clients use one object.
constexpr GeneratedWorkload single(GeneratedWorkload row) {
  row.keys = 1;
  row.heeds_keys = false;
  return row;
}

constexpr GeneratedWorkload application(GeneratedWorkload row) {
  row.heeds_keys = row.heeds_reads = false;
  row.heeds_values = true;
  return row;
}

/// A program of IsoPredict's paper.
constexpr GeneratedWorkload program(
    std::string_view name, std::string_view about,
    std::unique_ptr<RequestSource> (*requests)(const WorkloadOptions& options)) {
  return {.name = name,
          .about = about,
          .requests = requests,
          .workload = Workload::kRwRegister,
          .heeds_keys = false,
          .heeds_reads = false};
}

/// Single operations on a simulated object, without a database.
constexpr GeneratedWorkload object(std::string_view name, std::string_view about,
                                   bool heeds_reads = true) {
  return {.name = name,
          .about = about,
          .requests = nullptr,
          .workload = Workload::kOther,
          .keys = 1,
          .heeds_keys = false,
          .heeds_reads = heeds_reads};
}

constexpr GeneratedWorkload depending(GeneratedWorkload row) {
  row.depends_on_reads = true;
  return row;
}

/// A workload without levels, on a database of registers or lists.
constexpr GeneratedWorkload keyed(
    std::string_view name, std::string_view about,
    std::unique_ptr<RequestSource> (*requests)(const WorkloadOptions& options), std::size_t keys) {
  return {name, about, requests, Workload::kOther, keys};
}

constexpr GeneratedWorkload of_lists(GeneratedWorkload row) {
  row.has_lists = true;
  return row;
}

constexpr GeneratedWorkload simulated(GeneratedWorkload row) {
  row.is_simulated = true;
  return row;
}

constexpr GeneratedWorkload told(GeneratedWorkload row) {
  row.is_told = true;
  return row;
}

constexpr GeneratedWorkload drained(GeneratedWorkload row) {
  row.ends_with_reads = true;
  return row;
}

constexpr GeneratedWorkload without_reads(GeneratedWorkload row) {
  row.heeds_reads = false;
  return row;
}

constexpr GeneratedWorkload with_values(GeneratedWorkload row) {
  row.heeds_values = true;
  return row;
}

constexpr GeneratedWorkload with_keys(std::size_t keys, GeneratedWorkload row) {
  row.keys = keys;
  row.heeds_keys = true;
  return row;
}

constexpr std::array kGeneratedWorkloads = {
    GeneratedWorkload{.name = "list-append",
                      .about = "Transactions append to lists and read them whole",
                      .requests = list_append_requests,
                      .workload = Workload::kListAppend,
                      .heeds_lengths = true,
                      .has_lists = true},
    registers({"rw-register", "Transactions write registers and read them", rw_register_requests,
               Workload::kRwRegister},
              true),
    registers({"mini", "One or two registers are read, and then written or not (MTC)",
               mini_requests, Workload::kRwRegister},
              false),
    registers({"blind-writes", "Transactions either only read or only write (BlindW)",
               blind_write_requests, Workload::kRwRegister},
              true),
    depending(
        keyed("bank", "Transfers between accounts, and reads of all of them", bank_requests, 8)),
    told(of_lists(
        single(keyed("set", "Elements are added to one set, which is read", set_requests, 1)))),
    of_lists(single(keyed("set-full", "Elements are added to one set, which is read all the while",
                          set_requests, 1))),
    depending(single(keyed("counter", "A number is increased and read", counter_requests, 1))),
    GeneratedWorkload{"long-fork", "Pairs of keys are written one by one and read together",
                      long_fork_requests, Workload::kRwRegister},
    GeneratedWorkload{.name = "cas-register",
                      .about = "Single reads, writes and compare-and-sets of registers",
                      .requests = cas_register_requests,
                      .workload = Workload::kCasRegister,
                      .keys = 1,
                      .heeds_values = true,
                      .depends_on_reads = true},
    told(
        depending(single(keyed("queue", "Elements are enqueued and dequeued", queue_requests, 1)))),
    drained(depending(
        single(keyed("total-queue", "A queue is drained in the end", queue_requests, 1)))),
    depending(without_reads(
        single(keyed("g2", "Two insertions of a key exclude each other", g2_requests, 1)))),
    of_lists(single(keyed("causal-reverse", "Values are written to a set, which is read whole",
                          written_set_requests, 1))),
    depending(single(
        keyed("dirty-reads", "Rows are all set to one value, and read", dirty_reads_requests, 1))),
    depending(single(keyed("sequential",
                           "Subkeys of a key are written in an order, and read newest first",
                           sequential_requests, 1))),
    depending(
        keyed("monotonic-tidb", "Keys are increased and read together", monotonic_requests, 10)),
    application({"rubis", "An auction site, as in RUBiS", rubis_requests, Workload::kRwRegister}),
    application(
        {"twitter", "Tweets, followers and timelines", twitter_requests, Workload::kRwRegister}),
    application({"tpcc", "Orders and payments, as in TPC-C", tpcc_requests, Workload::kRwRegister}),
    application({"counters", "Reads of a few rows, now and then an update", counters_requests,
                 Workload::kRwRegister}),
    with_keys(8, program("smallbank", "Accounts of a bank, as in SmallBank", smallbank_requests)),
    depending(program("voter", "Votes from one telephone, as in Voter", voter_requests)),
    depending(program("tpc-c", "The five transactions of TPC-C on few rows", tpc_c_requests)),
    program("wikipedia", "Pages are read, updated and watched", wikipedia_requests),
    GeneratedWorkload{.name = "predicates",
                      .about = "Rows are inserted, updated and deleted by what searches find",
                      .requests = predicate_requests,
                      .workload = Workload::kRows,
                      .keys = 4,
                      .heeds_forms = true,
                      .depends_on_reads = true,
                      .also = "rows"},
    simulated(depending(single(
        keyed("fifo-queue", "A queue gives back first what was added first", queue_requests, 1)))),
    simulated(depending(single(keyed(
        "unordered-queue", "A queue gives back its elements in any order", queue_requests, 1)))),
    simulated(depending(
        single(keyed("stack", "A stack gives back first what was added last", stack_requests, 1)))),
    simulated(
        depending(single(keyed("priority-queue", "A queue gives back the greatest element first",
                               priority_queue_requests, 1)))),
    simulated(depending(without_reads(
        single(keyed("mutex", "A lock is acquired and released", mutex_requests, 1))))),
    object("monotonic-faunadb", "A register is increased and read, with the time"),
    simulated(of_lists(single(
        keyed("grow-only-set", "Elements are added to one set, which is read", set_requests, 1)))),
    simulated(depending(keyed("add-remove-set", "Elements are added, removed and looked for",
                              add_remove_set_requests, 10))),
    simulated(depending(with_values(keyed(
        "multi-register", "Registers are read and written together", multi_register_requests, 5)))),
    simulated(
        depending(keyed("kv", "Texts are put, appended to and read, by key", kv_requests, 10))),
    simulated(depending(
        without_reads(single(keyed("fetch-and-add", "A number is added to, and shows what it was",
                                   fetch_and_add_requests, 1))))),
    simulated(depending(
        without_reads(single(keyed("unique-ids", "Ids are generated", unique_ids_requests, 1))))),
    object("echo", "A server sends back what it is sent", false),
    simulated(depending(keyed("kafka", "Messages are sent to logs and polled", kafka_requests, 4))),
    object("causal", "A register in a causal chain, with links and positions"),
    simulated(depending(
        single(keyed("dirty-read", "Elements are written and read, and all are read in the end",
                     dirty_read_requests, 1)))),
    object("monotonic-cockroach", "Rows with a timestamp are added, and read in the end", false),
};

}  // namespace

std::span<const GeneratedWorkload> generated_workloads() {
  return kGeneratedWorkloads;
}

const GeneratedWorkload* find_generated_workload(std::string_view name) {
  const auto found = std::ranges::find_if(kGeneratedWorkloads, [&](const GeneratedWorkload& row) {
    return row.name == name || (!row.also.empty() && row.also == name);
  });
  return found == kGeneratedWorkloads.end() ? nullptr : &*found;
}

}  // namespace elapid
