/*
 * Compares the library with the vectors whose files are given: ../../vectors/README.md
 * says what they mean. For messages that a shoe sends it checks the frame, and that the
 * library makes the same one; for messages to a shoe, that it reads them.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sabot_internal.h"

enum { MOST_LINES = 80, LONGEST = 256 };

/* A file: its lines, each split at the colon. */
typedef struct {
    const char *path;
    char names[MOST_LINES][32], values[MOST_LINES][LONGEST];
    int lines, next; /* next is the one to compare */
    bool failed;
} vector;

static void fail(vector *v, const char *format, ...)
{
    va_list arguments;

    printf("%s: ", v->path);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    v->failed = true;
}

static bool read_file(vector *v, const char *path)
{
    char line[LONGEST + 40];
    FILE *file = fopen(path, "r");

    memset(v, 0, sizeof *v);
    v->path = path;
    if (file == NULL) {
        fail(v, "cannot be opened");
        return false;
    }
    while (v->lines < MOST_LINES && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = 0;
        if (colon == NULL || colon - line >= 32 || strlen(colon) > LONGEST) {
            fail(v, "line %d is none of a vector", v->lines + 1);
            break;
        }
        *colon = 0;
        strcpy(v->names[v->lines], line);
        strcpy(v->values[v->lines], colon[1] == ' ' ? colon + 2 : colon + 1);
        v->lines++;
    }
    fclose(file);
    return !v->failed;
}

/* The first value with this name after the line from, NULL if there is none. */
static const char *value(const vector *v, const char *name, int *from)
{
    int none = 0;

    if (from == NULL)
        from = &none;
    while (*from < v->lines) {
        int i = (*from)++;
        if (strcmp(v->names[i], name) == 0)
            return v->values[i];
    }
    return NULL;
}

static size_t read_hex(const char *text, uint8_t *bytes, size_t most)
{
    size_t n = 0;
    char *end;

    while (*text != 0 && n < most) {
        bytes[n++] = (uint8_t)strtoul(text, &end, 16);
        text = *end == ' ' ? end + 1 : end;
    }
    return n;
}

static uint64_t number_of(const vector *v, const char *name)
{
    const char *text = value(v, name, NULL);

    return text == NULL ? 0 : strtoull(text, NULL, 10);
}

/* The number of a message's field, 0 if it has none of that name. */
static uint64_t field(const char *message, const char *name)
{
    char wanted[32];
    const char *at;

    snprintf(wanted, sizeof wanted, " %s=", name);
    at = strstr(message, wanted);
    return at == NULL ? 0 : strtoull(at + strlen(wanted), NULL, 10);
}

static uint8_t *put64(uint8_t *at, uint64_t n)
{
    return sabot_put32(sabot_put32(at, (uint32_t)(n & 0xffffffff)), (uint32_t)(n >> 32));
}

static uint64_t get64(const uint8_t *at)
{
    return sabot_get32(at) | (uint64_t)sabot_get32(at + 4) << 32;
}

/* ---- reading ---- */

/* Compares a report with the vector's next one. A report that ends in "…" says only how
 * the vector's begins. */
static void report(vector *v, const char *name, const char *format, ...)
{
    static const char and_more[] = "...";
    char said[LONGEST];
    size_t n;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    while (v->next < v->lines && strcmp(v->names[v->next], "frame") != 0 && strcmp(v->names[v->next], "message") != 0)
        v->next++;
    if (v->next == v->lines) {
        fail(v, "said \"%s: %s\", which nothing asks for", name, said);
        return;
    }
    n = strlen(said);
    if (n >= 3 && strcmp(said + n - 3, and_more) == 0)
        n -= 3;
    else
        n = LONGEST;
    if (strcmp(v->names[v->next], name) != 0 || strncmp(v->values[v->next], said, n) != 0)
        fail(v, "said \"%s: %s\", not \"%s: %s\"", name, said, v->names[v->next], v->values[v->next]);
    v->next++;
}

