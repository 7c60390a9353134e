/// A library in C that tries what it may not do, and prints each attempt as `name=errno`; 0 is a success. Where it tries, the environment
/// says. Nothing that it tries does harm where it succeeds.
enum ProbePlugin {
    static let source = """
        #include <arpa/inet.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <linux/limits.h>
        #include <netdb.h>
        #include <pthread.h>
        #include <sched.h>
        #include <signal.h>
        #include <spawn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ioctl.h>
        #include <sys/mman.h>
        #include <sys/mount.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/resource.h>
        #include <sys/shm.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/un.h>
        #include <sys/wait.h>
        #include <unistd.h>

        static void say(const char *name, long result) {
            int error = errno;
            printf("%s=%d\\n", name, result < 0 ? error : 0);
        }
        static const char *at(const char *folder, const char *rest) {
            static char paths[4][PATH_MAX];
            static int next;
            char *path = paths[next++ % 4];
            snprintf(path, PATH_MAX, "%s%s", getenv(folder), rest);
            return path;
        }
        static void try_open(const char *name, const char *path, int flags) {
            int file = open(path, flags | O_CLOEXEC, 0600);
            say(name, file);
            if (file >= 0) close(file);
        }
        static void try_socket(const char *name, int domain, int type, int protocol) {
            int file = socket(domain, type | SOCK_CLOEXEC, protocol);
            say(name, file);
            if (file >= 0) close(file);
        }
        static void connect_tcp(void) {
            struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(getenv("PORT")))};
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int file = socket(AF_INET, SOCK_STREAM, 0);
            say("tcp", file < 0 ? -1 : connect(file, (struct sockaddr *)&address, sizeof address));
            if (file >= 0) close(file);
        }
        static void connect_local(void) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            strncpy(address.sun_path, getenv("LOCAL"), sizeof address.sun_path - 1);
            int file = socket(AF_UNIX, SOCK_STREAM, 0);
            say("local", file < 0 ? -1 : connect(file, (struct sockaddr *)&address, sizeof address));
            if (file >= 0) close(file);
        }
        static void try_exec(void) {
            char *words[] = {"/bin/true", 0};
            char *none[] = {0};
            pid_t child = fork();
            if (child == 0) _exit(0);
            say("fork", child);
            if (child > 0) waitpid(child, 0, 0);
            errno = posix_spawn(&child, words[0], 0, 0, words, none);
            say("spawn", errno ? -1 : 0);
            /* Succeeds by not coming back, so only where it is meant to be refused. */
            if (getenv("EXEC") == 0) return;
            say("exec", execve(words[0], words, none));
            say("execveat", syscall(SYS_execveat, AT_FDCWD, words[0], words, none, 0));
        }
        static void *answer(void *argument) { return argument; }
        static void other_processes(void) {
            char memory[8];
            struct iovec here = {memory, sizeof memory}, there = {memory, sizeof memory};
            struct rlimit limit;
            /* Ends with this process where it succeeds, and stops nobody. */
            say("ptrace", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
            say("process_vm_readv", process_vm_readv(getppid(), &here, 1, &there, 1, 0));
            say("kill_parent", kill(getppid(), 0));
            say("kill_group", kill(0, 0));
            say("kill_self", kill(getpid(), 0));
            say("pidfd_open", syscall(SYS_pidfd_open, getppid(), 0));
            say("prlimit_parent", prlimit(getppid(), RLIMIT_NOFILE, 0, &limit));
            say("prlimit_self", prlimit(0, RLIMIT_NOFILE, 0, &limit));
            int file = open("/dev/null", O_RDWR);
            say("set_owner", fcntl(file, F_SETOWN, getppid()));
            say("tiocsti", ioctl(file, TIOCSTI, "x"));
            say("priority_of_group", setpriority(PRIO_PGRP, 0, getpriority(PRIO_PGRP, 0)));
            close(file);
        }
        static void kernel(void) {
            say("mount", mount("none", "/mnt", "no such file system", 0, 0));
            say("unshare", unshare(CLONE_NEWUSER));
            say("namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
            say("bpf", syscall(SYS_bpf, 0, 0, 0));
            say("keyctl", syscall(SYS_keyctl, 0, -3, 0));
            say("perf", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
            say("userfaultfd", syscall(SYS_userfaultfd, 0));
            say("io_uring", syscall(425, 1, 0));
            say("clone3", syscall(435, 0, 0));
            say("chroot", chroot("/"));
            say("dumpable", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
            say("shared_memory", shmget(IPC_PRIVATE, 4096, 0600));
        #ifdef __x86_64__
            say("x32", syscall(0x40000000 + 39));
            long result;
            __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
            errno = result < 0 ? (int)-result : 0;
            say("i386", result < 0 ? -1 : 0);
        #endif
        }
        static void files(void) {
            try_open("read_private", at("PRIVATE", "/secret"), O_RDONLY);
            try_open("write_private", at("PRIVATE", "/secret"), O_WRONLY);
            try_open("list_private", at("PRIVATE", ""), O_RDONLY | O_DIRECTORY);
            try_open("make_private", at("PRIVATE", "/made"), O_WRONLY | O_CREAT);
            say("chmod_private", chmod(at("PRIVATE", "/secret"), 0600));
            say("truncate_private", truncate(at("PRIVATE", "/secret"), 3));
            say("remove_private", unlink(at("PRIVATE", "/removable")));
            try_open("read_granted", at("GRANTED", "/a/other"), O_RDONLY);
            try_open("write_granted", at("GRANTED", "/a/other"), O_WRONLY);
            try_open("make_granted", at("GRANTED", "/a/made"), O_WRONLY | O_CREAT);
            say("chmod_granted", chmod(at("GRANTED", "/a/other"), 0600));
            say("move_granted", rename(at("GRANTED", "/a/file"), at("GRANTED", "/b/file")));
            try_open("environment_of_parent", at("PARENT", "/environ"), O_RDONLY);
            try_open("own_folder", at("OWN", "/plugin.json"), O_RDONLY);
            try_open("own_folder_write", at("OWN", "/made"), O_WRONLY | O_CREAT);
            try_open("camera", at("DEVICES", "/video0"), O_RDWR);
            try_open("capture", at("DEVICES", "/snd/pcmC0D0c"), O_RDWR);
            try_open("playback", at("DEVICES", "/snd/pcmC0D0p"), O_RDWR);
            try_open("null", "/dev/null", O_RDWR);
        }
        static void resolve(void) {
            struct addrinfo *found = 0;
            printf("resolve=%d\\n", getaddrinfo("localhost", 0, 0, &found) == 0 ? 0 : EIO);
            if (found) freeaddrinfo(found);
        }
        static void sockets(void) {
            resolve();
            connect_tcp();
            connect_local();
            try_socket("udp6", AF_INET6, SOCK_DGRAM, 0);
            try_socket("bluetooth", AF_BLUETOOTH, SOCK_SEQPACKET, 0);
            try_socket("packet", AF_PACKET, SOCK_RAW, 0);
            try_socket("routes", AF_NETLINK, SOCK_RAW, 0);
            try_socket("uevents", AF_NETLINK, SOCK_RAW, 15);
            try_socket("vsock", AF_VSOCK, SOCK_STREAM, 0);
            int pair[2];
            say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
        }
        static void itself(void) {
            pthread_t thread;
            void *result = 0;
            int token = 0;
            errno = pthread_create(&thread, 0, answer, &token);
            if (errno == 0) pthread_join(thread, &result);
            say("thread", result == &token ? 0 : -1);
            int memory = memfd_create("probe", 0);
            say("memfd", memory);
            say("memfd_size", ftruncate(memory, 1 << 20));
            say("too_large", ftruncate(memory, 1L << 40));
            close(memory);
            void *much = mmap(0, 1L << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            say("too_many_addresses", much == MAP_FAILED ? -1 : 0);
            int files = 0;
            while (files < 2000 && dup(0) >= 0) files++;
            printf("descriptors=%d\\n", files);
            for (int file = 3; file < 2003; file++) close(file);
            struct rlimit core;
            getrlimit(RLIMIT_CORE, &core);
            printf("core=%lu\\n", (unsigned long)core.rlim_max);
            printf("no_new_privs=%d\\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
            for (char **variable = environ; *variable; variable++) printf("variable=%s\\n", *variable);
        }
        void probe(void) {
            itself();
            files();
            sockets();
            other_processes();
            kernel();
            try_exec();
            fflush(stdout);
        }
        """
}
