/* The stages of `faces` for any machine. */
#define FACES_VARIANT abuti_faces_plain
#include "contact/faces/core.inl"
