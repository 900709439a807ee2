/* Closures on the grid: searches, closures on the ranks' devices, and iterations for those that neither can do. */
#include "dist/closures/closures.h"

#include "dist/closures/relax_devices.h"
#include "dist/search/search_operation.h"

sl_status sl_grid_closure(sl_call *call)
{
    bool served = false, by_products = false;
    if (sl_semiring_is_search(call->operators.semiring)) {
        const sl_status status = sl_grid_search(&by_products, call);
        return by_products && status == SL_OK ? sl_grid_iterations(call) : status;
    }
    SL_TRY(sl_grid_relax_on_devices(&served, call));
    return served ? SL_OK : sl_grid_iterations(call);
}