static void report_order(vector *v, const sabot_packet *packet, const sabot_order *order)
{
    char counter[32] = "";

    if (packet->version == SABOT_SEALED)
        snprintf(counter, sizeof counter, " counter=%" PRIu32, packet->counter);
    switch (packet->type) {
    case SABOT_HOST_HELLO:
        report(v, "message", "host-hello%s protocol=%u capabilities=%" PRIu32 " boot=%" PRIu32 " seq=%" PRIu32, counter,
               (unsigned)packet->payload[0], sabot_get32(packet->payload + 1), order->boot, order->seq);
        break;
    case SABOT_ACKNOWLEDGE:
        report(v, "message", "acknowledge%s boot=%" PRIu32 " seq=%" PRIu32, counter, order->boot, order->seq);
        break;
    case SABOT_LOCK:
        report(v, "message", "lock%s locked=%u", counter, (unsigned)order->value);
        break;
    case SABOT_LAMP:
        report(v, "message", "lamp%s light=%u", counter, (unsigned)order->value);
        break;
    case SABOT_STATUS:
        report(v, "message", "status%s", counter);
        break;
    default:
        report(v, "message", "challenge%s host=%" PRIu64, counter, get64(packet->payload));
        break;
    }
}

static void report_message(vector *v, const sabot_packet *packet)
{
    sabot_order order;
    unsigned type = packet->type;

    if (packet->type < SABOT_FROM_HOST) {
        report(v, "message", "...");
        return;
    }
    switch (sabot_read_order(packet, &order)) {
    case SABOT_ORDER_GOOD:
        report_order(v, packet, &order);
        break;
    case SABOT_ORDER_UNKNOWN:
        report(v, "message", "error unknown-type type=%u", type);
        break;
    case SABOT_ORDER_WRONG_LENGTH:
        report(v, "message", "error wrong-length type=%u got=%u", type, (unsigned)packet->size);
        break;
    default:
        report(v, "message", "error wrong-field type=%u ...", type);
        break;
    }
}

static void report_packet(vector *v, sabot_security *s, const sabot_packet *packet)
{
    static const char *const faults[] = {"", "no-key", "bad-tag", "old-counter", "early"};
    sabot_seal_fault fault;
    bool vanished;

    report(v, "frame", "ok");
    if (packet->version == SABOT_PLAIN) {
        report_message(v, packet);
        return;
    }
    fault = sabot_open_seal(s, packet, &vanished);
    if (fault == SABOT_SEAL_GOOD)
        report_message(v, packet);
    else
        report(v, "message", "error %s type=%u counter=%" PRIu32, faults[fault], (unsigned)packet->type, packet->counter);
}

static void report_frame(vector *v, sabot_security *s, sabot_collector *collector)
{
    static const char *const faults[] = {"", "too-long", "too-short", "bad-cobs", "bad-crc"};
    sabot_packet packet;
    sabot_frame_fault fault = sabot_open_frame(collector, &packet);

    switch (fault) {
    case SABOT_FRAME_GOOD:
        report_packet(v, s, &packet);
        break;
    case SABOT_FRAME_UNKNOWN_VERSION:
        report(v, "frame", "ok");
        report(v, "message", "error unknown-version got=%u want=%u", (unsigned)packet.version, (unsigned)SABOT_SEALED);
        break;
    default:
        report(v, "frame", "%s", faults[fault]);
        break;
    }
}

/* ---- writing ---- */

static uint8_t type_of(const char *message)
{
    static const struct {
        const char *name;
        uint8_t type;
    } names[] = {{"hello ", SABOT_HELLO}, {"heartbeat ", SABOT_HEARTBEAT}, {"log ", SABOT_LOG}, {"answer ", SABOT_ANSWER},
                 {"card ", SABOT_CARD}, {"cut-card ", SABOT_CUT_CARD}, {"key ", SABOT_KEY_EVENT},
                 {"alarm-raised ", SABOT_ALARM_RAISED}, {"alarm-cleared ", SABOT_ALARM_CLEARED}, {"lock-state ", SABOT_LOCK_STATE}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(message, names[i].name, strlen(names[i].name)) == 0)
            return names[i].type;
    }
    return 0;
}

