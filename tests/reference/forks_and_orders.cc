#include "tests/reference/forks_and_orders.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace elapid::reference {

namespace {

using Partners = std::vector<std::optional<std::size_t>>;

std::string number(std::size_t n) {
  return std::to_string(n);
}

std::string text_of(std::optional<int> value) {
  return value ? std::to_string(*value) : "nil";
}

template <class Items, class Text>
std::string joined(const std::string& open, const Items& items, const std::string& close,
                   Text text) {
  std::string all = open;
  for (const auto& item : items) {
    all += all.size() > open.size() ? " " : "";
    all += text(item);
  }
  return all + close;
}

std::string set_text(const std::set<int>& values) {
  return joined("#{", values, "}", [](int value) { return std::to_string(value); });
}

std::string list_text(const std::vector<std::optional<int>>& values) {
  return joined("[", values, "]", text_of);
}

std::string event_text(std::size_t index) {
  return '@' + number(index);
}

/// Pairs of events, sorted by their text.
std::string pairs_text(const std::set<std::pair<std::size_t, std::size_t>>& pairs) {
  std::set<std::string> texts;
  for (const auto& [first, second] : pairs) {
    texts.insert('[' + event_text(first) + ' ' + event_text(second) + ']');
  }
  return joined("[", texts, "]", [](const std::string& text) { return text; });
}

/// Integers as runs, as `1..3 5`.
std::string interval(const std::set<int>& values) {
  std::vector<std::string> runs;
  for (auto value = values.begin(); value != values.end();) {
    const int first = *value;
    int last = first;
    for (++value; value != values.end() && *value == last + 1; ++value) {
      ++last;
    }
    runs.push_back(std::to_string(first) + (last > first ? ".." + std::to_string(last) : ""));
  }
  return '"' + joined("#{", runs, "}", [](const std::string& run) { return run; }) + '"';
}

/// Validity of a judge that finds errors, or nothing to judge.
std::string validity_of(bool has_errors, bool has_nothing, bool elle_compat) {
  return has_errors ? "invalid" : has_nothing && !elle_compat ? "unknown" : "valid";
}

/// Places of completions that are ok.
std::vector<std::size_t> oks(const PlainHistory& history, const std::string& f) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].is("ok", f)) {
      places.push_back(i);
    }
  }
  return places;
}

std::map<int, std::optional<int>> shown_by(const PlainEvent& event) {
  std::map<int, std::optional<int>> shown;
  for (const PlainMop& mop : *event.txn) {
    shown[mop.key] = mop.value;
  }
  return shown;
}

std::set<int> keys_of(const std::map<int, std::optional<int>>& shown) {
  std::set<int> keys;
  for (const auto& [key, value] : shown) {
    keys.insert(key);
  }
  return keys;
}

bool shows_more(const std::map<int, std::optional<int>>& a,
                const std::map<int, std::optional<int>>& b) {
  return std::ranges::any_of(a,
                             [&](const auto& entry) { return entry.second && !b.at(entry.first); });
}

bool differ(const std::map<int, std::optional<int>>& a,
            const std::map<int, std::optional<int>>& b) {
  return std::ranges::any_of(a, [&](const auto& entry) {
    return entry.second && b.at(entry.first) && *entry.second != *b.at(entry.first);
  });
}

using Forks = std::set<std::pair<std::size_t, std::size_t>>;

