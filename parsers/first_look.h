// The part of an input that detection sees: the beginning of a file, or the names in a directory.
// Each format looks for its signs there (parsers/format.h).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}  // namespace re2

namespace elapid {

/// A regular expression in RE2's syntax. It is compiled at the first text that may match.
class Pattern {
 public:
  /// `begins`: the possible first characters of a matching text; `holds`: it contains one of these
  /// texts. Empty: any. Other texts are refused without compiling the expression.
  explicit Pattern(const char* expression, std::string_view begins = {},
                   std::vector<std::string_view> holds = {});
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern();

  /// Whether some part of the text matches.
  [[nodiscard]] bool is_in(std::string_view text) const;

 private:
  const char* text_;
  std::string_view begins_;
  std::vector<std::string_view> holds_;
  mutable std::once_flag is_needed_ = {};
  mutable std::unique_ptr<re2::RE2> expression_;
};

/// The first form of a text in EDN or JSON, or the first one inside a vector or an array.
struct FirstForm {
  bool is_enclosed = false;      ///< the text begins with `[`, and the form follows
  char opening = '\0';           ///< the form's first character
  std::string_view inside = {};  ///< the text after the opening
  char first = '\0';             ///< the first non-blank character inside

  /// Whether it is an object of JSON: its first key is a string.
  [[nodiscard]] bool is_object() const { return opening == '{' && first == '"'; }

  /// Whether the visible text contains this key of JSON. Linear in that text.
  [[nodiscard]] bool has_key(std::string_view key) const;
};

/// The beginning of a file.
struct FileLook {
  static constexpr std::size_t kBytes = std::size_t{1} << 16;

  /// Borrows up to kBytes bytes, without a byte order mark before them.
  explicit FileLook(std::string_view head);

  std::string_view bytes;       ///< all bytes, of text or not
  std::string_view text;        ///< the same, without white space and EDN's commas at the start
  std::string_view first_line;  ///< of `text`
  FirstForm form;
};

/// The regular files of a directory.
class DirectoryLook {
 public:
  /// Lists the directory; an unreadable directory has no files.
  explicit DirectoryLook(std::string path);

  [[nodiscard]] bool has(std::string_view name) const;

  [[nodiscard]] std::string path_of(std::string_view name) const;

  /// The files whose names begin and end with these texts, in the order of their names.
  [[nodiscard]] std::vector<std::string> files(std::string_view begin, std::string_view end) const;

  /// The first bytes of a file, at most so many; empty if it cannot be read.
  [[nodiscard]] std::string head_of(std::string_view name, std::size_t bytes) const;

 private:
  std::string path_;
  std::vector<std::string> names_;  // sorted
};

}  // namespace elapid
