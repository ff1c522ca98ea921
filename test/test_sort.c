/* Sorting by a key: order, payloads, sizes, what is sorted already. */
#include "base/sort.h"
#include "check.h"

typedef struct item {
    uint64_t key;
    int payload;
} item;

static void test_items_come_in_order_with_their_payloads(void)
{
    uint64_t seed = check_seed(3);
    for (int count = 0; count < 200; ++count) {
        item items[200];
        uint64_t sum = 0, after = 0;
        for (int i = 0; i < count; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            items[i] = (item){count % 3 ? seed >> 5 : seed >> 62, 0};
            items[i].payload = (int)(items[i].key % 1000003);
            sum += items[i].key;
        }
        abuti_sort_by_key(items, count, sizeof *items);
        for (int i = 0; i < count; ++i) {
            CHECK(i == 0 || items[i - 1].key <= items[i].key);
            CHECK(items[i].payload == (int)(items[i].key % 1000003));
            after += items[i].key;
        }
        CHECK(sum == after);
    }
}

static void test_plain_keys(void)
{
    uint64_t keys[4] = {3, UINT64_MAX, 0, 7};
    abuti_sort_by_key(keys, 4, sizeof *keys);
    CHECK(keys[0] == 0 && keys[1] == 3 && keys[2] == 7 && keys[3] == UINT64_MAX);
}

int main(void)
{
    RUN(test_items_come_in_order_with_their_payloads);
    RUN(test_plain_keys);
    return check_report();
}