/// The forks that Jepsen finds, from group to group and pair to pair. It throws at two values of a
/// key (nothing), unless it has found a fork before: then no further pair counts.
std::optional<Forks> forks_to_jepsen(const PlainHistory& history,
                                     const std::vector<std::size_t>& reads) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::set<int>, std::size_t> number;
  for (const std::size_t read : reads) {
    const auto [found, is_new] =
        number.try_emplace(keys_of(shown_by(history[read])), groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[found->second].push_back(read);
  }
  Forks all;
  for (const std::vector<std::size_t>& group : groups) {
    Forks forks;
    std::optional<std::pair<std::size_t, std::size_t>> first;
    bool is_first_after_all = true;  // no two values came before the first fork
    bool has_two_values = false;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const auto a = shown_by(history[group[i]]);
        const auto b = shown_by(history[group[j]]);
        if (differ(a, b)) {
          has_two_values = true;
          is_first_after_all = is_first_after_all && first;
        } else if (shows_more(a, b) && shows_more(b, a)) {
          forks.emplace(group[i], group[j]);
          first = first ? first : std::pair(group[i], group[j]);
        }
      }
    }
    if (!has_two_values) {
      all.insert(forks.begin(), forks.end());
      continue;
    }
    if (first && is_first_after_all) {
      all.insert(*first);
    }
    return all.empty() ? std::optional<Forks>() : all;
  }
  return all;
}

}  // namespace

PlainAnswer long_fork(const PlainHistory& history, bool elle_compat, std::size_t group_size) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  std::map<int, std::size_t> writes;
  std::optional<int> rewritten;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const bool counts = history[i].type == "invoke" && history[i].f == "write" &&
                        (elle_compat || fate(history, partner, i) != "fail");
    if (counts && ++writes[history[i].txn->front().key] == 2 && !rewritten) {
      rewritten = history[i].txn->front().key;
    }
  }
  const std::vector<std::size_t> reads = oks(history, "read");
  std::size_t early = 0;
  std::size_t late = 0;
  std::set<std::set<int>> unjudged;
  for (const std::size_t read : reads) {
    const auto has_value = [](const PlainMop& mop) { return mop.value.has_value(); };
    early += std::ranges::none_of(*history[read].txn, has_value) ? 1U : 0U;
    late += std::ranges::all_of(*history[read].txn, has_value) ? 1U : 0U;
    const std::set<int> keys = keys_of(shown_by(history[read]));
    const bool is_odd = group_size > 0 && keys.size() != group_size;
    const bool is_rewritten = std::ranges::any_of(keys, [&](int key) { return writes[key] > 1; });
    if (is_odd || (!elle_compat && is_rewritten)) {
      unjudged.insert(keys);
    }
  }
  const bool has_odd_size = !unjudged.empty();
  for (const std::size_t a : reads) {
    for (const std::size_t b : reads) {
      const auto first = shown_by(history[a]);
      const auto second = shown_by(history[b]);
      if (keys_of(first) == keys_of(second) && differ(first, second)) {
        unjudged.insert(keys_of(first));
      }
    }
  }
  Forks forks;
  for (const std::size_t a : reads) {
    for (const std::size_t b : reads) {
      const auto first = shown_by(history[a]);
      const auto second = shown_by(history[b]);
      if (a < b && keys_of(first) == keys_of(second) && !unjudged.contains(keys_of(first)) &&
          shows_more(first, second) && shows_more(second, first)) {
        forks.emplace(a, b);
      }
    }
  }
  answer.entries = {{"reads-count", number(reads.size())},
                    {"early-read-count", number(early)},
                    {"late-read-count", number(late)}};
  const std::optional<Forks> to_jepsen = forks_to_jepsen(history, reads);
  if (elle_compat && rewritten) {
    answer.validity = "unknown";
  } else if (elle_compat && (has_odd_size || !to_jepsen)) {
    answer.validity = "unknown";
    answer.entries.clear();
  } else if (elle_compat && !to_jepsen->empty()) {
    answer.validity = "invalid";
    answer.entries["forks"] = pairs_text(*to_jepsen);
  } else if (!forks.empty()) {
    answer.validity = "invalid";
    answer.entries["forks"] = pairs_text(forks);
  } else if (!unjudged.empty() || (reads.empty() && !elle_compat)) {
    answer.validity = "unknown";
  }
  return answer;
}

