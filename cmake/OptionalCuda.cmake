# The CUDA compiler, which is optional: sets SEMLA_HAS_CUDA. The CUDA runtime is linked statically, so the
# library also loads on machines without CUDA.
set(SEMLA_HAS_CUDA OFF)
if(SEMLA_EMULATED_GPU)
  include(EmulatedCuda)
elseif(SEMLA_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit REQUIRED)
  endif()
  if(CMAKE_CUDA_COMPILER AND CUDAToolkit_VERSION VERSION_LESS 12.8)
    message(WARNING "CUDA ${CUDAToolkit_VERSION} is too old, built without: the CUDA engine needs 12.8")
  elseif(CMAKE_CUDA_COMPILER)
    # Machine code for the oldest supported architecture and for the one that constants are tuned for, and
    # PTX of the latter, which the driver compiles for newer devices.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 90-real 90-virtual)
    endif()
    set(CMAKE_CUDA_RUNTIME_LIBRARY None) # the module links CUDA::cudart_static
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(SEMLA_HAS_CUDA ON)
  endif()
endif()

# Embeds the sources of the kernels that NVRTC compiles at run time (la/cuda/jit) in an array. Files are
# included by name, without folders. freestanding.h replaces the standard headers.
function(semla_embed_kernels target folder)
  set(output ${CMAKE_BINARY_DIR}/kernel_sources.c)
  set(files "")
  set(paths ${CMAKE_SOURCE_DIR}/semirings/table.h ${CMAKE_SOURCE_DIR}/semirings/functions.h)
  foreach(name stdint.h stdbool.h stddef.h string.h type_traits cuda_runtime_api.h semla/semirings.h)
    list(APPEND files ${name}=${CMAKE_SOURCE_DIR}/${folder}/jit/freestanding.h)
  endforeach()
  list(APPEND files semla/table.h=${CMAKE_SOURCE_DIR}/semirings/table.h
    semla/functions.h=${CMAKE_SOURCE_DIR}/semirings/functions.h)
  foreach(file runtime/tuning.h runtime/kernels.h data/order_kernels.h operations/vector_kernels.h products/product_tuning.h
      products/product_kernels.h
      operations/matrix_kernels.h operations/entry_kernels.h runtime/common.cuh operations/exact.cuh operations/algebra.cuh
      operations/reduction.cuh operations/atomic_combine.cuh products/precompiled.h products/semirings.cuh
      products/atomics.cuh operations/elementwise.cu
      operations/reduce.cu operations/join.cu products/product_pull.cu products/product_push.cu
      products/dots.cu products/spgemm_kernels.h products/spgemm.cuh products/matrix_semirings.cuh
      products/spgemm_sums.cu products/spmm.cu)
    list(APPEND files cuda/${file}=${CMAKE_SOURCE_DIR}/${folder}/${file})
    list(APPEND paths ${CMAKE_SOURCE_DIR}/${folder}/${file})
  endforeach()
  string(REPLACE ";" "|" files "${files}")
  add_custom_command(OUTPUT ${output} VERBATIM
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/${folder}/jit/freestanding.h ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=cuda/jit/compiler.h -DTYPE=cuda_source
      -DTABLE=sl_cuda_sources "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/la)
  target_compile_definitions(${target} PRIVATE SEMLA_CUDA_MAJOR="${CUDAToolkit_VERSION_MAJOR}"
    SEMLA_CUDA_LIBRARIES="${CUDAToolkit_LIBRARY_DIR}")
endfunction()
