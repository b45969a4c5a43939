#include "harness/generate/workloads/row_forms.h"

#include <algorithm>

namespace elapid {

namespace {

constexpr std::array<RowFormRow, kRowForms> kForms = {{
    {"empty-range", "A range of numbers is found empty, and a row inserted there", 2},
    {"absent-key", "Two keys are found absent, and one of them is inserted", 2},
    {"bank", "Accounts are found, and money moves from one to another", 2},
    {"scheduling", "A room is found free for some hours, and booked", 2},
    {"unique-name", "A name is found free in a group, and taken", 2},
    {"id-allocation", "The greatest number of a group is found, and the next one inserted", 2},
    {"on-call", "Two or more of a group are found on call, and one leaves", 3},
    {"raise", "Rows of all groups that have one number are given another", 1},
}};

}  // namespace

std::span<const RowFormRow, kRowForms> row_forms() {
  return kForms;
}

RowFormWeights usual_weights() {
  RowFormWeights weights = {};
  std::ranges::transform(kForms, weights.begin(), &RowFormRow::weight);
  return weights;
}

}  // namespace elapid
