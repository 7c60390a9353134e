/* Lets libdispatch look at its own threads in a confined process. Linking it is all that is needed.
 *
 * Its monitor opens /proc/THREAD/stat for each worker thread, and ends the process when that fails. A plugin's child may read
 * /proc/self and nothing else of /proc, and a thread's number there is not below it; /proc/self/task/THREAD/stat is the same file and
 * is. The `open` here takes the place of the C library's for every library of the process, and leads the one path to the other.
 */
#ifndef CWORKERTHREADS_H
#define CWORKERTHREADS_H

/* The path by which a confined process reaches what `path` names: below /proc/self for the statistics of one of its own threads,
 * written into the `capacity` bytes of `own`, else `path` itself. */
const char *_Nonnull cworkerthreads_reachable(
    const char *_Nonnull path, char *_Nonnull own, unsigned long capacity);

#endif
