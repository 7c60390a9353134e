// The bench server's timetable: what it sends on a connection, and when.
//
// Each connection takes turns from its first session.updated on:
//   0 ms           input_audio_buffer.speech_started
//   800 ms         speech_stopped, the user's item, and the answer, its audio faster than it is played
//   every 3rd turn the next one begins 1,500 ms into the answer, so that the client has to drop what waits
//   every 4th turn calls get_weather first, and answers when the client has given the output and asked for a response
#ifndef BASELINE_TIMETABLE_H
#define BASELINE_TIMETABLE_H

#include "wire.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { MESSAGE_MAX = 256 * 1024, SPEECH_MS = 800, BARGE_MS = 1500 };

enum phase { BEFORE_SESSION, WAITING, SPEECH, ANSWER, CALLED, FINISHED };

struct connection {
    int fd, number;
    bool is_upgraded, is_active, is_full;
    enum phase phase;
    int64_t next_ns, turn_ns;  // when something is due, and when the turn began
    int turn, deltas;
    uint32_t frame;
    struct bytes in, out;
    int64_t appends, odd_appends, gaps, last_number, outputs, truncations, creates, unknown, malformed;
    struct pairs mic, sent, started, truncated, tool;
    int64_t called_ns;
};

static struct {
    int delta_ms, speed, turn_ms, answer_ms, barge_every, tool_every, turns;
} plan = {100, 3, 5000, 3000, 3, 4, INT32_MAX};
static int epoll_fd;
static uint8_t frame_text[FRAME_TEXT];
static int64_t event_number;

// MARK: Sending

static void flush_out(struct connection *c) {
    while (c->out.start < c->out.end) {
        ssize_t sent = send(c->fd, c->out.data + c->out.start, c->out.end - c->out.start, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) break;
        c->out.start += (size_t)sent;
    }
    bool is_full = c->out.start < c->out.end;
    if (is_full == c->is_full) return;
    c->is_full = is_full;
    uint32_t wanted = EPOLLIN | (is_full ? EPOLLOUT : 0);
    epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &(struct epoll_event){.events = wanted, .data.ptr = c});
}

static void queue(struct connection *c, int opcode, const void *payload, size_t size) {
    uint8_t *place = bytes_reserve(&c->out, WS_HEADER_MAX + size);
    size_t header = ws_header(place, opcode, size, NULL);
    memcpy(place + header, payload, size);
    c->out.end += header + size;
}

