// The least work that fulfils the contract of a realtime bench client: one thread, one epoll loop, one timer.
// What a client library costs is told in multiples of this program.
#define _GNU_SOURCE
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { RECEIVE_BYTES = 64 * 1024, TEXT_MAX = 512, READY_LIMIT_MS = 10000 };
static const uint8_t mask[4] = {0x5A, 0xC3, 0x3C, 0xA5};

struct session {
    int fd;
    bool is_ready, wants_response;
    struct bytes in, out, speaker;
    int64_t ready_ns, errors;
    int64_t speaker_total, item_start;  // bytes that the speaker took, and what they were when the item began
    char item[TEXT_MAX];
    size_t next_frame;
    struct pairs mic, delivered, played, flush, tool;
};

static struct session *sessions;
static size_t session_count = 1, frame_count;
static bool is_idle;
static uint8_t *mic_frames;
static int epoll_fd;

// MARK: Sending

static void send_bytes(struct session *s, const uint8_t *data, size_t size) {
    ssize_t sent = s->out.end > s->out.start ? 0 : send(s->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        if (errno != EAGAIN) {
            s->errors++;
            return;
        }
        sent = 0;
    }
    if ((size_t)sent == size) return;
    memcpy(bytes_reserve(&s->out, size - (size_t)sent), data + sent, size - (size_t)sent);
    s->out.end += size - (size_t)sent;
    epoll_ctl(epoll_fd, EPOLL_CTL_MOD, s->fd, &(struct epoll_event){.events = EPOLLIN | EPOLLOUT, .data.ptr = s});
}

static void send_frame(struct session *s, int opcode, const void *payload, size_t size) {
    uint8_t frame[WS_HEADER_MAX + 4096];
    if (size > 4096) return (void)s->errors++;
    size_t header = ws_header(frame, opcode, size, mask);
    memcpy(frame + header, payload, size);
    ws_mask(frame + header, size, mask);
    send_bytes(s, frame, header + size);
}

static void send_text(struct session *s, const char *json) { send_frame(s, WS_TEXT, json, strlen(json)); }

static void flush_out(struct session *s) {
    ssize_t sent = send(s->fd, s->out.data + s->out.start, s->out.end - s->out.start, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) s->out.start += (size_t)sent;
    if (s->out.start == s->out.end)
        epoll_ctl(epoll_fd, EPOLL_CTL_MOD, s->fd, &(struct epoll_event){.events = EPOLLIN, .data.ptr = s});
}

static void send_mic(struct session *s) {
    static const char head[] = "{\"type\":\"input_audio_buffer.append\",\"audio\":\"";
    uint8_t text[sizeof head + FRAME_TEXT + 2];
    memcpy(text, head, sizeof head - 1);
    pairs_add(&s->mic, now_ns(), (int64_t)s->next_frame);
    uint8_t *end = base64_encode(mic_frames + s->next_frame * FRAME_BYTES, FRAME_BYTES, text + sizeof head - 1);
    memcpy(end, "\"}", 2);
    send_frame(s, WS_TEXT, text, (size_t)(end + 2 - text));
    s->next_frame = (s->next_frame + 1) % frame_count;
}

// MARK: The speaker

static void play_tick(struct session *s) {
    int64_t marker = -1;
    size_t waiting = s->speaker.end - s->speaker.start;
    if (waiting) {
        marker = waiting >= MARKER_BYTES ? marker_read(s->speaker.data + s->speaker.start) : -2;
        size_t taken = waiting < FRAME_BYTES ? waiting : FRAME_BYTES;
        s->speaker.start += taken;
        s->speaker_total += (int64_t)taken;
    }
    pairs_add(&s->played, now_ns(), marker);
}

static void audio_arrived(struct session *s, struct text delta) {
    uint8_t *samples = bytes_reserve(&s->speaker, delta.size / 4 * 3);
    size_t size = base64_decode(delta.start, delta.size, samples);
    int64_t now = now_ns();
    for (size_t at = 0; at + MARKER_BYTES <= size; at += FRAME_BYTES) {
        int64_t marker = marker_read(samples + at);
        if (marker >= 0) pairs_add(&s->delivered, now, marker);
    }
    s->speaker.end += size;
}

static void barge_in(struct session *s) {
    if (s->speaker.start == s->speaker.end) return;
    char json[TEXT_MAX + 128];
    int64_t milliseconds = (s->speaker_total - s->item_start) / (FRAME_BYTES / FRAME_MS);
    s->speaker.start = s->speaker.end = 0;
    pairs_add(&s->flush, now_ns(), 0);
    snprintf(json, sizeof json,
        "{\"type\":\"conversation.item.truncate\",\"item_id\":\"%s\",\"content_index\":0,\"audio_end_ms\":%lld}", s->item,
        (long long)milliseconds);
    send_text(s, json);
}

// MARK: Events

static void item_added(struct session *s, struct text event) {
    struct text item, type, id;
    if (!json_member(event, "item", &item) || !json_member(item, "type", &type)) return;
    if (!text_is(type, "message") || !json_member(item, "id", &id) || id.size >= TEXT_MAX) return;
    memcpy(s->item, id.start, id.size);
    s->item[id.size] = 0;
    s->item_start = s->speaker_total + (int64_t)(s->speaker.end - s->speaker.start);
}

