// A realtime server with a fixed timetable, for measurements: the part of the GA protocol that the bench contract needs, marked
// audio out, and the arrival time of each marked microphone frame. One thread, one epoll loop, one timer.
#define _GNU_SOURCE
#include "sha1.h"
#include "timetable.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { RECEIVE_BYTES = 64 * 1024, CONNECTIONS_MAX = 4096 };

static struct connection *connections[CONNECTIONS_MAX];
static int connection_count, timer_fd;

// MARK: The client's events

static void append_arrived(struct connection *c, struct text event, int64_t now) {
    struct text audio;
    uint8_t marker[MARKER_BYTES];
    c->appends++;
    if (!json_member(event, "audio", &audio) || audio.size < MARKER_TEXT) return (void)c->odd_appends++;
    if (audio.size != FRAME_TEXT) c->odd_appends++;
    base64_decode(audio.start, MARKER_TEXT, marker);
    int64_t number = marker_read(marker);
    if (number < 0) return (void)c->odd_appends++;
    if (c->mic.count && number != c->last_number + 1 && number != 0) c->gaps++;
    c->last_number = number;
    pairs_add(&c->mic, now, number);
}

static void session_updated(struct connection *c, struct text event) {
    struct text session;
    if (!json_member(event, "session", &session) || session.size < 3) return (void)c->malformed++;
    queue_json(c, EVENT("session.updated") "\"session\":{\"id\":\"sess_%d\",\"object\":\"realtime.session\",%.*s}",
        (long long)++event_number, c->number, (int)session.size - 1, (const char *)session.start + 1);
    if (c->phase != BEFORE_SESSION) return;
    c->phase = WAITING;
    c->next_ns = now_ns() + 500 * 1000000LL;
}

static void item_created(struct connection *c, struct text event, int64_t now) {
    struct text item, type;
    if (!json_member(event, "item", &item) || !json_member(item, "type", &type)) return (void)c->malformed++;
    for (int done = 0; done < 2; done++) {
        queue_json(c, EVENT("conversation.item.%s") "\"previous_item_id\":null,\"item\":%.*s}", done ? "done" : "added",
            (long long)++event_number, (int)item.size, (const char *)item.start);
    }
    if (!text_is(type, "function_call_output")) return;
    c->outputs++;
    pairs_add(&c->tool, c->called_ns, now);
}

static void truncated(struct connection *c, struct text event, int64_t now) {
    struct text item, milliseconds;
    if (!json_member(event, "item_id", &item) || !json_member(event, "audio_end_ms", &milliseconds)) {
        return (void)c->malformed++;
    }
    c->truncations++;
    pairs_add(&c->truncated, now, strtol((const char *)milliseconds.start, NULL, 10));
    queue_json(c, EVENT("conversation.item.truncated") "\"item_id\":\"%.*s\",\"content_index\":0,\"audio_end_ms\":%.*s}",
        (long long)++event_number, (int)item.size, (const char *)item.start, (int)milliseconds.size,
        (const char *)milliseconds.start);
}

static void handle_event(struct connection *c, struct text event, int64_t now) {
    struct text type;
    if (!json_member(event, "type", &type)) {
        c->malformed++;
    } else if (text_is(type, "input_audio_buffer.append")) {
        append_arrived(c, event, now);
    } else if (text_is(type, "session.update")) {
        session_updated(c, event);
    } else if (text_is(type, "conversation.item.create")) {
        item_created(c, event, now);
    } else if (text_is(type, "conversation.item.truncate")) {
        truncated(c, event, now);
    } else if (text_is(type, "response.create")) {
        c->creates++;
        if (c->phase == CALLED) begin_answer(c, now);
    } else {
        c->unknown++;
    }
}

// MARK: Connections

