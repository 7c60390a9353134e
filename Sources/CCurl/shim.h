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

static inline CURLMcode ccurl_set_multi_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

#endif
