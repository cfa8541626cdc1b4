/* Whether logs of maps keep the rules, as check.py judges them; which rule is broken is left to check.py.
 *
 * This shares nothing with compiled.c but the form of the draws. It takes every claim of a log from the log alone and counts
 * alternatives by trying each placement on each hex.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXPORT /* what makes a function visible outside, where a system needs it said: build_compiled.py */
#define EXPORT
#endif

enum { OTHER, A_HOME, A_CITY, A_BORDER };
enum { EMPTY, LAID, LAID_BORDER };

typedef struct {
    int32_t tiles, stacks, homes_per_stack, others_per_stack, projects, projects_in_play, pile, blank_limit, contacts;
} Rules;

/* A map tile of the box: copies in play, whether it counts as a home when stacks are dealt, whether its rotations within a
 * triangle differ, and what its hexes are. */
typedef struct {
    int32_t copies, dealt_as_home, differ, hex[3];
} Design;

typedef struct {
    int32_t tile, copy, q, r, rotation, alternatives;
} Line;

typedef struct {
    const Rules *rules;
    const Design *designs;
    int32_t far, side;
    uint8_t *board;
    uint8_t *seen;
    int32_t *city, *taken, *bottom, *queue;
    int32_t low[2], high[2];
} Check;

static const int8_t AROUND[6][2] = {{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}};

static uint8_t *at(const Check *c, int32_t q, int32_t r) { return c->board + (r + c->far) * c->side + q + c->far; }

static int inside(const Check *c, int32_t q, int32_t r)
{
    int32_t edge = c->far - 2;
    return -edge <= q && q <= edge && -edge <= r && r <= edge;
}

/* Hexes 1, 2 and 3 of a tile: (1, 0) and (0, 1) turned clockwise by (q, r) -> (-r, q + r). */
static void hexes_of(int32_t q, int32_t r, int32_t rotation, int32_t hexes[3][2])
{
    int32_t second[2] = {1, 0}, third[2] = {0, 1};
    while (rotation--) {
        int32_t a = -second[1], b = second[0] + second[1], x = -third[1], y = third[0] + third[1];
        second[0] = a, second[1] = b, third[0] = x, third[1] = y;
    }
    hexes[0][0] = q, hexes[0][1] = r;
    hexes[1][0] = q + second[0], hexes[1][1] = r + second[1];
    hexes[2][0] = q + third[0], hexes[2][1] = r + third[1];
}

/* May a tile be laid there, by what is on the board: nothing below it, enough contacts, and no contact of any border? */
static int may_lie(const Check *c, const Design *design, int32_t hexes[3][2])
{
    int32_t contacts = 0;
    for (int i = 0; i < 3; i++)
        if (*at(c, hexes[i][0], hexes[i][1]) != EMPTY)
            return 0;
    for (int i = 0; i < 3; i++)
        for (int edge = 0; edge < 6; edge++) {
            uint8_t beside = *at(c, hexes[i][0] + AROUND[edge][0], hexes[i][1] + AROUND[edge][1]);
            if (beside == LAID_BORDER || (beside && design->hex[i] == A_BORDER))
                return 0;
            contacts += beside != EMPTY;
        }
    return contacts >= c->rules->contacts;
}

static int32_t placements(const Check *c, const Design *design)
{
    int32_t hexes[3][2], found = 0;
    for (int32_t q = c->low[0] - 2; q <= c->high[0] + 2; q++)
        for (int32_t r = c->low[1] - 2; r <= c->high[1] + 2; r++)
            for (int32_t rotation = 0; rotation < (design->differ ? 6 : 2); rotation++) {
                if (*at(c, q, r) != EMPTY)
                    break;
                hexes_of(q, r, rotation, hexes);
                found += may_lie(c, design, hexes);
            }
    return found;
}