PlainAnswer causal_reverse(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  const std::vector<std::size_t> reads = oks(history, "read");
  std::string errors;
  bool was_read = false;
  for (const std::size_t read : reads) {
    was_read |= history[read].list.has_value();
    std::set<int> shown;
    for (const std::optional<int> value :
         history[read].list.value_or(std::vector<std::optional<int>>())) {
      shown.insert(*value);
    }
    std::set<int> expected;
    for (const int value : shown) {
      // The invocation that counts, if there is one.
      std::optional<std::size_t> invoked;
      for (std::size_t i = 0; i < history.size(); ++i) {
        if (!history[i].is("invoke", "write") || history[i].scalar != value) {
          continue;
        }
        const bool is_better =
            !invoked || elle_compat ||
            (fate(history, partner, *invoked) == "fail" && fate(history, partner, i) != "fail");
        invoked = is_better ? std::optional(i) : invoked;
      }
      for (std::size_t i = 0; i < history.size() && !elle_compat; ++i) {
        const PlainEvent& event = history[i];
        const bool may_be_first = (event.is("ok", "write") || event.is("info", "write")) &&
                                  event.scalar == value && !partner[i];
        invoked = may_be_first ? std::nullopt : invoked;
      }
      for (std::size_t i = 0; invoked && i < *invoked; ++i) {
        if (history[i].is("ok", "write")) {
          expected.insert(*history[i].scalar);
        }
      }
    }
    std::set<int> missing;
    for (const int value : expected) {
      if (!shown.contains(value)) {
        missing.insert(value);
      }
    }
    if (!missing.empty()) {
      errors += errors.empty() ? "" : " ";
      errors += event_text(read) + "{:missing " + set_text(missing) + " :expected-count " +
                number(expected.size()) + '}';
    }
  }
  answer.entries["errors"] = '[' + errors + ']';
  answer.validity = validity_of(!errors.empty(), !was_read, elle_compat);
  return answer;
}

PlainAnswer sequential(const PlainHistory& history, bool elle_compat, std::size_t key_count) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  const std::vector<std::size_t> reads = oks(history, "read");
  std::size_t all = 0;
  std::size_t some = 0;
  std::size_t none = 0;
  std::vector<std::string> bad;
  // Whether each session that may have added subkey `newer` was told before that `older` is added.
  const auto comes_before = [&](int key, int older, int newer) {
    bool has_key = false;
    bool was_added = false;
    bool knew_all = true;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const PlainEvent& event = history[i];
      if (event.f != "add" || event.key != key) {
        continue;
      }
      has_key = true;
      const bool is_invoked = event.type == "invoke";
      const bool has_failed =
          is_invoked ? fate(history, partner, i) == "fail" : event.type == "fail";
      if (event.scalar != newer || has_failed || (!is_invoked && partner[i])) {
        continue;
      }
      was_added = true;
      bool knew = false;
      for (std::size_t j = 0; j < i && is_invoked; ++j) {
        knew |= history[j].is("ok", "add") && history[j].key == key && history[j].scalar == older &&
                history[j].process == event.process;
      }
      knew_all &= knew;
    }
    return !has_key || (was_added && knew_all);
  };
  for (const std::size_t read : reads) {
    const std::vector<std::optional<int>>& shown = *history[read].list;
    const bool has_nil = std::ranges::any_of(shown, [](auto value) { return !value; });
    some += has_nil ? 1U : 0U;
    none += std::ranges::none_of(shown, [](auto value) { return value.has_value(); }) ? 1U : 0U;
    bool is_all = shown.size() == key_count;
    bool is_bad = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      is_all = is_all && shown[i] == static_cast<int>(shown.size() - 1 - i);
      for (std::size_t j = 0; j < i; ++j) {
        is_bad |= !shown[i] && shown[j] &&
                  (elle_compat || comes_before(*history[read].key,
                                               static_cast<int>(shown.size() - 1 - i), *shown[j]));
      }
    }
    all += is_all ? 1U : 0U;
    if (is_bad) {
      bad.push_back('[' + text_of(history[read].key) + ' ' +
                    joined("[", shown, "]",
                           [&](std::optional<int> value) {
                             return value ? '"' + text_of(history[read].key) + '_' +
                                                text_of(value) + '"'
                                          : std::string("nil");
                           }) +
                    ']');
    }
  }
  answer.entries = {{"all-count", number(all)},
                    {"some-count", number(some)},
                    {"none-count", number(none)},
                    {"bad-count", number(bad.size())},
                    {"bad", joined("[", bad, "]", [](const std::string& text) { return text; })}};
  answer.validity = validity_of(!bad.empty(), reads.empty(), elle_compat);
  return answer;
}

