# The files that `cmake --install` installs. The components are also the Debian packages:
#   runtime   the program, its manual and completions, the adapter for Jepsen, the documents
#   mpi       elapid-mpi, if it was built
#   serve     the program behind elapid serve, and its unit of systemd
#   drivers   the plug-ins of elapid run, which harness/drive installs
#   library   libelapid.so, the checker for programs in C
#   python    the package for Python, which loads the library
#   dev       headers, archives, CMake package, pkg-config file, examples
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include("${CMAKE_CURRENT_LIST_DIR}/Archive.cmake")

# Libraries.

elapid_archive(elapid_engine FROM elapid_engine elapid_evidence NEEDS Threads::Threads)
elapid_archive(elapid_parsers FROM elapid_read elapid_write ON elapid_engine
               NEEDS ZLIB::ZLIB PkgConfig::ZSTD PkgConfig::RE2)
elapid_archive(elapid_door FROM elapid_source elapid_elle ON elapid_engine elapid_parsers
               NEEDS fmt::fmt Boost::filesystem)
elapid_archive(elapid_c_static FROM elapid_c ON elapid_engine elapid_parsers elapid_door)
set_target_properties(elapid_c_static_archive PROPERTIES OUTPUT_NAME elapid)
set(libraries elapid_engine_archive elapid_parsers_archive elapid_door_archive elapid_c_static_archive)

if(ELAPID_SHARED_LIBRARY)
  set(symbols "${PROJECT_SOURCE_DIR}/adapter/c/elapid.symbols")
  add_library(elapid_shared SHARED $<TARGET_OBJECTS:elapid_c>)
  target_link_libraries(elapid_shared PRIVATE elapid_c)
  target_include_directories(elapid_shared INTERFACE
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_options(elapid_shared PRIVATE
    "LINKER:--version-script=${symbols}" LINKER:--as-needed LINKER:--no-undefined)
  set_target_properties(elapid_shared PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME elapid EXPORT_NAME c
    VERSION "${PROJECT_VERSION}" SOVERSION "${PROJECT_VERSION_MAJOR}" LINK_DEPENDS "${symbols}")
  install(TARGETS elapid_shared EXPORT Elapid
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT dev)
  list(APPEND libraries elapid_shared)
endif()
set_target_properties(${libraries} PROPERTIES
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# The package for Python: its sources, and what tells pip and pytest of it. A wheel is made by
# `python3 -m build adapter/python` instead.
set(python "lib/python3/dist-packages")  # of every Python 3 of Debian
install(DIRECTORY adapter/python/src/elapid DESTINATION "${python}" COMPONENT python
        PATTERN __pycache__ EXCLUDE)
configure_file("${CMAKE_CURRENT_LIST_DIR}/python-metadata.in" "${PROJECT_BINARY_DIR}/python/METADATA" @ONLY)
file(WRITE "${PROJECT_BINARY_DIR}/python/INSTALLER" "cmake\n")
install(FILES adapter/python/entry_points.txt "${PROJECT_BINARY_DIR}/python/METADATA"
              "${PROJECT_BINARY_DIR}/python/INSTALLER"
        DESTINATION "${python}/elapid-${PROJECT_VERSION}.dist-info" COMPONENT python)

# Headers: the public interfaces, and the headers that they include. They include one another as
# `engine/ir/history.h`, so a program searches include/elapid: `engine` directly below include could
# conflict with other packages.

set(doors
  engine/check/check.h engine/certify/certify.h engine/evidence/describe.h engine/ir/history_builder.h
  engine/ir/visible.h engine/levels/entailment.h engine/levels/ladder.h
  parsers/find.h parsers/formats.h parsers/read.h parsers/write.h
  parsers/door/door.h parsers/door/names.h adapter/source/verdict_text.h
  adapter/elle/explanation.h adapter/elle/result_map.h)
install(CODE "
  set(ELAPID_SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(ELAPID_DOORS \"${doors}\")
  set(ELAPID_INCLUDE \"${CMAKE_INSTALL_INCLUDEDIR}/elapid\")"
  COMPONENT dev)
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake" COMPONENT dev)
install(FILES adapter/c/elapid.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)

# The files by which builds find the libraries.

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Elapid")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/ElapidConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/ElapidConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ElapidConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ElapidConfig.cmake" "${PROJECT_BINARY_DIR}/ElapidConfigVersion.cmake"
        DESTINATION "${package_dir}" COMPONENT dev)
install(EXPORT Elapid NAMESPACE Elapid:: FILE ElapidTargets.cmake DESTINATION "${package_dir}" COMPONENT dev)
# A package that was moved is found at its new place.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig"
           OUTPUT_VARIABLE prefix_from_pkgconfig)
configure_file("${CMAKE_CURRENT_LIST_DIR}/elapid.pc.in" "${PROJECT_BINARY_DIR}/elapid.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/elapid.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
install(DIRECTORY examples/embed examples/embed-c DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT dev)

# The program, its manual and its completions.

set(manual "${PROJECT_BINARY_DIR}/elapid.1.gz")
set(completions "${PROJECT_BINARY_DIR}/completions")
add_custom_command(OUTPUT "${manual}" "${completions}/elapid" "${completions}/_elapid" "${completions}/elapid.fish"
  COMMAND sh -c "mkdir -p '${completions}' && \
    '$<TARGET_FILE:elapid>' help --man | gzip -9n > '${manual}' && \
    '$<TARGET_FILE:elapid>' completion bash > '${completions}/elapid' && \
    '$<TARGET_FILE:elapid>' completion zsh > '${completions}/_elapid' && \
    '$<TARGET_FILE:elapid>' completion fish > '${completions}/elapid.fish'"
  DEPENDS elapid
  VERBATIM)
install(TARGETS elapid RUNTIME COMPONENT runtime)
if(TARGET elapid-serve)
  install(TARGETS elapid-serve RUNTIME DESTINATION lib/elapid COMPONENT serve)
  install(FILES cmake/debian/elapid-serve.service DESTINATION lib/systemd/system COMPONENT serve)
endif()
if(TARGET elapid-mpi)
  install(TARGETS elapid-mpi RUNTIME COMPONENT mpi)
endif()
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT runtime)
install(FILES "${completions}/elapid" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        COMPONENT runtime)
install(FILES "${completions}/elapid.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
        COMPONENT runtime)
# Zsh looks for completions of packages in another folder than for local ones.
install(CODE "
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zsh vendor-completions)
  endif()
  file(INSTALL \"${completions}/_elapid\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh}\")"
  COMPONENT runtime)
if(EXISTS "${PROJECT_SOURCE_DIR}/adapter/jepsen")
  install(DIRECTORY adapter/jepsen DESTINATION "${CMAKE_INSTALL_DATADIR}/elapid" COMPONENT runtime)
endif()
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)

# The targets that must be built before runtime, library and dev are installed.
add_custom_target(elapid_packages ALL DEPENDS elapid ${libraries} "${manual}")
