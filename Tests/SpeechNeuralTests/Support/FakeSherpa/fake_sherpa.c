/* Stands in for sherpa-onnx where the real one cannot be made to fail: every sound is speech, and the macros say what is wrong.
 *
 *   NO_RECOGNIZER, NO_DETECTOR, NO_STREAM, NO_RESULT  answers NULL
 *   NO_TEXT                                           the result has none
 *   HANGS                                             decoding does not end
 */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

typedef struct {
    const char *text;
    void *others[16];
} result;

static int thing;
static int is_speech;
static result words = {
#ifdef NO_TEXT
    NULL,
#else
    "words",
#endif
    {NULL}};

#ifdef NO_RECOGNIZER
void *SherpaOnnxCreateOfflineRecognizer(const void *config) { return NULL; }
#else
void *SherpaOnnxCreateOfflineRecognizer(const void *config) { return &thing; }
#endif
void SherpaOnnxDestroyOfflineRecognizer(void *recognizer) {}
#ifdef NO_STREAM
void *SherpaOnnxCreateOfflineStream(void *recognizer) { return NULL; }
#else
void *SherpaOnnxCreateOfflineStream(void *recognizer) { return &thing; }
#endif
void SherpaOnnxDestroyOfflineStream(void *stream) {}
void SherpaOnnxAcceptWaveformOffline(void *stream, int32_t rate, const float *samples, int32_t count) {}
void SherpaOnnxDecodeOfflineStream(void *recognizer, void *stream) {
#ifdef HANGS
    for (;;) pause();
#endif
}
#ifdef NO_RESULT
const result *SherpaOnnxGetOfflineStreamResult(void *stream) { return NULL; }
#else
const result *SherpaOnnxGetOfflineStreamResult(void *stream) { return &words; }
#endif
void SherpaOnnxDestroyOfflineRecognizerResult(const result *result) {}

#ifdef NO_DETECTOR
void *SherpaOnnxCreateVoiceActivityDetector(const void *config, float seconds) { return NULL; }
#else
void *SherpaOnnxCreateVoiceActivityDetector(const void *config, float seconds) { return &thing; }
#endif
void SherpaOnnxDestroyVoiceActivityDetector(void *detector) {}
void SherpaOnnxVoiceActivityDetectorAcceptWaveform(void *detector, const float *samples, int32_t count) { is_speech = 1; }
int32_t SherpaOnnxVoiceActivityDetectorDetected(void *detector) { return is_speech; }
void SherpaOnnxVoiceActivityDetectorFlush(void *detector) {}
void SherpaOnnxVoiceActivityDetectorClear(void *detector) {}
void SherpaOnnxVoiceActivityDetectorReset(void *detector) {}
