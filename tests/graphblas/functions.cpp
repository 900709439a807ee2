/*
 * Calls every function of the header's tables: with valid arguments; with each pointer NULL; with each handle of an
 * object that was not made, was freed, or is of another kind; with each object of another size or of a user-defined
 * type; with each number, list of indices and scalar out of range; and before GrB_init.
 *
 * The arguments are made from the rows themselves. A template takes the types of the parameters, and the text of the
 * row gives their names. Rules give the code that the specification names; what differs is in tables of exceptions.
 * The compiler would take a minute to make all of a call anew for each signature, so templates only pass arguments.
 *
 * A handle that is NULL is GrB_NULL_POINTER, as in SuiteSparse:GraphBLAS.
 */
#include <GraphBLAS.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

static int failures;
static long calls;

/* ---- the objects of one call ----------------------------------------------------------------------- */

enum { SIZE = 5, ROOM = 64 };

static size_t value_size; /* of the type of the operators below */

static void unary(void *z, const void *x)
{
    memcpy(z, x, value_size);
}
static void binary(void *z, const void *x, const void *)
{
    memcpy(z, x, value_size);
}
static void index_unary(void *z, const void *x, GrB_Index, GrB_Index, const void *)
{
    memcpy(z, x, value_size);
}
static void choose(void *z, const void *, GrB_Index i, GrB_Index, const void *)
{
    *(bool *)z = i > 1;
}

static void require(GrB_Info info, const char *what)
{
    if (info == GrB_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)info);
    exit(1);
}
#define OK(call) require(call, #call)

/* Objects whose values are fp64, or of a user-defined type of the same size. */
struct world {
    GrB_Type type = GrB_FP64;
    GrB_UnaryOp unary = NULL;
    GrB_BinaryOp binary = NULL, times = NULL; /* times: predefined, or as binary */
    GrB_IndexUnaryOp index = NULL, selection = NULL;
    GrB_Monoid monoid = NULL;
    GrB_Semiring semiring = NULL;
    GrB_Descriptor desc = NULL;
    GrB_Scalar scalar = NULL;
    GrB_Vector vector = NULL, mask = NULL;
    GrB_Matrix matrix = NULL, matrix_mask = NULL;
    GrB_Matrix product = NULL, product_mask = NULL; /* of a Kronecker product */

