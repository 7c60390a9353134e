/* The plugin ABI of Extentos for Linux, version 1.0: every stable header.
 *
 * Threads are symbolic roles, not OS threads:
 *   [host]   the host's control thread for this plugin; calls on it never overlap
 *   [audio]  a plugin's own capture or playback thread; touches rings only
 *   [any]    any thread, also several at once
 *
 * Growable structs begin with their size. Who gets one that is smaller than the version that it was built with reads nothing past
 * that size and refuses with GLASSES_ERROR_VERSION; what lies beyond the known part of a larger one is left alone.
 *
 * Unless a comment says otherwise, strings are UTF-8, end with NUL, and are valid only during the call.
 */
#ifndef CGLASSESPLUGIN_H
#define CGLASSESPLUGIN_H

#include "glasses/base.h"
#include "glasses/host.h"
#include "glasses/entry.h"
#include "glasses/ring.h"
#include "glasses/playback.h"
#include "glasses/frame.h"
#include "glasses/video_ring.h"
#include "glasses/factory/transport.h"
#include "glasses/factory/speech_to_text.h"
#include "glasses/factory/text_to_speech.h"
#include "glasses/factory/voice_activity.h"
#include "glasses/ext/camera.h"
#include "glasses/ext/display.h"
#include "glasses/ext/input.h"
#include "glasses/ext/log.h"
#include "glasses/ext/microphone.h"
#include "glasses/ext/power.h"
#include "glasses/ext/registration.h"
#include "glasses/ext/speaker.h"

#endif
