#include "compiled.h"

sl_context *ctx;
int compiled_begin(void **state)
{
    return folder_begin(state) ? -1 : (int)sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
}

int compiled_end(void **state)
{
    sl_context_free(ctx);
    return folder_end(state);
}

/* ---- an operator, compiled --------------------------------------------------------- */

static void weigh(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const uint8_t *)x * 4 + (*(const float *)y > 1.5f);
}

sl_binary_op weigh_of(const char *name, const char *source)
{
    sl_binary_op op;
    OK(ctx, sl_binary_op_new(&op, ctx, name, SL_INT32, SL_UINT8, SL_FP32, weigh, source));
    return op;
}

const char weigh_source[] = "*z = *x * 4 + (*y > 1.5f);";

sl_status compile(cuda_image *image, const cuda_wanted *wanted, int architecture)
{
    cuda_program program;
    sl_status status = sl_cuda_program_write(ctx, &program, wanted);
    *image = (cuda_image){0};
    if (status == SL_OK)
        status = sl_cuda_image_of(ctx, image, &program, architecture);
    sl_cuda_program_free(&program);
    return status;
}

void expect(const cuda_wanted *wanted, int architecture, bool cached)
{
    cuda_image image;
    OK(ctx, compile(&image, wanted, architecture));
    assert_true(image.code_size > 100 && image.names_size > 4);
    assert_int_equal(image.names[image.names_size - 1], 0);
    assert_int_equal(image.cached, cached);
    sl_cuda_image_free(&image);
}

void need_nvrtc(void)
{
    if (!sl_nvrtc_unavailable_reason())
        return;
    print_message("%s\n", sl_nvrtc_unavailable_reason());
    skip();
}