// Answers the upgrade once the request is complete; false when it is refused.
static bool upgrade(struct connection *c) {
    uint8_t *data = bytes_reserve(&c->in, 1), digest[21] = {0}, accept[29] = {0};
    char key[128] = "";
    *data = 0;
    char *request = (char *)c->in.data + c->in.start, *end = strstr(request, "\r\n\r\n");
    if (!end) return c->in.end - c->in.start < 16384;
    char *header = strcasestr(request, "\r\nSec-WebSocket-Key:");
    if (!header || header > end || sscanf(header + 20, " %64s", key) != 1) return false;
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    sha1((uint8_t *)key, strlen(key), digest);
    base64_encode(digest, 21, accept);
    accept[27] = '=';
    // A browser's or a library's offer of subprotocols is answered by the one name that the protocol has.
    bool hasProtocol = (header = strcasestr(request, "\r\nSec-WebSocket-Protocol:")) && header < end;
    char answer[256];
    int size = snprintf(answer, sizeof answer, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %.28s\r\n%s\r\n", accept, hasProtocol ? "Sec-WebSocket-Protocol: realtime\r\n" : "");
    memcpy(bytes_reserve(&c->out, (size_t)size), answer, (size_t)size);
    c->out.end += (size_t)size;
    c->in.start += (size_t)(end + 4 - request);
    c->is_upgraded = true;
    queue_json(c, EVENT("session.created") "\"session\":{\"id\":\"sess_%d\",\"object\":\"realtime.session\",\"type\":\"realtime\","
        "\"model\":\"bench\",\"output_modalities\":[\"audio\"]}}", (long long)++event_number, c->number);
    return true;
}

static void hang_up(struct connection *c) {
    if (c->fd < 0) return;
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, c->fd, NULL);
    close(c->fd);
    c->fd = -1;
    c->phase = BEFORE_SESSION;
}

static void readable(struct connection *c) {
    ssize_t got = recv(c->fd, bytes_reserve(&c->in, RECEIVE_BYTES), RECEIVE_BYTES, MSG_DONTWAIT);
    int64_t now = now_ns();
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return hang_up(c);
    c->in.end += (size_t)got;
    if (!c->is_upgraded && !upgrade(c)) return hang_up(c);
    struct ws_frame frame;
    int found = 0;
    while (c->is_upgraded && (found = ws_next(&c->in, &frame)) == 1) {
        if (frame.opcode == WS_TEXT) handle_event(c, (struct text){frame.payload, frame.size}, now);
        if (frame.opcode == WS_PING) queue(c, WS_PONG, frame.payload, frame.size);
        if (frame.opcode == WS_CLOSE) {
            queue(c, WS_CLOSE, frame.payload, frame.size);
            flush_out(c);
            return hang_up(c);
        }
    }
    if (found < 0) {
        c->malformed++;
        return hang_up(c);
    }
    flush_out(c);
}

static void accept_connection(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    if (connection_count == CONNECTIONS_MAX) return (void)close(fd);
    struct connection *c = calloc(1, sizeof *c);
    if (!c) die("calloc");
    c->fd = fd;
    c->number = connection_count;
    connections[connection_count++] = c;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN, .data.ptr = c});
}

// MARK: Program

// Serves what is due and sets the timer for what is due next.
static void run_timetable(void) {
    int64_t now = now_ns(), next = INT64_MAX;
    for (int i = 0; i < connection_count; i++) {
        struct connection *c = connections[i];
        if (c->phase == BEFORE_SESSION || c->phase == FINISHED) continue;
        if (c->next_ns <= now) {
            while (c->phase != FINISHED && c->next_ns <= now) advance(c, now);
            flush_out(c);
        }
        if (c->phase != FINISHED && c->next_ns < next) next = c->next_ns;
    }
    static int64_t set_ns = INT64_MAX;
    if (next == set_ns) return;
    set_ns = next;
    struct itimerspec spec = {.it_value = {next / 1000000000, next % 1000000000}};
    timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void write_report(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) die(path);
    fputs("{\"connections\":[", file);
    for (int i = 0; i < connection_count; i++) {
        const struct connection *c = connections[i];
        fprintf(file, "%s{\"number\":%d,\"turns\":%d,\"appends\":%lld,\"odd_appends\":%lld,\"gaps\":%lld,\"outputs\":%lld,"
            "\"creates\":%lld,\"truncations\":%lld,\"unknown\":%lld,\"malformed\":%lld", i ? "," : "", c->number, c->turn,
            (long long)c->appends, (long long)c->odd_appends, (long long)c->gaps, (long long)c->outputs, (long long)c->creates,
            (long long)c->truncations, (long long)c->unknown, (long long)c->malformed);
        pairs_print(file, "mic", &c->mic);
        pairs_print(file, "sent", &c->sent);
        times_print(file, "speech_started", &c->started);
        pairs_print(file, "truncated", &c->truncated);
        pairs_print(file, "tool", &c->tool);
        fputc('}', file);
    }
    fputs("]}\n", file);
    if (fclose(file) != 0) die(path);
}

