/* Lists of derived data: a few pieces each, so they are searched from the newest on. */
#include "cuda/data/derived.h"

#include <stddef.h>

static void free_data(cuda_derived *piece)
{
    if (piece->data)
        piece->kind->release(piece->data);
    piece->data = NULL;
}

static void give_way(cuda_spare *spare)
{
    free_data((cuda_derived *)((char *)spare - offsetof(cuda_derived, spare)));
}

static void free_piece(cuda_derived *piece)
{
    sl_cuda_withdraw_spare(&piece->spare);
    free_data(piece);
    sl_free(piece);
}

void sl_cuda_drop_derived(cuda_derived **list, const cuda_derived_kind *kind)
{
    while (*list && (*list)->kind != kind)
        list = &(*list)->next;
    cuda_derived *piece = *list;
    if (!piece)
        return;
    *list = piece->next;
    free_piece(piece);
}

void sl_cuda_drop_newer_derived(cuda_derived **list, const cuda_derived *than)
{
    const cuda_derived *at = *list;
    while (at && at != than)
        at = at->next;
    while (at && *list != than) {
        cuda_derived *piece = *list;
        *list = piece->next;
        free_piece(piece);
    }
}

void sl_cuda_drop_all_derived(cuda_derived **list)
{
    while (*list) {
        cuda_derived *piece = *list;
        *list = piece->next;
        free_piece(piece);
    }
}

sl_status sl_cuda_keep_derived(sl_context *ctx, cuda_derived **list, const cuda_derived_kind *kind,
                               void *data)
{
    sl_cuda_drop_derived(list, kind);
    cuda_derived *piece = sl_malloc(sizeof *piece);
    if (!piece) {
        kind->release(data);
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for the %s", kind->name);
    }
    *piece =
        (cuda_derived){.spare = {.ctx = ctx, .used = sl_cuda_call_number(), .release = give_way},
                       .kind = kind,
                       .data = data,
                       .next = *list};
    *list = piece;
    return SL_OK;
}

void sl_cuda_spare_derived(cuda_derived *list, const cuda_derived_kind *kind)
{
    while (list && list->kind != kind)
        list = list->next;
    if (list && !list->spare.ctx->of_rank)
        sl_cuda_offer_spare(&list->spare);
}

void sl_cuda_hold_derived(cuda_derived *list)
{
    for (; list; list = list->next)
        sl_cuda_withdraw_spare(&list->spare);
}

void sl_cuda_place_derived(sl_placement *placement, const cuda_derived *list)
{
    for (; list; list = list->next)
        if (list->data && list->kind->place)
            list->kind->place(placement, list->data);
}