PlainAnswer g2(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  std::map<int, std::size_t> count;
  for (const PlainEvent& event : history) {
    count[*event.key] += event.type == "ok" ? 1U : 0U;
  }
  std::size_t legal = 0;
  std::map<int, std::size_t> illegal;
  for (const auto& [key, n] : count) {
    legal += n == 1 ? 1U : 0U;
    if (n > 1) {
      illegal[key] = n;
    }
  }
  answer.entries = {{"key-count", number(count.size())},
                    {"legal-count", number(legal)},
                    {"illegal-count", number(illegal.size())},
                    {"illegal", joined("{", illegal, "}", [](const auto& entry) {
                       return std::to_string(entry.first) + ' ' + number(entry.second);
                     })}};
  answer.validity = validity_of(!illegal.empty(), count.empty(), elle_compat);
  return answer;
}

PlainAnswer causal(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  int value = 0;
  int counter = 0;
  std::optional<int> last;
  std::set<std::size_t> used;  // writes of unknown fate that were seen to take effect
  bool any = false;
  // An unused write of unknown fate of this value that was invoked before place `end`.
  const auto take = [&](std::optional<int> shown, std::size_t end) {
    bool is_found = false;
    for (std::size_t i = 0; i < end && !elle_compat; ++i) {
      if (history[i].is("invoke", "write") && history[i].scalar == shown && !used.contains(i) &&
          fate(history, partner, i) == "info") {
        used.insert(i);  // all of this value: the register keeps a set
        is_found = true;
      }
    }
    if (is_found) {
      value = *shown;
      counter = std::max(counter, value);
    }
    return is_found;
  };
  const auto was_attempted = [&](int wanted, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      if (history[i].is("invoke", "write") && history[i].scalar == wanted &&
          fate(history, partner, i) != "ok") {
        return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < history.size(); ++i) {
    const PlainEvent& event = history[i];
    if (event.type != "ok") {
      continue;
    }
    any = true;
    bool is_right = (event.link && *event.link == -1) || event.link == last;
    if (is_right && event.f == "write") {
      int next = counter + 1;
      while (!elle_compat && next < *event.scalar && was_attempted(next, i)) {
        ++next;
      }
      is_right = event.scalar == next;
      value = is_right ? next : value;
      counter = is_right ? next : counter;
    } else if (is_right && event.f == "read-init" && counter == 0) {
      is_right = event.scalar == 0 || take(event.scalar, i);
    } else if (is_right) {
      is_right = !event.scalar || event.scalar == value || take(event.scalar, i);
    }
    if (!is_right) {
      answer.validity = "invalid";
      return answer;
    }
    last = event.position;
  }
  answer.entries["model"] = "{:value " + std::to_string(value) + " :counter " +
                            std::to_string(counter) + " :last-pos " + text_of(last) + '}';
  answer.validity = validity_of(false, !any, elle_compat);
  return answer;
}

PlainAnswer dirty_reads(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  std::vector<std::string> inconsistent;
  std::vector<std::string> dirty;
  const auto is_dirty = [&](int value) {
    bool failed = false;
    bool other = false;
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (history[i].is("invoke", "write") && history[i].scalar == value) {
        (fate(history, partner, i) == "fail" ? failed : other) = true;
      }
    }
    return failed && (elle_compat || !other);
  };
  const std::vector<std::size_t> reads = oks(history, "read");
  for (const std::size_t read : reads) {
    const std::vector<std::optional<int>>& shown = *history[read].list;
    if (std::ranges::any_of(shown, [&](auto value) { return value != shown.front(); })) {
      inconsistent.push_back(list_text(shown));
    }
    if (std::ranges::any_of(shown, [&](auto value) { return is_dirty(*value); })) {
      dirty.push_back(list_text(shown));
    }
  }
  const auto same = [](const std::string& text) { return text; };
  answer.entries = {{"inconsistent-reads", joined("[", inconsistent, "]", same)},
                    {"dirty-reads", joined("[", dirty, "]", same)}};
  answer.validity = validity_of(!dirty.empty(), reads.empty(), elle_compat);
  return answer;
}

