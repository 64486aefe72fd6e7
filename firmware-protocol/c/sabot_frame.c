/* Bytes and packets: numbers, CRC-32, COBS. */
#include "sabot_internal.h"

uint16_t sabot_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)at[1] << 8);
}

uint32_t sabot_get32(const uint8_t *at)
{
    return sabot_get16(at) | (uint32_t)sabot_get16(at + 2) << 16;
}

uint8_t *sabot_put16(uint8_t *at, uint16_t v)
{
    at[0] = (uint8_t)(v & 0xff);
    at[1] = (uint8_t)(v >> 8);
    return at + 2;
}

uint8_t *sabot_put32(uint8_t *at, uint32_t v)
{
    at = sabot_put16(at, (uint16_t)(v & 0xffff));
    return sabot_put16(at, (uint16_t)(v >> 16));
}

uint8_t *sabot_copy(uint8_t *at, const uint8_t *from, uint8_t n)
{
    while (n-- > 0)
        *at++ = *from++;
    return at;
}

/* Bit by bit: the time saved is not worth the memory of a table. */
uint32_t sabot_crc32(const uint8_t *bytes, uint8_t n)
{
    uint32_t crc = 0xffffffff;

    while (n-- > 0) {
        crc ^= *bytes++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

bool sabot_collect(sabot_collector *c, uint8_t byte)
{
    if (c->ended) {
        c->held = 0;
        c->too_long = c->ended = false;
    }
    if (byte == 0)
        c->ended = c->held > 0;
    else if (c->held < sizeof c->bytes)
        c->bytes[c->held++] = byte;
    else
        c->too_long = true;
    return c->ended;
}

/* Restores the zeros in place, and says whether the last distance meets the end. */
static bool unstuff(uint8_t *frame, uint8_t n)
{
    uint16_t next = frame[0];

    while (next < n) {
        uint8_t distance = frame[next];
        frame[next] = 0;
        next = (uint16_t)(next + distance);
    }
    return next == n;
}

static sabot_frame_fault open_seal(sabot_packet *packet)
{
    if (packet->version == SABOT_PLAIN)
        return SABOT_FRAME_GOOD;
    if (packet->version != SABOT_SEALED)
        return SABOT_FRAME_UNKNOWN_VERSION;
    if (packet->size < SABOT_SEAL)
        return SABOT_FRAME_TOO_SHORT;
    packet->size = (uint8_t)(packet->size - SABOT_SEAL);
    packet->counter = sabot_get32(packet->payload + packet->size);
    packet->tag = packet->payload + packet->size + SABOT_COUNTER;
    packet->covered = (uint8_t)(SABOT_HEAD + packet->size + SABOT_COUNTER);
    return SABOT_FRAME_GOOD;
}

sabot_frame_fault sabot_open_frame(sabot_collector *collector, sabot_packet *packet)
{
    uint8_t *frame = collector->bytes, n = collector->held;

    if (collector->too_long)
        return SABOT_FRAME_TOO_LONG;
    if (!unstuff(frame, n))
        return SABOT_FRAME_BAD_COBS;
    frame++;
    n--;
    if (n < SABOT_HEAD + SABOT_CRC)
        return SABOT_FRAME_TOO_SHORT;
    n = (uint8_t)(n - SABOT_CRC);
    if (sabot_crc32(frame, n) != sabot_get32(frame + n))
        return SABOT_FRAME_BAD_CRC;
    packet->version = frame[0];
    packet->type = frame[1];
    packet->bytes = frame;
    packet->payload = frame + SABOT_HEAD;
    packet->size = (uint8_t)(n - SABOT_HEAD);
    return open_seal(packet);
}

uint8_t sabot_close_frame(uint8_t *frame, uint8_t n)
{
    uint8_t *code = frame;

    sabot_put32(frame + 1 + n, sabot_crc32(frame + 1, n));
    n = (uint8_t)(n + 1 + SABOT_CRC);
    for (uint8_t i = 1; i < n; i++) {
        if (frame[i] == 0) {
            *code = (uint8_t)(frame + i - code);
            code = frame + i;
        }
    }
    *code = (uint8_t)(frame + n - code);
    frame[n] = 0;
    return (uint8_t)(n + 1);
}
