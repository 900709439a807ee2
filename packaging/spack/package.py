"""Recipe for Spack: the library, the command and their headers.

It installs semla-VERSION.tar.gz from the current folder, an archive of the project:
git archive --prefix=semla-VERSION/ -o semla-VERSION.tar.gz HEAD
"""

import os

from spack.package import *


class Semla(CMakePackage, CudaPackage):
    """Sparse linear algebra over semirings for graphs, on the host, NVIDIA GPUs and MPI ranks."""

    url = f"file://{os.getcwd()}/semla-0.3.0.tar.gz"
    manual_download = True
    license("Apache-2.0", checked_by="semla")

    version("0.3.0")

    variant("mpi", default=True, description="Contexts on grids of MPI ranks")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("graphblas@7.4:10")
    depends_on("cjson")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("SEMLA_CUDA", "cuda"),
            self.define_from_variant("SEMLA_MPI", "mpi"),
            self.define("SEMLA_PYTHON", False),
            self.define("BUILD_TESTING", False),
        ]
        if self.spec.satisfies("+cuda") and not self.spec.satisfies("cuda_arch=none"):
            args.append(
                self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value)
            )
        return args
