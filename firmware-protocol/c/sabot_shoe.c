/* The shoe's side of the protocol: what arrives, what is due, what is sent. */
#include "sabot_internal.h"

void sabot_tell_time(sabot_shoe *shoe, uint32_t ms)
{
    shoe->now += (uint32_t)(ms - shoe->clock);
    shoe->clock = ms;
}

static uint32_t now(const sabot_shoe *shoe)
{
    return (uint32_t)(shoe->now & 0xffffffff);
}

/* The library's times are close together; what seems half of the range ahead is past. */
static bool reached(const sabot_shoe *shoe, uint32_t time)
{
    return (uint32_t)(now(shoe) - time) < 0x80000000;
}

static bool printable(const char *text, uint8_t most)
{
    uint8_t n = 0;

    for (; text[n] != 0; n++) {
        if (n == most || text[n] < 0x20 || text[n] > 0x7e)
            return false;
    }
    return n > 0;
}

static void secure(sabot_security *s, const sabot_config *config)
{
    s->on = true;
    sabot_copy(s->key, config->key, SABOT_KEY);
    sabot_copy(s->seed, config->seed, SABOT_SEED);
}

bool sabot_start(sabot_shoe *shoe, const sabot_config *config, uint32_t ms)
{
    uint8_t *bytes = (uint8_t *)shoe;

    if (config->boot == 0 || config->events == NULL || config->room < SABOT_LEAST_EVENTS || config->serial == NULL ||
        !printable(config->serial, SABOT_SERIAL) || (config->key != NULL && config->seed == NULL))
        return false;
    for (size_t i = 0; i < sizeof *shoe; i++)
        bytes[i] = 0;
    shoe->serial = config->serial;
    sabot_copy(shoe->firmware, config->firmware, 3);
    shoe->capabilities = config->capabilities;
    shoe->boot = config->boot;
    shoe->clock = ms;
    shoe->events = config->events;
    shoe->room = config->room;
    shoe->due = SABOT_DUE_ZERO;
    if (config->key != NULL)
        secure(&shoe->security, config);
    return true;
}

/* ---- what arrives ---- */

/* Reports tampering with the line to the host, now and then. */
static void tampered(sabot_shoe *shoe, uint16_t what)
{
    sabot_security *s = &shoe->security;

    if (!shoe->session || (s->alarmed && now(shoe) - s->alarm_at < SABOT_TAMPERING_EVERY))
        return;
    s->alarmed = true;
    s->alarm_at = now(shoe);
    sabot_raise(shoe, SABOT_ALARM_TAMPERING, what);
}

static void greet(sabot_shoe *shoe, const sabot_order *order)
{
    sabot_acknowledge(shoe, order->boot, order->seq);
    if (!shoe->session) {
        shoe->session = true;
        shoe->beat_at = now(shoe) + SABOT_BEAT_EVERY;
    }
    shoe->due |= SABOT_DUE_HELLO;
    shoe->on_way = 0;
}

static void obey(sabot_shoe *shoe, uint8_t type, const sabot_order *order)
{
    switch (type) {
    case SABOT_ACKNOWLEDGE:
        sabot_acknowledge(shoe, order->boot, order->seq);
        break;
    case SABOT_LOCK:
        if (shoe->capabilities & SABOT_CAN_LOCK)
            sabot_set_locks(shoe, SABOT_LOCKED_BY_HOST, order->value == 1);
        break;
    case SABOT_LAMP:
        if (shoe->capabilities & SABOT_CAN_LIGHT)
            shoe->light = order->value;
        break;
    case SABOT_STATUS:
        shoe->due |= SABOT_DUE_BEAT;
        break;
    default:
        break;
    }
}

/* Obeys a message that is from the host. */
static void follow(sabot_shoe *shoe, const sabot_packet *packet)
{
    sabot_order order;
    sabot_order_fault fault = sabot_read_order(packet, &order);

    if (fault != SABOT_ORDER_GOOD && fault != SABOT_ORDER_UNKNOWN)
        return;
    shoe->heard = now(shoe);
    if (fault == SABOT_ORDER_UNKNOWN)
        return;
    if (packet->type == SABOT_HOST_HELLO)
        greet(shoe, &order);
    else if (shoe->session)
        obey(shoe, packet->type, &order);
}

