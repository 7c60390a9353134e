/* An ALSA PCM that stands in for hardware in tests: it runs in real time, has one fixed format, and fails on command.
 *
 *   pcm_type.extentos_fault { lib "/path/libextentos_fault.so" }
 *   pcm.x { type extentos_fault control "/path/x" }
 *
 * The control file holds words, read again at each call that they concern:
 *   rate=8000 channels=2 format=S32_LE   what the device has (read at open; default 48000, 2, S16_LE)
 *   busy | denied | absent               open fails with EBUSY | EACCES | ENODEV
 *   gone                                 every call fails with ENODEV
 *   block                                every call waits until the word is taken away
 *   frozen                               the device answers, but its position stands still
 *   epipe=K suspend=S from=F serial=N    a new number N makes K transfers fail with EPIPE, from the F-th after it on
 *                                        (default 1), and then S with ESTRPIPE
 *   again=M                              every M-th transfer fails with EAGAIN
 *   source=FILE                          what capture hears, 16 bits, mono, 48 kHz, then silence (read at open)
 * Playback appends what was handed over to CONTROL.out, in the device's format. Capture without a source delivers a 1 kHz
 * sine of amplitude 0.5 on every channel.
 */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct fault_pcm {
    snd_pcm_ioplug_t io;
    char control[512];
    FILE *out;
    int timer;
    int is_running;
    int64_t started_ns;
    int64_t base;      /* device frames before the last start */
    int64_t handed;    /* frames played since prepare */
    int64_t position;  /* device frames since prepare */
    long serial;
    long transfers;    /* since the last serial number */
    long failures_left;
    long suspends_left;
    int16_t *source;
    int64_t source_frames;
} fault_pcm;

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void read_control(const char *path, char *text, size_t size) {
    text[0] = ' ';
    text[1] = 0;
    FILE *file = fopen(path, "r");
    if (!file) return;
    size_t length = fread(text + 1, 1, size - 3, file);
    fclose(file);
    for (size_t i = 1; i <= length; i++)
        if (text[i] == '\n') text[i] = ' ';
    text[length + 1] = ' ';
    text[length + 2] = 0;
}

static int has(const char *text, const char *word) {
    char padded[64];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(text, padded) != NULL;
}

static long value(const char *text, const char *key, long otherwise) {
    char padded[64];
    snprintf(padded, sizeof padded, " %s=", key);
    const char *found = strstr(text, padded);
    return found ? strtol(found + strlen(padded), NULL, 10) : otherwise;
}

/* What the script has for this transfer: an error or 0. */
static int scripted_failure(fault_pcm *pcm, const char *text) {
    pcm->transfers++;
    if (pcm->transfers >= value(text, "from", 1)) {
        if (pcm->failures_left > 0) {
            pcm->failures_left--;
            return -EPIPE;
        }
        if (pcm->suspends_left > 0) {
            pcm->suspends_left--;
            return -ESTRPIPE;
        }
    }
    long again = value(text, "again", 0);
    return again > 0 && pcm->transfers % again == 0 ? -EAGAIN : 0;
}

/* What every call does first: waits while blocked, and answers a scripted error or 0. */
static int obey(fault_pcm *pcm, int counts) {
    char text[512];
    for (;;) {
        read_control(pcm->control, text, sizeof text);
        if (!has(text, "block")) break;
        usleep(10000);
    }
    if (has(text, "gone")) return -ENODEV;
    long serial = value(text, "serial", 0);
    if (serial != pcm->serial) {
        pcm->serial = serial;
        pcm->transfers = 0;
        pcm->failures_left = value(text, "epipe", 0);
        pcm->suspends_left = value(text, "suspend", 0);
    }
    if (counts) {
        int failure = scripted_failure(pcm, text);
        if (failure < 0) return failure;
    }
    return has(text, "frozen") ? 1 : 0;
}

static void advance(fault_pcm *pcm, int isFrozen) {
    if (!pcm->is_running) return;
    int64_t now = now_ns();
    if (isFrozen) {
        pcm->base = pcm->position;
        pcm->started_ns = now;
        return;
    }
    pcm->position = pcm->base + (now - pcm->started_ns) * (int64_t)pcm->io.rate / 1000000000;
}

