# Someone else's program against the installed tree: find_package and pkg-config, each static and shared.

abut_test(consumer 300 bash ${CMAKE_CURRENT_SOURCE_DIR}/consumer/consumer.sh ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set_tests_properties(consumer PROPERTIES ENVIRONMENT "CMAKE=${CMAKE_COMMAND};CC=${CMAKE_C_COMPILER}")
