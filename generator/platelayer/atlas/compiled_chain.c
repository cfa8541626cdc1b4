/* The chain of the policy "even", as even.py makes it: the same changes for the same random numbers.
 *
 * That module says what is done and why; names here are theirs. The board is a torus, so that a map may wander; no map is
 * as wide as half of it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXPORT /* what makes a function visible outside, where a system needs it said: build_compiled.py */
#define EXPORT
#endif

#define EMPTY (-1)
#define MIN_CONTACTS 3

typedef struct {
    int32_t borders, alike, cities, home, copies;
} Kind;

/* A tile where it lies: design, the corner (q, r) and the kind of its triangle, and its turn. */
typedef struct {
    int32_t design, q, r, kind, turn;
} Placed;

typedef struct {
    int32_t count, designs, stacks, near, side;
    const Kind *kinds;
    const int32_t *beside;
    const uint64_t *capitals;
    uint64_t state;
    Placed *placed;
    int16_t *owner;
    uint8_t *border;
    int32_t *touched, *row, *before, *reach, *queue, *used;
    uint8_t *laid, *failed;
} Chain;

static const int DQ[6] = {0, -1, -1, 0, 1, 1};
static const int DR[6] = {1, 1, 0, -1, -1, 0};

/* The side of the board is a power of two. */
static int32_t cell_of(const Chain *c, int32_t q, int32_t r) { return (q & (c->side - 1)) * c->side + (r & (c->side - 1)); }

