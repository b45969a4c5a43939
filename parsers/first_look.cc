#include "parsers/first_look.h"

#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace elapid {

namespace {

namespace fs = std::filesystem;

/// The text without leading white space, which in EDN includes commas.
std::string_view trimmed(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\n\v\f\r,"), text.size()));
}

char first_char(std::string_view text) {
  return text.empty() ? '\0' : text.front();
}

std::string_view without_byte_order_mark(std::string_view head) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  return head.starts_with(kByteOrderMark) ? head.substr(kByteOrderMark.size()) : head;
}

FirstForm first_form(std::string_view text) {
  FirstForm form = {.is_enclosed = text.starts_with('[')};
  if (form.is_enclosed) {
    text = trimmed(text.substr(1));
  }
  if (!text.empty()) {
    form.opening = text.front();
    form.inside = text.substr(1);
    form.first = first_char(trimmed(form.inside));
  }
  return form;
}

}  // namespace

Pattern::Pattern(const char* expression, std::string_view begins,
                 std::vector<std::string_view> holds)
    : text_(expression), begins_(begins), holds_(std::move(holds)) {}

Pattern::~Pattern() = default;

bool Pattern::is_in(std::string_view text) const {
  if (!begins_.empty() && (text.empty() || begins_.find(text.front()) == std::string_view::npos)) {
    return false;
  }
  const auto is_held = [text](std::string_view one) { return text.find(one) != text.npos; };
  if (!holds_.empty() && std::ranges::none_of(holds_, is_held)) {
    return false;
  }
  std::call_once(is_needed_, [this] { expression_ = std::make_unique<re2::RE2>(text_); });
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *expression_);
}

bool FirstForm::has_key(std::string_view key) const {
  return inside.find('"' + std::string(key) + '"') != std::string_view::npos;
}

FileLook::FileLook(std::string_view head)
    : bytes(without_byte_order_mark(head)),
      text(trimmed(bytes)),
      first_line(text.substr(0, text.find('\n'))),
      form(first_form(text)) {}

DirectoryLook::DirectoryLook(std::string path) : path_(std::move(path)) {
  std::error_code error;
  for (fs::directory_iterator it(path_, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    std::error_code vanished;
    if (it->is_regular_file(vanished)) {
      names_.push_back(it->path().filename().string());
    }
  }
  std::ranges::sort(names_);
}

bool DirectoryLook::has(std::string_view name) const {
  return std::ranges::binary_search(names_, name);
}

std::string DirectoryLook::path_of(std::string_view name) const {
  return (fs::path(path_) / name).string();
}

std::vector<std::string> DirectoryLook::files(std::string_view begin, std::string_view end) const {
  std::vector<std::string> found;
  std::ranges::copy_if(names_, std::back_inserter(found), [&](const std::string& name) {
    return name.starts_with(begin) && name.ends_with(end);
  });
  return found;
}

std::string DirectoryLook::head_of(std::string_view name, std::size_t bytes) const {
  std::ifstream in(path_of(name), std::ios::binary);
  std::string head(bytes, '\0');
  in.read(head.data(), static_cast<std::streamsize>(bytes));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

}  // namespace elapid
