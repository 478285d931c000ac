/* Rolling discs in motion against closed forms. */
#include "test.h"

/* A flat coin has no contact point. */
static void a_flat_coin_has_no_rows(void)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    const spc_state ground = spc_state_identity();
    spc_state coin = ground;
    spc_rows rows;
    shape.axis_B = spc_vec3_make(0, 0, 1);
    shape.radius = 1;
    CHECK_STATUS(spc_rolling_disc_rows(&shape, &ground, &coin, &rows), SPC_ERROR_NO_CONTACT_POINT);
}

static const test_entry tests[] = { TEST(a_flat_coin_has_no_rows) };

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
