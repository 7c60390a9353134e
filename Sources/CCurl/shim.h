/* libcurl for Swift. Its option calls are variadic, which Swift does not import, so each kind has a call with a fixed signature.
 * https://curl.se/libcurl/c/ */
#ifndef EXTENTOS_CCURL_H
#define EXTENTOS_CCURL_H

#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/* libcurl copies the text. */
static inline CURLcode ccurl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/* libcurl keeps the pointer. */
static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/* libcurl keeps the list until the transfer has ended. */
static inline CURLcode ccurl_set_list(CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable list) {
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_socket(CURL *_Nonnull handle, CURLINFO info, curl_socket_t *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

/* The body of a request; libcurl copies it, so its size must be set before. */
static inline CURLcode ccurl_set_copied_body(CURL *_Nonnull handle, const void *_Nullable bytes) {
    return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}

/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION; called inside curl_multi_socket_action, on the thread that calls it. */
static inline CURLcode ccurl_set_write_function(
    CURL *_Nonnull handle, CURLoption option, curl_write_callback _Nullable function) {
    return curl_easy_setopt(handle, option, function);
}

/* For CURLOPT_READFUNCTION; called as above. */
static inline CURLcode ccurl_set_read_function(CURL *_Nonnull handle, curl_read_callback _Nullable function) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, function);
}

/* For CURLOPT_SOCKOPTFUNCTION; called for each new socket before it connects. */
static inline CURLcode ccurl_set_socket_option_function(CURL *_Nonnull handle, curl_sockopt_callback _Nullable function) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, function);
}

/* Both are called inside libcurl's calls, on the thread that makes them. */
static inline CURLMcode ccurl_set_multi_functions(
    CURLM *_Nonnull multi, curl_socket_callback _Nullable socket_function, curl_multi_timer_callback _Nullable timer_function,
    void *_Nullable context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_function);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_function);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

static inline CURLMcode ccurl_set_multi_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

#endif