static int fault_start(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    int error = obey(pcm, 0);
    if (error < 0) return error;
    pcm->started_ns = now_ns();
    pcm->is_running = 1;
    return 0;
}

static int fault_stop(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    int error = obey(pcm, 0);
    pcm->is_running = 0;
    return error < 0 ? error : 0;
}

static int fault_prepare(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    int error = obey(pcm, 0);
    if (error < 0) return error;
    pcm->is_running = 0;
    pcm->base = pcm->position = pcm->handed = 0;
    return 0;
}

/* A suspended device stood still where it was. */
static int fault_resume(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    int error = obey(pcm, 0);
    if (error < 0) return error;
    pcm->base = pcm->position;
    pcm->started_ns = now_ns();
    pcm->is_running = 1;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    return 0;
}

static snd_pcm_sframes_t fault_pointer(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    int state = obey(pcm, 0);
    if (state == -ENODEV) {
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        return -ENODEV;
    }
    advance(pcm, state == 1);
    if (io->stream == SND_PCM_STREAM_PLAYBACK && pcm->position > pcm->handed) return -EPIPE;
    if (io->stream == SND_PCM_STREAM_CAPTURE && pcm->position - (int64_t)io->appl_ptr > (int64_t)io->buffer_size) return -EPIPE;
    return (snd_pcm_sframes_t)(pcm->position % (int64_t)io->buffer_size);
}

static void *frame_at(const snd_pcm_channel_area_t *area, snd_pcm_uframes_t frame) {
    return (char *)area->addr + (area->first + area->step * frame) / 8;
}

static double sound_at(const fault_pcm *pcm, int64_t frame) {
    if (!pcm->source) return 0.5 * sin(2 * M_PI * 1000.0 * (double)frame / pcm->io.rate);
    int64_t at = frame * 48000 / pcm->io.rate;
    return at < pcm->source_frames ? pcm->source[at] / 32768.0 : 0;
}

/* ALSA may ask for the same frames again before the application took them: the phase follows the application's position. */
static void put_sound(fault_pcm *pcm, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    for (snd_pcm_uframes_t i = 0; i < size; i++) {
        double sample = sound_at(pcm, (int64_t)(pcm->io.appl_ptr + i));
        for (unsigned int channel = 0; channel < pcm->io.channels; channel++) {
            void *target = frame_at(&areas[channel], offset + i);
            int32_t wide = (int32_t)(sample * 2147483647.0);
            switch (pcm->io.format) {
            case SND_PCM_FORMAT_S16_LE: *(int16_t *)target = (int16_t)(wide >> 16); break;
            case SND_PCM_FORMAT_S32_LE: *(int32_t *)target = wide; break;
            case SND_PCM_FORMAT_FLOAT_LE: *(float *)target = (float)sample; break;
            case SND_PCM_FORMAT_S24_3LE:
                for (int byte = 0; byte < 3; byte++) ((uint8_t *)target)[byte] = (uint8_t)(wide >> (8 * (byte + 1)));
                break;
            default: break;
            }
        }
    }
}

static snd_pcm_sframes_t fault_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    fault_pcm *pcm = io->private_data;
    int error = obey(pcm, 1);
    if (error == -ESTRPIPE) {
        advance(pcm, 0);
        pcm->is_running = 0;
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
    }
    if (error < 0) return error;
    if (io->stream == SND_PCM_STREAM_CAPTURE) {
        put_sound(pcm, areas, offset, size);
        return (snd_pcm_sframes_t)size;
    }
    if (pcm->out) {
        size_t bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8;
        for (snd_pcm_uframes_t i = 0; i < size; i++)
            for (unsigned int channel = 0; channel < io->channels; channel++)
                fwrite(frame_at(&areas[channel], offset + i), bytes, 1, pcm->out);
        fflush(pcm->out);
    }
    pcm->handed += (int64_t)size;
    return (snd_pcm_sframes_t)size;
}

static int fault_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *revents) {
    fault_pcm *pcm = io->private_data;
    uint64_t ticks;
    (void)count;
    if (read(pcm->timer, &ticks, sizeof ticks) < 0) ticks = 0;
    *revents = fds[0].revents ? (io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN) : 0;
    return 0;
}