static int keeps_supply(const Check *c, const Line *lines, int32_t count, int32_t stack)
{
    const Rules *rules = c->rules;
    int32_t dealt[2] = {0, 0}, laid = 0, in_play = 0, most = 1;
    for (int32_t tile = 0; tile < rules->tiles; tile++) {
        in_play += c->designs[tile].copies;
        most = c->designs[tile].copies > most ? c->designs[tile].copies : most;
    }
    memset(c->seen, 0, (size_t)(rules->tiles * (most + 1)));
    for (int32_t i = 0; i < count; i++) {
        const Line *line = &lines[i];
        if (line->tile < 0)
            continue;
        if (line->tile >= rules->tiles || line->rotation < 0 || line->rotation > 5)
            return 0;
        const Design *design = &c->designs[line->tile];
        if (line->copy < 1 || line->copy > design->copies || c->seen[line->tile * (most + 1) + line->copy]++)
            return 0;
        dealt[design->dealt_as_home != 0]++;
        laid++;
    }
    if (!rules->stacks)
        return laid == in_play && stack < 0;
    return 1 <= stack && stack <= rules->stacks && dealt[1] == rules->homes_per_stack && dealt[0] == rules->others_per_stack;
}

static int keeps_order(const Check *c, const Line *lines, int32_t count)
{
    int32_t waiting = 0, next = 0;
    memset(c->taken, 0, sizeof(int32_t) * (size_t)(c->rules->projects_in_play + 1));
    for (int32_t i = 0; i < count; i++) {
        int32_t number = lines[i].copy;
        if (lines[i].tile >= 0) {
            if (i >= c->rules->pile)
                return 0;
            continue;
        }
        if (number < 1 || number > c->rules->projects_in_play)
            return 0;
        if (i < c->rules->pile ? c->taken[number] : next == waiting || !lines[i].alternatives || c->bottom[next++] != number)
            return 0;
        c->taken[number] = 1;
        if (!lines[i].alternatives)
            c->bottom[waiting++] = number;
    }
    return 1;
}

static int keeps_places(Check *c, const Line *lines, int32_t count)
{
    int32_t cities = 0, free = 0, drawn = 0, laid = 0, hexes[3][2];
    int any = 0;
    memset(c->board, EMPTY, (size_t)(c->side * c->side));
    memset(c->taken, 0, sizeof(int32_t) * (size_t)(c->rules->projects_in_play + 1));
    for (int32_t i = 0; i < count; i++) {
        const Line *line = &lines[i];
        if (line->tile < 0) {
            drawn += !(c->taken[line->copy] & 1);
            c->taken[line->copy] |= 1;
            if (!line->alternatives) {
                if (free)
                    return 0;
                continue;
            }
            int32_t city = 0;
            while (city < cities && (c->city[3 * city] != line->q || c->city[3 * city + 1] != line->r))
                city++;
            if (city == cities || c->city[3 * city + 2] || c->taken[line->copy] & 2)
                return 0;
            c->city[3 * city + 2] = 1;
            c->taken[line->copy] |= 2;
            free--;
            laid++;
            continue;
        }
        const Design *design = &c->designs[line->tile];
        hexes_of(line->q, line->r, line->rotation, hexes);
        for (int k = 0; k < 3; k++)
            if (!inside(c, hexes[k][0], hexes[k][1]))
                return 0;
        if (any ? !may_lie(c, design, hexes) || line->alternatives != placements(c, design) : line->alternatives != 1)
            return 0;
        for (int k = 0; k < 3; k++) {
            *at(c, hexes[k][0], hexes[k][1]) = design->hex[k] == A_BORDER ? LAID_BORDER : LAID;
            if (design->hex[k] == A_CITY) {
                c->city[3 * cities] = hexes[k][0];
                c->city[3 * cities + 1] = hexes[k][1];
                c->city[3 * cities++ + 2] = 0;
                free++;
            }
            for (int axis = 0; axis < 2; axis++) {
                if (!any || hexes[k][axis] < c->low[axis])
                    c->low[axis] = hexes[k][axis];
                if (!any || hexes[k][axis] > c->high[axis])
                    c->high[axis] = hexes[k][axis];
            }
            any = 1;
        }
    }
    return drawn == c->rules->projects && !(free && laid < drawn);
}

static int in_one_piece(const Check *c, const Line *lines, int32_t count)
{
    int32_t all = 0, found = 0, cells = c->side * c->side, first = -1;
    for (int32_t i = 0; i < count; i++)
        if (lines[i].tile >= 0) {
            all += 3;
            if (first < 0)
                first = (lines[i].r + c->far) * c->side + lines[i].q + c->far;
        }
    if (!all)
        return 1;
    memset(c->seen, 0, (size_t)cells);
    c->seen[first] = 1;
    c->queue[found++] = first;
    for (int32_t i = 0; i < found; i++)
        for (int edge = 0; edge < 6; edge++) {
            int32_t next = c->queue[i] + AROUND[edge][1] * c->side + AROUND[edge][0];
            if (c->board[next] != EMPTY && !c->seen[next]++)
                c->queue[found++] = next;
        }
    return found == all;
}

