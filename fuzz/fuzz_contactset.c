#include "fuzz_contact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_first(abuti_text *text, abuti_contact_data *data)
{
    return abuti_contact_read_set(text, 0, data);
}

static bool read_second(abuti_text *text, abuti_contact_data *data)
{
    return abuti_contact_read_set(text, 1, data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(data, size, read_first);
    return fuzz_read(data, size, read_second);
}
