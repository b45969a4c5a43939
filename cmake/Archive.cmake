# The installed libraries. Layers are many and small; an archive joins the layers of each public
# interface.

# elapid_layers_below(<out> <layers...>): these layers and all that they link, each once.
function(elapid_layers_below out)
  set(todo ${ARGN})
  set(found)
  while(todo)
    list(POP_FRONT todo layer)
    if(layer IN_LIST found OR NOT TARGET "${layer}")
      continue()
    endif()
    get_target_property(type ${layer} TYPE)
    if(NOT layer MATCHES "^elapid_")
      continue()
    endif()
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND found ${layer})
      get_target_property(links ${layer} LINK_LIBRARIES)
    else()  # what it is joined with (elapid_join)
      get_target_property(links ${layer} INTERFACE_LINK_LIBRARIES)
    endif()
    if(links)  # a list that ends in NOTFOUND would end the loop
      list(APPEND todo ${links})
    endif()
  endwhile()
  list(SORT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# elapid_archive(<name> FROM <layers...> [ON <archives...>] [NEEDS <libraries of others...>])
# lib<name>.a of these layers and all below them but for those in the archives that it stands on. Others
# link it as Elapid::<name without "elapid_">.
function(elapid_archive name)
  cmake_parse_arguments(archive "" "" "FROM;ON;NEEDS" ${ARGN})
  elapid_layers_below(layers ${archive_FROM})
  set(below)
  foreach(other IN LISTS archive_ON)
    get_target_property(theirs ${other}_archive elapid_layers)
    list(APPEND below ${theirs})
  endforeach()
  if(below)
    list(REMOVE_ITEM layers ${below})
  endif()
  set(objects ${layers})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_library(${name}_archive STATIC ${objects})
  string(REGEX REPLACE "^elapid_" "" export_name "${name}")
  list(TRANSFORM archive_ON APPEND _archive OUTPUT_VARIABLE others)
  target_link_libraries(${name}_archive INTERFACE ${others} ${archive_NEEDS})
  target_include_directories(${name}_archive INTERFACE
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR};${CMAKE_INSTALL_INCLUDEDIR}/elapid>")
  target_compile_features(${name}_archive INTERFACE cxx_std_20)
  set_target_properties(${name}_archive PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME ${name} EXPORT_NAME ${export_name}
    elapid_layers "${layers};${below}")
  install(TARGETS ${name}_archive EXPORT Elapid
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
endfunction()
