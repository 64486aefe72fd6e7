/*
 * A shoe on a PC: the library on a serial port, a pseudo-terminal or an open file
 * descriptor, with a keyboard for its sensor.
 *
 *     shoe [-s SERIAL] [-b BOOT] [-l LAST] [-n EVENTS] [-k KEYFILE] PORT
 *
 * LAST is how many events there have been before, for tests of what follows the last number.
 * PORT is a path such as /dev/ttyUSB0, or fd:N for an open descriptor. Commands come
 * from standard input, one per line, and each is answered by a line:
 *
 *     card KS | card ?? | card JOKER     cut        key 2 down | key 2 up
 *     alarm CODE [DETAIL] | over CODE    log TEXT   hand 1 | hand 0      state
 *
 * It ends with its input. The library's README says what a microcontroller has in place
 * of each part.
 */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "sabot_shoe.h"

typedef struct {
    sabot_shoe shoe;
    sabot_config config;
    uint8_t key[SABOT_KEY], seed[SABOT_SEED];
    int line;
    char input[256]; /* the command being typed */
    size_t typed;
    bool done;
} pc;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint32_t milliseconds(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        die("reading the clock");
    return (uint32_t)((uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000);
}

static void draw_lots(uint8_t *bytes, size_t n)
{
    int file = open("/dev/urandom", O_RDONLY);

    if (file < 0 || read(file, bytes, n) != (ssize_t)n)
        die("reading /dev/urandom");
    close(file);
}

/* ---- the line ---- */

static void make_raw(int line)
{
    struct termios t;

    if (tcgetattr(line, &t) != 0)
        return; /* not a terminal: there is nothing to set */
    t.c_iflag = t.c_oflag = t.c_lflag = 0;
    t.c_cflag = CS8 | CREAD | CLOCAL;
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    if (cfsetispeed(&t, B115200) != 0 || cfsetospeed(&t, B115200) != 0 || tcsetattr(line, TCSANOW, &t) != 0)
        die("setting the port");
}

static int open_line(const char *port)
{
    int line = strncmp(port, "fd:", 3) == 0 ? atoi(port + 3) : open(port, O_RDWR | O_NOCTTY);

    if (line < 0)
        die(port);
    make_raw(line);
    if (fcntl(line, F_SETFL, fcntl(line, F_GETFL) | O_NONBLOCK) != 0)
        die(port);
    return line;
}

/* Drops what the line does not take, as a UART does when nobody listens. */
static void transmit(pc *p)
{
    uint8_t frame[SABOT_FRAME], n;

    while ((n = sabot_send(&p->shoe, milliseconds(), frame)) > 0) {
        if (write(p->line, frame, n) < 0 && errno != EAGAIN && errno != EIO)
            die("writing to the line");
    }
}

static void receive(pc *p)
{
    uint8_t bytes[256];
    ssize_t n = read(p->line, bytes, sizeof bytes);

    if (n > 0)
        sabot_receive(&p->shoe, milliseconds(), bytes, (size_t)n);
    else if (n == 0 || errno == EIO) /* the line is gone */
        p->done = true;
    else if (errno != EAGAIN)
        die("reading from the line");
}

/* ---- commands ---- */

static bool card(pc *p, const char *name)
{
    static const char ranks[] = "A23456789TJQK", suits[] = "SHDC";
    const char *rank = strchr(ranks, name[0]), *suit = name[0] != 0 ? strchr(suits, name[1]) : NULL;

    if (strcmp(name, "??") == 0)
        sabot_card(&p->shoe, milliseconds(), SABOT_UNREAD, SABOT_NO_SUIT, 10);
    else if (strcmp(name, "JOKER") == 0)
        sabot_card(&p->shoe, milliseconds(), SABOT_JOKER, SABOT_NO_SUIT, 99);
    else if (rank != NULL && suit != NULL && name[1] != 0 && name[2] == 0)
        sabot_card(&p->shoe, milliseconds(), (uint8_t)(rank - ranks + 1), (uint8_t)(suit - suits + SABOT_SPADES), 99);
    else
        return false;
    return true;
}

static void tell_state(const pc *p)
{
    printf("state boot=%lu last=%lu queued=%u session=%d locks=%u light=%u\n", (unsigned long)p->shoe.boot,
           (unsigned long)sabot_last(&p->shoe), (unsigned)sabot_queued(&p->shoe), sabot_in_session(&p->shoe),
           (unsigned)sabot_locks(&p->shoe), (unsigned)sabot_light(&p->shoe));
}

/* Executes a command; false if it is invalid. */
static bool act(pc *p, const char *command)
{
    char word[32] = "", way[8] = "";
    unsigned number = 0, detail = 0;

    if (sscanf(command, "card %31s", word) == 1)
        return card(p, word);
    if (strcmp(command, "cut") == 0)
        sabot_cut_card(&p->shoe, milliseconds());
    else if (sscanf(command, "key %u %7s", &number, way) == 2)
        sabot_key(&p->shoe, milliseconds(), (uint8_t)number, strcmp(way, "down") == 0);
    else if (sscanf(command, "alarm %u %u", &number, &detail) >= 1)
        sabot_alarm(&p->shoe, milliseconds(), (uint8_t)number, (uint16_t)detail);
    else if (sscanf(command, "over %u", &number) == 1)
        sabot_alarm_over(&p->shoe, milliseconds(), (uint8_t)number);
    else if (strncmp(command, "log ", 4) == 0)
        sabot_log(&p->shoe, SABOT_INFO, command + 4);
    else if (sscanf(command, "hand %u", &number) == 1)
        sabot_lock(&p->shoe, milliseconds(), SABOT_LOCKED_BY_HAND, number != 0);
    else
        return false;
    return true;
}

static void obey(pc *p, const char *command)
{
    if (strcmp(command, "state") == 0)
        tell_state(p);
    else if (strncmp(command, "card ", 5) == 0 && sabot_locks(&p->shoe) != 0)
        printf("error: the exit is locked\n");
    else
        printf("%s\n", act(p, command) ? "ok" : "error: no such command");
    fflush(stdout);
}

static void type(pc *p)
{
    char bytes[256];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);

    p->done = n <= 0;
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            p->input[p->typed] = 0;
            p->typed = 0;
            obey(p, p->input);
        } else if (p->typed + 1 < sizeof p->input) {
            p->input[p->typed++] = bytes[i];
        }
    }
}