PlainAnswer dirty_read(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  const std::vector<std::size_t> strong = oks(history, "strong-read");
  if (strong.empty()) {
    answer.validity = "unknown";
    return answer;
  }
  std::vector<std::set<int>> shown;
  std::size_t last_begin = 0;
  for (const std::size_t read : strong) {
    shown.emplace_back();
    for (const std::optional<int> value : *history[read].list) {
      shown.back().insert(*value);
    }
    last_begin = std::max(last_begin, *partner[read]);
  }
  std::set<int> reads;
  std::set<int> timely_reads;
  std::set<int> timely_writes;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].is("ok", "read")) {
      reads.insert(*history[i].scalar);
    }
    if (elle_compat || i < last_begin) {
      if (history[i].is("ok", "read")) {
        timely_reads.insert(*history[i].scalar);
      } else if (history[i].is("ok", "write")) {
        timely_writes.insert(*history[i].scalar);
      }
    }
  }
  std::set<int> on_some;
  std::set<int> on_all = shown.front();
  for (const std::set<int>& one : shown) {
    on_some.insert(one.begin(), one.end());
    std::erase_if(on_all, [&](int value) { return !one.contains(value); });
  }
  const auto without = [](std::set<int> a, const std::set<int>& b) {
    std::erase_if(a, [&](int value) { return b.contains(value); });
    return a;
  };
  // Whether a strong read began after something had shown the element, and misses it.
  const auto is_proven = [&](int value) {
    for (std::size_t i = 0; i < history.size(); ++i) {
      const PlainEvent& event = history[i];
      const bool is_list = event.is("ok", "strong-read");
      const bool shows =
          (event.is("ok", "read") || event.is("ok", "write")) && event.scalar == value;
      const bool lists =
          is_list && std::ranges::find(*event.list, std::optional(value)) != event.list->end();
      for (std::size_t s = 0; (shows || lists) && s < strong.size(); ++s) {
        if (*partner[strong[s]] > i && !shown[s].contains(value)) {
          return true;
        }
      }
    }
    return false;
  };
  const std::set<int> not_on_all = without(on_some, on_all);
  const std::set<int> dirty = without(timely_reads, on_some);
  const std::set<int> lost = without(timely_writes, on_some);
  const std::set<int> some_lost = without(timely_writes, on_all);
  bool is_invalid = !dirty.empty() || !lost.empty();
  bool is_open = false;
  for (const int value : not_on_all) {
    (elle_compat || is_proven(value) ? is_invalid : is_open) = true;
  }
  answer.validity = is_invalid ? "invalid" : is_open ? "unknown" : "valid";
  answer.entries = {{"nodes-agree?", not_on_all.empty() ? "true" : "false"},
                    {"read-count", number(reads.size())},
                    {"on-all-count", number(on_all.size())},
                    {"on-some-count", number(on_some.size())},
                    {"unchecked-count", number(without(on_some, reads).size())},
                    {"not-on-all-count", number(not_on_all.size())},
                    {"not-on-all", set_text(not_on_all)},
                    {"dirty-count", number(dirty.size())},
                    {"dirty", set_text(dirty)},
                    {"lost-count", number(lost.size())},
                    {"lost", set_text(lost)},
                    {"some-lost-count", number(some_lost.size())},
                    {"some-lost", set_text(some_lost)}};
  return answer;
}