static uint64_t bits64(Chain *c)
{
    uint64_t z = c->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t below(Chain *c, uint64_t bound)
{
    uint64_t unfair = (UINT64_MAX % bound + 1) % bound, bits;
    do
        bits = bits64(c);
    while (unfair && bits >= UINT64_MAX - unfair + 1);
    return bits % bound;
}

static int happens(Chain *c, uint64_t more, uint64_t of) { return more >= of || below(c, of) < more; }

static void hexes_of(const Placed *p, int32_t q[3], int32_t r[3])
{
    for (int hex = 0; hex < 3; hex++) {
        int corner = (hex + p->turn) % 3;
        q[hex] = p->q + (corner ? DQ[p->kind ? corner - 1 : corner == 1 ? 5 : 0] : 0);
        r[hex] = p->r + (corner ? DR[p->kind ? corner - 1 : corner == 1 ? 5 : 0] : 0);
    }
}

static int is_double(const Chain *c, const Placed *p) { return p->turn > 0 && c->kinds[p->design].alike; }

/* Fills `row` with the edges along which a tile would touch each other; returns how many it touches, or EMPTY where it covers one,
 * or a border touches. `edges` is their sum. */
static int32_t touching(const Chain *c, const Placed *p, int32_t *row, int32_t *edges)
{
    int32_t q[3], r[3], found = 0, borders = c->kinds[p->design].borders;
    hexes_of(p, q, r);
    for (int hex = 0; hex < 3; hex++)
        if (c->owner[cell_of(c, q[hex], r[hex])] != EMPTY)
            return EMPTY;
    memset(row, 0, sizeof(int32_t) * (size_t)c->count);
    *edges = 0;
    for (int hex = 0; hex < 3; hex++)
        for (int edge = 0; edge < 6; edge++) {
            int32_t cell = cell_of(c, q[hex] + DQ[edge], r[hex] + DR[edge]);
            if (c->owner[cell] == EMPTY)
                continue;
            if (borders >> hex & 1 || c->border[cell])
                return EMPTY;
            found += !row[c->owner[cell]]++;
            ++*edges;
        }
    return found;
}

static void lay(Chain *c, int32_t index, Placed p, const int32_t *row)
{
    int32_t q[3], r[3];
    hexes_of(&p, q, r);
    c->placed[index] = p;
    for (int hex = 0; hex < 3; hex++) {
        c->owner[cell_of(c, q[hex], r[hex])] = (int16_t)index;
        c->border[cell_of(c, q[hex], r[hex])] = c->kinds[p.design].borders >> hex & 1;
    }
    for (int32_t other = 0; other < c->count; other++)
        c->touched[index * c->count + other] = c->touched[other * c->count + index] = row[other];
}

static void lift(Chain *c, int32_t index)
{
    int32_t q[3], r[3];
    hexes_of(&c->placed[index], q, r);
    for (int hex = 0; hex < 3; hex++) {
        c->owner[cell_of(c, q[hex], r[hex])] = EMPTY;
        c->border[cell_of(c, q[hex], r[hex])] = 0;
    }
    for (int32_t other = 0; other < c->count; other++)
        c->touched[index * c->count + other] = c->touched[other * c->count + index] = 0;
}

static int can_be_laid(Chain *c)
{
    memset(c->failed, 0, (size_t)c->count);
    for (int32_t first = 0; first < c->count; first++) {
        if (c->failed[first])
            continue;
        int32_t size = 1;
        memset(c->reach, 0, sizeof(int32_t) * (size_t)c->count);
        memset(c->laid, 0, (size_t)c->count);
        c->laid[first] = 1;
        c->queue[0] = first;
        for (int32_t i = 0; i < size; i++)
            for (int32_t other = 0; other < c->count; other++) {
                c->reach[other] += c->touched[c->queue[i] * c->count + other];
                if (c->reach[other] >= MIN_CONTACTS && !c->laid[other]) {
                    c->laid[other] = 1;
                    c->queue[size++] = other;
                }
            }
        if (size == c->count)
            return 1;
        for (int32_t i = 0; i < size; i++)
            c->failed[c->queue[i]] = 1;
    }
    return 0;
}

static void two(Chain *c, int32_t *index, int32_t *other)
{
    *index = (int32_t)below(c, (uint64_t)c->count);
    *other = (int32_t)below(c, (uint64_t)c->count - 1);
    *other += *other >= *index;
}

static void move(Chain *c)
{
    int32_t index, other, edges = 0, beside = 0;
    two(c, &index, &other);
    Placed old = c->placed[index], new = old, by = c->placed[other];
    const int32_t *near = c->beside + 3 * ((int32_t)below(c, (uint64_t)c->near) + by.kind * c->near);
    new.q = by.q + near[0];
    new.r = by.r + near[1];
    new.kind = near[2];
    new.turn = (int32_t)below(c, 3);
    if (is_double(c, &new))
        return;
    memcpy(c->before, c->touched + index * c->count, sizeof(int32_t) * (size_t)c->count);
    for (int32_t i = 0; i < c->count; i++)
        beside += c->before[i] > 0;
    lift(c, index);
    int32_t touched = touching(c, &new, c->row, &edges);
    if (touched != EMPTY && edges >= MIN_CONTACTS && happens(c, (uint64_t)beside, (uint64_t)touched)) {
        lay(c, index, new, c->row);
        if (can_be_laid(c))
            return;
        lift(c, index);
    }
    lay(c, index, old, c->before);
}

/* Other tiles on the same places. */
static void exchange(Chain *c, int32_t count, const int32_t *indices, const Placed *tiles)
{
    Placed old[2];
    int32_t edges, fit = 0;
    for (int32_t i = 0; i < count; i++)
        if (is_double(c, &tiles[i]))
            return;
    for (int32_t i = 0; i < count; i++) {
        old[i] = c->placed[indices[i]];
        lift(c, indices[i]);
    }
    for (; fit < count && touching(c, &tiles[fit], c->row, &edges) != EMPTY; fit++)
        lay(c, indices[fit], tiles[fit], c->row);
    if (fit == count)
        return;
    while (fit--)
        lift(c, indices[fit]);
    for (int32_t i = 0; i < count; i++) {
        touching(c, &old[i], c->row, &edges);
        lay(c, indices[i], old[i], c->row);
    }
}

static void swap(Chain *c)
{
    int32_t index[2];
    two(c, &index[0], &index[1]);
    Placed tiles[2] = {c->placed[index[0]], c->placed[index[1]]};
    int32_t design = tiles[0].design;
    tiles[0].design = tiles[1].design;
    tiles[1].design = design;
    tiles[0].turn = (int32_t)below(c, 3);
    tiles[1].turn = (int32_t)below(c, 3);
    exchange(c, 2, index, tiles);
}

static void replace(Chain *c)
{
    int32_t index = (int32_t)below(c, (uint64_t)c->count), left = 0, cities = 0;
    Placed new = c->placed[index];
    const Kind *old = &c->kinds[new.design];
    memset(c->used, 0, sizeof(int32_t) * (size_t)c->designs);
    for (int32_t i = 0; i < c->count; i++)
        if (i != index) {
            c->used[c->placed[i].design]++;
            cities += c->kinds[c->placed[i].design].cities;
        }
    for (int32_t i = 0; i < c->designs; i++)
        left += c->kinds[i].home == old->home && c->kinds[i].copies > c->used[i];
    int32_t pick = (int32_t)below(c, (uint64_t)left);
    new.turn = (int32_t)below(c, 3);
    for (new.design = 0;; new.design++)
        if (c->kinds[new.design].home == old->home && c->kinds[new.design].copies > c->used[new.design] && !pick--)
            break;
    if (happens(c, c->capitals[cities + c->kinds[new.design].cities], c->capitals[cities + old->cities]))
        exchange(c, 1, &index, &new);
}

/* Make so many changes to a layout; 1 if there is too little memory. `near` triangles lie beside one of each kind, three numbers each:
 * q, r and kind. `capitals` tells, for each number of cities, how many ways there are to lay the capitals. */
EXPORT
int32_t platelayer_chain(int32_t count, Placed *placed, int32_t designs, const Kind *kinds, int32_t stacks, int32_t near,
                         const int32_t *beside, const uint64_t *capitals, uint64_t *state, int64_t steps)
{
    size_t numbers = (size_t)count;
    Chain c = {.count = count, .designs = designs, .stacks = stacks, .near = near, .kinds = kinds, .beside = beside,
               .capitals = capitals, .state = *state, .placed = placed};
    for (c.side = 16; c.side <= 4 * count + 8; c.side *= 2) /* a map is at most 2 * count wide */
        ;
    size_t cells = (size_t)c.side * (size_t)c.side;
    c.owner = malloc(sizeof(int16_t) * cells);
    c.border = calloc(cells, 1);
    int32_t *room = calloc(numbers * numbers + 4 * numbers + (size_t)designs, sizeof(int32_t));
    c.laid = calloc(2 * numbers, 1);
    int fault = !c.owner || !c.border || !room || !c.laid;
    if (!fault) {
        c.touched = room;
        c.row = room + numbers * numbers;
        c.before = c.row + numbers;
        c.reach = c.before + numbers;
        c.queue = c.reach + numbers;
        c.used = c.queue + numbers;
        c.failed = c.laid + numbers;
        memset(c.owner, 0xff, sizeof(int16_t) * cells);
        for (int32_t index = 0, edges; index < count; index++) {
            touching(&c, &placed[index], c.row, &edges);
            lay(&c, index, placed[index], c.row);
        }
        for (; steps > 0; steps--) {
            uint64_t change = below(&c, stacks ? 3 : 2);
            if (change == 0)
                move(&c);
            else if (change == 1)
                swap(&c);
            else
                replace(&c);
        }
        *state = c.state;
    }
    free(c.owner);
    free(c.border);
    free(room);
    free(c.laid);
    return fault;
}
