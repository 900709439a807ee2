/* NVRTC by g++: a program becomes a shared library, whose bytes are its CUBIN. */
#include <nvrtc.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct _nvrtcProgram {
    std::string text, log, code;
    std::vector<std::string> header_names, headers, expressions, kernels;
};

static std::string contents(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

/* The library's own replacement of the standard headers is for compilers that have none. */
static bool is_standard(const std::string &name)
{
    return name == "stdint.h" || name == "stdbool.h" || name == "stddef.h" || name == "string.h" ||
           name == "type_traits" || name == "cuda_runtime_api.h";
}

static void write_sources(const fs::path &folder, const nvrtcProgram program)
{
    for (size_t k = 0; k < program->headers.size(); k++) {
        const std::string &name = program->header_names[k], &text = program->headers[k];
        if (is_standard(name))
            continue;
        fs::create_directories((folder / name).parent_path());
        std::ofstream file(folder / name);
        if (name == "semla/semirings.h") { /* of the same replacement only the codes of operators */
            const size_t begin = text.find("/* The codes of");
            file << "#pragma once\n" << text.substr(begin, text.rfind("#endif") - begin);
        } else {
            file << text;
        }
    }
    std::ofstream file(folder / "program.cpp");
    file << program->text << "\n#line 1 \"kernels\"\n";
    for (size_t k = 0; k < program->expressions.size(); k++)
        file << "extern \"C\" void " << program->kernels[k]
             << "(void **arguments, emulator::work *bound)\n{\n    *bound = emulator::bind_kernel("
             << program->expressions[k] << ", arguments);\n}\n";
}

extern "C" {

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = EMULATED_CUDA_MAJOR;
    *minor = 99; /* the cache must not mistake code of NVIDIA's NVRTC for this one's */
    return NVRTC_SUCCESS;
}
const char *nvrtcGetErrorString(nvrtcResult)
{
    return "an error of the emulated NVRTC";
}
nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    *count = 2;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *architectures)
{
    architectures[0] = 75;
    architectures[1] = 90;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *, int count,
                               const char *const *headers, const char *const *names)
{
    *program = new _nvrtcProgram;
    (*program)->text = text;
    (*program)->headers.assign(headers, headers + count);
    (*program)->header_names.assign(names, names + count);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    delete *program;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    program->kernels.push_back("compiled_kernel_" + std::to_string(program->kernels.size()));
    program->expressions.push_back(expression);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    std::string name = (fs::temp_directory_path() / "semla-nvrtc-XXXXXX").string();
    if (!mkdtemp(name.data()))
        return NVRTC_ERROR_INTERNAL_ERROR;
    const fs::path folder = name;
    write_sources(folder, program);
    std::string command =
        EMULATED_COMPILER " -std=c++17 -O1 -fPIC -shared -w -fpermissive -include compiled.h";
    for (const char *path : {EMULATED_DEVICE_FOLDER, EMULATED_CUDA_INCLUDES, name.c_str()})
        command += std::string(" -isystem ") + path;
    for (int k = 0; k < count; k++)
        if (!strcmp(options[k], "--fmad=false"))
            command += " -ffp-contract=off";
    command += " " + name + "/program.cpp -o " + name + "/program.so > " + name + "/log 2>&1";
    const bool made = system(command.c_str()) == 0;
    program->log = contents(folder / "log");
    program->code = contents(folder / "program.so");
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return made ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    *size = program->log.size() + 1;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    strcpy(log, program->log.c_str());
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
    for (size_t k = 0; k < program->expressions.size(); k++)
        if (program->expressions[k] == expression) {
            *name = program->kernels[k].c_str();
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    *size = program->code.size();
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
    memcpy(code, program->code.data(), program->code.size());
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
    return nvrtcGetCUBINSize(program, size);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *code)
{
    return nvrtcGetCUBIN(program, code);
}
}