static uint8_t *write_event(uint8_t *at, uint8_t type, const char *m)
{
    sabot_event event = {(uint32_t)(field(m, "time") & 0xffffffff), (uint32_t)(field(m, "time") >> 32), type, {0, 0, 0}};

    switch (type) {
    case SABOT_CARD:
        event.data[0] = (uint8_t)field(m, "rank");
        event.data[1] = (uint8_t)field(m, "suit");
        event.data[2] = (uint8_t)field(m, "confidence");
        break;
    case SABOT_KEY_EVENT:
        event.data[0] = (uint8_t)field(m, "key");
        event.data[1] = (uint8_t)field(m, "down");
        break;
    case SABOT_LOCK_STATE:
        event.data[0] = (uint8_t)field(m, "locks");
        break;
    default:
        event.data[0] = (uint8_t)field(m, "alarm");
        sabot_put16(event.data + 1, (uint16_t)field(m, "detail"));
        break;
    }
    return sabot_write_event(at, (uint32_t)field(m, "boot"), (uint32_t)field(m, "seq"), &event);
}

static uint8_t *write_hello(uint8_t *at, const char *m)
{
    uint8_t firmware[3] = {(uint8_t)field(m, "major"), (uint8_t)field(m, "minor"), (uint8_t)field(m, "patch")};
    sabot_hello hello = {(uint8_t)field(m, "protocol"), (uint8_t)field(m, "session"), (uint32_t)field(m, "capabilities"),
                         (uint32_t)field(m, "boot"), (uint32_t)field(m, "first"), (uint32_t)field(m, "last"), firmware, ""};
    const char *serial = strstr(m, " serial=");

    if (serial != NULL)
        hello.serial = serial + strlen(" serial=");
    return sabot_write_hello(at, &hello);
}

static uint8_t *write_payload(uint8_t *at, uint8_t type, const char *m)
{
    const char *text = strstr(m, " text=");

    switch (type) {
    case SABOT_HELLO:
        return write_hello(at, m);
    case SABOT_HEARTBEAT:
        return sabot_write_heartbeat(at, (uint32_t)field(m, "boot"), (uint32_t)field(m, "last"), (uint16_t)field(m, "queued"),
                                     (uint8_t)field(m, "locks"), (uint8_t)field(m, "light"));
    case SABOT_LOG:
        text = text == NULL ? "" : text + strlen(" text=");
        return sabot_write_log(at, (uint8_t)field(m, "level"), text, (uint8_t)strlen(text));
    case SABOT_ANSWER: /* the derived values check that the proof is right */
        return put64(put64(put64(at, field(m, "host")), field(m, "shoe")), field(m, "proof"));
    default:
        return write_event(at, type, m);
    }
}

/* Makes the frame of a message that a shoe sends, and compares it. */
static void compare_written(vector *v, const uint8_t *key, const uint8_t *bytes, size_t n)
{
    const char *m = value(v, "message", NULL);
    uint8_t frame[SABOT_FRAME], size, type = type_of(m);
    sabot_security s;

    if (type == 0)
        return; /* a message from the host */
    frame[1] = key == NULL ? SABOT_PLAIN : SABOT_SEALED;
    frame[2] = type;
    size = (uint8_t)(write_payload(frame + 3, type, m) - frame - 1);
    if (key != NULL) {
        memset(&s, 0, sizeof s);
        memcpy(s.from_shoe, key, SABOT_KEY);
        s.sent = (uint32_t)field(m, "counter") - 1;
        size = sabot_seal(&s, frame + 1, size);
    }
    size = sabot_close_frame(frame, size);
    if (size != n || memcmp(frame, bytes, n) != 0)
        fail(v, "the library makes another frame of it");
}

/* ---- files ---- */

