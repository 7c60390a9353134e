/* The virtual camera: a moving test pattern with the frame's number in it, paced in real time by one thread. */
#ifndef LOOPBACK_CAMERA_H
#define LOOPBACK_CAMERA_H

#include <CGlassesPlugin.h>
#include <pthread.h>

#define CAMERA_FORMATS \
    "[{\"format\":\"i420\",\"width\":360,\"height\":640,\"frameRates\":[2,7,15,24,30,500]}," \
    "{\"format\":\"i420\",\"width\":504,\"height\":896,\"frameRates\":[2,7,15,24,30,500]}," \
    "{\"format\":\"i420\",\"width\":720,\"height\":1280,\"frameRates\":[2,7,15,24,30,500]}]"

typedef struct camera_mode {
    uint32_t width;
    uint32_t height;
    uint32_t frame_rate;
} camera_mode;

typedef struct camera {
    /* Changed by the control thread only while no camera thread runs: */
    glasses_video_ring *ring;
    camera_mode mode;
    pthread_t thread;
    int32_t is_running;

    int32_t timer_fd; /* fires for every frame */
    int32_t stop_fd;  /* eventfd that ends the thread */

    /* The camera thread's: */
    uint64_t number;   /* of the next frame */
    int64_t last_t_ns; /* of the last frame */
} camera;

/* Reads {"format", "width", "height", "frameRate"}: 0, or -1 for what CAMERA_FORMATS has not. */
int32_t camera_mode_read(const char *text, camera_mode *mode);

/* Prepares the camera; -1 when descriptors are used up. */
int32_t camera_init(camera *c);

/* Writes the first frame into ring and begins the stream; -1 when the thread could not be started. */
int32_t camera_start(camera *c, glasses_video_ring *ring, camera_mode mode);

/* Ends the stream within a frame's time; the ring is not touched afterwards. */
void camera_stop(camera *c);

/* Ends the stream and frees everything. */
void camera_free(camera *c);

#endif
