# Checks that a format is known to its own folder and to the table parsers/formats.cc alone
# (docs/architecture.md): elsewhere in the sources nothing names a row, and nothing asks for a format by
# its name. Usage: cmake -D ROOT=<folder> -P format_names.cmake. Names every such place; fails if there is one.
cmake_minimum_required(VERSION 3.25)

# These are also the names of syntaxes, which options of the command line take.
set(syntaxes edn json jsonl)

file(GLOB headers RELATIVE "${ROOT}" "${ROOT}/parsers/*/*_format.h")
if(NOT headers)
  message(FATAL_ERROR "no formats under ${ROOT}/parsers")
endif()
set(names)
set(folders)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  list(APPEND folders "${folder}/")
  file(GLOB sources "${ROOT}/${folder}/*.cc")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" found REGEX "Format = {[.]name = \"[a-z-]+\"")
    foreach(line IN LISTS found)
      string(REGEX REPLACE ".*[.]name = \"([a-z-]+)\".*" "\\1" name "${line}")
      list(APPEND names "${name}")
    endforeach()
  endforeach()
endforeach()
list(REMOVE_ITEM names ${syntaxes})
list(JOIN names "|" alternatives)
# A row, the header that offers it, or a quoted name with or without a dialect.
set(knows "k[A-Z][A-Za-z]*Format[^A-Za-z0-9_]|_format[.]h\"|\"(${alternatives})(:[a-z-]+)?\"")
# Another header that is called alike.
set(others "output_format[.]h\"")

file(GLOB_RECURSE files RELATIVE "${ROOT}"
     "${ROOT}/engine/*.h" "${ROOT}/engine/*.cc" "${ROOT}/parsers/*.h" "${ROOT}/parsers/*.cc"
     "${ROOT}/adapter/*.h" "${ROOT}/adapter/*.cc" "${ROOT}/harness/*.h" "${ROOT}/harness/*.cc")
list(REMOVE_ITEM files parsers/formats.cc)
set(places)
foreach(file IN LISTS files)
  cmake_path(GET file PARENT_PATH folder)
  if("${folder}/" IN_LIST folders)
    continue()
  endif()
  file(STRINGS "${ROOT}/${file}" lines REGEX "${knows}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "${others}")
      list(APPEND places "${file}: ${line}")
    endif()
  endforeach()
endforeach()
if(places)
  list(LENGTH places count)
  list(JOIN places "\n  " text)
  message(FATAL_ERROR "${count} places know a format by name:\n  ${text}")
endif()
