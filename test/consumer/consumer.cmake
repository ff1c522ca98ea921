# Someone else's program against the installed tree: find_package and pkg-config, each static and shared.

add_test(NAME consumer COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/consumer/consumer.sh ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set_tests_properties(consumer PROPERTIES TIMEOUT 600 ENVIRONMENT "CMAKE=${CMAKE_COMMAND};CC=${CMAKE_C_COMPILER}")