namespace {

struct PlainRow {
  int val;
  int sts;
  int node;
  int table;
};

std::string row_text(const PlainRow& row) {
  return "{:node " + std::to_string(row.node) + " :sts " + std::to_string(row.sts) + " :tb " +
         std::to_string(row.table) + " :val " + std::to_string(row.val) + '}';
}

std::string fraction(std::size_t part, std::size_t whole) {
  if (whole == 0) {
    return "1";
  }
  const std::size_t common = std::gcd(part, whole);
  return whole / common == 1 ? number(part / common)
                             : number(part / common) + '/' + number(whole / common);
}

std::string reorders(const std::vector<PlainRow>& rows) {
  std::vector<std::string> pairs;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].val <= rows[i - 1].val) {
      pairs.push_back('[' + row_text(rows[i - 1]) + ' ' + row_text(rows[i]) + ']');
    }
  }
  return joined("(", pairs, ")", [](const std::string& text) { return text; });
}

std::string reorders_by(const std::vector<PlainRow>& rows, int PlainRow::*group) {
  std::map<int, std::vector<PlainRow>> groups;
  for (const PlainRow& row : rows) {
    groups[row.*group].push_back(row);
  }
  return joined("{", groups, "}", [](const auto& entry) {
    return std::to_string(entry.first) + ' ' + reorders(entry.second);
  });
}

}  // namespace

PlainAnswer monotonic_cockroach(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  const std::vector<std::size_t> reads = oks(history, "read");
  if (reads.empty()) {
    answer.validity = "unknown";
    return answer;
  }
  std::vector<PlainRow> rows;
  const std::vector<std::optional<int>>& flat = *history[reads.back()].list;
  for (std::size_t i = 0; i < flat.size(); i += 4) {
    rows.push_back({*flat[i], *flat[i + 1], *flat[i + 2], *flat[i + 3]});
  }
  std::size_t falls = 0;
  std::vector<std::string> order;
  std::vector<PlainRow> sorted = rows;
  // Rows of one timestamp change places until their values rise.
  for (std::size_t round = 0; round < sorted.size() && !elle_compat; ++round) {
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i - 1].sts == sorted[i].sts && sorted[i].val < sorted[i - 1].val) {
        std::swap(sorted[i - 1], sorted[i]);
      }
    }
  }
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].sts < sorted[i - 1].sts) {
      order.push_back('[' + row_text(sorted[i - 1]) + ' ' + row_text(sorted[i]) + ']');
    }
    falls += sorted[i].val <= sorted[i - 1].val ? 1U : 0U;
  }
  std::set<int> shown;
  std::set<int> twice;
  for (const PlainRow& row : rows) {
    if (!shown.insert(row.val).second) {
      twice.insert(row.val);
    }
  }
  std::set<int> added;
  std::set<int> added_late;
  std::set<std::optional<int>> failed;
  std::set<std::optional<int>> unsure;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const PlainEvent& event = history[i];
    if (event.is("ok", "add")) {
      (elle_compat || i < *partner[reads.back()] ? added : added_late).insert(*event.scalar);
    } else if (event.is("fail", "add")) {
      failed.insert(event.scalar);
    } else if (event.is("info", "add")) {
      unsure.insert(event.scalar);
    }
  }
  std::set<int> lost;
  std::set<int> revived;
  std::set<int> recovered;
  for (const int value : added) {
    if (!shown.contains(value)) {
      lost.insert(value);
    }
  }
  for (const int value : shown) {
    const bool is_explained =
        added.contains(value) || added_late.contains(value) || unsure.contains(value);
    // The row that failed, and not another of the same value.
    const bool is_failed_one = std::ranges::any_of(history, [&](const PlainEvent& event) {
      return event.is("fail", "add") && event.scalar == value &&
             std::ranges::any_of(rows, [&](const PlainRow& row) {
               return row.val == value && row.sts == *event.row.front();
             });
    });
    if (failed.contains(value) && (elle_compat || (is_failed_one && !is_explained))) {
      revived.insert(value);
    }
    if (unsure.contains(value)) {
      recovered.insert(value);
    }
  }
  const bool is_invalid =
      !lost.empty() || !twice.empty() || !revived.empty() || !order.empty() || falls > 0;
  answer.validity = is_invalid ? "invalid" : "valid";
  answer.entries = {
      {"revived", interval(revived)},
      {"revived-frac", fraction(revived.size(), failed.size())},
      {"recovered", interval(recovered)},
      {"recovered-frac", fraction(recovered.size(), unsure.size())},
      {"lost", interval(lost)},
      {"lost-frac", fraction(lost.size(), added.size())},
      {"duplicates", set_text(twice)},
      {"order-by-errors", joined("(", order, ")", [](const std::string& text) { return text; })},
      {"value-reorders", reorders(sorted)},
      {"value-reorders-per-process", sorted.empty() ? "{}" : "{nil " + reorders(sorted) + '}'},
      {"value-reorders-per-node", reorders_by(sorted, &PlainRow::node)},
      {"value-reorders-per-table", reorders_by(sorted, &PlainRow::table)}};
  return answer;
}

