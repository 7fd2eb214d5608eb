/* A fault at a chosen call: preloaded, it stands between a process and libc, counts the calls that touch files
 * below a watched folder, and at one of them fails, kills the process, or swaps a folder for a symlink. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT, FAIL, KILL, SWAP };

static struct {
    int mode, error;
    long at, seen;
    char watch[1024], real[1024], aside[1024], outside[1024];
    char calls[4096][300];
} state;
static int armed;

void fault_arm(const char *watch, int mode, long at, int error) {
    strncpy(state.watch, watch, sizeof state.watch - 1);
    state.mode = mode, state.at = at, state.error = error, state.seen = 0;
    armed = 1;
}

void fault_swap(const char *real, const char *aside, const char *outside) {
    strncpy(state.real, real, sizeof state.real - 1);
    strncpy(state.aside, aside, sizeof state.aside - 1);
    strncpy(state.outside, outside, sizeof state.outside - 1);
}

void fault_disarm(void) { armed = 0; }
long fault_seen(void) { return state.seen; }
const char *fault_call(long at) { return state.calls[at]; }

/* Returns 1 when this call is to fail; errno is set then. */
static int hit(const char *name, const char *path) {
    if (!armed || strncmp(path, state.watch, strlen(state.watch)) != 0) return 0;
    if (state.seen < 4096) snprintf(state.calls[state.seen], sizeof state.calls[0], "%s %s", name, path);
    if (++state.seen != state.at) return 0;
    if (state.mode == KILL) raise(SIGKILL);
    if (state.mode == SWAP) {
        armed = 0;
        rename(state.real, state.aside);
        symlink(state.outside, state.real);
        armed = 1;
    }
    if (state.mode != FAIL) return 0;
    errno = state.error;
    return 1;
}

static int hit_at(const char *name, int folder, const char *path) {
    char whole[1400], link[64];
    if (path[0] == '/' || !armed) return hit(name, path);
    ssize_t size = 0;
    if (folder == AT_FDCWD) {
        if (!getcwd(whole, 1000)) return 0;
        size = strlen(whole);
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        if ((size = readlink(link, whole, 1000)) < 0) return 0;
    }
    snprintf(whole + size, sizeof whole - size, "/%s", path);
    return hit(name, whole);
}

static int hit_fd(const char *name, int fd) {
    char path[1100], link[64];
    if (!armed) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return hit(name, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MODE(flags) ({ mode_t mode = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } mode; })

int open(const char *path, int flags, ...) {
    mode_t mode = MODE(flags);
    return hit_at("open", AT_FDCWD, path) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    mode_t mode = MODE(flags);
    return hit_at("open", AT_FDCWD, path) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    mode_t mode = MODE(flags);
    return hit_at("open", folder, path) ? -1 : REAL(openat)(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
    mode_t mode = MODE(flags);
    return hit_at("open", folder, path) ? -1 : REAL(openat64)(folder, path, flags, mode);
}
ssize_t read(int fd, void *buffer, size_t size) { return hit_fd("read", fd) ? -1 : REAL(read)(fd, buffer, size); }
ssize_t write(int fd, const void *buffer, size_t size) {
    if (!hit_fd("write", fd)) return REAL(write)(fd, buffer, size);
    int error = errno;
    REAL(write)(fd, buffer, size / 2); /* a disk fills up in the middle */
    errno = error;
    return -1;
}
int fsync(int fd) { return hit_fd("fsync", fd) ? -1 : REAL(fsync)(fd); }
int ftruncate64(int fd, off64_t size) { return hit_fd("truncate", fd) ? -1 : REAL(ftruncate64)(fd, size); }
int flock(int fd, int operation) { return hit_fd("lock", fd) ? -1 : REAL(flock)(fd, operation); }
int rename(const char *from, const char *to) {
    return hit_at("rename", AT_FDCWD, to) ? -1 : REAL(rename)(from, to);
}
int renameat(int folder, const char *from, int other, const char *to) {
    return hit_at("rename", other, to) ? -1 : REAL(renameat)(folder, from, other, to);
}
int unlink(const char *path) { return hit_at("unlink", AT_FDCWD, path) ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) {
    return hit_at("unlink", folder, path) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int rmdir(const char *path) { return hit_at("rmdir", AT_FDCWD, path) ? -1 : REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { return hit_at("mkdir", AT_FDCWD, path) ? -1 : REAL(mkdir)(path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) {
    return hit_at("mkdir", folder, path) ? -1 : REAL(mkdirat)(folder, path, mode);
}
DIR *opendir(const char *path) { return hit_at("opendir", AT_FDCWD, path) ? NULL : REAL(opendir)(path); }
