#include "adapter/elle/order_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "engine/ir/visible.h"

namespace elapid {
namespace {

using List = std::span<const ValueId>;

constexpr std::size_t kMaxBytes = 8U << 20;
constexpr std::size_t kColumnsBeforeDifference = 4;

constexpr std::string_view kStyle =
    "<style>\n"
    "body { font-family: sans-serif }\n"
    "table { border-collapse: collapse }\n"
    "th, td { border: 1px solid #ddd; padding: 0.2em 0.4em; text-align: left }\n"
    "</style>\n";

List elements(const History& history, Op op) {
  return op.kind() == OpKind::kReadList ? history.elements(op) : List();
}

/// Escapes text of a history for HTML.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : visible_line(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// The length of the common prefix.
std::size_t agreement(List a, List b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(in_a - a.begin());
}

/// The first column in which some read differs from `longest`. Most reads are prefixes of the key's
/// trunk, which is compared once.
std::size_t first_difference(const History& history, KeyId key, std::span<const KeyRead> reads,
                             List longest) {
  const std::size_t trunk = agreement(history.trunk(key), longest);
  std::size_t column = longest.size();
  for (const KeyRead& read : reads) {
    if (read.op.kind() != OpKind::kReadList) {
      continue;
    }
    const List list = history.elements(read.op);
    const std::size_t agreed =
        read.op.list().is_prefix() ? std::min(trunk, list.size()) : agreement(list, longest);
    if (agreed < list.size()) {
      column = std::min(column, agreed);
    }
  }
  return column;
}

/// A pale colour, the same for each occurrence of an element.
std::string colour(ValueId element) {
  const std::uint32_t mixed = element.bits() * 2654435761U;
  return fmt::format("hsl({}, 80%, 82%)", (mixed >> 8) % 360);
}

void append_row(const History& history, const KeyRead& read, List longest, std::size_t from,
                std::string& out) {
  const Event event = history.representative(read.txn);
  const List list = elements(history, read.op);
  fmt::format_to(std::back_inserter(out), "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
                 event.index, history.committed(read.txn) ? "ok" : "info",
                 event.time ? fmt::format("{:.3f}", static_cast<double>(*event.time) / 1e9) : "",
                 html(history.session_text(history.session(read.txn))));
  if (from > 0) {
    out += list.empty() ? "<td></td>" : "<td>…</td>";
  }
  for (std::size_t i = from; i < list.size(); ++i) {
    const bool same = i < longest.size() && list[i] == longest[i];
    out += same ? "<td>" : fmt::format("<td style=\"background: {}\">", colour(list[i]));
    out += html(history.shown_text(list[i])) + "</td>";
  }
  out += "</tr>\n";
}

}  // namespace

std::string order_table(const History& history, KeyId key, std::span<const KeyRead> reads) {
  List longest;
  for (const KeyRead& read : reads) {
    const List list = elements(history, read.op);
    longest = list.size() > longest.size() ? list : longest;
  }
  const std::size_t difference = first_difference(history, key, reads, longest);
  const std::size_t from = difference - std::min(difference, kColumnsBeforeDifference);
  const std::string title = "All reads of " + html(history.shown_key(key));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n{1}</head>\n"
      "<body>\n<h1>{0}</h1>\n",
      title, kStyle);
  if (from > 0) {
    out += fmt::format("<p>All reads begin alike: up to {} elements are left out.</p>\n", from);
  }
  out += "<table>\n<tr><th>Index</th><th>Type</th><th>Time (s)</th><th>Process</th></tr>\n";
  std::size_t rows = 0;
  while (rows < reads.size() && out.size() < kMaxBytes) {
    append_row(history, reads[rows], longest, from, out);
    ++rows;
  }
  out += "</table>\n";
  if (rows < reads.size()) {
    out += fmt::format("<p>{} more reads are left out.</p>\n", reads.size() - rows);
  }
  return out + "</body>\n</html>\n";
}

}  // namespace elapid
