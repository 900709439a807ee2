/* Streams and events. With EMULATED_STREAMS a thread does the work of each stream in its order, after delays that are drawn, so that
 * work which is not ordered by a stream, an event or a wait is sooner or later done in the wrong order. */
#include "streams.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

#include "errors.h"
#include "fibres.h"

namespace emulator
{

class queue : public std::enable_shared_from_this<queue>
{
  public:
    explicit queue(unsigned seed) : random(seed)
    {
    }
    void add(const work &next)
    {
        std::lock_guard<std::mutex> held(lock);
        if (process != getpid()) { /* new, or in a child of fork(), which has no threads */
            process = getpid();
            waiting.clear();
            std::thread([self = shared_from_this()] { self->serve(); }).detach();
        }
        waiting.push_back(next);
        changed.notify_all();
    }
    void finish()
    {
        std::unique_lock<std::mutex> held(lock);
        changed.wait(held, [&] { return process != getpid() || waiting.empty(); });
    }
    void end() /* once the work given so far is done */
    {
        std::lock_guard<std::mutex> held(lock);
        ended = true;
        changed.notify_all();
    }

  private:
    void serve()
    {
        std::unique_lock<std::mutex> held(lock);
        for (;;) {
            changed.wait(held, [&] { return ended || !waiting.empty(); });
            if (waiting.empty())
                return;
            const work now = waiting.front(); /* it stays there until it is done */
            held.unlock();
            delay();
            now();
            held.lock();
            waiting.pop_front();
            changed.notify_all();
        }
    }
    void delay()
    {
        const unsigned drawn = random() % 32;
        if (drawn == 0)
            usleep(3000);
        else if (drawn < 8)
            usleep(100);
    }
    std::mutex lock;
    std::condition_variable changed;
    std::deque<work> waiting;
    std::mt19937 random;
    pid_t process = 0;
    bool ended = false;
};

/* What an event waits for. */
struct progress {
    std::mutex lock;
    std::condition_variable changed;
    unsigned long recorded = 0, reached = 0;

    void reach(unsigned long record)
    {
        std::lock_guard<std::mutex> held(lock);
        reached = std::max(reached, record);
        changed.notify_all();
    }
    void wait(unsigned long record)
    {
        std::unique_lock<std::mutex> held(lock);
        changed.wait(held, [&] { return reached >= record; });
    }
    unsigned long last()
    {
        std::lock_guard<std::mutex> held(lock);
        return recorded;
    }
};

} // namespace emulator

struct CUstream_st {
    std::shared_ptr<emulator::queue> queue;
};
struct CUevent_st {
    std::shared_ptr<emulator::progress> progress = std::make_shared<emulator::progress>();
};

namespace emulator
{

static unsigned long seed()
{
    static const unsigned long number = (unsigned long)setting("EMULATED_STREAMS", 0);
    return number;
}

static std::mutex streams_lock;
static unsigned streams_made;
static std::set<CUstream_st *> &streams()
{
    static auto *const set = new std::set<CUstream_st *>;
    return *set;
}

static std::atomic<unsigned long> given;

void enqueue(cudaStream_t stream, const work &work)
{
    given++;
    if (seed() == 0) {
        work();
    } else if (stream) {
        stream->queue->add(work);
    } else { /* the default stream waits for all others */
        finish_all();
        work();
    }
}

void finish_all()
{
    std::set<std::shared_ptr<queue>> all;
    {
        std::lock_guard<std::mutex> held(streams_lock);
        for (const CUstream_st *stream : streams())
            all.insert(stream->queue);
    }
    for (const auto &each : all)
        each->finish();
}

void finish(cudaStream_t stream)
{
    if (stream)
        stream->queue->finish();
    else
        finish_all();
}

} // namespace emulator

using namespace emulator;

/* Kernels, copies and fills given to streams so far, for tests that count them. */
extern "C" unsigned long emulated_device_work(void)
{
    return emulator::given;
}

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    std::lock_guard<std::mutex> held(streams_lock);
    const unsigned number = (unsigned)seed() + 1000 * (unsigned)getpid() + streams_made++;
    *stream = new CUstream_st{std::make_shared<queue>(number)};
    streams().insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    std::lock_guard<std::mutex> held(streams_lock);
    streams().erase(stream);
    stream->queue->end();
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    finish(stream);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void)
{
    finish_all();
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    enqueue(stream, [progress = event->progress, record = event->progress->last()] {
        progress->wait(record);
    });
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    unsigned long record;
    {
        std::lock_guard<std::mutex> held(event->progress->lock);
        record = ++event->progress->recorded;
    }
    enqueue(stream, [progress = event->progress, record] { progress->reach(record); });
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    std::lock_guard<std::mutex> held(event->progress->lock);
    return event->progress->reached == event->progress->recorded ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    event->progress->wait(event->progress->last());
    return cudaSuccess;
}
}
