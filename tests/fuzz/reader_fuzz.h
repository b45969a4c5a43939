// What the programs that fuzz readers differ in; the rest of them is compiled once.
#ifndef ELAPID_TESTS_FUZZ_READER_FUZZ_H_
#define ELAPID_TESTS_FUZZ_READER_FUZZ_H_

namespace elapid {

/// The format that this program reads, as the command line calls it.
extern const char* const kFuzzFormat;

}  // namespace elapid

#endif  // ELAPID_TESTS_FUZZ_READER_FUZZ_H_
