/* Faults of the system, for programs that are started with LD_PRELOAD: a disk that is full, a clock that is wrong.
 *
 * CHAOS_FULL=FILE: while this file exists, the disk is full: no file can grow, files can be written over.
 * CHAOS_DISK=FOLDER: only the files below this folder are on that disk.
 * CHAOS_CLOCK=SECONDS: the wall clock is ahead by so much. Other clocks are right.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Whether there is no room for a file that ends at `end`. */
static int is_full(int fd, off_t end)
{
    const char *full = getenv("CHAOS_FULL"), *folder = getenv("CHAOS_DISK");
    char link[64], path[PATH_MAX];
    struct stat about;
    int before = errno;
    if (!full || fstat(fd, &about) || !S_ISREG(about.st_mode) || end <= about.st_size || access(full, F_OK)) {
        errno = before;
        return 0;
    }
    if (folder) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        if (strncmp(path, folder, strlen(folder))) {
            errno = before;
            return 0;
        }
    }
    errno = ENOSPC;
    return 1;
}

static off_t length_of(const struct iovec *parts, int count)
{
    off_t length = 0;
    for (int part = 0; part < count; part++)
        length += parts[part].iov_len;
    return length;
}

/* Where the next bytes go. */
static off_t place_of(int fd)
{
    return lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length)
{
    struct stat about;
    int before = errno;
    if (getenv("CHAOS_FULL") && !fstat(fd, &about) && S_ISREG(about.st_mode) && is_full(fd, place_of(fd) + length))
        return -1;
    errno = before;
    return syscall(SYS_write, fd, data, length);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at)
{
    return is_full(fd, at + length) ? -1 : syscall(SYS_pwrite64, fd, data, length, at);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at)
{
    return pwrite64(fd, data, length, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at)
{
    return is_full(fd, at + length_of(parts, count)) ? -1 : syscall(SYS_pwritev, fd, parts, count, at, 0);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
    return pwritev64(fd, parts, count, at);
}

int posix_fallocate64(int fd, off64_t at, off64_t length)
{
    if (is_full(fd, at + length))
        return ENOSPC;
    return syscall(SYS_fallocate, fd, 0, at, length) ? errno : 0;
}

int posix_fallocate(int fd, off_t at, off_t length)
{
    return posix_fallocate64(fd, at, length);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *ahead = getenv("CHAOS_CLOCK");
    if (syscall(SYS_clock_gettime, clock, now))
        return -1;
    if (ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += atol(ahead);
    return 0;
}