PlainAnswer monotonic_faunadb(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  bool any = false;
  bool is_invalid = false;
  for (const std::size_t part : {0U, 1U}) {
    std::map<int, std::size_t> last;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const PlainEvent& event = history[i];
      if (event.type != "ok" || (event.f != "inc" && event.f != "read")) {
        continue;
      }
      any = true;
      const auto before = last.find(event.process);
      if (before != last.end() && *(*history[before->second].list)[part] > *(*event.list)[part]) {
        texts.push_back('[' + event_text(before->second) + ' ' + event_text(i) + ']');
      }
      last[event.process] = i;
    }
    is_invalid |= !texts.empty();
    answer.entries[part == 0 ? "ts-errors" : "value-errors"] =
        joined("[", texts, "]", [](const std::string& text) { return text; });
  }
  answer.validity = validity_of(is_invalid, !any, elle_compat);
  return answer;
}

PlainAnswer monotonic_tidb(const PlainHistory& history, bool elle_compat) {
  PlainAnswer answer;
  const Partners partner = partners(history);
  std::vector<std::size_t> ops;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].type == "ok") {
      ops.push_back(i);
    }
  }
  const std::size_t n = ops.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      before[a][b] = ops[a] < *partner[ops[b]];
      for (const auto& [key, value] : *history[ops[a]].map) {
        const auto other = history[ops[b]].map->find(key);
        before[a][b] =
            before[a][b] || (other != history[ops[b]].map->end() && value < other->second);
      }
    }
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        before[a][b] = before[a][b] || (before[a][via] && before[via][b]);
      }
    }
  }
  std::size_t components = 0;
  for (std::size_t a = 0; a < n; ++a) {
    bool is_first = before[a][a];
    for (std::size_t b = 0; b < a; ++b) {
      is_first = is_first && !(before[a][b] && before[b][a]);
    }
    components += is_first ? 1U : 0U;
  }
  answer.entries["scc-count"] = number(components);
  const bool shows =
      std::ranges::any_of(ops, [&](std::size_t op) { return !history[op].map->empty(); });
  answer.validity = validity_of(components > 0, !shows, elle_compat);
  return answer;
}

}  // namespace elapid::reference