/* Takes a sealed packet, and says whether it is from the host. */
static bool unsealed(sabot_shoe *shoe, const sabot_packet *packet)
{
    bool vanished;

    switch (sabot_open_seal(&shoe->security, packet, &vanished)) {
    case SABOT_SEAL_GOOD:
        if (vanished)
            tampered(shoe, 3);
        return true;
    case SABOT_SEAL_OLD_COUNTER:
        tampered(shoe, 2);
        return false;
    case SABOT_SEAL_EARLY: /* the hello before it was lost, and will be repeated */
        return false;
    default:
        tampered(shoe, 1);
        return false;
    }
}

/* Says whether an intact packet is from the host: with a key only if it is sealed. */
static bool admitted(sabot_shoe *shoe, const sabot_packet *packet, sabot_frame_fault fault)
{
    bool known = fault == SABOT_FRAME_GOOD;

    if (known && packet->type < SABOT_FROM_HOST)
        return false; /* an echo of our own */
    if (!shoe->security.on)
        return known && packet->version == SABOT_PLAIN;
    if (known && packet->version == SABOT_SEALED)
        return unsealed(shoe, packet);
    if (known && packet->type == SABOT_CHALLENGE && packet->size == 8) {
        sabot_challenged(&shoe->security, packet->payload);
        shoe->due |= SABOT_DUE_ANSWER;
    } else {
        tampered(shoe, 1);
    }
    return false;
}

/* Takes a frame that has ended. */
static void take_frame(sabot_shoe *shoe)
{
    sabot_packet packet;
    sabot_frame_fault fault = sabot_open_frame(&shoe->collector, &packet);

    if (fault != SABOT_FRAME_GOOD && fault != SABOT_FRAME_UNKNOWN_VERSION)
        sabot_damaged(shoe);
    else if (admitted(shoe, &packet, fault))
        follow(shoe, &packet);
}

void sabot_receive(sabot_shoe *shoe, uint32_t ms, const uint8_t *bytes, size_t n)
{
    sabot_tell_time(shoe, ms);
    for (; n > 0; n--) {
        if (sabot_collect(&shoe->collector, *bytes++))
            take_frame(shoe);
    }
}

void sabot_damaged(sabot_shoe *shoe)
{
    shoe->security.damaged = true;
}

/* ---- what is sent ---- */

/* Finishes the packet that begins after the frame's first byte. */
static uint8_t finish(sabot_shoe *shoe, uint8_t *frame, uint8_t type, const uint8_t *end, bool sealed)
{
    uint8_t n = (uint8_t)(end - frame - 1);

    frame[1] = sealed ? SABOT_SEALED : SABOT_PLAIN;
    frame[2] = type;
    if (sealed)
        n = sabot_seal(&shoe->security, frame + 1, n);
    return sabot_close_frame(frame, n);
}

static bool seals(const sabot_shoe *shoe)
{
    return shoe->security.on && shoe->session;
}

static uint8_t *write_hello(const sabot_shoe *shoe, uint8_t *at)
{
    sabot_hello hello;

    hello.protocol = shoe->security.on ? SABOT_SEALED : SABOT_PLAIN;
    hello.session = shoe->session;
    hello.capabilities = shoe->capabilities | (shoe->security.on ? 0x10000UL : 0);
    hello.boot = shoe->boot;
    hello.first = sabot_first(shoe);
    hello.last = shoe->last;
    hello.firmware = shoe->firmware;
    hello.serial = shoe->serial;
    return sabot_write_hello(at, &hello);
}

/* Takes the first frame that is due. A boot that is used up cannot be put into a hello. */
static uint8_t next_due(sabot_shoe *shoe)
{
    if (sabot_used_up(shoe))
        shoe->due &= (uint8_t)~SABOT_DUE_HELLO;
    for (uint8_t bit = SABOT_DUE_ZERO; bit <= SABOT_DUE_LOG; bit = (uint8_t)(bit << 1)) {
        if (shoe->due & bit) {
            shoe->due &= (uint8_t)~bit;
            return bit;
        }
    }
    return 0;
}

static uint8_t send_due(sabot_shoe *shoe, uint8_t *frame)
{
    uint8_t *payload = frame + 1 + SABOT_HEAD;

    switch (next_due(shoe)) {
    case SABOT_DUE_ZERO: /* ends what was cut off when the line broke */
        frame[0] = 0;
        return 1;
    case SABOT_DUE_ANSWER:
        return finish(shoe, frame, SABOT_ANSWER, sabot_write_answer(payload, &shoe->security), false);
    case SABOT_DUE_HELLO:
        return finish(shoe, frame, SABOT_HELLO, write_hello(shoe, payload), seals(shoe));
    case SABOT_DUE_BEAT:
        return finish(shoe, frame, SABOT_HEARTBEAT,
                      sabot_write_heartbeat(payload, shoe->boot, shoe->last, shoe->count, shoe->locks, shoe->light), seals(shoe));
    case SABOT_DUE_LOG:
        return finish(shoe, frame, SABOT_LOG, sabot_write_log(payload, shoe->log_level, shoe->log, shoe->log_size), seals(shoe));
    default:
        return 0;
    }
}

