// Two customers order the last ticket. What the database answered is built into a history in
// memory, and Elapid says whether snapshot isolation can explain it.
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "adapter/elle/explanation.h"
#include "engine/check/check.h"
#include "engine/ir/history_builder.h"

namespace {

using namespace elapid;

/// A transaction while it is written down: appends to lists, and reads of whole lists. Names are
/// EDN.
class Transaction {
 public:
  explicit Transaction(HistoryBuilder& builder) : builder_(builder) {}

  Transaction& append(const char* list, std::int64_t element) {
    mops_.push_back(
        {.kind = OpKind::kAppend, .key = key(list), .value = ValueId::integer(element)});
    return *this;
  }

  Transaction& read(const char* list, std::initializer_list<std::int64_t> elements) {
    mops_.push_back({.kind = OpKind::kReadList,
                     .key = key(list),
                     .list_begin = static_cast<std::uint32_t>(elements_.size()),
                     .list_length = static_cast<std::uint32_t>(elements.size())});
    for (const std::int64_t element : elements) {
      elements_.push_back(ValueId::integer(element));
    }
    return *this;
  }

  /// Adds it to those of a session, as committed.
  Status commit(std::int64_t session) {
    return builder_.add_transaction({.session = session,
                                     .status = TxnStatus::kCommitted,
                                     .mops = mops_,
                                     .elements = elements_});
  }

 private:
  KeyId key(const char* list) { return builder_.key(builder_.values().intern(list)); }

  HistoryBuilder& builder_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
};

/// Both saw one ticket sold, and both got one; at the end there are three.
Result<History> sold_twice() {
  HistoryBuilder builder;
  for (const Status& added : {
           Transaction(builder).append(":tickets", 1).commit(0),
           Transaction(builder).read(":tickets", {1}).append(":tickets", 2).commit(1),
           Transaction(builder).read(":tickets", {1}).append(":tickets", 3).commit(2),
           Transaction(builder).read(":tickets", {1, 2, 3}).commit(0),
       }) {
    if (!added) {
      return added.error();
    }
  }
  return std::move(builder).build({.format = "memory", .is_session_trace = true});
}

}  // namespace

int main() {
  const Result<History> history = sold_twice();
  if (!history) {
    std::fprintf(stderr, "%s\n", history.error().to_string().c_str());
    return 2;
  }
  const Result<Verdict> verdict =
      check(history.value(), {.models = {Model::kPlSi}});  // snapshot isolation
  if (!verdict) {
    std::fprintf(stderr, "%s\n", verdict.error().to_string().c_str());
    return 2;
  }
  const Validity validity = verdict.value().validity;
  std::printf("snapshot isolation: %s\n\n%s", std::string(validity_word(validity)).c_str(),
              explanation(history.value(), verdict.value(), {}).c_str());
  return validity == Validity::kValid ? 0 : 1;
}