    /* given: the type of values */
    world(GrB_Type given, GrB_Index size)
    {
        const double one = 1;
        int32_t code = GrB_FP64_CODE;
        type = given;
        OK(GrB_Type_get_INT32(type, &code, GrB_EL_TYPE_CODE));
        OK(GrB_Type_get_SIZE(type, &value_size, GrB_SIZE));
        const bool user = code == GrB_UDT_CODE;
        OK(GrB_UnaryOp_new(&unary, ::unary, type, type));
        OK(GrB_BinaryOp_new(&binary, ::binary, type, type, type));
        OK(GrB_IndexUnaryOp_new(&index, index_unary, type, type, type));
        OK(GrB_IndexUnaryOp_new(&selection, choose, GrB_BOOL, type, type));
        times = binary;
        if (user)
            OK(GrB_Monoid_new_UDT(&monoid, binary, &one));
#define X(T, V, P, ...)                                                                            \
    if (type == GrB_##T)                                                                           \
        OK(GrB_Monoid_new_##T(&monoid, times = GrB_TIMES_##T, 1));
        SEMLA_GRB_TYPES(X, )
#undef X
        OK(GrB_Semiring_new(&semiring, monoid, binary));
        OK(GrB_Descriptor_new(&desc));
        OK(GrB_Scalar_new(&scalar, type));
        OK(GrB_Vector_new(&vector, type, size));
        OK(GrB_Vector_new(&mask, GrB_BOOL, size));
        OK(GrB_Matrix_new(&matrix, type, size, size));
        OK(GrB_Matrix_new(&matrix_mask, GrB_BOOL, size, size));
        OK(GrB_Matrix_new(&product, type, size * size, size * size));
        OK(GrB_Matrix_new(&product_mask, GrB_BOOL, size * size, size * size));
        OK(user ? GrB_Scalar_setElement_UDT(scalar, &one)
                : GrB_Scalar_setElement_FP64(scalar, one));
        for (GrB_Index k = 0; k < size; k += 2) {
            OK(GrB_Vector_setElement_BOOL(mask, true, k));
            OK(GrB_Vector_setElement_Scalar(vector, scalar, k));
            OK(GrB_Matrix_setElement_Scalar(matrix, scalar, k, 2));
        }
    }
    world(const world &) = delete;
    world &operator=(const world &) = delete;
    ~world()
    {
        GrB_UnaryOp_free(&unary);
        GrB_BinaryOp_free(&binary);
        GrB_IndexUnaryOp_free(&index);
        GrB_IndexUnaryOp_free(&selection);
        GrB_Monoid_free(&monoid);
        GrB_Semiring_free(&semiring);
        GrB_Descriptor_free(&desc);
        GrB_Scalar_free(&scalar);
        GrB_Vector_free(&vector);
        GrB_Vector_free(&mask);
        GrB_Matrix_free(&matrix);
        GrB_Matrix_free(&matrix_mask);
        GrB_Matrix_free(&product);
        GrB_Matrix_free(&product_mask);
    }
};

/* What arguments point to. */
struct memory {
    GrB_Index list[ROOM] = {4, 2, 0, 1, 3}, starts[ROOM] = {0, 1, 2, 3, 3, 3}, counts[ROOM];
    double values[ROOM] = {1, 2, 3};
    char text[256] = "name", blob[4096];
    GrB_Index blob_size = sizeof blob;
    const char *message;
    int32_t number;
    GrB_Format format;
    unsigned version;
    void *made = NULL; /* a handle that the call fills */
};

/* ---- parameters ---------------------------------------------------------------------------------------- */

struct parameter {
    std::string type, name;
};

/* The parameters of a row: "(GrB_Vector w, const GrB_Vector mask)". */
static std::vector<parameter> parse(const std::string &row)
{
    std::vector<parameter> list;
    std::string text = row.substr(1, row.size() - 2);
    for (size_t begin = 0; begin < text.size();) {
        size_t end = std::min(text.find(',', begin), text.size());
        size_t name = end;
        while (isalnum(text[name - 1]) || text[name - 1] == '_')
            name--;
        std::string type = text.substr(begin, name - begin);
        while (!type.empty() && type.back() == ' ')
            type.pop_back();
        while (!type.empty() && type.front() == ' ')
            type.erase(0, 1);
        list.push_back({type, text.substr(name, end - name)});
        begin = end + 1;
    }
    return list;
}

struct call {
    std::string function;
    std::vector<parameter> parameters;
    world &objects;
    memory &space;
    bool is(const char *part) const
    {
        return function.find(part) != std::string::npos;
    }
};

/* The object that stands for a handle of a type, by the name of the parameter. */
static void *object_of(call &c, const parameter &p)
{
    const std::string &t = p.type;
    world &w = c.objects;
    auto has = [&](const char *part) { return t.find(part) != std::string::npos; };
    if (p.name == "mask")
        return has("Vector")       ? (void *)w.mask
               : c.is("kronecker") ? (void *)w.product_mask
                                   : (void *)w.matrix_mask;
    if (p.name == "C" && c.is("kronecker"))
        return w.product;
    return has("GrB_Type")       ? (void *)w.type
           : has("IndexUnaryOp") ? c.is("select") ? (void *)w.selection : (void *)w.index
           : has("UnaryOp")      ? (void *)w.unary
           : has("BinaryOp")
               ? c.is("reduce_BinaryOp") || c.is("Monoid_new") ? (void *)w.times : (void *)w.binary
           : has("GrB_Monoid")     ? (void *)w.monoid
           : has("GrB_Semiring")   ? (void *)w.semiring
           : has("GrB_Descriptor") ? (void *)w.desc
           : has("GrB_Scalar")     ? (void *)w.scalar
           : has("GrB_Vector")     ? (void *)w.vector
           : has("GrB_Global")     ? (void *)GrB_GLOBAL
                                   : (void *)w.matrix;
}

static GrB_Field field_of(const call &c)
{
    if (c.is("String") || c.is("SIZE") || c.is("VOID"))
        return GrB_NAME;
    if (c.is("Descriptor"))
        return GrB_OUTP_FIELD;
    if (c.is("_set_"))
        return GrB_STORAGE_ORIENTATION_HINT;
    return c.is("Global")                               ? GrB_API_VER_MAJOR
           : c.is("Op_") || c.is("Mon") || c.is("Semi") ? GrB_OUTP_TYPE_CODE
                                                        : GrB_EL_TYPE_CODE;
}

/* The value of an argument that is a number. */
static GrB_Index number_of(const call &c, const parameter &p)
{
    const std::string &n = p.name;
    if (p.type == "GrB_Index" || p.type == "size_t")
        return n == "i" || n == "j"                             ? 2
               : n == "nvals" || n == "Ai_len" || n == "Ax_len" ? 3
               : n == "Ap_len"                                  ? SIZE + 1
               : c.is("deserialize")                            ? c.space.blob_size
               : c.is("Type_new")                               ? sizeof(double)
                                                                : (GrB_Index)SIZE;
    if (p.type == "GrB_Field")
        return field_of(c);
    return n == "value" || n == "x"; /* field and value of a descriptor, format, mode, k: 0 */
}

/* An argument that is a pointer: a handle, a handle to fill or to free, an array, a text. */
static void *pointer_of(call &c, const parameter &p)
{
    const std::string &n = p.name, &t = p.type;
    memory &m = c.space;
    auto is = [&](const char *type) { return t.find(type) != std::string::npos; };
    if (is("GrB_Index *"))
        return is("const")                                        ? n == "Ap" ? m.starts : m.list
               : n == "Ap_len"                                    ? &m.counts[0]
               : n == "Ai_len"                                    ? &m.counts[1]
               : n == "Ax_len"                                    ? &m.counts[2]
               : n == "I_" || n == "J_" || n == "Ap" || n == "Ai" ? &m.list[0]
               : c.is("serialize")                                ? &m.blob_size
                                                                  : &m.counts[n == "subversion"];
    if (n == "object" && t.back() == '*') {
        m.made = object_of(c, p);
        return &m.made;
    }
    if (is("GrB_Format"))
        return &m.format;
    if (is("GrB_"))
        return t.back() == '*' ? (void *)&m.made : object_of(c, p);
    if (n == "blob")
        return m.blob;
    if (n == "message")
        return &m.message;
    if (n == "value" && is("char"))
        return m.text;
    return m.values;
}

/* ---- one call --------------------------------------------------------------------------------------------- */

/* How one argument of a call is wrong. */
enum fault {
    NONE,
    NO_POINTER,
    NOT_MADE,
    FREED,
    OTHER_KIND,
    OTHER_SIZE,
    OTHER_TYPE,
    OUT_OF_RANGE,
    FAULTS
};
static const char *const faults[] = {"valid",         "NULL",        "not made",
                                     "freed",         "other kind",  "of other size",
                                     "of other type", "out of range"};

static bool is_handle(const parameter &p)
{
    static const std::set<std::string> numbers = {"GrB_Index",     "GrB_Format", "GrB_Mode",
                                                  "GrB_WaitMode",  "GrB_Field",  "GrB_Desc_Field",
                                                  "GrB_Desc_Value"};
    return p.type.find("GrB_") != std::string::npos && p.type.back() != '*' &&
           !numbers.count(p.type);
}
static bool is_collection(const parameter &p)
{
    return is_handle(p) && (p.type.find("Vector") != std::string::npos ||
                            p.type.find("Matrix") != std::string::npos);
}
static bool is_pointer(const parameter &p)
{
    return is_handle(p) || p.type.back() == '*' || p.type.find("_function") != std::string::npos;
}
static bool is_optional(const call &c, const parameter &p)
{
    return p.name == "mask" || p.name == "accum" || (p.name == "desc" && !c.is("Descriptor")) ||
           p.name == "dup" || (c.is("deserialize") && p.name == "type") || c.is("_free") ||
           (c.is("extractTuples") && p.name != "nvals" && p.name != "v" && p.name != "A");
}

/* Objects that are no objects of the API, of any kind. */
static GrB_Index nothing, beyond[ROOM] = {0, SIZE, SIZE, SIZE, SIZE, SIZE};
static uint64_t not_made[16] = {0x0123456789abcdef, 0x0123456789abcdef}, freed[16] = {0};

static GrB_Index spoilt_number(const parameter &p)
{
    return p.name == "i" || p.name == "j" ? (GrB_Index)SIZE
           : p.type == "GrB_Index"        ? GrB_INDEX_MAX + 2
                                          : 99;
}

static void *spoilt_pointer(call &c, const parameter &p, fault f, world &other)
{
    call d = {c.function, c.parameters, other, c.space};
    switch (f) {
    case NOT_MADE:
        return not_made;
    case FREED:
        return freed;
    case OTHER_KIND:
        return p.type.find("GrB_Type") == std::string::npos ? (void *)GrB_FP64
                                                            : (void *)c.objects.scalar;
    case OTHER_SIZE:
    case OTHER_TYPE:
        return object_of(d, p);
    case OUT_OF_RANGE:
        if (p.type.find("GrB_Scalar") != std::string::npos) {
            OK(GrB_Scalar_clear(other.scalar));
            return other.scalar;
        }
        return p.type.find("const") == 0 ? beyond : &nothing;
    default:
        return NULL;
    }
}

/* The arguments of one call, of which the one with the number `which` is spoilt; -1: none. */
struct arguments {
    call &c;
    int which;
    fault kind;
    world &other;
};

/* Argument k, of type T: a number; a pointer; or a function, which is only spoilt as NULL. */
template <class T> struct argument {
    static T make(const arguments &a, size_t k)
    {
        const parameter &p = a.c.parameters[k];
        return (T)((int)k == a.which ? spoilt_number(p) : number_of(a.c, p));
    }
};
template <class T> struct argument<T *> {
    static T *make(const arguments &a, size_t k)
    {
        const parameter &p = a.c.parameters[k];
        void *valid = pointer_of(a.c, p); /* notes what the call fills or frees */
        return (T *)((int)k == a.which ? spoilt_pointer(a.c, p, a.kind, a.other) : valid);
    }
};
#define FUNCTION(type, function)                                                                   \
    template <> struct argument<type> {                                                            \
        static type make(const arguments &a, size_t k)                                             \
        {                                                                                          \
            return (int)k == a.which ? NULL : function;                                            \
        }                                                                                          \
    };
FUNCTION(GxB_unary_function, unary)
FUNCTION(GxB_binary_function, binary)
FUNCTION(GxB_index_unary_function, index_unary)
#undef FUNCTION

/* Prepares what a function needs before the call. */
static void prepare(call &c, world &other)
{
    for (int k = 0; k < 3; k++)
        c.space.counts[k] = ROOM;
    for (world *w : {&c.objects, &other})
        if (c.is("build_")) {
            OK(GrB_Vector_clear(w->vector));
            OK(GrB_Matrix_clear(w->matrix));
        }
    if (c.is("deserialize")) {
        c.space.blob_size = sizeof c.space.blob;
        OK(GrB_Matrix_serialize(c.space.blob, &c.space.blob_size, c.objects.matrix));
    }
}

/* Frees what a call has made. */
static void clean_up(call &c, GrB_Info info)
{
    void **made = &c.space.made;
    if (c.is("_free") || c.function == "GrB_finalize") {
        if (*made == NULL && c.is("_free") &&
            info == GrB_SUCCESS) { /* the world does not free it again */
#define FREED(KIND, member)                                                                        \
    if (c.is("GrB_" #KIND "_free"))                                                                \
        c.objects.member = NULL;
            FREED(Type, type)
            FREED(UnaryOp, unary)
            FREED(BinaryOp, binary)
            FREED(IndexUnaryOp, index)
            FREED(Monoid, monoid)
            FREED(Semiring, semiring)
            FREED(Descriptor, desc)
            FREED(Scalar, scalar)
            FREED(Vector, vector)
            FREED(Matrix, matrix)
#undef FREED
        }
        return;
    }
    if (!*made)
        return;
#define MADE(KIND)                                                                                 \
    if (c.parameters[0].type == "GrB_" #KIND " *")                                                 \
        GrB_##KIND##_free((GrB_##KIND *)made);
    MADE(Type)
    MADE(UnaryOp)
    MADE(BinaryOp)
    MADE(IndexUnaryOp)
    MADE(Monoid)
    MADE(Semiring)
    MADE(Descriptor)
    MADE(Scalar)
    MADE(Vector)
    MADE(Matrix)
#undef MADE
}

/* ---- the codes that are expected ----------------------------------------------------------------------------- */

/* Functions whose valid call is not GrB_SUCCESS: fields that cannot be set, or have another type. */
static GrB_Info expected_of_valid(const call &c)
{
    static const std::map<std::string, GrB_Info> exceptions = {
        {"GrB_init", GrB_INVALID_VALUE}, /* a second time */
        {"GrB_Global_set_String", GrB_INVALID_VALUE},
        {"GrB_Descriptor_set_String", GrB_SUCCESS},
    };
    auto exception = exceptions.find(c.function);
    if (exception != exceptions.end())
        return exception->second;
    const bool named_field = c.is("_get_VOID") || c.is("_set_VOID");
    const bool no_hint =
        c.is("Type_set") || c.is("Op_set") || c.is("Monoid_set") || c.is("Semiring_set");
    if (named_field || (no_hint && !c.is("String")))
        return GrB_INVALID_VALUE;
    return GrB_SUCCESS;
}

/* -1: not called with this fault. */
static int expected_of(const call &c, const parameter &p, fault f)
{
    int collections = 0;
    bool operators = false;
    for (const parameter &q : c.parameters) {
        collections += is_collection(q);
        operators |= q.name == "op" || q.name == "accum" || q.name == "dup";
    }
    switch (f) {
    case NO_POINTER:
        if (!is_pointer(p))
            return -1;
        return is_optional(c, p) ? expected_of_valid(c) : GrB_NULL_POINTER;
    case NOT_MADE:
    case OTHER_KIND:
        return is_handle(p) ? GrB_UNINITIALIZED_OBJECT : -1;
    case FREED:
        return is_handle(p) ? GrB_INVALID_OBJECT : -1;
    case OTHER_SIZE:
        if (!is_collection(p) || collections < 2 || c.is("assign_"))
            return -1;
        if (c.is("Element") || c.is("get") || c.is("set"))
            return -1;
        /* Lists of indices reach beyond a smaller object. */
        if ((c.is("_extract") && (p.name == "u" || p.name == "A")) ||
            (c.is("_assign") && (p.name == "w" || p.name == "C")))
            return p.name == "mask" ? GrB_DIMENSION_MISMATCH : -1;
        return GrB_DIMENSION_MISMATCH;
    case OTHER_TYPE:
        if (!is_handle(p) || p.name == "desc" || p.name == "mask" || c.is("Op_new") ||
            c.is("_dup") || c.is("removeElement") || c.is("deserialize") || c.is("reduce_BinaryOp"))
            return -1;
        if (operators || collections > 1 || c.is("Element") || c.is("export_") || c.is("import_") ||
            c.is("extractTuples") || c.is("Monoid_new_") || c.is("Semiring_new") ||
            (c.is("_get_Scalar") && p.name == "value"))
            return GrB_DOMAIN_MISMATCH;
        return -1;
    case OUT_OF_RANGE:
        nothing = 0;
        if (p.type == "const GrB_Index *")
            return GrB_INDEX_OUT_OF_BOUNDS;
        if (p.type == "GrB_Index *")
            return (c.is("Tuples") && p.name == "nvals") ||
                           (c.is("export_") && p.name.size() > 2) ||
                           (c.is("_serialize") && !c.is("Size"))
                       ? GrB_INSUFFICIENT_SPACE
                       : -1;
        if (p.type == "const GrB_Scalar")
            return c.is("_apply_") || c.is("_select_") ? GrB_EMPTY_OBJECT
                   : c.is("Scalar_extractElement")     ? GrB_NO_VALUE
                                                       : GrB_SUCCESS;
        if (p.type == "GrB_Index")
            return p.name == "i" || p.name == "j" ? GrB_INVALID_INDEX
                   : c.is("_new") || c.is("resize") || p.name == "nrows" || p.name == "ncols"
                       ? GrB_INVALID_VALUE
                       : -1;
        return p.type.find("GrB_") == 0 && !is_handle(p) && p.type.back() != '*' ? GrB_INVALID_VALUE
                                                                                 : -1;
    default:
        return expected_of_valid(c);
    }
}

/* The type that the objects of a call must have: the one in the function's name, where values are not cast. */
static GrB_Type type_of(const std::string &function)
{
    if (function.find("port_") != std::string::npos ||
        function.find("Monoid_new_") != std::string::npos) {
#define X(T, V, P, ...)                                                                            \
    if (function.substr(function.rfind('_') + 1) == #T)                                            \
        return GrB_##T;
        SEMLA_GRB_TYPES(X, )
#undef X
    }
    return GrB_FP64;
}

/* A row of the tables. */
struct function {
    const char *name, *parameters;
    size_t count;     /* of parameters */
    void (*called)(); /* of the type that `run` knows */
    GrB_Info (*run)(void (*called)(), const arguments &a);
};

template <size_t... K, class... P>
static GrB_Info run_with(GrB_Info (*f)(P...), const arguments &a, std::index_sequence<K...>)
{
    (void)a;
    return f(argument<P>::make(a, K)...);
}
template <class... P> static GrB_Info run(void (*called)(), const arguments &a)
{
    return run_with((GrB_Info(*)(P...))called, a, std::index_sequence_for<P...>());
}

static void try_call(const function &f, int which, fault kind)
{
    GrB_Type udt = NULL;
    OK(GrB_Type_new(&udt, sizeof(double)));
    const bool user =
        strstr(f.name, "_UDT") || (strstr(f.name, "GrB_Type_") && !strstr(f.name, "Scalar"));
    const GrB_Type type = user ? udt : type_of(f.name);
    world objects(type, SIZE);
    world other(kind != OTHER_TYPE ? type
                : user             ? GrB_FP64
                                   : udt,
                kind == OTHER_SIZE ? SIZE - 1 : SIZE);
    memory space;
    call c = {f.name, f.count ? parse(f.parameters) : std::vector<parameter>(), objects, space};
    const parameter none = {"", ""};
    const parameter &p = which < 0 ? none : c.parameters[(size_t)which];
    const int expected = which < 0 ? expected_of_valid(c) : expected_of(c, p, kind);
    if (expected == -1) {
        GrB_Type_free(&udt);
        return;
    }
    prepare(c, other);
    const GrB_Info info = f.run(f.called, {c, which, kind, other});
    calls++;
    if (info != expected) {
        printf("%s: %s %s: %d, expected %d\n", f.name, p.name.c_str(), faults[kind], (int)info,
               expected);
        failures++;
    }
    clean_up(c, info);
    if (!c.is("Type_free") || space.made)
        GrB_Type_free(&udt);
}

static void test_function(const function &f)
{
    if (strcmp(f.name, "GrB_finalize") == 0)
        return; /* below */
    try_call(f, -1, NONE);
    for (int which = 0; which < (int)f.count; which++)
        for (fault k = NO_POINTER; k < FAULTS; k = (fault)(k + 1))
            try_call(f, which, k);
}
template <class... P> static void test(const char *name, const char *row, GrB_Info (*f)(P...))
{
    test_function({name, row, sizeof...(P), (void (*)())f, run<P...>});
}

/* Before GrB_init: no object can be used. */
static bool is_called_early(const char *name)
{
    return strcmp(name, "GrB_init") != 0;
}
static void check_early(const char *name, GrB_Info info)
{
    const GrB_Info expected = strstr(name, "_free")                  ? GrB_SUCCESS
                              : strcmp(name, "GrB_getVersion") == 0 ? GrB_NULL_POINTER
                                                                     : GrB_PANIC;
    calls++;
    if (info != expected) {
        printf("%s before GrB_init: %d, expected %d\n", name, (int)info, (int)expected);
        failures++;
    }
}
template <class... P> static void test_uninitialised(const char *name, GrB_Info (*f)(P...))
{
    if (is_called_early(name))
        check_early(name, f(P()...));
}

/* ---- all rows ---------------------------------------------------------------------------------------------------- */

#define ALL(F)                                                                                     \
    SEMLA_GRB_PLAIN_FUNCTIONS(F)                                                                   \
    SEMLA_GRB_VALUES(SEMLA_GRB_TYPED_FUNCTIONS, F)                                                 \
    SEMLA_GRB_KINDS(KIND_##F) SEMLA_GRB_FIELD_FUNCTIONS(GrB_Global, F)
#define KIND_TEST(KIND)                                                                            \
    SEMLA_GRB_FIELD_FUNCTIONS(GrB_##KIND, TEST) SEMLA_GRB_LIFETIME_FUNCTIONS(GrB_##KIND, TEST)
#define KIND_EARLY(KIND)                                                                           \
    SEMLA_GRB_FIELD_FUNCTIONS(GrB_##KIND, EARLY) SEMLA_GRB_LIFETIME_FUNCTIONS(GrB_##KIND, EARLY)
#define KIND_COUNT(KIND)                                                                           \
    SEMLA_GRB_FIELD_FUNCTIONS(GrB_##KIND, COUNT) SEMLA_GRB_LIFETIME_FUNCTIONS(GrB_##KIND, COUNT)
#define TEXT(...)               #__VA_ARGS__
#define TEST(name, parameters)  TEST_(name, #name, parameters)
#define TEST_(name, text, row)  test(text, TEXT(row), name);
#define EARLY(name, parameters) test_uninitialised(#name, name);
#define COUNT(name, parameters) +1

int main()
{
    const int count = 0 ALL(COUNT);
    if (count != 512) {
        printf("the tables have %d functions; the specification has 512\n", count);
        return 1;
    }
    ALL(EARLY)
    OK(GrB_init(GrB_NONBLOCKING));
    ALL(TEST)
    OK(GrB_finalize());
    if (GrB_finalize() != GrB_PANIC)
        failures++;
    printf("%d functions, %ld calls, %d failures\n", count, calls, failures);
    return failures > 0;
}
