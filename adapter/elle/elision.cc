#include "adapter/elle/elision.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rows/text.h"

namespace elapid {
namespace {

constexpr std::string_view kGap = "…";
constexpr std::size_t kWholeListLength = 8;
constexpr std::size_t kNeighbours = 2;
constexpr std::size_t kMaxExtraBytes = 80;

/// Half-open ranges of positions, ascending and disjoint.
using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

Ranges windows(std::span<const ValueId> list, std::span<const ValueId> focus) {
  if (list.size() <= kWholeListLength) {
    return {{0, list.size()}};
  }
  Ranges ranges;
  const auto show = [&](std::size_t place) {
    const std::size_t begin = place - std::min(place, kNeighbours);
    const std::size_t end = std::min(place + kNeighbours + 1, list.size());
    if (!ranges.empty() && begin <= ranges.back().second) {
      ranges.back().second = end;
    } else {
      ranges.emplace_back(begin, end);
    }
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (std::find(focus.begin(), focus.end(), list[i]) != focus.end()) {
      show(i);
    }
  }
  const bool end_wanted = std::find(focus.begin(), focus.end(), ValueId::none()) != focus.end();
  if (end_wanted || ranges.empty()) {
    show(list.size() - 1);
  }
  return ranges;
}

void write_elided_list(DocumentWriter& out, const History& history, std::span<const ValueId> list,
                       std::span<const ValueId> focus) {
  out.open(Container::kVector);
  std::size_t shown = 0;
  for (const auto& [begin, end] : windows(list, focus)) {
    if (begin > shown) {
      out.form(kGap);
    }
    for (const ValueId element : list.subspan(begin, end - begin)) {
      write_value(out, history, element, Names::kCut);
    }
    shown = end;
  }
  if (shown < list.size()) {
    out.form(kGap);
  }
  out.close();
}

void write_elided_mop(DocumentWriter& out, const History& history, Op op,
                      std::span<const ValueId> focus) {
  if (op.kind() == OpKind::kRow) {
    out.form(rows::elided_text(history, op, focus));
    return;
  }
  if (op.kind() != OpKind::kReadList) {
    write_mop(out, history, op, false, Names::kCut);
    return;
  }
  out.open(Container::kVector);
  out.keyword("r");
  write_value(out, history, history.key_value(op.key()), Names::kCut);
  write_elided_list(out, history, history.elements(op), focus);
  out.close();
}

/// The elements in focus of an operation.
std::vector<ValueId> elements_in_focus(std::span<const Focus> focus, std::uint32_t mop) {
  std::vector<ValueId> elements;
  for (const Focus& one : focus) {
    if (one.mop == mop) {
      elements.push_back(one.element);
    }
  }
  return elements;
}

void write_elided_ops(DocumentWriter& out, const History& history, EventRef event,
                      std::span<const Focus> focus) {
  const std::span<const Op> ops = shown_ops(history, event);
  if (is_call(history, event)) {
    if (ops.front().kind() == OpKind::kReadList) {
      write_elided_list(out, history, history.elements(ops.front()), elements_in_focus(focus, 0));
    } else {
      write_event_ops(out, history, event, Names::kCut);
    }
    return;
  }
  bool in_gap = false;
  out.open(Container::kVector);
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    const std::vector<ValueId> elements = elements_in_focus(focus, mop);
    if (!elements.empty()) {
      write_elided_mop(out, history, ops[mop], elements);
    } else if (!in_gap) {
      out.form(kGap);
    }
    in_gap = elements.empty();
  }
  out.close();
}

}  // namespace

std::string elided_list(const History& history, std::span<const ValueId> list,
                        std::span<const ValueId> focus) {
  DocumentWriter out(Syntax::kEdn);
  write_elided_list(out, history, list, focus);
  return std::move(out).take();
}

std::string whole_list(const History& history, std::span<const ValueId> list) {
  DocumentWriter out(Syntax::kEdn);
  out.each(list, [&](ValueId element) { write_value(out, history, element, Names::kCut); });
  return std::move(out).take();
}

std::string elided_event(const History& history, EventRef event, const EventFieldsFn& fields,
                         std::span<const Focus> focus) {
  DocumentWriter out(Syntax::kEdn);
  write_event_with(out, history, event, fields,
                   {.made_up = false, .max_extra_bytes = kMaxExtraBytes},
                   [&] { write_elided_ops(out, history, event, focus); });
  return std::move(out).take();
}

std::string whole_event(const History& history, EventRef event, const EventFieldsFn& fields) {
  DocumentWriter out(Syntax::kEdn);
  write_event_with(out, history, event, fields, {.made_up = false},
                   [&] { write_event_ops(out, history, event, Names::kCut); });
  return std::move(out).take();
}

}  // namespace elapid
