/* One instance of the transport, and the commands that its calls on [host] leave for its control thread. */
#ifndef LOOPBACK_INSTANCE_H
#define LOOPBACK_INSTANCE_H

#include "camera.h"
#include "companion.h"
#include "device.h"

enum { COMMAND_MAX = 16 }; /* the host has at most one open request per stream and one for the connection */

typedef enum verb {
    CONNECT, DISCONNECT, MICROPHONE_ON, MICROPHONE_OFF, SPEAKER_ON, SPEAKER_OFF, CAMERA_ON, CAMERA_OFF, SHOW, CLEAR,
    REGISTER, UNREGISTER, CHECK_PERMISSION, REQUEST_PERMISSION, HANDLE_URL, TELL_REGISTRATION, QUIT
} verb;

typedef struct command {
    verb verb;
    glasses_request_id request;
    glasses_ring *ring;
    glasses_video_ring *video;
    camera_mode mode;
    char *tree; /* or a URL; freed by whoever carries the command out */
    size_t length;
    glasses_permission permission;
} command;

typedef struct instance {
    glasses_transport table;
    const glasses_transport_host *host;
    device device;
    camera camera;
    const glasses_camera_host *camera_host;
    const glasses_display_host *display_host;
    const glasses_power_host *power_host;
    const glasses_input_host *input_host;
    companion companion;
    pthread_t control;
    int32_t has_control;

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t arrived;
    command commands[COMMAND_MAX];
    uint32_t count;
    int32_t is_connected; /* as the commands queued so far will leave it, so that a refusal comes at once */
    int32_t has_microphone;
    int32_t has_speaker;
    int32_t has_camera;
} instance;

/* Leaves a command for the control thread; BUSY when too many wait. [host] */
glasses_result instance_queue(instance *self, command next);

/* Carries out a command that concerns the registration; 0 for every other one. The control thread only. */
int32_t registration_run(instance *self, const command *next);

/* Tells what is known of the virtual glasses, and that their wearer tapped them. The control thread only. */
void reports_tell(const instance *self);

/* The extensions of registration.c. */
extern const glasses_registration LOOPBACK_REGISTRATION;
extern const glasses_power LOOPBACK_POWER;
extern const glasses_input LOOPBACK_INPUT;

#endif
