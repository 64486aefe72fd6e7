/* What the parts of the library know about each other. Not for its users. */
#ifndef SABOT_INTERNAL_H
#define SABOT_INTERNAL_H

#include "sabot_shoe.h"

/* Types of messages. */
enum {
    SABOT_HELLO = 0x01,
    SABOT_HEARTBEAT = 0x02,
    SABOT_LOG = 0x03,
    SABOT_ANSWER = 0x04,
    SABOT_CARD = 0x11,
    SABOT_CUT_CARD = 0x12,
    SABOT_KEY_EVENT = 0x13,
    SABOT_ALARM_RAISED = 0x14,
    SABOT_ALARM_CLEARED = 0x15,
    SABOT_LOCK_STATE = 0x16,
    SABOT_FROM_HOST = 0x80, /* and above */
    SABOT_HOST_HELLO = 0x81,
    SABOT_ACKNOWLEDGE = 0x82,
    SABOT_LOCK = 0x83,
    SABOT_LAMP = 0x84,
    SABOT_STATUS = 0x85,
    SABOT_CHALLENGE = 0x86
};

/* Versions of frames. */
enum { SABOT_PLAIN = 1, SABOT_SEALED = 2 };

/* Parts of a packet, in bytes. */
enum { SABOT_HEAD = 2, SABOT_COUNTER = 4, SABOT_TAG = 8, SABOT_SEAL = 12, SABOT_CRC = 4 };

/* Milliseconds. */
enum {
    SABOT_BEAT_EVERY = 500, /* heartbeats in a session, hellos outside */
    SABOT_LOST_AFTER = 1500,
    SABOT_RESEND_AFTER = 250,
    SABOT_TAMPERING_EVERY = 10000
};

/* How many events are on the way at once. */
enum { SABOT_WINDOW = 8 };

/* Frames that are due, in sabot_shoe.due. */
enum {
    SABOT_DUE_ZERO = 1 << 0,
    SABOT_DUE_ANSWER = 1 << 1,
    SABOT_DUE_HELLO = 1 << 2,
    SABOT_DUE_BEAT = 1 << 3,
    SABOT_DUE_LOG = 1 << 4
};

/* ---- sabot_frame.c: bytes and packets ---- */

typedef enum {
    SABOT_FRAME_GOOD,
    SABOT_FRAME_TOO_LONG,
    SABOT_FRAME_TOO_SHORT,
    SABOT_FRAME_BAD_COBS,
    SABOT_FRAME_BAD_CRC,
    SABOT_FRAME_UNKNOWN_VERSION
} sabot_frame_fault;

/* The contents of a frame. In a sealed one bytes goes from the version to the counter,
 * and tag follows it. */
typedef struct {
    uint8_t version, type;
    const uint8_t *payload;
    uint8_t size; /* of the payload */
    const uint8_t *bytes;
    uint8_t covered; /* by the tag */
    uint32_t counter;
    const uint8_t *tag;
} sabot_packet;

/* Takes a byte from the line, and says whether a frame ended with it. That frame is
 * valid until the next byte. */
bool sabot_collect(sabot_collector *collector, uint8_t byte);

/* Takes apart the frame that has ended, decoding it in place. */
sabot_frame_fault sabot_open_frame(sabot_collector *collector, sabot_packet *packet);

/* Makes a frame of the packet of n bytes at frame + 1, and returns its size. */
uint8_t sabot_close_frame(uint8_t *frame, uint8_t n);

uint32_t sabot_crc32(const uint8_t *bytes, uint8_t n);

uint16_t sabot_get16(const uint8_t *at);
uint32_t sabot_get32(const uint8_t *at);
uint8_t *sabot_put16(uint8_t *at, uint16_t v);
uint8_t *sabot_put32(uint8_t *at, uint32_t v);
uint8_t *sabot_copy(uint8_t *at, const uint8_t *from, uint8_t n); /* returns the end */

/* ---- sabot_message.c: what the payloads say ---- */

