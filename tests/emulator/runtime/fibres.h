/* The threads of a block: fibres, which one thread of the operating system runs in turn. */
#ifndef SEMLA_EMULATOR_FIBRES_H
#define SEMLA_EMULATOR_FIBRES_H

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "emulator.h"
#undef threadIdx

namespace emulator
{

/* Stacks begin in different sets of the caches. */
enum { WARP = 32, MOST_THREADS = 1024, STACK_BYTES = (96 << 10) + 576 };

struct warp;
struct block;

enum fibre_state { READY, AT_WARP_FUNCTION, AT_BARRIER, ENDED };

struct fibre {
    void *stack_pointer; /* while another fibre runs */
    fibre_state state;
    uint3 index;
    unsigned lane;
    emulator::warp *warp;
    emulator::block *block;
    uint64_t result; /* of the warp function or barrier */
};

/* Lanes that wait in warp functions, with what they brought. */
struct warp {
    unsigned alive, waiting;
    fibre *lane[WARP];
    unsigned mask[WARP];
    uint64_t value[WARP];
    int argument[WARP];
    meeting function[WARP];
};

/* The blocks of a cooperative kernel, each in a thread of its own. */
class grid
{
  public:
    explicit grid(unsigned blocks) : alive(blocks)
    {
    }
    void wait();
    void leave(); /* the block has ended */

  private:
    void open();
    std::mutex lock;
    std::condition_variable opened;
    unsigned alive, waiting = 0;
    unsigned long turn = 0;
};

/* Runs one block. grid: NULL if the kernel is not cooperative. */
void run_block(const launch_shape &shape, uint3 index, const work &kernel, grid *all);

/* An environment variable that is a number. */
long setting(const char *name, long usual);

} // namespace emulator

#endif