__attribute__((format(printf, 2, 3))) static void queue_json(struct connection *c, const char *format, ...) {
    static char json[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(json, sizeof json, format, arguments);
    va_end(arguments);
    if (size > 0 && (size_t)size < sizeof json) queue(c, WS_TEXT, json, (size_t)size);
}

#define EVENT(type) "{\"type\":\"" type "\",\"event_id\":\"event_%lld\","
#define PLACE "\"response_id\":\"resp_%d_%d\",\"item_id\":\"item_%d_%d\",\"output_index\":0,\"content_index\":0"
#define PLACE_OF(c) (long long)++event_number, (c)->number, (c)->turn, (c)->number, (c)->turn

// MARK: Turns

static void response_event(struct connection *c, bool isDone, const char *status) {
    queue_json(c, EVENT("response.%s") "\"response\":{\"id\":\"resp_%d_%d\",\"object\":\"realtime.response\",\"status\":\"%s\","
        "\"status_details\":null,\"output\":[],\"conversation_id\":\"conv_%d\",\"output_modalities\":[\"audio\"],"
        "\"max_output_tokens\":\"inf\",\"usage\":null,\"metadata\":null}}", isDone ? "done" : "created",
        (long long)++event_number, c->number, c->turn, status, c->number);
}

static void begin_answer(struct connection *c, int64_t now) {
    response_event(c, false, "in_progress");
    queue_json(c, EVENT("response.output_item.added") "\"response_id\":\"resp_%d_%d\",\"output_index\":0,\"item\":{\"id\":"
        "\"item_%d_%d\",\"object\":\"realtime.item\",\"type\":\"message\",\"status\":\"in_progress\",\"role\":\"assistant\","
        "\"content\":[]}}", PLACE_OF(c));
    queue_json(c, EVENT("response.content_part.added") PLACE ",\"part\":{\"type\":\"audio\",\"transcript\":\"\"}}", PLACE_OF(c));
    c->phase = ANSWER;
    c->is_active = true;
    c->deltas = 0;
    c->next_ns = now;
}

static void send_delta(struct connection *c) {
    static uint8_t json[MESSAGE_MAX];
    int head = snprintf((char *)json, sizeof json, EVENT("response.output_audio.delta") PLACE ",\"delta\":\"", PLACE_OF(c));
    uint8_t *at = json + head, marker[MARKER_BYTES];
    for (int i = 0; i < plan.delta_ms / FRAME_MS; i++, at += FRAME_TEXT) {
        uint32_t number = (uint32_t)c->number << 20 | (c->frame++ & 0xFFFFF);
        marker_write(marker, number);
        base64_encode(marker, MARKER_BYTES, at);
        memcpy(at + MARKER_TEXT, frame_text + MARKER_TEXT, FRAME_TEXT - MARKER_TEXT);
        pairs_add(&c->sent, now_ns(), number);
    }
    memcpy(at, "\"}", 2);
    queue(c, WS_TEXT, json, (size_t)(at + 2 - json));
    if (c->deltas++ % 5 == 0)
        queue_json(c, EVENT("response.output_audio_transcript.delta") PLACE ",\"delta\":\"It is sunny. \"}", PLACE_OF(c));
}

static void end_answer(struct connection *c, const char *status) {
    c->is_active = false;
    queue_json(c, EVENT("response.output_audio.done") PLACE "}", PLACE_OF(c));
    queue_json(c, EVENT("response.output_audio_transcript.done") PLACE ",\"transcript\":\"It is sunny.\"}", PLACE_OF(c));
    queue_json(c, EVENT("response.content_part.done") PLACE ",\"part\":{\"type\":\"audio\",\"transcript\":\"It is sunny.\"}}",
        PLACE_OF(c));
    queue_json(c, EVENT("response.output_item.done") "\"response_id\":\"resp_%d_%d\",\"output_index\":0,\"item\":{\"id\":"
        "\"item_%d_%d\",\"object\":\"realtime.item\",\"type\":\"message\",\"status\":\"completed\",\"role\":\"assistant\","
        "\"content\":[{\"type\":\"output_audio\",\"transcript\":\"It is sunny.\"}]}}", PLACE_OF(c));
    response_event(c, true, status);
}

static void call_function(struct connection *c) {
    response_event(c, false, "in_progress");
    const char *item = "\"item\":{\"id\":\"call_item_%d_%d\",\"object\":\"realtime.item\",\"type\":\"function_call\",\"status\":"
        "\"%s\",\"call_id\":\"call_%d_%d\",\"name\":\"get_weather\",\"arguments\":\"%s\"}}";
    const char *arguments = "{\\\"city\\\":\\\"Berlin\\\"}";
    char text[1024];
    for (int done = 0; done < 2; done++) {
        if (done) {
            queue_json(c, EVENT("response.function_call_arguments.done") "\"response_id\":\"resp_%d_%d\",\"item_id\":"
                "\"call_item_%d_%d\",\"output_index\":0,\"call_id\":\"call_%d_%d\",\"name\":\"get_weather\",\"arguments\":\"%s\"}",
                PLACE_OF(c), c->number, c->turn, arguments);
        }
        snprintf(text, sizeof text, item, c->number, c->turn, done ? "completed" : "in_progress", c->number, c->turn,
            done ? arguments : "");
        queue_json(c, EVENT("response.output_item.%s") "\"response_id\":\"resp_%d_%d\",\"output_index\":0,%s",
            done ? "done" : "added", (long long)++event_number, c->number, c->turn, text);
    }
    response_event(c, true, "completed");
    c->phase = CALLED;
    c->called_ns = now_ns();
}

static void begin_turn(struct connection *c, int64_t now) {
    if (c->is_active) end_answer(c, "cancelled");
    if (c->turn == plan.turns) return (void)(c->phase = FINISHED);
    c->turn++;
    c->turn_ns = now;
    pairs_add(&c->started, now_ns(), c->turn);
    queue_json(c, EVENT("input_audio_buffer.speech_started") "\"audio_start_ms\":%lld,\"item_id\":\"user_%d_%d\"}",
        (long long)++event_number, (long long)(c->appends * FRAME_MS), c->number, c->turn);
    c->phase = SPEECH;
    c->next_ns = now + SPEECH_MS * 1000000LL;
}

static void end_speech(struct connection *c, int64_t now) {
    queue_json(c, EVENT("input_audio_buffer.speech_stopped") "\"audio_end_ms\":%lld,\"item_id\":\"user_%d_%d\"}",
        (long long)++event_number, (long long)(c->appends * FRAME_MS), c->number, c->turn);
    queue_json(c, EVENT("input_audio_buffer.committed") "\"previous_item_id\":null,\"item_id\":\"user_%d_%d\"}",
        (long long)++event_number, c->number, c->turn);
    for (int done = 0; done < 2; done++) {
        queue_json(c, EVENT("conversation.item.%s") "\"previous_item_id\":null,\"item\":{\"id\":\"user_%d_%d\",\"object\":"
            "\"realtime.item\",\"type\":\"message\",\"status\":\"completed\",\"role\":\"user\",\"content\":[{\"type\":"
            "\"input_audio\",\"transcript\":null}]}}", done ? "done" : "added", (long long)++event_number, c->number, c->turn);
    }
    if (plan.tool_every && c->turn % plan.tool_every == 0) {
        call_function(c);
    } else {
        begin_answer(c, now);
    }
}

// When the turn after this one begins.
static int64_t next_turn_ns(const struct connection *c) {
    bool isCut = plan.barge_every && c->turn % plan.barge_every == 0;
    return c->turn_ns + (isCut ? SPEECH_MS + BARGE_MS : plan.turn_ms) * 1000000LL;
}

// Does what is due at `now`, and says when something is due again.
static void advance(struct connection *c, int64_t now) {
    switch (c->phase) {
    case BEFORE_SESSION:
    case FINISHED: return;
    case WAITING: return begin_turn(c, now);
    case SPEECH:
        end_speech(c, c->next_ns);
        if (c->phase == CALLED) c->next_ns = next_turn_ns(c);
        return;
    case CALLED: return begin_turn(c, now);
    case ANSWER:
        send_delta(c);
        c->next_ns += plan.delta_ms * 1000000LL / plan.speed;
        if (c->deltas >= plan.answer_ms / plan.delta_ms) end_answer(c, "completed");
        if (!c->is_active || c->next_ns >= next_turn_ns(c)) {
            c->phase = WAITING;
            c->next_ns = next_turn_ns(c);
        }
    }
}

#endif