/* A host's message that a shoe follows. */
typedef struct {
    uint32_t boot, seq; /* host-hello, acknowledge */
    uint8_t value;      /* lock, lamp */
} sabot_order;

typedef enum {
    SABOT_ORDER_GOOD,
    SABOT_ORDER_UNKNOWN,
    SABOT_ORDER_WRONG_LENGTH,
    SABOT_ORDER_WRONG_FIELD
} sabot_order_fault;

sabot_order_fault sabot_read_order(const sabot_packet *packet, sabot_order *order);

/* The payloads that a shoe sends. Each is written to at; its end is returned. */
typedef struct {
    uint8_t protocol, session;
    uint32_t capabilities, boot, first, last;
    const uint8_t *firmware;
    const char *serial;
} sabot_hello;

uint8_t *sabot_write_hello(uint8_t *at, const sabot_hello *hello);
uint8_t *sabot_write_heartbeat(uint8_t *at, uint32_t boot, uint32_t last, uint16_t queued, uint8_t locks, uint8_t light);
uint8_t *sabot_write_log(uint8_t *at, uint8_t level, const char *text, uint8_t n);
uint8_t *sabot_write_event(uint8_t *at, uint32_t boot, uint32_t seq, const sabot_event *event);

/* ---- sabot_seal.c: link security ---- */

typedef enum {
    SABOT_SEAL_GOOD,
    SABOT_SEAL_NO_KEY,
    SABOT_SEAL_BAD_TAG,
    SABOT_SEAL_OLD_COUNTER,
    SABOT_SEAL_EARLY
} sabot_seal_fault;

/* SipHash-2-4 of n bytes. */
void sabot_siphash(const uint8_t key[SABOT_KEY], const uint8_t *bytes, uint8_t n, uint8_t hash[8]);

/* What is derived from a key, with a label of 8 characters and two consecutive numbers
 * of 8 bytes. */
void sabot_derive(const uint8_t key[SABOT_KEY], const char *label, const uint8_t numbers[16], uint8_t out[8]);

/* The session's key for one direction: 'h' from the host, 's' from the shoe. */
void sabot_session_key(const uint8_t key[SABOT_KEY], char side, const uint8_t nonces[16], uint8_t out[SABOT_KEY]);

/* The n-th nonce of a seed. */
void sabot_nonce(const uint8_t key[SABOT_KEY], const uint8_t seed[SABOT_SEED], uint32_t n, uint8_t out[8]);

/* Takes the host's challenge: its answer is then due. */
void sabot_challenged(sabot_security *s, const uint8_t host[8]);

/* Writes the payload of the answer that is due. */
uint8_t *sabot_write_answer(uint8_t *at, const sabot_security *s);

/* Says whether a sealed packet is the host's next one and, if so, whether others before
 * it vanished without a trace. */
sabot_seal_fault sabot_open_seal(sabot_security *s, const sabot_packet *packet, bool *vanished);

/* Appends counter and tag to the n bytes of a packet, and returns its new size. */
uint8_t sabot_seal(sabot_security *s, uint8_t *packet, uint8_t n);

/* ---- sabot_events.c: what happens to the shoe ---- */

/* Drops the events up to this number, if it is one of them. */
void sabot_acknowledge(sabot_shoe *shoe, uint32_t boot, uint32_t seq);

/* Sets or clears reasons for locking the exit, and reports a change. */
void sabot_set_locks(sabot_shoe *shoe, uint8_t reasons, bool locked);

/* Queues an alarm. */
void sabot_raise(sabot_shoe *shoe, uint8_t code, uint16_t detail);

/* The number of the oldest queued event, or of the next one if there is none. */
uint32_t sabot_first(const sabot_shoe *shoe);

/* The event at this place, counted from the oldest. */
const sabot_event *sabot_event_at(const sabot_shoe *shoe, uint16_t place);

/* ---- sabot_shoe.c ---- */

/* Notes the time. */
void sabot_tell_time(sabot_shoe *shoe, uint32_t ms);

#endif
