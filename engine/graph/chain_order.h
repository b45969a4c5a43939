// Puts chains of nodes into one order: it satisfies all constraints, then as many preferences as it
// can.
//
// Nodes of a chain keep their order. The result stays with a chain as long as it can, so that
// people can follow it. Example: chains a0 a1 and b0 b1, where b1 must come before a1:
//
//   ChainOrder order({2, 2});
//   order.must(order.node(1, 1), order.node(0, 1));
//   order.prefer(order.node(0, 1), order.node(1, 0));  // false: it contradicts the constraint
//   order.in_order();                                  // a0 b0 b1 a1
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

class ChainOrder {
 public:
  using Node = std::size_t;

  struct Place {
    std::size_t chain = 0;
    std::size_t place = 0;
    friend bool operator==(Place, Place) = default;
  };

  explicit ChainOrder(const std::vector<std::size_t>& lengths);

  [[nodiscard]] Node node(std::size_t chain, std::size_t place) const {
    return first_[chain] + place;
  }

  /// The chain must not be empty.
  [[nodiscard]] Node last(std::size_t chain) const { return first_[chain + 1] - 1; }

  /// A constraint. If constraints contradict one another, in_order() silently drops some.
  void must(Node from, Node to);

  /// A preference; false if it contradicts the order so far. Linear in what is known.
  bool prefer(Node from, Node to);

  /// All nodes in one order.
  [[nodiscard]] std::vector<Place> in_order() const;

 private:
  [[nodiscard]] bool reaches(Node from, Node to) const;

  [[nodiscard]] std::size_t chain_count() const { return first_.size() - 1; }

  std::vector<Node> first_ = {0};             // by chain, then the number of nodes
  std::vector<std::vector<Node>> next_ = {};  // by node
  std::vector<std::size_t> before_ = {};      // by node: how many come before
};

}  // namespace elapid
