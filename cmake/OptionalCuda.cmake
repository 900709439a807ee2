# The CUDA compiler, which is optional: SEMLA_HAS_CUDA says whether there is one.
# The runtime is linked statically, so that the library loads where no CUDA is.
set(SEMLA_HAS_CUDA OFF)
if(SEMLA_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # The oldest that is supported, and what it is tuned for, which newer devices can compile.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 90-real 90-virtual)
    endif()
    set(CMAKE_CUDA_RUNTIME_LIBRARY None) # CUDA::cudart_static, which the room names
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit REQUIRED)
    set(SEMLA_HAS_CUDA ON)
  endif()
endif()
