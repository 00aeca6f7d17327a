/* A ClickHouse server out of the library that runs inside Publicway: libchdb holds the whole of `clickhouse local`, which can
   listen, but exports it to C only. The library's path comes in LIBCHDB, the arguments are those of `clickhouse local`. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *(*query_cmdline)(int, char **);

int main(int argc, char **argv) {
  const char *path = getenv("LIBCHDB");
  void *library = path ? dlopen(path, RTLD_NOW) : NULL;
  query_cmdline run = library ? (query_cmdline)dlsym(library, "chdb_query_cmdline") : NULL;
  if (!run) {
    const char *error = dlerror();
    fprintf(stderr, "LIBCHDB=%s: %s\n", path ? path : "", error ? error : "not set");
    return 1;
  }
  run(argc, argv);
  return 0;
}
