#include "harness/generate/workloads/workload_table.h"

#include <algorithm>
#include <array>

#include "harness/generate/workloads/applications.h"
#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/transactions.h"

namespace elapid {

namespace {

constexpr std::array kGeneratedWorkloads = {
    GeneratedWorkload{"list-append", "Transactions append to lists and read them whole",
                      list_append_requests, Workload::kListAppend},
    GeneratedWorkload{"rw-register", "Transactions write registers and read them",
                      rw_register_requests, Workload::kRwRegister},
    GeneratedWorkload{"mini", "One or two registers are read, and then written or not (MTC)",
                      mini_requests, Workload::kRwRegister},
    GeneratedWorkload{"blind-writes", "Transactions either only read or only write (BlindW)",
                      blind_write_requests, Workload::kRwRegister},
    GeneratedWorkload{"bank", "Transfers between accounts, and reads of all of them", bank_requests,
                      Workload::kOther, 8},
    GeneratedWorkload{"set", "Elements are added to one set, which is read", set_requests,
                      Workload::kOther, 1},
    GeneratedWorkload{"counter", "A number is increased and read", counter_requests,
                      Workload::kOther, 1},
    GeneratedWorkload{"long-fork", "Pairs of keys are written one by one and read together",
                      long_fork_requests, Workload::kRwRegister},
    GeneratedWorkload{"cas-register", "Single reads, writes and compare-and-sets of registers",
                      cas_register_requests, Workload::kCasRegister, 1},
    GeneratedWorkload{"queue", "Elements are enqueued and dequeued", queue_requests,
                      Workload::kOther, 1},
    GeneratedWorkload{"rubis", "An auction site, as in RUBiS", rubis_requests,
                      Workload::kRwRegister, 0},
    GeneratedWorkload{"twitter", "Tweets, followers and timelines", twitter_requests,
                      Workload::kRwRegister, 0},
    GeneratedWorkload{"tpcc", "Orders and payments, as in TPC-C", tpcc_requests,
                      Workload::kRwRegister, 0},
    GeneratedWorkload{"counters", "Reads of a few rows, now and then an update", counters_requests,
                      Workload::kRwRegister, 0},
};

}  // namespace

std::span<const GeneratedWorkload> generated_workloads() {
  return kGeneratedWorkloads;
}

const GeneratedWorkload* find_generated_workload(std::string_view name) {
  const auto found = std::ranges::find(kGeneratedWorkloads, name, &GeneratedWorkload::name);
  return found == kGeneratedWorkloads.end() ? nullptr : &*found;
}

}  // namespace elapid
