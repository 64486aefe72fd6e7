/* Link security: SipHash-2-4, keys, seals. */
#include "sabot_internal.h"

/* A word is kept as it goes over the line, lowest byte first: 8-bit processors
 * have no better form for it, and the others do not mind. */
static uint64_t get64(const uint8_t *at)
{
    return sabot_get32(at) | (uint64_t)sabot_get32(at + 4) << 32;
}

static void rotate(uint64_t *v, uint8_t n)
{
    *v = *v << n | *v >> (64 - n);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    rotate(&v[1], 13);
    v[1] ^= v[0];
    rotate(&v[0], 32);
    v[2] += v[3];
    rotate(&v[3], 16);
    v[3] ^= v[2];
    v[0] += v[3];
    rotate(&v[3], 21);
    v[3] ^= v[0];
    v[2] += v[1];
    rotate(&v[1], 17);
    v[1] ^= v[2];
    rotate(&v[2], 32);
}

static void compress(uint64_t v[4], const uint8_t *word)
{
    uint64_t m = get64(word);

    v[3] ^= m;
    sip_round(v);
    sip_round(v);
    v[0] ^= m;
}

void sabot_siphash(const uint8_t key[SABOT_KEY], const uint8_t *bytes, uint8_t n, uint8_t hash[8])
{
    uint64_t k0 = get64(key), k1 = get64(key + 8), sum;
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    uint8_t last[8] = {0};

    last[7] = n;
    for (; n >= 8; n = (uint8_t)(n - 8), bytes += 8)
        compress(v, bytes);
    sabot_copy(last, bytes, n);
    compress(v, last);
    v[2] ^= 0xff;
    for (uint8_t i = 0; i < 4; i++)
        sip_round(v);
    sum = v[0] ^ v[1] ^ v[2] ^ v[3];
    sabot_put32(sabot_put32(hash, (uint32_t)(sum & 0xffffffff)), (uint32_t)(sum >> 32));
}

void sabot_derive(const uint8_t key[SABOT_KEY], const char *label, const uint8_t numbers[16], uint8_t out[8])
{
    uint8_t in[24];

    for (uint8_t i = 0; i < 8; i++)
        in[i] = (uint8_t)label[i];
    sabot_copy(in + 8, numbers, 16);
    sabot_siphash(key, in, sizeof in, out);
}

void sabot_session_key(const uint8_t key[SABOT_KEY], char side, const uint8_t nonces[16], uint8_t out[SABOT_KEY])
{
    char label[] = "sabot-h0";

    label[6] = side;
    sabot_derive(key, label, nonces, out);
    label[7] = '1';
    sabot_derive(key, label, nonces, out + 8);
}

void sabot_nonce(const uint8_t key[SABOT_KEY], const uint8_t seed[SABOT_SEED], uint32_t n, uint8_t out[8])
{
    uint8_t numbers[16];

    sabot_put32(sabot_put32(sabot_copy(numbers, seed, SABOT_SEED), n), 0);
    sabot_derive(key, "sabot-nc", numbers, out);
}

/* Compares in constant time. */
static bool same(const uint8_t *a, const uint8_t *b, uint8_t n)
{
    uint8_t difference = 0;

    while (n-- > 0)
        difference |= (uint8_t)(*a++ ^ *b++);
    return difference == 0;
}

void sabot_challenged(sabot_security *s, const uint8_t host[8])
{
    s->answer_agreed = !(s->open && same(host, s->nonces, 8));
    if (!s->answer_agreed || (s->agreed && same(host, s->agreed_nonces, 8)))
        return;
    s->agreed = true;
    s->made++;
    sabot_nonce(s->key, s->seed, s->made, sabot_copy(s->agreed_nonces, host, 8));
}

uint8_t *sabot_write_answer(uint8_t *at, const sabot_security *s)
{
    const uint8_t *nonces = s->answer_agreed ? s->agreed_nonces : s->nonces;

    at = sabot_copy(at, nonces, 16);
    sabot_derive(s->key, "sabot-pr", nonces, at);
    return at + 8;
}

static bool tag_matches(const uint8_t key[SABOT_KEY], const sabot_packet *packet)
{
    uint8_t tag[SABOT_TAG];

    sabot_siphash(key, packet->bytes, packet->covered, tag);
    return same(tag, packet->tag, SABOT_TAG);
}

/* Opens the session agreed on if the packet is the hello that does so. */
static sabot_seal_fault open_next(sabot_security *s, const sabot_packet *packet)
{
    uint8_t from_host[SABOT_KEY];

    if (!s->agreed)
        return SABOT_SEAL_BAD_TAG;
    sabot_session_key(s->key, 'h', s->agreed_nonces, from_host);
    if (!tag_matches(from_host, packet))
        return SABOT_SEAL_BAD_TAG;
    if (packet->type != SABOT_HOST_HELLO || packet->counter == 0)
        return SABOT_SEAL_EARLY;
    sabot_copy(s->from_host, from_host, SABOT_KEY);
    sabot_session_key(s->key, 's', s->agreed_nonces, s->from_shoe);
    sabot_copy(s->nonces, s->agreed_nonces, 16);
    s->open = true;
    s->agreed = s->answer_agreed = false;
    s->sent = 0;
    s->seen = packet->counter;
    return SABOT_SEAL_GOOD;
}

sabot_seal_fault sabot_open_seal(sabot_security *s, const sabot_packet *packet, bool *vanished)
{
    sabot_seal_fault fault = SABOT_SEAL_GOOD;

    *vanished = false;
    if (!s->open && !s->agreed)
        return SABOT_SEAL_NO_KEY;
    if (s->open && tag_matches(s->from_host, packet)) {
        if (packet->counter <= s->seen)
            return SABOT_SEAL_OLD_COUNTER;
        *vanished = packet->counter - s->seen > 1 && !s->damaged;
        s->seen = packet->counter;
    } else {
        fault = open_next(s, packet);
    }
    if (fault == SABOT_SEAL_GOOD)
        s->damaged = false;
    return fault;
}

uint8_t sabot_seal(sabot_security *s, uint8_t *packet, uint8_t n)
{
    s->sent++;
    sabot_put32(packet + n, s->sent);
    n = (uint8_t)(n + SABOT_COUNTER);
    sabot_siphash(s->from_shoe, packet, n, packet + n);
    return (uint8_t)(n + SABOT_TAG);
}
