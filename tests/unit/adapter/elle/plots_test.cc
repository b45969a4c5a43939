#include "adapter/elle/plots.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/adapter/elle/temporary_directory.h"
#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

/// Puts a program `dot` of the test's own in front of all others.
class FakeDot {
 public:
  explicit FakeDot(const std::string& script) : old_path_(getenv("PATH")) {
    if (!script.empty()) {
      const std::string file = (directory_.path() / "dot").string();
      std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
      chmod(file.c_str(), 0755);
    }
    setenv("PATH", directory_.path().c_str(), 1);
  }

  ~FakeDot() { setenv("PATH", old_path_.c_str(), 1); }

  FakeDot(const FakeDot&) = delete;
  FakeDot& operator=(const FakeDot&) = delete;

 private:
  TemporaryDirectory directory_;
  std::string old_path_;
};

TEST_CASE("dot reads the graph and its output is the picture") {
  const FakeDot dot("echo \"$1\"; while read -r line; do echo \"$line\"; done");
  CHECK(can_draw());
  const Plot plot = draw("digraph a_graph {\n}\n", {.format = PlotFormat::kPng});
  CHECK(plot.note.empty());
  CHECK(plot.image == "-Tpng\ndigraph a_graph {\n}\n");
}

TEST_CASE("a picture larger than a pipe's buffer arrives whole") {
  const FakeDot dot("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done");
  CHECK(draw("graph {}", {}).image.size() == 220000);
}

TEST_CASE("without dot there is a note") {
  const FakeDot dot("");
  CHECK_FALSE(can_draw());
  const Plot plot = draw("digraph {}", {});
  CHECK(plot.image.empty());
  CHECK(plot.note == "dot is not on the PATH (Debian package graphviz)");
}

TEST_CASE("a failing dot gives a note") {
  const FakeDot dot("echo partial; exit 3");
  const Plot plot = draw("digraph {", {});
  CHECK(plot.image.empty());
  CHECK(plot.note == "dot ended with code 3");
}

TEST_CASE("a slow dot is ended") {
  const FakeDot dot("while :; do :; done");
  const Plot plot = draw("digraph {}", {.timeout = std::chrono::milliseconds(30)});
  CHECK(plot.image.empty());
  CHECK(plot.note == "dot took longer than 30 ms");
}

TEST_CASE("too big a graph is not drawn") {
  const History history = g1c_history();
  const std::vector<TxnId> txns = {{0}, {1}};
  const Plot plot = draw(history, txns, {}, {.max_dot_bytes = 50});
  CHECK(plot.image.empty());
  CHECK(plot.note == "its DOT text is longer than 50 bytes");
}

TEST_CASE("Graphviz draws what we write") {
  if (!can_draw()) {
    WARN("dot is not installed: drawing was not tried");
    return;
  }
  const History history = g1c_history();
  const std::vector<TxnId> txns = {{0}, {1}};
  const Plot plot = draw(history, txns, g1c_cycle(history).steps, {});
  CHECK(plot.note.empty());
  CHECK(plot.image.find("<svg") != std::string::npos);
}

}  // namespace
}  // namespace elapid
