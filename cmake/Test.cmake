# How a folder of tests becomes a program, and its cases tests of ctest.
include(Catch)

# The tests that an optimised build runs as well: those on real inputs.
add_custom_target(real_inputs)

# elapid_test(<target> LABEL <label> SOURCES <files...> [LINKS <libraries...>])
# A Catch2 program. Unit tests run in one process, as the ctest test that is named for the program: to
# start a sanitized process takes longer than most of them. Of the others each case is a test of ctest.
# A test that says SKIPPED: for want of data is counted as skipped. A semicolon in a test's name splits
# it at discovery; `-w NoTests` makes such halves, which select nothing, fail instead of pass.
function(elapid_test target)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LABEL" "SOURCES;LINKS")
  elapid_batched(sources ${target} ${test_SOURCES})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE elapid_options ${test_LINKS} elapid_test_support Catch2::Catch2WithMain)
  target_compile_options(${target} PRIVATE
    "SHELL:-include \"${PROJECT_SOURCE_DIR}/tests/support/plain_test_bodies.h\"")
  target_compile_definitions(${target} PRIVATE
    ELAPID_SHARED="${ELAPID_SHARED}" ELAPID_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  if(test_LABEL MATCHES "^(golden|cli)$")
    add_dependencies(real_inputs ${target})
  endif()
  if(test_LABEL STREQUAL "unit")
    string(REGEX REPLACE "^elapid_(.*)_tests$" "\\1" name ${target})
    add_test(NAME ${name} COMMAND "${PROJECT_SOURCE_DIR}/tests/whole" "$<TARGET_FILE:${target}>")
    set_tests_properties(${name} PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 600)
  else()
    catch_discover_tests(${target} EXTRA_ARGS -w NoTests PROPERTIES LABELS ${test_LABEL}
                         SKIP_REGULAR_EXPRESSION SKIPPED:)
  endif()
endfunction()
