/* What the payloads say. */
#include "sabot_internal.h"

/* The payload size of a message from the host; 255 for a type that is not one. */
static uint8_t order_size(uint8_t type)
{
    switch (type) {
    case SABOT_HOST_HELLO:
        return 13;
    case SABOT_ACKNOWLEDGE:
    case SABOT_CHALLENGE:
        return 8;
    case SABOT_LOCK:
    case SABOT_LAMP:
        return 1;
    case SABOT_STATUS:
        return 0;
    default:
        return 255;
    }
}

sabot_order_fault sabot_read_order(const sabot_packet *packet, sabot_order *order)
{
    const uint8_t *at = packet->payload;
    uint8_t size = order_size(packet->type);

    if (size == 255)
        return SABOT_ORDER_UNKNOWN;
    if (size != packet->size)
        return SABOT_ORDER_WRONG_LENGTH;
    switch (packet->type) {
    case SABOT_HOST_HELLO:
        order->boot = sabot_get32(at + 5);
        order->seq = sabot_get32(at + 9);
        if (at[0] == 0) /* the host speaks no version */
            return SABOT_ORDER_WRONG_FIELD;
        break;
    case SABOT_ACKNOWLEDGE:
        order->boot = sabot_get32(at);
        order->seq = sabot_get32(at + 4);
        if (order->boot == 0)
            return SABOT_ORDER_WRONG_FIELD;
        break;
    case SABOT_LOCK:
    case SABOT_LAMP:
        order->value = at[0];
        if (order->value > (packet->type == SABOT_LOCK ? 1 : SABOT_RED))
            return SABOT_ORDER_WRONG_FIELD;
        break;
    default:
        break;
    }
    return SABOT_ORDER_GOOD;
}

uint8_t *sabot_write_hello(uint8_t *at, const sabot_hello *hello)
{
    const char *serial = hello->serial;

    *at++ = hello->protocol;
    *at++ = hello->session;
    at = sabot_put32(at, hello->capabilities);
    at = sabot_put32(at, hello->boot);
    at = sabot_put32(at, hello->first);
    at = sabot_put32(at, hello->last);
    at = sabot_copy(at, hello->firmware, 3);
    for (uint8_t i = 0; i < SABOT_SERIAL && serial[i] != 0; i++)
        *at++ = (uint8_t)serial[i];
    return at;
}

uint8_t *sabot_write_heartbeat(uint8_t *at, uint32_t boot, uint32_t last, uint16_t queued, uint8_t locks, uint8_t light)
{
    at = sabot_put32(at, boot);
    at = sabot_put32(at, last);
    at = sabot_put16(at, queued);
    *at++ = locks;
    *at++ = light;
    return at;
}

uint8_t *sabot_write_log(uint8_t *at, uint8_t level, const char *text, uint8_t n)
{
    *at++ = level;
    return sabot_copy(at, (const uint8_t *)text, n);
}

/* How many bytes an event has besides its number and time. */
static uint8_t data_size(uint8_t type)
{
    switch (type) {
    case SABOT_CUT_CARD:
        return 0;
    case SABOT_LOCK_STATE:
        return 1;
    case SABOT_KEY_EVENT:
        return 2;
    default:
        return 3;
    }
}

uint8_t *sabot_write_event(uint8_t *at, uint32_t boot, uint32_t seq, const sabot_event *event)
{
    at = sabot_put32(at, boot);
    at = sabot_put32(at, seq);
    at = sabot_put32(at, event->low);
    at = sabot_put32(at, event->high);
    return sabot_copy(at, event->data, data_size(event->type));
}