static void check_frames(vector *v)
{
    uint8_t bytes[2048], key[SABOT_KEY];
    size_t n = 0;
    int from = 0;
    const char *line, *keyed = value(v, "key", NULL);
    sabot_collector collector;
    sabot_security s;

    memset(&collector, 0, sizeof collector);
    memset(&s, 0, sizeof s);
    if (keyed != NULL) {
        read_hex(keyed, key, sizeof key);
        memcpy(s.from_host, key, sizeof key);
        s.open = true;
        s.seen = (uint32_t)number_of(v, "seen");
    }
    while ((line = value(v, "bytes", &from)) != NULL)
        n += read_hex(line, bytes + n, sizeof bytes - n);
    for (size_t i = 0; i < n; i++) {
        if (sabot_collect(&collector, bytes[i]))
            report_frame(v, &s, &collector);
    }
    for (; v->next < v->lines; v->next++) {
        if (strcmp(v->names[v->next], "frame") == 0 || strcmp(v->names[v->next], "message") == 0)
            fail(v, "did not say \"%s: %s\"", v->names[v->next], v->values[v->next]);
    }
    if (strcmp(value(v, "encode", NULL), "yes") == 0)
        compare_written(v, keyed == NULL ? NULL : key, bytes, n);
}

static void compare(vector *v, const char *name, const uint8_t *got, size_t n)
{
    uint8_t want[SABOT_KEY] = {0};
    const char *text = value(v, name, NULL);

    if (strchr(text, ' ') != NULL)
        read_hex(text, want, sizeof want);
    else
        put64(want, number_of(v, name));
    if (memcmp(got, want, n) != 0)
        fail(v, "%s is another one", name);
}

static void check_siphash(vector *v)
{
    uint8_t key[SABOT_KEY], message[64], got[8], want[8];
    const char *line;
    int from = 0;
    uint8_t n = 0;

    read_hex(value(v, "key", NULL), key, sizeof key);
    for (; n < 64 && (line = value(v, "hash", &from)) != NULL; n++) {
        read_hex(line, want, sizeof want);
        sabot_siphash(key, message, n, got);
        if (memcmp(got, want, sizeof want) != 0)
            fail(v, "the hash of %u bytes is another one", (unsigned)n);
        message[n] = n;
    }
    if (n != 64)
        fail(v, "has %u hashes, not 64", (unsigned)n);
}

static void check_session(vector *v)
{
    sabot_security s;
    uint8_t payload[24], key[SABOT_KEY], nonce[8], want[8];
    const char *line;
    int from = 0;

    memset(&s, 0, sizeof s);
    read_hex(value(v, "key", NULL), s.key, sizeof s.key);
    put64(put64(s.nonces, number_of(v, "host")), number_of(v, "shoe"));
    sabot_write_answer(payload, &s);
    compare(v, "host", payload, 8);
    compare(v, "shoe", payload + 8, 8);
    compare(v, "proof", payload + 16, 8);
    sabot_session_key(s.key, 'h', s.nonces, key);
    compare(v, "from-host", key, sizeof key);
    sabot_session_key(s.key, 's', s.nonces, key);
    compare(v, "from-shoe", key, sizeof key);
    put64(s.seed, number_of(v, "seed"));
    for (uint32_t n = 1; (line = value(v, "nonce", &from)) != NULL; n++) {
        put64(want, strtoull(line, NULL, 10));
        sabot_nonce(s.key, s.seed, n, nonce);
        if (memcmp(nonce, want, sizeof want) != 0)
            fail(v, "nonce %" PRIu32 " is another one", n);
    }
}

int main(int argc, char **argv)
{
    static vector v;
    int failed = 0;

    for (int i = 1; i < argc; i++) {
        if (read_file(&v, argv[i])) {
            if (value(&v, "hash", NULL) != NULL)
                check_siphash(&v);
            else if (value(&v, "proof", NULL) != NULL)
                check_session(&v);
            else
                check_frames(&v);
        }
        failed += v.failed;
    }
    printf("%d vectors, %d failed\n", argc - 1, failed);
    return failed > 0 || argc < 2;
}
