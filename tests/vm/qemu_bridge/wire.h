/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of docs/model-protocol.md, version 1, as the host side needs them. */
#ifndef HCQ_WIRE_H
#define HCQ_WIRE_H

#include <stdint.h>

#define WIRE_MAGIC 0x4d514348u
#define WIRE_VERSION 1
#define WIRE_MAX_PAYLOAD 65600u
#define WIRE_MAX_DATA 65536u

enum { FLAG_REPLY = 1, FLAG_ACK = 2, FLAG_ERROR = 4 };

enum {
    MSG_HELLO = 1, MSG_CONFIG_READ, MSG_CONFIG_WRITE, MSG_BAR_READ, MSG_BAR_WRITE, MSG_BLOCK_READ, MSG_BLOCK_WRITE,
    MSG_RESIZE_BAR, MSG_RESET, MSG_REGION_ADD, MSG_REGION_REMOVE, MSG_INVALIDATE, MSG_IRQ_ENABLE,
    MSG_TRANSLATE = 32, MSG_DMA_READ, MSG_DMA_WRITE, MSG_INTERRUPT, MSG_VIOLATION,
};

enum { ERROR_NO_MEMORY = 5 };
enum { TRANSLATE_OK = 0, TRANSLATE_BLOCKED = 1, TRANSLATE_NO_REGION = 2 };

typedef struct __attribute__((packed)) { uint32_t length; uint16_t type, flags; uint32_t tag; } WireHeader;
typedef struct __attribute__((packed)) { uint32_t magic; uint16_t version, zero; uint32_t flags, zero2; char name[48]; } WireHello;
typedef struct __attribute__((packed)) { uint64_t size, resizable; uint32_t flags, zero; } WireBar;
typedef struct __attribute__((packed)) {
    uint32_t magic; uint16_t version, window; uint32_t pid, flags; char model[32]; WireBar bar[6];
} WireHelloReply;
typedef struct __attribute__((packed)) { uint16_t offset, size; } WireConfigRead;
typedef struct __attribute__((packed)) { uint16_t offset, size; uint32_t value; } WireConfigWrite;
typedef struct __attribute__((packed)) { uint8_t bar, size; uint16_t zero; uint32_t zero2; uint64_t offset; } WireBarRead;
typedef struct __attribute__((packed)) {
    uint8_t bar, size; uint16_t zero; uint32_t zero2; uint64_t offset, value;
} WireBarWrite;
typedef struct __attribute__((packed)) { uint32_t id, flags; uint64_t size; } WireRegionAdd;
typedef struct __attribute__((packed)) { uint64_t bus, size; } WireInvalidate;
typedef struct __attribute__((packed)) { uint32_t on, zero; } WireIrqEnable;
typedef struct __attribute__((packed)) { uint64_t bus; uint32_t size, flags; } WireTranslate;
typedef struct __attribute__((packed)) {
    uint32_t status, region; uint64_t bus, size, offset; uint32_t access, zero;
} WireTranslation;
typedef struct __attribute__((packed)) { uint32_t vector, zero; } WireInterrupt;
typedef struct __attribute__((packed)) { uint32_t code, value; } WireError;

#endif