static void release(fault_pcm *pcm) {
    if (pcm->out) fclose(pcm->out);
    close(pcm->timer);
    free(pcm->source);
    free(pcm);
}

static int fault_close(snd_pcm_ioplug_t *io) {
    fault_pcm *pcm = io->private_data;
    obey(pcm, 0);
    release(pcm);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = fault_start,
    .stop = fault_stop,
    .pointer = fault_pointer,
    .transfer = fault_transfer,
    .prepare = fault_prepare,
    .resume = fault_resume,
    .poll_revents = fault_revents,
    .close = fault_close,
};

/* Reads the file that `text` names as the source, if it names one. */
static void load_source(fault_pcm *pcm, const char *text) {
    const char *found = strstr(text, " source=");
    if (!found) return;
    char path[512];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(found + 8, " "), found + 8);
    FILE *file = fopen(path, "rb");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    rewind(file);
    pcm->source = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (pcm->source) pcm->source_frames = (int64_t)fread(pcm->source, 2, (size_t)bytes / 2, file);
    fclose(file);
}

static int constrain(fault_pcm *pcm, const char *text) {
    unsigned int access[] = {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_RW_INTERLEAVED};
    unsigned int rate = (unsigned int)value(text, "rate", 48000), channels = (unsigned int)value(text, "channels", 2);
    unsigned int format = SND_PCM_FORMAT_S16_LE;
    if (strstr(text, " format=S32_LE")) format = SND_PCM_FORMAT_S32_LE;
    if (strstr(text, " format=S24_3LE")) format = SND_PCM_FORMAT_S24_3LE;
    if (strstr(text, " format=FLOAT_LE")) format = SND_PCM_FORMAT_FLOAT_LE;
    unsigned int frame = channels * (unsigned int)snd_pcm_format_physical_width(format) / 8;
    snd_pcm_ioplug_t *io = &pcm->io;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, &format);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
    if (error >= 0)
        error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, frame * (rate / 400), frame * (rate / 2));
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 256);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, frame * (rate / 100), frame * rate * 2);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(extentos_fault) {
    const char *control = NULL;
    snd_config_iterator_t i, next;
    (void)root;
    snd_config_for_each(i, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(i);
        const char *id;
        if (snd_config_get_id(node, &id) < 0) continue;
        if (strcmp(id, "control") == 0) snd_config_get_string(node, &control);
    }
    if (!control) return -EINVAL;
    char text[512];
    for (;;) {
        read_control(control, text, sizeof text);
        if (!has(text, "block")) break;
        usleep(10000);
    }
    if (has(text, "busy")) return -EBUSY;
    if (has(text, "denied")) return -EACCES;
    if (has(text, "gone") || has(text, "absent")) return -ENODEV;
    fault_pcm *pcm = calloc(1, sizeof *pcm);
    if (!pcm) return -ENOMEM;
    snprintf(pcm->control, sizeof pcm->control, "%s", control);
    pcm->serial = value(text, "serial", 0);
    pcm->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct itimerspec tick = {{0, 5000000}, {0, 5000000}};
    timerfd_settime(pcm->timer, 0, &tick, NULL);
    if (stream == SND_PCM_STREAM_PLAYBACK) {
        char path[520];
        snprintf(path, sizeof path, "%s.out", control);
        pcm->out = fopen(path, "ab");
    } else {
        load_source(pcm, text);
    }
    pcm->io.version = SND_PCM_IOPLUG_VERSION;
    pcm->io.name = "Extentos fault PCM";
    pcm->io.callback = &callbacks;
    pcm->io.private_data = pcm;
    pcm->io.poll_fd = pcm->timer;
    pcm->io.poll_events = POLLIN;
    pcm->io.mmap_rw = 0;
    int error = snd_pcm_ioplug_create(&pcm->io, name, stream, mode);
    if (error >= 0) error = constrain(pcm, text);
    if (error < 0) {
        if (pcm->io.pcm) {
            snd_pcm_ioplug_delete(&pcm->io);
        } else {
            release(pcm);
        }
        return error;
    }
    *pcmp = pcm->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(extentos_fault);
