# Fails where two files below ROOT define a class, a struct, a union or an enumeration of one name in one
# namespace: the linker would take the functions of either for both.
# Usage: cmake -D ROOT=<folder> -P one_definition.cmake

file(GLOB_RECURSE files RELATIVE "${ROOT}"
     "${ROOT}/engine/*.h" "${ROOT}/engine/*.cc" "${ROOT}/parsers/*.h" "${ROOT}/parsers/*.cc"
     "${ROOT}/adapter/*.h" "${ROOT}/adapter/*.cc" "${ROOT}/harness/*.h" "${ROOT}/harness/*.cc"
     "${ROOT}/tests/*.h")
list(FILTER files EXCLUDE REGEX "^tests/data/")  # inputs of such checks as this one
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()

set(violations)
foreach(file IN LISTS files)
  # Namespaces and definitions stand at the beginning of a line: what is inside others is indented.
  file(STRINGS "${ROOT}/${file}" lines
       REGEX "^(namespace |}  // namespace|(class|struct|union|enum class|enum) [A-Za-z0-9_]+[^;]*{)")
  set(namespace)
  set(is_hidden FALSE)
  foreach(line IN LISTS lines)
    if(line MATCHES "^namespace {")
      set(is_hidden TRUE)
    elseif(line MATCHES "^}  // namespace$")
      set(is_hidden FALSE)
    elseif(line MATCHES "^namespace ([A-Za-z0-9_:]+) {")
      set(namespace "${CMAKE_MATCH_1}")
    elseif(NOT is_hidden AND line MATCHES "^(class|struct|union|enum class|enum) ([A-Za-z0-9_]+)")
      set(name "${namespace}::${CMAKE_MATCH_2}")
      # What belongs to a class, and specialisations of templates, have other names.
      if(line MATCHES "^[a-z ]+ [A-Za-z0-9_]+(<|::)")
        continue()
      endif()
      if(DEFINED "defined_${name}")
        list(APPEND violations "${name}: ${defined_${name}} and ${file}")
      else()
        set("defined_${name}" "${file}")
      endif()
    endif()
  endforeach()
endforeach()
if(violations)
  list(LENGTH violations count)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "${count} types are defined twice:\n  ${text}")
endif()
