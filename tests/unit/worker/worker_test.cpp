// Work beside the loop.
#include "server/worker/worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "server/worker/periodic.hpp"

namespace tictactoe::worker::worker_tests {
namespace {

struct WorkerTest : testing::Test {
  boost::asio::io_context io{1};
  std::vector<int> done;
};

TEST_F(WorkerTest, runs_jobs_in_order_on_its_thread_and_ends_them_on_the_loop) {
  const std::thread::id loop = std::this_thread::get_id();
  Worker worker(io, {.what = "a test runs", .max_waiting = 10});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(worker.give([i] { return std::pair(i, std::this_thread::get_id()); },
                            [&](std::pair<int, std::thread::id> ran) {
                              EXPECT_NE(ran.second, loop);
                              EXPECT_EQ(std::this_thread::get_id(), loop);
                              done.push_back(ran.first);
                              if (ran.first < 2) return;
                              worker.give([] { return 3; },
                                          [&](int last) { done.push_back(last); });
                            }));
  }
  EXPECT_TRUE(done.empty());
  io.run();
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(WorkerTest, leaves_the_loop_free_meanwhile) {
  std::promise<void> end;
  Worker worker(io, {.what = "a test runs"});
  worker.give(
      [ended = end.get_future()]() mutable {
        ended.wait();
        return 1;
      },
      [&](int result) { done.push_back(result); });
  boost::asio::post(io, [&] { end.set_value(); });
  io.run();
  EXPECT_EQ(done, std::vector<int>{1});
}

TEST_F(WorkerTest, refuses_jobs_if_too_many_wait) {
  std::promise<void> end;
  Worker worker(io, {.what = "a test runs", .max_waiting = 1});
  EXPECT_EQ(worker.free_threads(), 1u);
  const std::shared_future<void> ended = end.get_future().share();
  const auto job = [&](int number) {
    return worker.give(
        [number, ended] {
          ended.wait();
          return number;
        },
        [&](int result) { done.push_back(result); });
  };
  EXPECT_TRUE(job(1));
  EXPECT_EQ(worker.free_threads(), 0u);
  EXPECT_TRUE(job(2));
  EXPECT_FALSE(job(3));
  end.set_value();
  io.run();
  EXPECT_EQ(done, (std::vector<int>{1, 2}));
}

TEST_F(WorkerTest, with_several_threads_runs_several_jobs_at_once) {
  constexpr int threads = 3;
  std::barrier all_run(threads);
  std::atomic<int> started = 0;
  Worker worker(io, {.what = "a test runs", .threads = threads, .on_start = [&] { ++started; }});
  for (int i = 0; i < threads; ++i) {
    EXPECT_TRUE(worker.give(
        [&] {
          all_run.arrive_and_wait();
          return 1;
        },
        [&](int result) { done.push_back(result); }));
  }
  EXPECT_FALSE(worker.give([] { return 0; }, [](int) { FAIL(); }));
  io.run();
  EXPECT_EQ(done.size(), 3u);
  EXPECT_EQ(started, threads);
}

TEST_F(WorkerTest, that_is_stopped_reports_nothing_and_lets_the_loop_end) {
  Worker worker(io, {.what = "a test runs", .max_waiting = 1});
  for (int i = 0; i < 2; ++i) worker.give([] { return 1; }, [](int) { FAIL(); });
  worker.stop();
  io.run();
  EXPECT_FALSE(worker.give([] { return 1; }, [](int) { FAIL(); }));
  io.restart();
  EXPECT_EQ(io.run(), 0u);
}

TEST_F(WorkerTest, can_be_stopped_by_a_job_that_ends) {
  Worker worker(io, {.what = "a test runs", .max_waiting = 1});
  worker.give([] { return 1; }, [&](int) { worker.stop(); });
  worker.give([] { return 1; }, [](int) { FAIL(); });
  io.run();
}

TEST_F(WorkerTest, waits_in_join_for_the_job_that_runs) {
  bool has_run = false;
  Worker worker(io, {.what = "a test runs"});
  worker.give(
      [&] {
        has_run = true;
        return 1;
      },
      [](int) { FAIL() << "the loop does not run"; });
  std::thread([&] { worker.join(); }).join();
  EXPECT_TRUE(has_run);
}

TEST_F(WorkerTest, moves_jobs_and_results) {
  Worker worker(io, {.what = "a test runs"});
  worker.give([number = std::make_unique<int>(7)]() mutable { return std::move(number); },
              [&](std::unique_ptr<int> number) { done.push_back(*number); });
  io.run();
  EXPECT_EQ(done, std::vector<int>{7});
}

TEST_F(WorkerTest, repeats_a_job_until_it_is_stopped) {
  const std::thread::id loop = std::this_thread::get_id();
  std::atomic<int> on_loop = 0;
  std::unique_ptr<Periodic> periodic;
  const auto job = [&]() -> std::function<void()> {
    if (std::this_thread::get_id() == loop) ++on_loop;
    return [&] {
      EXPECT_EQ(std::this_thread::get_id(), loop);
      done.push_back(1);
      if (done.size() == 3) periodic->stop();
    };
  };
  periodic = std::make_unique<Periodic>(io, "a test runs", std::chrono::milliseconds(1), job);
  periodic->start();
  EXPECT_TRUE(done.empty());
  io.run();
  EXPECT_EQ(done.size(), 3u);
  EXPECT_EQ(on_loop, 0);
}

}  // namespace
}  // namespace tictactoe::worker::worker_tests