static void function_called(struct session *s, struct text event) {
    struct text call;
    char json[TEXT_MAX + 128];
    if (!json_member(event, "call_id", &call) || call.size >= TEXT_MAX) return (void)s->errors++;
    int64_t start = now_ns();
    pairs_add(&s->tool, start, now_ns());
    snprintf(json, sizeof json,
        "{\"type\":\"conversation.item.create\",\"item\":{\"type\":\"function_call_output\",\"call_id\":\"%.*s\","
        "\"output\":\"18 degrees and sunny\"}}", (int)call.size, (const char *)call.start);
    send_text(s, json);
    s->wants_response = true;
}

static void handle_event(struct session *s, struct text event) {
    struct text type, value;
    if (!json_member(event, "type", &type)) return (void)s->errors++;
    if (text_is(type, "response.output_audio.delta")) {
        if (json_member(event, "delta", &value)) audio_arrived(s, value);
    } else if (text_is(type, "input_audio_buffer.speech_started")) {
        barge_in(s);
    } else if (text_is(type, "response.output_item.added")) {
        item_added(s, event);
    } else if (text_is(type, "response.function_call_arguments.done")) {
        function_called(s, event);
    } else if (text_is(type, "response.done") && s->wants_response) {
        s->wants_response = false;
        send_text(s, "{\"type\":\"response.create\"}");
    } else if (text_is(type, "session.created")) {
        send_text(s, "{\"type\":\"session.update\",\"session\":{\"type\":\"realtime\",\"output_modalities\":[\"audio\"],"
            "\"audio\":{\"input\":{\"format\":{\"type\":\"audio/pcm\",\"rate\":24000},\"transcription\":null,"
            "\"turn_detection\":{\"type\":\"server_vad\",\"create_response\":true,\"interrupt_response\":true}},"
            "\"output\":{\"format\":{\"type\":\"audio/pcm\",\"rate\":24000}}},"
            "\"tools\":[{\"type\":\"function\",\"name\":\"get_weather\",\"description\":\"The weather in a city\","
            "\"parameters\":{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},"
            "\"required\":[\"city\"]}}],\"tool_choice\":\"auto\"}}");
    } else if (text_is(type, "session.updated")) {
        if (!s->is_ready) s->ready_ns = now_ns();
        s->is_ready = true;
    } else if (text_is(type, "error")) {
        s->errors++;
    }
}

static void handle_frames(struct session *s) {
    struct ws_frame frame;
    int found;
    while ((found = ws_next(&s->in, &frame)) == 1) {
        if (frame.opcode == WS_TEXT) handle_event(s, (struct text){frame.payload, frame.size});
        if (frame.opcode == WS_PING) send_frame(s, WS_PONG, frame.payload, frame.size);
    }
    if (found < 0) s->errors++;
}

static void readable(struct session *s) {
    ssize_t got = recv(s->fd, bytes_reserve(&s->in, RECEIVE_BYTES), RECEIVE_BYTES, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        s->errors++;
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, s->fd, NULL);
        return;
    }
    s->in.end += (size_t)got;
    handle_frames(s);
}

// MARK: Set-up

static void load_mic(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    uint8_t header[12], chunk[8];
    if (fread(header, 1, 12, file) != 12 || memcmp(header, "RIFF", 4) || memcmp(header + 8, "WAVE", 4)) goto bad;
    while (fread(chunk, 1, 8, file) == 8) {
        size_t size = chunk[4] | (size_t)chunk[5] << 8 | (size_t)chunk[6] << 16 | (size_t)chunk[7] << 24;
        if (memcmp(chunk, "data", 4) != 0) {
            fseek(file, (long)(size + size % 2), SEEK_CUR);
            continue;
        }
        frame_count = size / FRAME_BYTES;
        mic_frames = malloc(size + 1);
        if (!frame_count || !mic_frames || fread(mic_frames, 1, size, file) != size) goto bad;
        fclose(file);
        return;
    }
bad:
    fprintf(stderr, "%s: not a PCM WAV file of at least 20 ms\n", path);
    exit(1);
}

static void connect_session(struct session *s, const char *host, int port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    char request[1024], answer[4096];
    size_t have = 0;
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) die("the host has to be an IPv4 address");
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (s->fd < 0 || connect(s->fd, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
    setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    // The key of the example in RFC 6455, so that its answer is known.
    int size = snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: Bearer bench\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, host, port);
    send_bytes(s, (uint8_t *)request, (size_t)size);
    char *end = NULL;
    while (!end && have < sizeof answer - 1) {
        ssize_t got = recv(s->fd, answer + have, sizeof answer - 1 - have, 0);
        if (got <= 0) die("handshake");
        have += (size_t)got;
        answer[have] = 0;
        end = strstr(answer, "\r\n\r\n");
    }
    if (!end || strncmp(answer, "HTTP/1.1 101", 12) || !strstr(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) {
        fprintf(stderr, "the server refused the upgrade: %.*s\n", (int)strcspn(answer, "\r"), answer);
        exit(1);
    }
    size_t rest = have - (size_t)(end + 4 - answer);
    memcpy(bytes_reserve(&s->in, rest), end + 4, rest);
    s->in.end += rest;
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, s->fd, &(struct epoll_event){.events = EPOLLIN, .data.ptr = s});
    handle_frames(s);
}

