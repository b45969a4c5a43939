#include "engine/advise/split_search.h"

#include <algorithm>
#include <utility>

namespace elapid::advise {
namespace {

bool meet(std::span<const ItemId> one, std::span<const ItemId> other) {
  return std::ranges::any_of(one,
                             [&](ItemId item) { return std::ranges::binary_search(other, item); });
}

}  // namespace

SplitSearch::SplitSearch(const Application& application)
    : application_(application),
      accessors_(application.items.size()),
      accessed_(application.transactions.size()),
      roles_(application.transactions.size()),
      seen_(application.transactions.size()),
      parents_(application.transactions.size()),
      readers_seen_(application.items.size()),
      writers_seen_(application.items.size()) {
  const auto note = [](std::vector<std::uint32_t>& list, std::uint32_t transaction) {
    if (list.empty() || list.back() != transaction) {
      list.push_back(transaction);
    }
  };
  for (std::uint32_t t = 0; t < application.transactions.size(); ++t) {
    for (const Operation& operation : application.transactions[t].operations) {
      for (const ItemId item : operation.reads) {
        note(accessors_[item].readers, t);
        accessed_[t].read.push_back(item);
      }
      for (const ItemId item : operation.writes) {
        note(accessors_[item].writers, t);
        accessed_[t].written.push_back(item);
      }
    }
  }
}

void SplitSearch::clear_roles() {
  for (const std::uint32_t t : cast_) {
    roles_[t] = kNone;
  }
  cast_.clear();
}

void SplitSearch::add_role(std::span<const std::uint32_t> transactions, Role role) {
  for (const std::uint32_t t : transactions) {
    if (roles_[t] == kNone) {
      cast_.push_back(t);
    }
    roles_[t] |= role;
  }
}

/// Gives the other transactions their roles: it overwrites what T1 reads, it reads what T1 writes,
/// or it may not be in the split.
void SplitSearch::cast_at_snapshot(std::uint32_t first) {
  clear_roles();
  for (const Operation& operation : application_.transactions[first].operations) {
    for (const ItemId item : operation.reads) {
      add_role(accessors_[item].writers, kOut);
    }
    for (const ItemId item : operation.writes) {
      add_role(accessors_[item].readers, kIn);
      add_role(accessors_[item].writers, kBlocked);
    }
  }
  if (application_.is_once) {
    add_role(std::span(&first, 1), kBlocked);
  }
}

/// The same if T1 is at read committed and is split behind the operation `read`.
void SplitSearch::cast_at_read_committed(std::uint32_t first, std::size_t read) {
  clear_roles();
  const std::vector<Operation>& operations = application_.transactions[first].operations;
  for (const ItemId item : operations[read].reads) {
    add_role(accessors_[item].writers, kOut);
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    for (const ItemId item : operations[i].writes) {
      add_role(accessors_[item].readers, kIn);
      add_role(accessors_[item].writers, i <= read ? kBlocked : kIn);
    }
    for (const ItemId item : operations[i].reads) {
      if (i > read) {
        add_role(accessors_[item].writers, kIn);
      }
    }
  }
  if (application_.is_once) {
    add_role(std::span(&first, 1), kBlocked);
  }
}

/// Calls see() for all transactions that conflict with it. Visits the readers and writers of an
/// item once a round.
template <class See>
void SplitSearch::see_neighbours(std::uint32_t transaction, See see) {
  const auto see_all = [&](ItemId item, std::vector<std::uint32_t>& seen,
                           const std::vector<std::uint32_t>& list) {
    if (seen[item] != round_) {
      seen[item] = round_;
      std::ranges::for_each(list, see);
    }
  };
  for (const ItemId item : accessed_[transaction].read) {
    see_all(item, writers_seen_, accessors_[item].writers);
  }
  for (const ItemId item : accessed_[transaction].written) {
    see_all(item, writers_seen_, accessors_[item].writers);
    see_all(item, readers_seen_, accessors_[item].readers);
  }
}

/// Searches breadth-first along conflicts, from all transactions with the role `from` but none with
/// `avoided`. Does not reach blocked transactions, and does not go on from those with `avoided`.
/// Ends where visit() returns true.
template <class Visit>
std::optional<std::uint32_t> SplitSearch::spread(Role from, Role avoided, Visit visit) {
  ++round_;
  std::vector<std::uint32_t> queue;
  std::optional<std::uint32_t> end;
  const auto reach = [&](std::uint32_t t, std::uint32_t parent) {
    if (seen_[t] == round_ || (roles_[t] & kBlocked) != 0 || end) {
      return;
    }
    seen_[t] = round_;
    parents_[t] = parent;
    if (visit(t)) {
      end = t;
    } else if ((roles_[t] & avoided) == 0) {
      queue.push_back(t);
    }
  };
  for (const std::uint32_t t : cast_) {
    if ((roles_[t] & from) != 0 && (roles_[t] & avoided) == 0) {
      reach(t, t);
    }
  }
  for (std::size_t i = 0; i < queue.size() && !end; ++i) {
    const std::uint32_t t = queue[i];
    see_neighbours(t, [&](std::uint32_t neighbour) { reach(neighbour, t); });
  }
  return end;
}

std::size_t SplitSearch::prefix_before(std::uint32_t first, std::uint32_t second) const {
  const std::vector<Operation>& operations = application_.transactions[first].operations;
  const auto read = std::ranges::find_if(operations, [&](const Operation& operation) {
    return std::ranges::any_of(
        application_.transactions[second].operations,
        [&](const Operation& other) { return meet(operation.reads, other.writes); });
  });
  return static_cast<std::size_t>(read - operations.begin()) + 1;
}

/// A shortest path, by the present roles, from a transaction that overwrites to one that closes the
/// cycle.
std::optional<Split> SplitSearch::shortest(std::uint32_t first) {
  const std::optional<std::uint32_t> last =
      spread(kOut, kNone, [&](std::uint32_t t) { return (roles_[t] & kIn) != 0; });
  if (!last) {
    return std::nullopt;
  }
  Split split = {.first = first, .others = {*last}};
  while (parents_[split.others.back()] != split.others.back()) {
    split.others.push_back(parents_[split.others.back()]);
  }
  std::ranges::reverse(split.others);
  split.prefix = prefix_before(first, split.others.front());
  return split;
}

std::optional<Split> SplitSearch::find(std::uint32_t first, std::span<const Level> levels) {
  const auto level_of = [&](std::uint32_t t) {
    return levels[application_.transactions[t].program];
  };
  const std::vector<Operation>& operations = application_.transactions[first].operations;
  if (level_of(first) == Level::kReadCommitted) {
    std::optional<Split> best;
    for (std::size_t read = 0; read < operations.size(); ++read) {
      if (operations[read].reads.empty()) {
        continue;
      }
      cast_at_read_committed(first, read);
      std::optional<Split> split = shortest(first);
      if (split && (!best || split->others.size() < best->others.size())) {
        split->prefix = read + 1;
        best = std::move(split);
      }
    }
    return best;
  }
  if (level_of(first) == Level::kSnapshot) {
    cast_at_snapshot(first);
    return shortest(first);
  }
  for (const Role kept_away : {kOut, kIn}) {  // no serializable transaction has this role
    cast_at_snapshot(first);
    for (const std::uint32_t t : cast_) {
      if (level_of(t) == Level::kSerializable && (roles_[t] & kept_away) != 0) {
        roles_[t] |= kBlocked;
      }
    }
    if (std::optional<Split> split = shortest(first)) {
      return split;
    }
  }
  return std::nullopt;
}

void SplitSearch::add_partners(std::uint32_t first, std::vector<bool>& programs) {
  cast_at_snapshot(first);
  const auto add = [&](std::uint32_t t) { programs[application_.transactions[t].program] = true; };
  for (const std::uint32_t t : cast_) {
    if (roles_[t] == (kOut | kIn)) {
      add(t);  // T2 and Tm at once
    }
  }
  // T2, reached from a Tm that is not a T2, over transactions that are neither. Then Tm likewise,
  // from a T2.
  for (const auto& [from, to] : {std::pair(kIn, kOut), std::pair(kOut, kIn)}) {
    spread(from, to, [&, role = to](std::uint32_t t) {
      if ((roles_[t] & role) != 0) {
        add(t);
      }
      return false;
    });
  }
}

}  // namespace elapid::advise
