/* What happens to the shoe, and the queue in which events wait for the host. */
#include "sabot_internal.h"

/* How many places stay free, when the exit is locked, for cards already in it. */
enum { RESERVE = 16 };

uint32_t sabot_first(const sabot_shoe *shoe)
{
    return shoe->last - shoe->count + 1;
}

static uint16_t place_in_ring(const sabot_shoe *shoe, uint16_t place)
{
    uint16_t to_end = (uint16_t)(shoe->room - shoe->head);

    return place < to_end ? (uint16_t)(shoe->head + place) : (uint16_t)(place - to_end);
}

const sabot_event *sabot_event_at(const sabot_shoe *shoe, uint16_t place)
{
    return &shoe->events[place_in_ring(shoe, place)];
}

static bool push(sabot_shoe *shoe, uint8_t type, uint8_t a, uint8_t b, uint8_t c)
{
    sabot_event *event;
    uint64_t micros = shoe->now * 1000;

    if (shoe->count == shoe->room || shoe->last == 0xffffffff)
        return false;
    event = &shoe->events[place_in_ring(shoe, shoe->count)];
    event->low = (uint32_t)(micros & 0xffffffff);
    event->high = (uint32_t)(micros >> 32);
    event->type = type;
    event->data[0] = a;
    event->data[1] = b;
    event->data[2] = c;
    shoe->count++;
    shoe->last++;
    return true;
}

/* Counts of lost events go before any other event. */
static void tell_lost(sabot_shoe *shoe)
{
    uint16_t lost = shoe->lost;

    if (lost > 0 && push(shoe, SABOT_ALARM_RAISED, SABOT_ALARM_EVENTS_LOST, (uint8_t)(lost & 0xff), (uint8_t)(lost >> 8)))
        shoe->lost = 0;
}

/* Queues an event, and stops the game before the queue overflows. */
static void put(sabot_shoe *shoe, uint8_t type, uint8_t a, uint8_t b, uint8_t c)
{
    uint16_t waiting;

    tell_lost(shoe);
    if (!push(shoe, type, a, b, c)) {
        if (shoe->lost < 0xffff)
            shoe->lost++;
        return;
    }
    waiting = shoe->count;
    if (waiting < shoe->room - RESERVE || shoe->queue_full)
        return;
    shoe->queue_full = true;
    if (shoe->capabilities & SABOT_CAN_LOCK)
        sabot_set_locks(shoe, SABOT_LOCKED_BY_QUEUE, true);
    sabot_raise(shoe, SABOT_ALARM_QUEUE_FULL, waiting);
}

void sabot_raise(sabot_shoe *shoe, uint8_t code, uint16_t detail)
{
    put(shoe, SABOT_ALARM_RAISED, code, (uint8_t)(detail & 0xff), (uint8_t)(detail >> 8));
}

void sabot_set_locks(sabot_shoe *shoe, uint8_t reasons, bool locked)
{
    uint8_t locks = (uint8_t)(locked ? shoe->locks | reasons : shoe->locks & ~reasons);

    if (locks != shoe->locks) {
        shoe->locks = locks;
        put(shoe, SABOT_LOCK_STATE, locks, 0, 0);
    }
}

/* Queues an event for each key whose position has not been reported yet. */
static void tell_keys(sabot_shoe *shoe)
{
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t bit = (uint8_t)(1u << i);
        if (((shoe->keys_down ^ shoe->keys_told) & bit) == 0)
            continue;
        shoe->keys_told ^= bit;
        put(shoe, SABOT_KEY_EVENT, (uint8_t)(i + 1), shoe->keys_down & bit ? 1 : 0, 0);
    }
}

/* There is room again. */
static void relieve(sabot_shoe *shoe)
{
    tell_lost(shoe);
    if (!shoe->queue_full || shoe->count > shoe->room / 2)
        return;
    shoe->queue_full = false;
    put(shoe, SABOT_ALARM_CLEARED, SABOT_ALARM_QUEUE_FULL, 0, 0);
    sabot_set_locks(shoe, SABOT_LOCKED_BY_QUEUE, false);
    tell_keys(shoe);
}

void sabot_acknowledge(sabot_shoe *shoe, uint32_t boot, uint32_t seq)
{
    uint32_t first = sabot_first(shoe);
    uint16_t n;

    if (boot != shoe->boot || shoe->count == 0 || seq > shoe->last || seq < first)
        return;
    n = (uint16_t)(seq - first + 1);
    shoe->head = place_in_ring(shoe, n);
    shoe->count = (uint16_t)(shoe->count - n);
    shoe->on_way = n < shoe->on_way ? (uint8_t)(shoe->on_way - n) : 0;
    shoe->resend_at = (uint32_t)shoe->now + SABOT_RESEND_AFTER;
    relieve(shoe);
}

void sabot_card(sabot_shoe *shoe, uint32_t ms, uint8_t rank, uint8_t suit, uint8_t confidence)
{
    sabot_tell_time(shoe, ms);
    put(shoe, SABOT_CARD, rank, suit, confidence);
}

void sabot_cut_card(sabot_shoe *shoe, uint32_t ms)
{
    sabot_tell_time(shoe, ms);
    put(shoe, SABOT_CUT_CARD, 0, 0, 0);
}

void sabot_key(sabot_shoe *shoe, uint32_t ms, uint8_t number, bool down)
{
    uint8_t bit = 0;

    sabot_tell_time(shoe, ms);
    if (number >= 1 && number <= 8)
        bit = (uint8_t)(1u << (number - 1));
    if (down)
        shoe->keys_down |= bit;
    else
        shoe->keys_down &= (uint8_t)~bit;
    if (!shoe->queue_full)
        tell_keys(shoe);
}

void sabot_alarm(sabot_shoe *shoe, uint32_t ms, uint8_t code, uint16_t detail)
{
    sabot_tell_time(shoe, ms);
    sabot_raise(shoe, code, detail);
}

void sabot_alarm_over(sabot_shoe *shoe, uint32_t ms, uint8_t code)
{
    sabot_tell_time(shoe, ms);
    put(shoe, SABOT_ALARM_CLEARED, code, 0, 0);
}

void sabot_lock(sabot_shoe *shoe, uint32_t ms, uint8_t reason, bool locked)
{
    sabot_tell_time(shoe, ms);
    sabot_set_locks(shoe, reason & (SABOT_LOCKED_BY_FAULT | SABOT_LOCKED_BY_HAND), locked);
}
