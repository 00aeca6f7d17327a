/**
 * Environment variables that must be set before Node starts. chDB's queries run on libuv's thread pool: with
 * the default of 4 threads, long queries would block all file access. The MALLOC settings make glibc return
 * memory of finished queries to the system: 1.3 GB instead of 1.7 GB after a minute of heavy load. chDB uses
 * another allocator, jemalloc: its 60 threads get smaller caches, freed memory is returned after one second
 * instead of five, and profiling is off.
 */
export const PROCESS_SETTINGS = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  JE_MALLOC_CONF:
    'prof:false,dirty_decay_ms:1000,tcache_max:4096,tcache_nslots_small_max:40,tcache_nslots_small_min:8',
}
