/*
 * Plays scripts to the library, for tests in another language.
 *
 * It reads scripts from standard input, each with its length before it, and writes the
 * result of each to standard output in the same way; lengths have four bytes, and all
 * numbers have their lowest byte first. A script begins with a configuration:
 *
 *     clock 4, boot 4, room 2, capabilities 1, firmware 3, has a key 1, key 16, seed 8,
 *     length of the serial number 1, serial number
 *
 * Steps follow, each a byte and its arguments:
 *
 *     c rank suit confidence     u                    k number down
 *     a code detail(2)           o code               l reason locked
 *     g level length text        r length bytes       t milliseconds(4)
 *     d                          n number(4)
 *
 * The last one is as if so many events had been before.
 *
 * After the start and after each step everything to be sent is taken. The answer has,
 * each time, the length of these frames in two bytes, the frames, and the shoe's state:
 * locks 1, light 1, session 1, queued 2, last 4, wait 4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sabot_internal.h"

typedef struct {
    uint8_t *bytes;
    size_t size, room;
} buffer;

static void die(const char *why)
{
    fprintf(stderr, "harness: %s\n", why);
    exit(1);
}

static void *claim(size_t n)
{
    void *p = malloc(n > 0 ? n : 1);

    if (p == NULL)
        die("no memory");
    return p;
}

static void append(buffer *b, const uint8_t *bytes, size_t n)
{
    if (b->size + n > b->room) {
        b->room = 2 * (b->size + n);
        b->bytes = realloc(b->bytes, b->room);
        if (b->bytes == NULL)
            die("no memory");
    }
    memcpy(b->bytes + b->size, bytes, n);
    b->size += n;
}

/* The rest of a script. */
typedef struct {
    const uint8_t *at;
    size_t left;
} script;

static const uint8_t *take(script *s, size_t n)
{
    const uint8_t *at = s->at;

    if (n > s->left)
        die("the script ends too early");
    s->at += n;
    s->left -= n;
    return at;
}

/* A copy of exactly the right size, so that a sanitizer notices an access beyond it. */
static uint8_t *take_copy(script *s, size_t n, size_t more)
{
    uint8_t *copy = claim(n + more);

    memcpy(copy, take(s, n), n);
    memset(copy + n, 0, more);
    return copy;
}

typedef struct {
    sabot_shoe *shoe;
    uint32_t clock;
    buffer out;
} bench;

static void tell_state(bench *b)
{
    uint8_t state[13] = {0}, *at = state;

    *at++ = sabot_locks(b->shoe);
    *at++ = sabot_light(b->shoe);
    *at++ = sabot_in_session(b->shoe);
    at = sabot_put16(at, sabot_queued(b->shoe));
    at = sabot_put32(at, sabot_last(b->shoe));
    sabot_put32(at, sabot_wait(b->shoe, b->clock));
    append(&b->out, state, sizeof state);
}

static void flush(bench *b)
{
    uint8_t *frame = claim(SABOT_FRAME), length[2];
    size_t start = b->out.size;
    uint8_t n;

    append(&b->out, (const uint8_t *)"\0\0", 2);
    while ((n = sabot_send(b->shoe, b->clock, frame)) > 0)
        append(&b->out, frame, n);
    free(frame);
    sabot_put16(length, (uint16_t)(b->out.size - start - 2));
    memcpy(b->out.bytes + start, length, 2);
    tell_state(b);
}

static void receive(bench *b, script *s)
{
    size_t n = *take(s, 1);
    uint8_t *bytes = take_copy(s, n, 0);

    sabot_receive(b->shoe, b->clock, bytes, n);
    free(bytes);
}

static void say(bench *b, script *s)
{
    const uint8_t *a = take(s, 2);
    uint8_t *text = take_copy(s, a[1], 1);

    sabot_log(b->shoe, a[0], (const char *)text);
    free(text);
}

static void step(bench *b, script *s)
{
    const uint8_t *a;

    switch (*take(s, 1)) {
    case 'c':
        a = take(s, 3);
        sabot_card(b->shoe, b->clock, a[0], a[1], a[2]);
        break;
    case 'u':
        sabot_cut_card(b->shoe, b->clock);
        break;
    case 'k':
        a = take(s, 2);
        sabot_key(b->shoe, b->clock, a[0], a[1] != 0);
        break;
    case 'a':
        a = take(s, 3);
        sabot_alarm(b->shoe, b->clock, a[0], sabot_get16(a + 1));
        break;
    case 'o':
        sabot_alarm_over(b->shoe, b->clock, *take(s, 1));
        break;
    case 'l':
        a = take(s, 2);
        sabot_lock(b->shoe, b->clock, a[0], a[1] != 0);
        break;
    case 'g':
        say(b, s);
        break;
    case 'r':
        receive(b, s);
        break;
    case 't':
        b->clock += sabot_get32(take(s, 4));
        break;
    case 'd':
        sabot_damaged(b->shoe);
        break;
    case 'n':
        b->shoe->last = sabot_get32(take(s, 4));
        break;
    default:
        die("no such step");
    }
}

static void play(bench *b, script *s)
{
    sabot_config config;
    const uint8_t *a = take(s, 10);
    uint8_t *serial, *key, *seed;
    bool keyed;

    memset(&config, 0, sizeof config);
    b->clock = sabot_get32(a);
    config.boot = sabot_get32(a + 4);
    config.room = sabot_get16(a + 8);
    config.capabilities = *take(s, 1);
    memcpy(config.firmware, take(s, 3), 3);
    keyed = *take(s, 1) != 0;
    key = take_copy(s, SABOT_KEY, 0);
    seed = take_copy(s, SABOT_SEED, 0);
    serial = take_copy(s, *take(s, 1), 1);
    config.serial = (const char *)serial;
    config.key = keyed ? key : NULL;
    config.seed = seed;
    config.events = claim(config.room * sizeof *config.events);
    b->shoe = claim(sizeof *b->shoe);
    if (!sabot_start(b->shoe, &config, b->clock))
        die("the configuration is refused");
    free(key);
    free(seed);
    for (flush(b); s->left > 0; flush(b))
        step(b, s);
    free(b->shoe);
    free(config.events);
    free(serial);
}

static bool answer(void)
{
    uint8_t length[4];
    script s;
    uint8_t *bytes;
    bench b = {NULL, 0, {NULL, 0, 0}};

    if (fread(length, 1, 4, stdin) != 4)
        return false;
    s.left = sabot_get32(length);
    s.at = bytes = claim(s.left);
    if (fread(bytes, 1, s.left, stdin) != s.left)
        die("the input ends within a script");
    play(&b, &s);
    free(bytes);
    sabot_put32(length, (uint32_t)b.out.size);
    if (fwrite(length, 1, 4, stdout) != 4 || fwrite(b.out.bytes, 1, b.out.size, stdout) != b.out.size || fflush(stdout) != 0)
        die("the answer cannot be written");
    free(b.out.bytes);
    return true;
}

int main(void)
{
    while (answer()) {
    }
    return 0;
}