/* ---- the start ---- */

static void read_key(const char *path, uint8_t key[SABOT_KEY])
{
    FILE *file = fopen(path, "r");

    if (file == NULL)
        die(path);
    for (size_t i = 0; i < SABOT_KEY; i++) {
        unsigned byte;
        if (fscanf(file, "%2x", &byte) != 1) {
            fprintf(stderr, "%s: a key has 32 hexadecimal digits\n", path);
            exit(1);
        }
        key[i] = (uint8_t)byte;
    }
    fclose(file);
}

static void configure(int argc, char **argv, sabot_config *config, uint8_t *key, uint32_t *last)
{
    int option;

    while ((option = getopt(argc, argv, "s:b:l:n:k:")) != -1) {
        switch (option) {
        case 's':
            config->serial = optarg;
            break;
        case 'b':
            config->boot = (uint32_t)strtoul(optarg, NULL, 0);
            break;
        case 'l':
            *last = (uint32_t)strtoul(optarg, NULL, 0);
            break;
        case 'n':
            config->room = (uint16_t)atoi(optarg);
            break;
        case 'k':
            read_key(optarg, key);
            config->key = key;
            break;
        default:
            exit(2);
        }
    }
    if (optind != argc - 1) {
        fprintf(stderr, "usage: shoe [-s SERIAL] [-b BOOT] [-l LAST] [-n EVENTS] [-k KEYFILE] PORT\n");
        exit(2);
    }
}

/* Starts the shoe, with a boot id and a seed that it never had unless one is given. */
static void start(pc *p)
{
    draw_lots(p->seed, sizeof p->seed);
    while (p->config.boot == 0)
        draw_lots((uint8_t *)&p->config.boot, sizeof p->config.boot);
    if (!sabot_start(&p->shoe, &p->config, milliseconds())) {
        fprintf(stderr, "shoe: a serial number has 1 to 16 characters, a boot id is not 0, and %u events are the least\n",
                SABOT_LEAST_EVENTS);
        exit(2);
    }
    p->config.boot = 0;
}

static void run(pc *p)
{
    while (!p->done) {
        struct pollfd from[2] = {{STDIN_FILENO, POLLIN, 0}, {p->line, POLLIN, 0}};

        if (sabot_used_up(&p->shoe))
            start(p);
        transmit(p);
        if (poll(from, 2, (int)sabot_wait(&p->shoe, milliseconds())) < 0 && errno != EINTR)
            die("waiting");
        if (from[1].revents != 0)
            receive(p);
        if (from[0].revents != 0)
            type(p);
    }
}

int main(int argc, char **argv)
{
    static sabot_event events[65535];
    static pc p;
    uint32_t last = 0;

    p.config.serial = "PC-1";
    p.config.firmware[0] = 1;
    p.config.capabilities = SABOT_CAN_LOCK | SABOT_CAN_LIGHT | SABOT_CAN_SEE_CUT | SABOT_HAS_KEYS;
    p.config.events = events;
    p.config.room = 512;
    p.config.seed = p.seed;
    configure(argc, argv, &p.config, p.key, &last);
    start(&p);
    p.shoe.last = last;
    p.line = open_line(argv[optind]);
    run(&p);
    return 0;
}
