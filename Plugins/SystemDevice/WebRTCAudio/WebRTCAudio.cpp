#include "CWebRTCAudio.h"

#include <dlfcn.h>

#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>

#include "webrtc/modules/audio_processing/include/audio_processing.h"

namespace {
// An option of webrtc::Config is found by the address of a static variable inside a template. This file's copy of the
// template has an address of its own, under which the library would find nothing and use its defaults: the library's
// address is taken instead.
void *delayAgnosticIdentifier = nullptr;
void *extendedFilterIdentifier = nullptr;
}  // namespace

namespace webrtc {
template <>
Config::OptionIdentifier Config::identifier<DelayAgnostic>() {
    return delayAgnosticIdentifier;
}

template <>
Config::OptionIdentifier Config::identifier<ExtendedFilter>() {
    return extendedFilterIdentifier;
}
}  // namespace webrtc

namespace {
using Create = webrtc::AudioProcessing *(*)(const webrtc::Config &);

constexpr size_t longestFrame = 480;
constexpr int longestDelay = 500;

int32_t load(const char *name, Create *create) {
    // Once loaded it stays: its statics may be referred to by whatever it started.
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return CWEBRTC_LIBRARY_MISSING;
    *create = reinterpret_cast<Create>(dlsym(library, "_ZN6webrtc15AudioProcessing6CreateERKNS_6ConfigE"));
    delayAgnosticIdentifier =
        dlsym(library, "_ZZN6webrtc6Config10identifierINS_13DelayAgnosticEEEPvvE14id_placeholder");
    extendedFilterIdentifier =
        dlsym(library, "_ZZN6webrtc6Config10identifierINS_14ExtendedFilterEEEPvvE14id_placeholder");
    return *create && delayAgnosticIdentifier && extendedFilterIdentifier ? CWEBRTC_OK : CWEBRTC_LIBRARY_INCOMPATIBLE;
}

bool configure(webrtc::AudioProcessing &audio, const cwebrtc_settings &settings) {
    const int rate = static_cast<int>(settings.sample_rate);
    const auto mono = webrtc::AudioProcessing::kMono;
    int failures = audio.Initialize(rate, rate, rate, mono, mono, mono);
    failures |= audio.high_pass_filter()->Enable(true);
    if (settings.echo_cancellation) {
        auto *echo = audio.echo_cancellation();
        failures |= echo->enable_drift_compensation(false);
        failures |= echo->set_suppression_level(webrtc::EchoCancellation::kHighSuppression);
        failures |= echo->Enable(true);
    }
    if (settings.noise_suppression) {
        const webrtc::NoiseSuppression::Level levels[] = {
            webrtc::NoiseSuppression::kLow, webrtc::NoiseSuppression::kModerate, webrtc::NoiseSuppression::kHigh};
        failures |= audio.noise_suppression()->set_level(levels[settings.noise_suppression - 1]);
        failures |= audio.noise_suppression()->Enable(true);
    }
    if (settings.automatic_gain) {
        auto *gain = audio.gain_control();
        failures |= gain->set_mode(webrtc::GainControl::kAdaptiveDigital);
        failures |= gain->enable_limiter(true);
        failures |= gain->Enable(true);
    }
    return failures == 0;
}

void toFloat(const int16_t *samples, float *target, size_t count) {
    for (size_t index = 0; index < count; index++) target[index] = samples[index] * (1.0f / 32768.0f);
}

void toInteger(const float *samples, int16_t *target, size_t count) {
    for (size_t index = 0; index < count; index++) {
        const float value = samples[index] * 32768.0f;
        target[index] = value >= 32767.0f ? 32767 : value <= -32768.0f ? -32768 : static_cast<int16_t>(lrintf(value));
    }
}
}  // namespace

struct cwebrtc_processor {
    std::unique_ptr<webrtc::AudioProcessing> audio;
    webrtc::StreamConfig format;
    bool cancelsEcho;
    float reference[longestFrame];
    float microphone[longestFrame];
};

extern "C" int32_t cwebrtc_create(
    const char *library, const cwebrtc_settings *settings, cwebrtc_processor **processor) {
    *processor = nullptr;
    if (settings->sample_rate != 16000 && settings->sample_rate != 48000) return CWEBRTC_UNSUPPORTED;
    if (settings->noise_suppression > 3) return CWEBRTC_UNSUPPORTED;
    try {
        Create create = nullptr;
        const int32_t loaded = load(library, &create);
        if (loaded != CWEBRTC_OK) return loaded;
        webrtc::Config config;
        config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
        config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
        auto made = std::make_unique<cwebrtc_processor>();
        made->audio.reset(create(config));
        if (!made->audio) return CWEBRTC_OUT_OF_MEMORY;
        made->format = webrtc::StreamConfig(static_cast<int>(settings->sample_rate), 1, false);
        made->cancelsEcho = settings->echo_cancellation != 0;
        if (!configure(*made->audio, *settings)) return CWEBRTC_FAILED;
        *processor = made.release();
        return CWEBRTC_OK;
    } catch (const std::bad_alloc &) {
        return CWEBRTC_OUT_OF_MEMORY;
    } catch (...) {
        return CWEBRTC_FAILED;
    }
}

extern "C" int32_t cwebrtc_process(
    cwebrtc_processor *processor, const int16_t *reference, int16_t *microphone, int32_t delay_ms) {
    try {
        auto &audio = *processor->audio;
        const size_t count = processor->format.num_frames();
        float *far = processor->reference;
        float *near = processor->microphone;
        if (processor->cancelsEcho) {
            toFloat(reference, far, count);
            if (audio.AnalyzeReverseStream(&far, count, processor->format.sample_rate_hz(),
                                           webrtc::AudioProcessing::kMono) != 0)
                return CWEBRTC_FAILED;
            // Beyond its range it clamps and says so; that is no failure.
            audio.set_stream_delay_ms(delay_ms < 0 ? 0 : delay_ms > longestDelay ? longestDelay : delay_ms);
        }
        toFloat(microphone, near, count);
        if (audio.ProcessStream(&near, processor->format, processor->format, &near) != 0) return CWEBRTC_FAILED;
        toInteger(near, microphone, count);
        return CWEBRTC_OK;
    } catch (const std::bad_alloc &) {
        return CWEBRTC_OUT_OF_MEMORY;
    } catch (...) {
        return CWEBRTC_FAILED;
    }
}

extern "C" void cwebrtc_destroy(cwebrtc_processor *processor) {
    try {
        delete processor;
    } catch (...) {
        // Nothing is left to end.
    }
}