// Waits for events and handles them; `timer` is nil for the time.
static bool turn(int limit_ms) {
    struct epoll_event events[64];
    bool is_timer = false;
    int count = epoll_wait(epoll_fd, events, 64, limit_ms);
    for (int i = 0; i < count; i++) {
        struct session *s = events[i].data.ptr;
        if (!s) {
            is_timer = true;
            continue;
        }
        if (events[i].events & EPOLLOUT) flush_out(s);
        if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(s);
    }
    return is_timer;
}

static void wait_ready(void) {
    int64_t deadline = now_ns() + (int64_t)READY_LIMIT_MS * 1000000;
    for (size_t i = 0; i < session_count; i++) {
        while (!sessions[i].is_ready) {
            if (now_ns() > deadline) {
                fprintf(stderr, "session %zu was not ready within %d ms\n", i, READY_LIMIT_MS);
                exit(1);
            }
            turn(100);
        }
    }
}

static void converse(int64_t start, double seconds) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    int64_t step = (int64_t)FRAME_MS * 1000000 / (int64_t)session_count;
    size_t ticks = (size_t)(seconds * 1000 / FRAME_MS) * session_count, done = 0;
    struct itimerspec spec = {.it_interval = {0, step}, .it_value = {start / 1000000000, start % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &spec, NULL);
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    while (done < ticks) {
        uint64_t due = 0;
        if (!turn(-1) || read(timer, &due, sizeof due) != sizeof due) continue;
        for (; due && done < ticks; due--, done++) {
            struct session *s = &sessions[done % session_count];
            if (!is_idle) send_mic(s);
            play_tick(s);
        }
    }
}

// MARK: The report

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_session(FILE *file, const struct session *s) {
    fprintf(file, "{\"ready_ns\":%lld,\"errors\":%lld", (long long)s->ready_ns, (long long)s->errors);
    pairs_print(file, "mic", &s->mic);
    pairs_print(file, "delivered", &s->delivered);
    pairs_print(file, "played", &s->played);
    times_print(file, "flush", &s->flush);
    pairs_print(file, "tool", &s->tool);
    fputc('}', file);
}

struct options {
    char host[64], path[512];
    const char *mic, *report;
    int port;
    double seconds;
};

static struct options parse(int argc, char **argv) {
    static const struct option names[] = {
        {"url", 1, 0, 'u'}, {"mic", 1, 0, 'm'}, {"seconds", 1, 0, 's'}, {"report", 1, 0, 'r'}, {"sessions", 1, 0, 'n'}, {"idle", 0, 0, 'i'}, {0}};
    struct options options = {.path = "/"};
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (option == 'u') sscanf(optarg, "ws://%63[^:/]:%d%511s", options.host, &options.port, options.path);
        if (option == 'm') options.mic = optarg;
        if (option == 's') options.seconds = atof(optarg);
        if (option == 'r') options.report = optarg;
        if (option == 'i') is_idle = true;
        if (option == 'n') session_count = (size_t)atoi(optarg);
    }
    if (!options.port || !options.mic || !options.report || options.seconds <= 0 || session_count - 1 >= 10000) {
        fprintf(stderr, "usage: bare_client --url ws://ADDRESS:PORT/PATH --mic FILE.wav --seconds N --report FILE.json "
            "[--sessions S] [--idle]\n");
        exit(2);
    }
    return options;
}

int main(int argc, char **argv) {
    int64_t started = now_ns();
    struct options options = parse(argc, argv);
    base64_setup();
    load_mic(options.mic);
    sessions = calloc(session_count, sizeof *sessions);
    epoll_fd = epoll_create1(0);
    for (size_t i = 0; i < session_count; i++) {
        connect_session(&sessions[i], options.host, options.port, options.path);
    }
    wait_ready();
    int64_t ready = now_ns();
    double cpu_ready = cpu_seconds();
    converse(ready, options.seconds);
    int64_t ended = now_ns();
    double cpu_end = cpu_seconds();
    FILE *file = fopen(options.report, "w");
    if (!file) die(options.report);
    fprintf(file, "{\"client\":\"bare\",\"version\":\"1\",\"t_main_ns\":%lld,\"t_ready_ns\":%lld,\"t_end_ns\":%lld,"
        "\"cpu_ready_s\":%.6f,\"cpu_end_s\":%.6f,\"sessions\":[", (long long)started, (long long)ready, (long long)ended,
        cpu_ready, cpu_end);
    for (size_t i = 0; i < session_count; i++) {
        if (i) fputc(',', file);
        print_session(file, &sessions[i]);
    }
    fputs("]}\n", file);
    return fclose(file) == 0 ? 0 : 1;
}