static int takes_blank(const Check *c, int32_t q, int32_t r)
{
    if (*at(c, q, r) != EMPTY)
        return 0;
    for (int edge = 0; edge < 6; edge++)
        if (*at(c, q + AROUND[edge][0], r + AROUND[edge][1]) == LAID_BORDER)
            return 0;
    return 1;
}

static int keeps_blanks(const Check *c, const Line *lines, int32_t count, const int32_t *blanks, int32_t laid)
{
    int32_t wanted = 0, limit = c->rules->blank_limit, hexes[3][2];
    memset(c->seen, 0, (size_t)(c->side * c->side));
    for (int32_t i = 0; i < count; i++) {
        if (lines[i].tile < 0)
            continue;
        hexes_of(lines[i].q, lines[i].r, lines[i].rotation, hexes);
        for (int k = 0; k < 3; k++)
            for (int edge = 0; c->designs[lines[i].tile].hex[k] == A_HOME && edge < 6; edge++) {
                int32_t q = hexes[k][0] + AROUND[edge][0], r = hexes[k][1] + AROUND[edge][1];
                uint8_t *place = c->seen + (at(c, q, r) - c->board);
                if (!*place && takes_blank(c, q, r)) {
                    *place = 1;
                    wanted++;
                }
            }
    }
    if (laid != (limit >= 0 && limit < wanted ? limit : wanted))
        return 0;
    for (int32_t i = 0; i < laid; i++) {
        if (!inside(c, blanks[2 * i], blanks[2 * i + 1]))
            return 0;
        uint8_t *place = c->seen + (at(c, blanks[2 * i], blanks[2 * i + 1]) - c->board);
        if (*place != 1)
            return 0;
        *place = 2;
    }
    return 1;
}

/* The number of the first of `count` logs that breaks a rule; `count` if none does, -1 if there is too little memory. Logs are laid
 * out as compiled.c writes them. */
EXPORT
int32_t platelayer_check(const Rules *rules, const Design *designs, int32_t count, int32_t room, const Line *draws,
                         const int32_t *blanks, const int32_t *logs)
{
    Check c = {.rules = rules, .designs = designs};
    int32_t pieces = 0, copies = 1, first = count;
    for (int32_t tile = 0; tile < rules->tiles; tile++) {
        pieces += designs[tile].copies;
        copies = designs[tile].copies > copies ? designs[tile].copies : copies;
    }
    c.far = 2 * pieces + 8;
    c.side = 2 * c.far + 1;
    size_t cells = (size_t)c.side * (size_t)c.side, seen = (size_t)rules->tiles * ((size_t)copies + 1);
    c.board = malloc(cells);
    c.seen = malloc(seen > cells ? seen : cells);
    c.city = malloc(sizeof(int32_t) * 9 * ((size_t)pieces + 1));
    c.taken = malloc(sizeof(int32_t) * ((size_t)rules->projects_in_play + 1));
    c.bottom = malloc(sizeof(int32_t) * ((size_t)room + 1));
    c.queue = malloc(sizeof(int32_t) * (3 * (size_t)pieces + 1));
    if (!c.board || !c.seen || !c.city || !c.taken || !c.bottom || !c.queue)
        first = -1;
    for (int32_t i = 0; i < count && first == count; i++) {
        const Line *lines = draws + (size_t)i * (size_t)room;
        int32_t number = logs[3 * i];
        if (!keeps_supply(&c, lines, number, logs[3 * i + 2]) || !keeps_order(&c, lines, number)
                || !keeps_places(&c, lines, number) || !in_one_piece(&c, lines, number)
                || !keeps_blanks(&c, lines, number, blanks + 2 * (size_t)i * (size_t)room, logs[3 * i + 1]))
            first = i;
    }
    free(c.board);
    free(c.seen);
    free(c.city);
    free(c.taken);
    free(c.bottom);
    free(c.queue);
    return first;
}
