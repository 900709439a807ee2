// Runs a search, with smart pointers as owners of the objects.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>

#include <semla/bfs.h>

namespace
{

struct free_object {
    void operator()(sl_context *ctx) const
    {
        sl_context_free(ctx);
    }
    void operator()(sl_matrix *A) const
    {
        sl_matrix_free(A);
    }
    void operator()(sl_vector *v) const
    {
        sl_vector_free(v);
    }
};
template <class T> using owned = std::unique_ptr<T, free_object>;

void check(sl_status status)
{
    if (status != SL_OK)
        throw std::runtime_error(sl_status_string(status));
}

int64_t depth(const char *path)
{
    sl_context *ctx = nullptr;
    check(sl_context_create(&ctx, SL_ENGINE_AUTO));
    owned<sl_context> context(ctx);
    sl_matrix *A = nullptr;
    check(sl_matrix_read(&A, ctx, path, SL_READ_SYMMETRIC));
    owned<sl_matrix> graph(A);
    sl_vector *level = nullptr;
    check(sl_bfs(nullptr, &level, A, 0, nullptr));
    owned<sl_vector> levels(level);
    sl_scalar deepest = sl_scalar_int64(0);
    check(sl_vector_reduce(&deepest, nullptr, SL_MAX_MONOID_INT64, level));
    return deepest.as.int64_;
}

} // namespace

int main(int argc, char **argv)
try {
    return argc == 2 && depth(argv[1]) == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
}