static int listen_on(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1024) < 0) die("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("{\"event\":\"listening\",\"url\":\"ws://127.0.0.1:%d/v1/realtime\"}\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static const char *parse(int argc, char **argv, int *port) {
    static const struct option names[] = {{"port", 1, 0, 'p'}, {"report", 1, 0, 'r'}, {"delta-ms", 1, 0, 'd'}, {"speed", 1, 0, 's'},
        {"turn-ms", 1, 0, 't'}, {"answer-ms", 1, 0, 'a'}, {"barge-every", 1, 0, 'b'}, {"tool-every", 1, 0, 'f'}, {"turns", 1, 0, 'n'}, {0}};
    const char *report = NULL;
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        int number = option == 'r' || option == '?' ? 0 : atoi(optarg);
        if (option == 'p') *port = number;
        if (option == 'r') report = optarg;
        if (option == 'd') plan.delta_ms = number;
        if (option == 's') plan.speed = number;
        if (option == 't') plan.turn_ms = number;
        if (option == 'a') plan.answer_ms = number;
        if (option == 'b') plan.barge_every = number;
        if (option == 'f') plan.tool_every = number;
        if (option == 'n') plan.turns = number;
    }
    if (!report || plan.delta_ms < FRAME_MS || plan.delta_ms > 1000 || plan.delta_ms % FRAME_MS || plan.speed < 1
        || plan.answer_ms < plan.delta_ms || plan.turn_ms <= SPEECH_MS) {
        fprintf(stderr, "usage: bench_server --report FILE.json [--port N] [--delta-ms 20...1000] [--speed N] [--turn-ms N] "
            "[--answer-ms N] [--barge-every N] [--tool-every N] [--turns N]\n");
        exit(2);
    }
    return report;
}

static void prepare_audio(void) {
    uint8_t samples[FRAME_BYTES];
    for (int i = 0; i < FRAME_BYTES / 2; i++) {
        // A triangle of 500 Hz: any sound does, as long as it is none.
        int value = (i % 48 < 24 ? i % 24 : 24 - i % 24) * 200 - 2400;
        samples[2 * i] = (uint8_t)value;
        samples[2 * i + 1] = (uint8_t)(value >> 8);
    }
    base64_encode(samples, FRAME_BYTES, frame_text);
}

int main(int argc, char **argv) {
    int port = 0;
    const char *report = parse(argc, argv, &port);
    base64_setup();
    prepare_audio();
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC), listener = listen_on(port);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    int *own[] = {&listener, &signal_fd, &timer_fd};
    for (int i = 0; i < 3; i++)
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, *own[i], &(struct epoll_event){.events = EPOLLIN, .data.ptr = own[i]});
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(epoll_fd, events, 64, 1000);
        for (int i = 0; i < count; i++) {
            void *source = events[i].data.ptr;
            uint64_t expirations;
            if (source == own[1]) return write_report(report), 0;
            if (source == own[0]) {
                accept_connection(listener);
            } else if (source == own[2]) {
                if (read(timer_fd, &expirations, sizeof expirations) < 0) continue;
            } else {
                struct connection *c = source;
                if (c->fd >= 0 && events[i].events & EPOLLOUT) flush_out(c);
                if (c->fd >= 0 && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(c);
            }
        }
        run_timetable();
    }
}