/* Ends the session; its keys open nothing more. */
static void leave(sabot_shoe *shoe)
{
    shoe->session = false;
    shoe->security.open = false;
    shoe->beat_at = now(shoe);
}

/* Sent when nothing else is due. */
static void run_timers(sabot_shoe *shoe)
{
    bool tired = shoe->security.open && shoe->security.sent == 0xffffffff;

    if (shoe->session && (tired || reached(shoe, shoe->heard + SABOT_LOST_AFTER)))
        leave(shoe);
    if (reached(shoe, shoe->beat_at)) {
        if (shoe->session)
            shoe->due |= SABOT_DUE_BEAT;
        else
            shoe->due |= SABOT_DUE_HELLO;
        shoe->beat_at = now(shoe) + SABOT_BEAT_EVERY;
    }
    if (shoe->on_way > 0 && reached(shoe, shoe->resend_at))
        shoe->on_way = 0;
}

/* Fills the window, continuing after what is already on the way. */
static uint8_t send_event(sabot_shoe *shoe, uint8_t *frame)
{
    const sabot_event *event;
    uint8_t *end;

    if (!shoe->session || shoe->on_way == SABOT_WINDOW || shoe->on_way >= shoe->count)
        return 0;
    if (shoe->on_way == 0)
        shoe->resend_at = now(shoe) + SABOT_RESEND_AFTER;
    event = sabot_event_at(shoe, shoe->on_way);
    end = sabot_write_event(frame + 1 + SABOT_HEAD, shoe->boot, sabot_first(shoe) + shoe->on_way, event);
    shoe->on_way++;
    return finish(shoe, frame, event->type, end, seals(shoe));
}

uint8_t sabot_send(sabot_shoe *shoe, uint32_t ms, uint8_t frame[SABOT_FRAME])
{
    uint8_t n;

    sabot_tell_time(shoe, ms);
    n = send_due(shoe, frame);
    if (n > 0)
        return n;
    run_timers(shoe);
    n = send_due(shoe, frame);
    return n > 0 ? n : send_event(shoe, frame);
}

/* How long until a time is reached, at most the time given. */
static uint32_t until(const sabot_shoe *shoe, uint32_t ms, uint32_t time, uint32_t most)
{
    uint32_t at = now(shoe) + (ms - shoe->clock);
    uint32_t wait = time - at;

    if (wait >= 0x80000000)
        return 0;
    return wait < most ? wait : most;
}

uint32_t sabot_wait(const sabot_shoe *shoe, uint32_t ms)
{
    uint32_t wait = until(shoe, ms, shoe->beat_at, SABOT_BEAT_EVERY);

    if (shoe->due != 0 || (shoe->session && shoe->on_way < SABOT_WINDOW && shoe->on_way < shoe->count))
        return 0;
    if (!shoe->session)
        return wait;
    if (shoe->on_way > 0)
        wait = until(shoe, ms, shoe->resend_at, wait);
    return until(shoe, ms, shoe->heard + SABOT_LOST_AFTER, wait);
}

/* ---- for the log, and for the hardware ---- */

void sabot_log(sabot_shoe *shoe, uint8_t level, const char *text)
{
    if (text[0] == 0 || (shoe->security.on && !shoe->session))
        return;
    shoe->log_level = level;
    for (shoe->log_size = 0; shoe->log_size < SABOT_TEXT && text[shoe->log_size] != 0; shoe->log_size++) {
        char c = text[shoe->log_size];
        shoe->log[shoe->log_size] = c >= 0x20 && c <= 0x7e ? c : '?';
    }
    shoe->due |= SABOT_DUE_LOG;
}

uint8_t sabot_locks(const sabot_shoe *shoe)
{
    return shoe->locks;
}

uint8_t sabot_light(const sabot_shoe *shoe)
{
    return shoe->light;
}

bool sabot_in_session(const sabot_shoe *shoe)
{
    return shoe->session;
}

uint16_t sabot_queued(const sabot_shoe *shoe)
{
    return shoe->count;
}

uint32_t sabot_last(const sabot_shoe *shoe)
{
    return shoe->last;
}

bool sabot_used_up(const sabot_shoe *shoe)
{
    return shoe->last == 0xffffffff && shoe->count == 0;
}
