/*
 * The shoe's side of the sabot shoe protocol (../SPEC.md), for a microcontroller.
 *
 * The library has no memory, clock, port or randomness of its own: the caller owns a
 * sabot_shoe and an array of events, feeds it the time and the bytes that arrive, and
 * takes from it the frames to be sent. It allocates nothing, has no globals, and
 * never waits.
 *
 *     static sabot_event events[512];
 *     static sabot_shoe shoe;
 *
 *     sabot_config config = { .serial = "SB-0042", .boot = boot_id(), .events = events, .room = 512 };
 *     sabot_start(&shoe, &config, milliseconds());
 *     for (;;) {
 *         uint8_t bytes[64], frame[SABOT_FRAME];
 *         sabot_receive(&shoe, milliseconds(), bytes, uart_read(bytes, sizeof bytes));
 *         if (card_left_the_shoe())
 *             sabot_card(&shoe, milliseconds(), rank, suit, confidence);
 *         while (uart_room() >= SABOT_FRAME && (n = sabot_send(&shoe, milliseconds(), frame)) > 0)
 *             uart_write(frame, n);
 *         exit_lock(sabot_locks(&shoe) != 0);
 *         lamp(sabot_light(&shoe));
 *     }
 *
 * Time is a count of milliseconds that wraps from 0xFFFFFFFF to 0, from any start; the
 * library must be told it at least once a month. A shoe is used from one
 * context at a time: what an interrupt notices is passed to the main loop first.
 */
#ifndef SABOT_SHOE_H
#define SABOT_SHOE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes in bytes. */
#define SABOT_FRAME 64u  /* the longest frame, with the zero that ends it */
#define SABOT_SERIAL 16u /* the longest serial number */
#define SABOT_TEXT 40u   /* the longest log text */
#define SABOT_KEY 16u    /* the key that shoe and host share */
#define SABOT_SEED 8u

/* The smallest number of events that a shoe may keep. SPEC.md recommends 512. */
#define SABOT_LEAST_EVENTS 32u

/* What a shoe can have. */
enum {
    SABOT_CAN_LOCK = 1 << 0,         /* the card exit can be locked */
    SABOT_CAN_LIGHT = 1 << 1,        /* there is a lamp */
    SABOT_CAN_SEE_CUT = 1 << 2,      /* the cut card is recognised */
    SABOT_HAS_KEYS = 1 << 3,         /* keys are wired to the shoe */
    SABOT_IS_SHUFFLER = 1 << 4,      /* a continuous shuffler */
    SABOT_GIVES_CONFIDENCE = 1 << 5  /* the sensor measures its confidence */
};

/* Ranks are 1 for the ace to 13 for the king, and these. */
enum { SABOT_UNREAD = 0, SABOT_JOKER = 255 };

/* Suits. An unread card and the Joker have none. */
enum { SABOT_NO_SUIT, SABOT_SPADES, SABOT_HEARTS, SABOT_DIAMONDS, SABOT_CLUBS };

/* The confidence of a sensor that does not measure it. */
enum { SABOT_NO_CONFIDENCE = 255 };

/* Alarms. Codes from 128 on are the maker's own. The library itself raises those with
 * a star. */
enum {
    SABOT_ALARM_SENSOR = 1,
    SABOT_ALARM_REVERSE_PULL = 2,
    SABOT_ALARM_TWO_CARDS = 3,
    SABOT_ALARM_JAM = 4,
    SABOT_ALARM_COVER = 5,
    SABOT_ALARM_QUEUE_FULL = 6,  /* star */
    SABOT_ALARM_EVENTS_LOST = 7, /* star */
    SABOT_ALARM_FORCED = 8,
    SABOT_ALARM_FOREIGN_CARD = 9,
    SABOT_ALARM_MEMORY = 10,
    SABOT_ALARM_TAMPERING = 11 /* star */
};

/* Why the card exit is locked. */
enum {
    SABOT_LOCKED_BY_HOST = 1 << 0,
    SABOT_LOCKED_BY_QUEUE = 1 << 1,
    SABOT_LOCKED_BY_FAULT = 1 << 2, /* the shoe's own trouble */
    SABOT_LOCKED_BY_HAND = 1 << 3   /* a key switch at the shoe */
};

/* What the lamp shows. */
enum { SABOT_OFF, SABOT_GREEN, SABOT_AMBER, SABOT_RED };

/* A log text's weight. */
enum { SABOT_DEBUG, SABOT_INFO, SABOT_WARNING, SABOT_ERROR };

/* One event that waits for its acknowledgement: 12 bytes. Its number follows from its
 * place. */
typedef struct {
    uint32_t low, high; /* microseconds since the start */
    uint8_t type;
    uint8_t data[3];
} sabot_event;

/* A shoe's settings. They may be discarded after sabot_start, except for what serial
 * and events point to. */
typedef struct {
    const char *serial;   /* 1 to 16 characters of printable ASCII */
    uint8_t firmware[3];  /* its version: major, minor, patch */
    uint8_t capabilities; /* SABOT_CAN_LOCK and so on */
    uint32_t boot;        /* boot id: never 0, and different at every start */
    sabot_event *events;  /* memory for the waiting events */
    uint16_t room;        /* how many fit there, at least SABOT_LEAST_EVENTS */
    const uint8_t *key;   /* SABOT_KEY bytes; NULL for a shoe without link security */
    const uint8_t *seed;  /* with a key SABOT_SEED bytes that no other start has */
} sabot_config;

