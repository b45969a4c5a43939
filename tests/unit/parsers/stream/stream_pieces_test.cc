#include "parsers/stream/stream_pieces.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

namespace elapid {
namespace {

/// Pieces with their lines, or what is wrong: `1:{}; 2! message`.
std::string cut(std::string_view text, bool takes_array = true, std::size_t longest = 1000) {
  StreamPieces pieces(takes_array, longest);
  std::string out;
  const auto take_all = [&] {
    while (const auto piece = pieces.next()) {
      out += out.empty() ? "" : "; ";
      out += std::to_string(piece->line);
      out += piece->error
                 ? "@" + std::to_string(*piece->error->byte_offset) + "! " + piece->error->message
                 : ":" + std::string(piece->text);
    }
  };
  std::uint64_t number = 1;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    pieces.add(line, number++);
    take_all();
  }
  pieces.finish();
  take_all();
  return out;
}

TEST_CASE("pieces: of what is no array each line is one") {
  CHECK(cut("").empty());
  CHECK(cut("\n {}\n[1]\n") == "1:; 2: {}; 3:[1]");
  CHECK(cut("{}") == "1:{}");
}

TEST_CASE("pieces: the elements of an array, wherever its lines are cut") {
  CHECK(cut("[]").empty());
  CHECK(cut("\n [\n{\"a\":1},\n{\"b\":[2]}\n]\n\n") == "1:; 3:{\"a\":1}; 4:{\"b\":[2]}");
  CHECK(cut("[{\"a\":1},{\"b\":2}]") == "1:{\"a\":1}; 1:{\"b\":2}");
  CHECK(cut("\xef\xbb\xbf[{}\r\n,{}]") == "1:{}; 2:{}");
  CHECK(cut("[{\n\"a\":\n1}, {}\n]") == "1:{\t\"a\":\t1}; 3:{}");
  CHECK(cut("[{\"]},{\\\"\":\"}\"}\n]") == "1:{\"]},{\\\"\":\"}\"}");
}

TEST_CASE("pieces: what is no array of objects") {
  CHECK(cut("[5\n,{}]") == "1@1! expected a transaction object, found `5`; 2:{}");
  CHECK(cut("[{} {}]") ==
        "1:{}; 1@4! expected a comma or `]`, found `{`; "
        "1@0! expected `]`, found the end of the input");
  CHECK(cut("[{},\n]\n") ==
        "1:{}; 2@0! expected a transaction object, found `]`; "
        "2@0! expected `]`, found the end of the input");
  CHECK(cut("[{}]\n{}") == "1:{}; 2@0! expected the end of the input behind the array, found `{`");
  CHECK(cut("[{}\n{\"a\"") ==
        "1:{}; 2@0! expected a comma or `]`, found `{`; "
        "2@0! expected `]`, found the end of the input");
  CHECK(cut("[{}\n,{\"a\"") ==
        "1:{}; 2@0! expected the rest of an object, found the end of the input");
}

TEST_CASE("pieces: an object of many lines has a bound too") {
  CHECK(cut("[{\n\"a\":\n1}, {}\n]", true, 6) ==
        "3@2! expected an object of no more than 6 bytes, found a longer one; 3:{}");
  CHECK(cut("[{\n\"a\":\n1}, {}\n]", true, 7) == "1:{\t\"a\":\t1}; 3:{}");
}

TEST_CASE("pieces: among the lines of several clients no array is known") {
  CHECK(cut("{}\n[{}]", false) == "1:{}; 2:[{}]");
  CHECK(cut("[\n{}", false) ==
        "1@1! expected a transaction a line, found an array, which several clients of a socket "
        "cannot write; 2:{}");
}

}  // namespace
}  // namespace elapid
