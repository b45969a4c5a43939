# How a folder of tests becomes a program, and its cases tests of ctest.
include(Catch)

option(ELAPID_JOIN_TESTS
       "Link the unit tests of all folders into one program, and the properties into another: a sanitized program is 100 MB"
       OFF)

# The tests that an optimised build runs as well: those on real inputs.
add_custom_target(real_inputs)

# elapid_test(<target> LABEL <label> SOURCES <files...> [LINKS <libraries...>])
# A Catch2 program, or with ELAPID_JOIN_TESTS objects of one (elapid_join_tests). Unit tests run in one process, as the
# ctest test that is named for the target: to start a sanitized process takes longer than most of them. Of the others
# each case is a test of ctest.
function(elapid_test target)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LABEL" "SOURCES;LINKS")
  elapid_batched(sources ${target} ${test_SOURCES})
  set(joined FALSE)
  if(ELAPID_JOIN_TESTS AND test_LABEL MATCHES "^(unit|property)$")
    set(joined TRUE)
  endif()
  if(joined)
    add_library(${target} OBJECT ${sources})
    set_property(GLOBAL APPEND PROPERTY elapid_${test_LABEL}_objects ${target})
  else()
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE Catch2::Catch2WithMain)
  endif()
  target_link_libraries(${target} PRIVATE elapid_options ${test_LINKS} elapid_test_support Catch2::Catch2)
  target_compile_options(${target} PRIVATE
    "SHELL:-include \"${PROJECT_SOURCE_DIR}/tests/support/plain_test_bodies.h\"")
  target_compile_definitions(${target} PRIVATE
    ELAPID_SHARED="${ELAPID_SHARED}" ELAPID_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  if(test_LABEL MATCHES "^(golden|cli)$")
    add_dependencies(real_inputs ${target})
  endif()
  if(test_LABEL STREQUAL "unit")
    elapid_run_whole(${target} ${joined} ${test_SOURCES})
  elseif(NOT joined)
    elapid_discover(${target} ${test_LABEL})
  endif()
endfunction()

# elapid_run_whole(<target> <joined> <files...>): the cases of these files, which are tags of Catch2, in one process.
function(elapid_run_whole target joined)
  set(program ${target})
  set(selected)
  if(joined)
    set(program elapid_all_unit_tests)
    foreach(source IN LISTS ARGN)
      cmake_path(GET source STEM stem)
      if(stem MATCHES "_test$|_examples$")
        get_property(known GLOBAL PROPERTY elapid_file_of_${stem})
        if(known)
          message(FATAL_ERROR "${target}: ${known} has a file named ${stem} too, so that a tag would mean both")
        endif()
        set_property(GLOBAL PROPERTY elapid_file_of_${stem} ${target})
        if(stem STREQUAL "header_examples")
          list(APPEND selected "example *")  # their files are the headers
        endif()
        list(APPEND selected "[#${stem}]~[.]")  # a tag alone would select hidden cases, too
      endif()
    endforeach()
    list(JOIN selected "," selected)
    set(selected "-#" -w NoTests "${selected}")
  endif()
  string(REGEX REPLACE "^elapid_(.*)_tests$" "\\1" name ${target})
  add_test(NAME ${name} COMMAND "${PROJECT_SOURCE_DIR}/tests/whole" "$<TARGET_FILE:${program}>" ${selected})
  set_tests_properties(${name} PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()

# elapid_discover(<program> <label>): each case is a test of ctest.
# A test that says SKIPPED: for want of data is counted as skipped. A semicolon in a test's name splits
# it at discovery; `-w NoTests` makes such halves, which select nothing, fail instead of pass.
function(elapid_discover program label)
  catch_discover_tests(${program} EXTRA_ARGS -w NoTests PROPERTIES LABELS ${label}
                       SKIP_REGULAR_EXPRESSION SKIPPED:)
endfunction()

# elapid_join_tests(): the programs of what elapid_test() declared, with ELAPID_JOIN_TESTS.
function(elapid_join_tests)
  foreach(label IN ITEMS unit property)
    get_property(objects GLOBAL PROPERTY elapid_${label}_objects)
    if(objects)
      add_executable(elapid_all_${label}_tests)
      target_link_libraries(elapid_all_${label}_tests PRIVATE ${objects} Catch2::Catch2WithMain)
    endif()
  endforeach()
  if(TARGET elapid_all_property_tests)
    elapid_discover(elapid_all_property_tests property)
  endif()
endfunction()

# elapid_at_length(<name> <target> CASES <n> [FILTER <pattern>]): properties over many cases, in optimised builds.
function(elapid_at_length name target)
  cmake_parse_arguments(PARSE_ARGV 2 at "" "CASES;FILTER" "")
  if(NOT ELAPID_JOIN_TESTS)
    add_dependencies(real_inputs ${target})
    add_test(NAME ${name} COMMAND ${target} ${at_FILTER})
    set_tests_properties(${name} PROPERTIES LABELS at-length TIMEOUT 600
                         ENVIRONMENT ELAPID_PROPERTY_CASES=${at_CASES})
  endif()
endfunction()
