# Installation: library, headers, CMake package, pkg-config file, documentation; the command adds itself, its manual page
# and the sample capsules (cli/CMakeLists.txt). The target `abut_installed` builds what an installation takes, and no tests.

add_custom_target(abut_installed DEPENDS abut)

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

install(TARGETS abut EXPORT abutTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${package_dir})

configure_package_config_file(cmake/abutConfig.cmake.in ${PROJECT_BINARY_DIR}/abutConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
        DESTINATION ${package_dir})

# A prefix relative to the .pc file itself: the installed tree may be moved, and `cmake --install --prefix` is honoured.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
# Where only the static library is installed, plain --libs must do, without --static.
if(NOT BUILD_SHARED_LIBS)
    set(pc_libm " -lm")
endif()
configure_file(cmake/abut.pc.in ${PROJECT_BINARY_DIR}/abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
