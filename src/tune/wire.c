/* SPDX-License-Identifier: MIT */
#include "tune/wire.h"

#include <errno.h>
#include <sys/socket.h>

bool rg_wire_send(int socket, const void *bytes, size_t length)
{
    for (const char *at = bytes; length > 0;) {
        const ssize_t put = send(socket, at, length, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        at += put > 0 ? put : 0;
        length -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

bool rg_wire_receive(int socket, void *bytes, size_t length)
{
    for (char *at = bytes; length > 0;) {
        const ssize_t got = recv(socket, at, length, 0);
        if (got == 0) { /* closed: no error of an earlier call is to be read as that of this one */
            errno = ECONNRESET;
            return false;
        }
        if (got < 0 && errno != EINTR) {
            return false;
        }
        at += got > 0 ? got : 0;
        length -= got > 0 ? (size_t)got : 0;
    }
    return true;
}
