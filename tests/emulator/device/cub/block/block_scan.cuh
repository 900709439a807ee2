/* Prefix sums over a block. */
#ifndef SEMLA_EMULATOR_BLOCK_SCAN_CUH
#define SEMLA_EMULATOR_BLOCK_SCAN_CUH

namespace cub
{

template <typename T, int THREADS> class BlockScan
{
  public:
    struct TempStorage {
        T value[THREADS];
    };
    explicit BlockScan(TempStorage &s) : storage(s)
    {
    }
    void InclusiveSum(T own, T &sum, T &all)
    {
        const unsigned t = threadIdx.x;
        storage.value[t] = own;
        __syncthreads();
        T before = 0;
        for (unsigned k = 0; k < t; k++)
            before += storage.value[k];
        all = before;
        for (unsigned k = t; k < THREADS; k++)
            all += storage.value[k];
        __syncthreads();
        sum = before + own;
    }
    void InclusiveSum(T own, T &sum)
    {
        T all;
        InclusiveSum(own, sum, all);
    }
    void ExclusiveSum(T own, T &sum, T &all)
    {
        T inclusive;
        InclusiveSum(own, inclusive, all);
        sum = inclusive - own;
    }
    void ExclusiveSum(T own, T &sum)
    {
        T all;
        ExclusiveSum(own, sum, all);
    }

  private:
    TempStorage &storage;
};

} // namespace cub

#endif