/* The frame being received. */
typedef struct {
    uint8_t bytes[SABOT_FRAME - 1], held;
    bool too_long, ended;
} sabot_collector;

/* The state of the link security. */
typedef struct {
    bool on;               /* the shoe has a key */
    bool open;             /* there is a session in use */
    bool agreed;           /* one is agreed on, which the host's hello will open */
    bool answer_agreed;    /* the answer that is due is that session's */
    bool damaged;          /* something damaged came since the last good frame */
    bool alarmed;
    uint32_t alarm_at;
    uint32_t made;         /* nonces so far */
    uint32_t sent, seen;   /* counters of the session in use */
    uint8_t key[SABOT_KEY], seed[SABOT_SEED];
    uint8_t nonces[16], agreed_nonces[16]; /* the host's and the shoe's */
    uint8_t from_host[SABOT_KEY], from_shoe[SABOT_KEY];
} sabot_security;

/* A shoe. The memory is the caller's; its contents are the library's. */
typedef struct {
    const char *serial;
    uint8_t firmware[3], capabilities;
    uint32_t boot;

    uint32_t clock; /* as last told by the caller */
    uint64_t now;   /* milliseconds since the start */

    sabot_event *events;
    uint16_t room, head, count; /* the oldest is at head */
    uint32_t last;              /* number of the newest event ever */
    uint16_t lost;              /* events without a place, not yet reported */
    uint8_t on_way;             /* of those that wait, how many are sent */

    bool session, queue_full;
    uint8_t due; /* frames to be sent */
    uint32_t heard, beat_at, resend_at;

    uint8_t locks, light, keys_down, keys_told;

    uint8_t log_level, log_size;
    char log[SABOT_TEXT];

    sabot_collector collector;
    sabot_security security;
} sabot_shoe;

/* Starts a shoe with an empty queue. It returns false, and the shoe must not be used, if
 * the configuration has no boot id, an invalid serial number, too little room for
 * events, or a key without a seed. */
bool sabot_start(sabot_shoe *shoe, const sabot_config *config, uint32_t ms);

/* Takes n bytes from the line, cut anywhere. sabot_send sends what follows from them:
 * call it before the next bytes, or soon. */
void sabot_receive(sabot_shoe *shoe, uint32_t ms, const uint8_t *bytes, size_t n);

/* Says that bytes from the line were lost or wrong: an overrun, a framing error. What
 * is then missing counts as noise and not as tampering. */
void sabot_damaged(sabot_shoe *shoe);

/* Writes the next frame to be sent, and returns its size; 0 if there is none now. Call
 * it until it returns 0, whenever the line takes SABOT_FRAME bytes, and at the latest
 * when sabot_wait says. */
uint8_t sabot_send(sabot_shoe *shoe, uint32_t ms, uint8_t frame[SABOT_FRAME]);

/* How many milliseconds may pass before the next sabot_send, if nothing happens. */
uint32_t sabot_wait(const sabot_shoe *shoe, uint32_t ms);

/* A card left the shoe; exactly one call for each. One that was not recognised with
 * certainty is SABOT_UNREAD. confidence is 0 to 100 percent, or SABOT_NO_CONFIDENCE. */
void sabot_card(sabot_shoe *shoe, uint32_t ms, uint8_t rank, uint8_t suit, uint8_t confidence);

/* The cut card reached the exit. */
void sabot_cut_card(sabot_shoe *shoe, uint32_t ms);

/* A key, 1 to 8, was pressed or released; the caller debounces contacts. */
void sabot_key(sabot_shoe *shoe, uint32_t ms, uint8_t number, bool down);

/* A fault of the shoe began, or ended. What detail counts depends on the alarm. */
void sabot_alarm(sabot_shoe *shoe, uint32_t ms, uint8_t code, uint16_t detail);
void sabot_alarm_over(sabot_shoe *shoe, uint32_t ms, uint8_t code);

/* Locks the card exit for a reason of the shoe's own, or removes the reason:
 * SABOT_LOCKED_BY_FAULT or SABOT_LOCKED_BY_HAND. */
void sabot_lock(sabot_shoe *shoe, uint32_t ms, uint8_t reason, bool locked);

/* Sends a text for the host's log, of at most SABOT_TEXT characters of printable ASCII.
 * It is not kept: a later one replaces it until it is sent, and a shoe with a key sends
 * none outside a session. */
void sabot_log(sabot_shoe *shoe, uint8_t level, const char *text);

/* Why the card exit is to be locked, 0 for unlocked: check after each call above. */
uint8_t sabot_locks(const sabot_shoe *shoe);

/* What the lamp is to show. */
uint8_t sabot_light(const sabot_shoe *shoe);

/* Whether a host is connected. */
bool sabot_in_session(const sabot_shoe *shoe);

/* How many events wait for their acknowledgement. */
uint16_t sabot_queued(const sabot_shoe *shoe);

/* The number of the newest event, 0 if there is none. */
uint32_t sabot_last(const sabot_shoe *shoe);

/* Says that the boot id's numbers are used up, and nothing waits: start the shoe anew, with
 * another boot id. Until then no event gets a number. It takes four billion events. */
bool sabot_used_up(const sabot_shoe *shoe);

#ifdef __cplusplus
}
#endif

#endif
