/* Random maps and their measures, as assemble.py and measures.py make them: the same numbers for the same seeds.
 *
 * Those two modules say what is done and why; names here are theirs. compiled.py lays out the tables that come in and reads
 * the numbers that go out. All arithmetic is on whole numbers, so every machine gives the same; means are left to Python.
 *
 * Cells: a hex (q, r) is the cell (q + half) * width + r + half of a square grid, so cells sort by q, then by r.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXPORT /* what makes a function visible outside, where a system needs it said: build_compiled.py */
#define EXPORT
#endif

#define EDGES 6
#define NONE (-1)
#define MOST_CONTACTS 12
#define MAX_TRAINS 8
#define BRIDGES 5 /* as in ways.py */
#define FAULT_MEMORY 1
#define FAULT_NO_MAP 2

enum { HOME, PLAIN, MOUNTAIN, WATER, CITY, BORDER, DESTINATION };

static const int DQ[EDGES] = {0, -1, -1, 0, 1, 1};
static const int DR[EDGES] = {1, 1, 0, -1, -1, 0};

typedef struct {
    int32_t ground, open_edges, exits, income, green, cost;
} Face;

/* One map tile of the box: copies in play, whether it is dealt as a home, a bit for each of its hexes that is a border, the
 * number of turns that look different, on which hexes (bits) a company is at home that lays bridges,
 * whether it brings the homeless, and the powers of the companies at home on its hexes: what a
 * mountain brings them, stops of their trains more than the number, and suburbs. */
typedef struct {
    int32_t copies, dealt_as_home, borders, turns, bridges, brings;
    int32_t bonus[3], extra[3], suburbs[3];
    Face faces[6][3];
} Tile;

typedef struct {
    int32_t number, track, green;
} Train;

typedef struct {
    int32_t tiles, stacks, homes_per_stack, capital_projects, maps, blanks, max_restarts, homeless_bridge;
    int32_t reach, trains, min_contacts;
    int32_t capital_income, capital_green, destination_income, destination_green;
    int32_t city_income, city_green, suburb_income;
    int32_t score_long, score_crowded, score_cramped, score_apart;
    int32_t weights[MOST_CONTACTS + 1];
    Train train[MAX_TRAINS];
} Settings;

/* One piece of the pile; a capital project has no tile, and its number as `copy`. */
typedef struct {
    int32_t tile, copy;
} Piece;

/* What was drawn. Of a project, `alternatives` tells whether its overlay was laid, at (q, r). */
typedef struct {
    int32_t tile, copy, q, r, rotation, alternatives;
} Draw;

typedef struct {
    int32_t cell, tile, rotation, place;
} Hex;

/* A map: its draws, the hexes of its tiles; homes, capitals and blanks by cell. */
typedef struct {
    int32_t draws, hexes, homes, overlays, blanks, restarts, score, stack;
    Draw *draw;
    Hex *hex;
    int32_t *home, *overlay, *blank;
} Map;

/* Everything that one call needs, allocated once. */
typedef struct {
    const Settings *settings;
    const Tile *tiles;
    int32_t half, width, cells, pieces;
    int32_t step[EDGES];
    uint64_t state;
    uint8_t *taken, *contacts, *covered;
    int32_t *city, cities;
    int32_t low_q, high_q, low_r, high_r;
    Piece *pile, *deal;
    int32_t *place, *touching, *turn;
    Map map[2];
    /* Of the measures: numbers of hexes by cell, and of each hex its face, neighbours, ways by land, ... */
    int32_t *at, *mark, *queue, *rim, *steps, *cost, *beyond, *number, *worth;
    int32_t *stop_way, *stop_money, *useful_way, *useful_money;
    uint64_t *entered;
    Face *face;
    uint8_t *land, *reached;
} Work;

static int32_t cell_of(const Work *w, int32_t q, int32_t r) { return (q + w->half) * w->width + r + w->half; }
static int32_t q_of(const Work *w, int32_t cell) { return cell / w->width - w->half; }
static int32_t r_of(const Work *w, int32_t cell) { return cell % w->width - w->half; }
static int32_t larger(int32_t one, int32_t other) { return one > other ? one : other; }

/* Hexes of tiles in the order laid, then blanks. */
static int32_t hex_cell(const Map *map, int32_t i) { return i < map->hexes ? map->hex[i].cell : map->blank[i - map->hexes]; }

static int32_t distance(const Work *w, int32_t one, int32_t other)
{
    int32_t q = q_of(w, one) - q_of(w, other), r = r_of(w, one) - r_of(w, other);
    return larger(larger(abs(q), abs(r)), abs(q + r));
}

/* Random numbers: foundation/seeds.py --------------------------------------------------------------------------------- */

static uint64_t bits64(Work *w)
{
    uint64_t z = w->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t below(Work *w, uint64_t bound)
{
    uint64_t unfair = (UINT64_MAX % bound + 1) % bound, bits;
    do
        bits = bits64(w);
    while (unfair && bits >= UINT64_MAX - unfair + 1);
    return bits % bound;
}

static void shuffle(Work *w, Piece *pile, int32_t count)
{
    for (int32_t last = count - 1; last > 0; last--) {
        int32_t other = (int32_t)below(w, (uint64_t)last + 1);
        Piece kept = pile[last];
        pile[last] = pile[other];
        pile[other] = kept;
    }
}

/* The pile: stacks.py ------------------------------------------------------------------------------------------------- */

static int32_t deal(const Work *w, Piece *pile, int homes, int others)
{
    int32_t count = 0;
    for (int32_t tile = 0; tile < w->settings->tiles; tile++)
        if (w->tiles[tile].dealt_as_home ? homes : others)
            for (int32_t copy = 1; copy <= w->tiles[tile].copies; copy++)
                pile[count++] = (Piece){tile, copy};
    return count;
}

static int32_t draw_pile(Work *w, Map *map)
{
    const Settings *s = w->settings;
    int32_t count, first_project = 1;
    map->stack = NONE;
    if (!s->stacks) {
        count = deal(w, w->pile, 1, 1);
    } else {
        int32_t homes = deal(w, w->deal, 1, 0), others = deal(w, w->deal + homes, 0, 1);
        shuffle(w, w->deal, homes);
        shuffle(w, w->deal + homes, others);
        int32_t used = (int32_t)below(w, (uint64_t)s->stacks), of_homes = s->homes_per_stack, of_others = others / s->stacks;
        count = 0;
        for (int32_t i = used * of_homes; i < (used + 1) * of_homes && i < homes; i++)
            w->pile[count++] = w->deal[i];
        for (int32_t i = used * of_others; i < (used + 1) * of_others; i++)
            w->pile[count++] = w->deal[homes + i];
        first_project = used * s->capital_projects + 1;
        map->stack = used + 1;
    }
    for (int32_t i = 0; i < s->capital_projects; i++)
        w->pile[count++] = (Piece){NONE, first_project + i};
    shuffle(w, w->pile, count);
    return count;
}

/* Laying: frontier.py, assemble.py ------------------------------------------------------------------------------------ */

static void corners_of(const Work *w, int32_t cell, int kind, int32_t corners[3])
{
    corners[0] = cell;
    corners[1] = cell + w->step[kind ? 0 : 5];
    corners[2] = cell + w->step[kind ? 1 : 0];
}

/* A bit for each turn at which the borders of a tile touch nothing. */
static int32_t turns_of(const Work *w, const int32_t corners[3], int32_t borders)
{
    int32_t turns = 7;
    for (int turn = 0; turn < 3; turn++)
        for (int hex = 0; hex < 3; hex++)
            if (borders >> hex & 1 && w->contacts[corners[(hex + turn) % 3]])
                turns &= ~(1 << turn);
    return turns;
}

static int32_t ways_of(int32_t turns) { return (turns & 1) + (turns >> 1 & 1) + (turns >> 2 & 1); }

/* A placement of a tile, each as likely as the weight of its contacts; returns among how many, 0 if there is none. */
static int32_t choose(Work *w, const Tile *tile, int32_t *cell, int *kind, int *turn)
{
    int32_t corners[3], found = 0, among = 0;
    uint64_t total = 0;
    for (int32_t q = w->low_q - 2; q <= w->high_q + 2; q++)
        for (int32_t r = w->low_r - 2; r <= w->high_r + 2; r++)
            for (int each = 0; each < 2; each++) {
                int32_t place = cell_of(w, q, r);
                corners_of(w, place, each, corners);
                if (w->taken[place] || w->taken[corners[1]] || w->taken[corners[2]])
                    continue;
                int32_t touching = w->contacts[place] + w->contacts[corners[1]] + w->contacts[corners[2]];
                if (touching < w->settings->min_contacts)
                    continue;
                int32_t turns = tile->borders ? turns_of(w, corners, tile->borders) : (1 << tile->turns) - 1;
                if (!turns)
                    continue;
                among += ways_of(turns);
                total += (uint64_t)w->settings->weights[touching] * (uint64_t)ways_of(turns);
                w->place[found] = 2 * place + each;
                w->touching[found] = touching;
                w->turn[found++] = turns;
            }
    if (!found)
        return 0;
    uint64_t pick = below(w, total);
    int32_t i = 0;
    for (;; i++) {
        uint64_t weights = (uint64_t)w->settings->weights[w->touching[i]] * (uint64_t)ways_of(w->turn[i]);
        if (pick < weights)
            break;
        pick -= weights;
    }
    int32_t nth = (int32_t)(pick / (uint64_t)w->settings->weights[w->touching[i]]);
    for (*turn = 0; !(w->turn[i] >> *turn & 1) || nth--;)
        ++*turn;
    *cell = w->place[i] >> 1;
    *kind = w->place[i] & 1;
    return among;
}

/* Lay a tile where the policy has it; false if it fits nowhere. */
static int lay_tile(Work *w, Map *map, Piece piece)
{
    const Tile *tile = &w->tiles[piece.tile];
    int32_t corners[3], hexes[3], cell = cell_of(w, 0, 0), among = 1;
    int kind = 0, turn = 0;
    if (map->hexes && !(among = choose(w, tile, &cell, &kind, &turn)))
        return 0;
    corners_of(w, cell, kind, corners);
    int32_t rotation = kind + 2 * turn;
    for (int hex = 0; hex < 3; hex++) {
        int32_t each = hexes[hex] = corners[(hex + turn) % 3], q = q_of(w, each), r = r_of(w, each);
        int32_t ground = tile->faces[rotation][hex].ground;
        w->taken[each] = w->covered[each] = 1;
        map->hex[map->hexes++] = (Hex){each, piece.tile, rotation, hex};
        if (ground == HOME)
            map->home[map->homes++] = each;
        else if (ground == CITY)
            w->city[w->cities++] = each;
        w->low_q = q < w->low_q ? q : w->low_q;
        w->high_q = q > w->high_q ? q : w->high_q;
        w->low_r = r < w->low_r ? r : w->low_r;
        w->high_r = r > w->high_r ? r : w->high_r;
    }
    for (int hex = 0; hex < 3; hex++)
        for (int edge = 0; edge < EDGES; edge++) {
            w->contacts[hexes[hex] + w->step[edge]]++;
            if (tile->borders >> hex & 1)
                w->taken[hexes[hex] + w->step[edge]] = 1;
        }
    map->draw[map->draws++] = (Draw){piece.tile, piece.copy, q_of(w, hexes[0]), r_of(w, hexes[0]), rotation, among};
    return 1;
}

/* Put a capital on a basic city; false if there is none. */
static int lay_overlay(Work *w, Map *map, Piece piece)
{
    if (!w->cities) {
        map->draw[map->draws++] = (Draw){NONE, piece.copy, 0, 0, 0, 0};
        return 0;
    }
    int32_t index = (int32_t)below(w, (uint64_t)w->cities), cell = w->city[index];
    memmove(w->city + index, w->city + index + 1, sizeof(int32_t) * (size_t)(--w->cities - index));
    map->overlay[map->overlays++] = cell;
    map->draw[map->draws++] = (Draw){NONE, piece.copy, q_of(w, cell), r_of(w, cell), 0, 1};
    return 1;
}

/* Lay a whole pile; false if a tile fits nowhere. Projects that no city takes go to the bottom. */
static int lay_pile(Work *w, Map *map, int32_t undrawn)
{
    int32_t first = 0, end = undrawn;
    memset(w->taken, 0, (size_t)w->cells);
    memset(w->contacts, 0, (size_t)w->cells);
    memset(w->covered, 0, (size_t)w->cells);
    w->cities = w->low_q = w->high_q = w->low_r = w->high_r = 0;
    map->draws = map->hexes = map->homes = map->overlays = 0;
    for (; first < end && (undrawn > 0 || w->cities); undrawn--) {
        Piece piece = w->pile[first++];
        if (piece.tile == NONE) {
            if (!lay_overlay(w, map, piece))
                w->pile[end++] = piece;
        } else if (!lay_tile(w, map, piece)) {
            return 0;
        }
    }
    return 1;
}

/* Blanks: blanks.py --------------------------------------------------------------------------------------------------- */

/* The place beside the neediest home that serves most homes, then touches most of the map, then comes first. */
static int32_t next_blank(const Work *w, const Map *map, const int32_t *serves)
{
    int32_t neediest = 0, best = NONE;
    for (int choosing = 0; choosing < 2; choosing++)
        for (int32_t i = 0; i < map->homes; i++) {
            int32_t open = 0;
            for (int edge = 0; edge < EDGES; edge++)
                open += serves[map->home[i] + w->step[edge]] > 0;
            if (!choosing)
                neediest = larger(neediest, open);
            for (int edge = 0; choosing && open == neediest && edge < EDGES; edge++) {
                int32_t place = map->home[i] + w->step[edge];
                if (serves[place] <= 0)
                    continue;
                int32_t more = best == NONE ? 1 : serves[place] - serves[best];
                if (!more)
                    more = w->contacts[place] - w->contacts[best];
                if (more > 0 || (!more && place < best))
                    best = place;
            }
        }
    return best;
}

/* Blanks on the empty places beside homes, sorted; `covered` is used up. */
static void lay_blanks(Work *w, Map *map)
{
    int32_t *serves = w->mark, wanted = 0, limit = w->settings->blanks; /* serves: how many homes; NONE once it is laid */
    memset(serves, 0, sizeof(int32_t) * (size_t)w->cells);
    for (int32_t i = 0; i < map->homes; i++)
        for (int edge = 0; edge < EDGES; edge++) {
            int32_t place = map->home[i] + w->step[edge];
            if (!w->taken[place] && !serves[place]++)
                wanted++;
        }
    int all = limit < 0 || limit >= wanted;
    for (int32_t count = 0; !all && count < limit; count++)
        serves[next_blank(w, map, serves)] = NONE;
    map->blanks = 0;
    for (int32_t q = w->low_q - 1; q <= w->high_q + 1; q++)
        for (int32_t r = w->low_r - 1; r <= w->high_r + 1; r++) {
            int32_t place = cell_of(w, q, r);
            if (all ? serves[place] > 0 : serves[place] == NONE)
                map->blank[map->blanks++] = place;
        }
}

/* The score of the policy "best": score.py ---------------------------------------------------------------------------- */

/* The greatest extent in steps along the three axes of the first `count` hexes. */
static int32_t extent(const Work *w, const Map *map, int32_t count)
{
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        int32_t q = q_of(w, hex_cell(map, i)), r = r_of(w, hex_cell(map, i)), way[3] = {q, r, q + r};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = !i || way[axis] < low[axis] ? way[axis] : low[axis];
            high[axis] = !i || way[axis] > high[axis] ? way[axis] : high[axis];
        }
    }
    return larger(larger(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

static int32_t score_of(Work *w, const Map *map)
{
    const Settings *s = w->settings;
    int32_t rim = 0, cramped = 0, crowding = 0, count = map->hexes + map->blanks;
    for (int32_t i = 0; i < map->blanks; i++)
        w->covered[map->blank[i]] = 1;
    for (int32_t i = 0; i < count; i++)
        for (int edge = 0; edge < EDGES; edge++)
            rim += !w->covered[hex_cell(map, i) + w->step[edge]];
    for (int32_t i = 0; i < map->homes; i++) {
        int32_t nearest = s->score_apart;
        for (int edge = 0; edge < EDGES; edge++)
            cramped += !w->covered[map->home[i] + w->step[edge]];
        for (int32_t j = 0; j < map->homes; j++)
            if (j != i && distance(w, map->home[i], map->home[j]) < nearest)
                nearest = distance(w, map->home[i], map->home[j]);
        crowding += s->score_apart - nearest;
    }
    return rim + s->score_long * (extent(w, map, count) + 1) + s->score_crowded * crowding + s->score_cramped * cramped;
}

/* One whole map, after as many restarts as it takes; false if there are too many. */
static int finish(Work *w, Map *map)
{
    for (map->restarts = 0; map->restarts < w->settings->max_restarts; map->restarts++)
        if (lay_pile(w, map, draw_pile(w, map))) {
            lay_blanks(w, map);
            return 1;
        }
    return 0;
}

/* The map of a seed; NULL if the box allows none. */
static const Map *assemble(Work *w, uint64_t seed)
{
    int kept = 0;
    w->state = seed;
    for (int32_t i = 0; i < w->settings->maps; i++) {
        Map *map = &w->map[i ? !kept : 0];
        if (!finish(w, map))
            return NULL;
        if (w->settings->maps > 1)
            map->score = score_of(w, map);
        if (!i || map->score < w->map[kept].score)
            kept = (int)(map - w->map);
    }
    return &w->map[kept];
}

/* Measures: measures.py, fairness.py ---------------------------------------------------------------------------------- */

typedef struct {
    int32_t number, sum, least, greatest;
} Spread;

/* What goes out for a map. compiled.py has the same fields in the same order. */
typedef struct {
    int32_t restarts, columns, half_rows, hexes, blanks, perimeter, diameter, gaps, gap_hexes, homes;
    int32_t destinations, destinations_blocked, dead_exits, land_parts, land_largest;
    int32_t capital_steps, capital_pairs, city_steps, city_pairs;
    int32_t home_pairs_apart, dead_land, homes_short_of_cities, homes_without_destination, homes_without_capital;
    int32_t stranded_homes, worth, worth_apart;
    Spread home_distance, home_land, income, mountain_cost, city_way, destination_way, destination_cost, capital_way;
    Spread capital_cost, rivals, train[MAX_TRAINS];
} Row;

/* A map by numbers of its hexes: those of tiles in the order laid, then blanks. `destination` has for each hex the number of its
 * destination, or NONE. */
typedef struct {
    int32_t count, tiled, homes, cities, capitals, destinations;
    int32_t *home, *city, *capital, *destination;
    int bridged;
} Ground;

static int is_land(const Face *face)
{
    return face->ground == HOME || face->ground == PLAIN || face->ground == MOUNTAIN || face->ground == CITY;
}

static int takes_track(const Face *face) { return is_land(face) || face->ground == WATER; }

static int is_open(const Face *face, int edge) { return face->open_edges >> edge % EDGES & 1; }

static void count_in(Spread *spread, int32_t value)
{
    if (!spread->number || value < spread->least)
        spread->least = value;
    if (!spread->number || value > spread->greatest)
        spread->greatest = value;
    spread->number++;
    spread->sum += value;
}

static int ascending(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static void look_at_hexes(Work *w, const Map *map, Ground *g)
{
    int brought = !w->settings->stacks;
    memset(g, 0, sizeof *g);
    g->count = map->hexes + map->blanks;
    g->tiled = map->hexes;
    g->home = w->number;
    g->city = g->home + g->count;
    g->capital = g->city + g->count;
    g->destination = g->capital + g->count;
    memset(w->at, 0xff, sizeof(int32_t) * (size_t)w->cells);
    for (int32_t i = 0; i < g->count; i++)
        w->at[hex_cell(map, i)] = i;
    for (int32_t i = 0; i < g->count; i++) {
        int32_t cell = hex_cell(map, i);
        for (int edge = 0; edge < EDGES; edge++)
            w->beyond[i * EDGES + edge] = w->at[cell + w->step[edge]];
        w->entered[i] = 0;
        g->destination[i] = NONE;
        if (i >= g->tiled) {
            w->face[i] = (Face){PLAIN, 63, 0, 0, 0, 0};
            continue;
        }
        const Hex *hex = &map->hex[i];
        const Tile *tile = &w->tiles[hex->tile];
        w->face[i] = tile->faces[hex->rotation][hex->place];
        g->bridged |= tile->bridges != 0;
        brought |= tile->brings;
        if (w->face[i].ground == HOME) {
            g->home[g->homes++] = i;
        } else if (w->face[i].ground == CITY) {
            g->city[g->cities++] = i;
            for (int32_t j = 0; j < map->overlays; j++)
                if (map->overlay[j] == cell) {
                    g->capital[g->capitals++] = i;
                    w->face[i].income = w->settings->capital_income;
                    w->face[i].green = w->settings->capital_green;
                }
        } else if (w->face[i].ground == DESTINATION) {
            int is_new = 1;
            for (int32_t j = i - hex->place; j < i; j++)
                is_new &= w->face[j].ground != DESTINATION;
            g->destinations += is_new;
            g->destination[i] = g->destinations - 1;
        }
    }
    g->bridged |= w->settings->homeless_bridge && brought;
}

/* Ways by land, and into destinations. */
static void link_hexes(Work *w, const Ground *g)
{
    for (int32_t i = 0; i < g->count; i++) {
        const Face *face = &w->face[i];
        w->land[i] = 0;
        for (int edge = 0; edge < EDGES; edge++) {
            int32_t other = w->beyond[i * EDGES + edge];
            if (other < 0 || !takes_track(&w->face[other]) || !is_open(&w->face[other], edge + 3))
                continue;
            if (is_land(face) && is_land(&w->face[other]) && is_open(face, edge))
                w->land[i] |= (uint8_t)(1 << edge);
            if (g->destination[i] != NONE && face->exits >> edge & 1)
                w->entered[other] |= UINT64_C(1) << g->destination[i];
        }
    }
}

static void measure_table(const Work *w, const Map *map, const Ground *g, Row *row)
{
    int32_t low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (int32_t i = 0; i < g->count; i++) {
        int32_t x = q_of(w, hex_cell(map, i)), y = 2 * r_of(w, hex_cell(map, i)) + x;
        low_x = !i || x < low_x ? x : low_x;
        high_x = !i || x > high_x ? x : high_x;
        low_y = !i || y < low_y ? y : low_y;
        high_y = !i || y > high_y ? y : high_y;
    }
    row->columns = high_x - low_x + 1;
    row->half_rows = high_y - low_y + 2;
}

/* Connected empty places that are enclosed. */
static void measure_gaps(Work *w, const Map *map, const Ground *g, Row *row)
{
    enum { ON_RIM = 1, SEEN = 2 };
    int32_t rim = 0, low_q = 0, high_q = 0, low_r = 0, high_r = 0, *mark = w->mark;
    memset(mark, 0, sizeof(int32_t) * (size_t)w->cells);
    for (int32_t i = 0; i < g->count; i++)
        for (int edge = 0; edge < EDGES; edge++) {
            int32_t cell = hex_cell(map, i) + w->step[edge], q = q_of(w, cell), r = r_of(w, cell);
            if (w->beyond[i * EDGES + edge] >= 0 || mark[cell])
                continue;
            low_q = !rim || q < low_q ? q : low_q;
            high_q = !rim || q > high_q ? q : high_q;
            low_r = !rim || r < low_r ? r : low_r;
            high_r = !rim || r > high_r ? r : high_r;
            mark[cell] = ON_RIM;
            w->rim[rim++] = cell;
        }
    for (int32_t i = 0; i < rim; i++) {
        int32_t size = 0;
        int outside = 0;
        if (mark[w->rim[i]] == SEEN)
            continue;
        mark[w->rim[i]] = SEEN;
        w->queue[size++] = w->rim[i];
        for (int32_t j = 0; j < size; j++) {
            int32_t q = q_of(w, w->queue[j]), r = r_of(w, w->queue[j]);
            outside |= !(low_q < q && q < high_q && low_r < r && r < high_r);
            for (int edge = 0; edge < EDGES; edge++) {
                int32_t next_q = q + DQ[edge], next_r = r + DR[edge], next = cell_of(w, next_q, next_r);
                if (next_q < low_q || next_q > high_q || next_r < low_r || next_r > high_r)
                    continue;
                if (mark[next] == SEEN || w->at[next] >= 0)
                    continue;
                mark[next] = SEEN;
                w->queue[size++] = next;
            }
        }
        row->gaps += !outside;
        row->gap_hexes += outside ? 0 : size;
    }
}

static void measure_exits(const Work *w, const Ground *g, Row *row)
{
    uint64_t alive = 0;
    for (int32_t i = 0; i < g->count; i++)
        for (int edge = 0; edge < EDGES; edge++) {
            int32_t other = w->beyond[i * EDGES + edge];
            row->perimeter += i < g->tiled && !(0 <= other && other < g->tiled);
            if (!(w->face[i].exits >> edge & 1))
                continue;
            if (other < 0 || !is_open(&w->face[other], edge + 3) || (w->face[other].ground == WATER && !g->bridged)
                || (w->face[i].ground == DESTINATION && w->face[other].ground == DESTINATION))
                row->dead_exits++;
            else if (w->face[i].ground == DESTINATION)
                alive |= UINT64_C(1) << g->destination[i];
        }
    row->destinations = row->destinations_blocked = g->destinations;
    for (; alive; alive &= alive - 1)
        row->destinations_blocked--;
}

static int32_t cost_of(const Face *face, int32_t bonus) { return face->cost ? face->cost - bonus : 0; }

/* Steps by land from a hex to every other (NONE: no way) and their least cost, with a bonus for each that is paid; returns
 * how many are reached, w->queue has them from near to far. */
static int32_t find_ways(Work *w, const Ground *g, int32_t from, int32_t bonus)
{
    int32_t size = 0, *steps = w->steps, *cost = w->cost, *queue = w->queue;
    for (int32_t i = 0; i < g->count; i++)
        steps[i] = NONE;
    steps[from] = 0;
    cost[from] = cost_of(&w->face[from], bonus);
    queue[size++] = from;
    for (int32_t layer = 0; layer < size;) {
        int32_t end = size;
        for (int32_t i = layer; i < end; i++) {
            int32_t number = queue[i], land = w->land[number], next = steps[number] + 1, price = cost[number];
            const int32_t *beyond = w->beyond + number * EDGES;
            for (; land; land >>= 1, beyond++) {
                if (!(land & 1))
                    continue;
                int32_t other = *beyond;
                if (steps[other] == NONE) {
                    steps[other] = next;
                    cost[other] = price;
                    queue[size++] = other;
                } else if (steps[other] == next && price < cost[other]) {
                    cost[other] = price;
                }
            }
        }
        for (layer = end; end < size; end++)
            cost[queue[end]] += cost_of(&w->face[queue[end]], bonus);
    }
    return size;
}

/* The same over water as well, with at most so many bridges on each way; costs stay as they are. */
static int32_t find_bridged_ways(Work *w, const Ground *g, int32_t from)
{
    int32_t size = 0, reached = 0, *steps = w->steps, *fewest = w->mark, *used = w->rim;
    for (int32_t i = 0; i < g->count; i++) {
        steps[i] = NONE;
        fewest[i] = BRIDGES + 1;
    }
    steps[from] = fewest[from] = used[0] = 0;
    w->queue[size++] = from;
    for (int32_t layer = 0, step = 1; layer < size; step++)
        for (int32_t end = size; layer < end; layer++) {
            int32_t number = w->queue[layer];
            for (int edge = 0; edge < EDGES; edge++) {
                int32_t other = w->beyond[number * EDGES + edge];
                if (other < 0 || !takes_track(&w->face[other]) || !is_open(&w->face[number], edge)
                    || !is_open(&w->face[other], edge + 3))
                    continue;
                int32_t bridges = used[layer] + (w->face[other].ground == WATER);
                if (bridges >= fewest[other])
                    continue;
                fewest[other] = bridges;
                steps[other] = steps[other] == NONE ? step : steps[other];
                used[size] = bridges;
                w->queue[size++] = other;
            }
        }
    for (int32_t i = 0; i < size; i++) { /* each hex once, where it was reached first */
        int32_t number = w->queue[i];
        if (fewest[number] <= BRIDGES) {
            fewest[number] = BRIDGES + 1;
            w->queue[reached++] = number;
        }
    }
    return reached;
}

static void measure_parts(Work *w, const Ground *g, Row *row)
{
    for (int32_t i = 0; i < g->count; i++)
        w->mark[i] = is_land(&w->face[i]);
    for (int32_t i = 0; i < g->count; i++) {
        if (!w->mark[i])
            continue;
        int32_t size = find_ways(w, g, i, 0);
        for (int32_t j = 0; j < size; j++)
            w->mark[w->queue[j]] = 0;
        row->land_parts++;
        row->land_largest = larger(row->land_largest, size);
    }
}

/* The most that `others` of the useful stops from `first` on, which are sorted by way, pay on a track of this length. Money
 * is doubled, and odd where one of the suburbs may be laid; none of them pays more than `top`. */
static int32_t best_of(const Work *w, int32_t useful, int32_t first, int32_t others, int32_t track, int32_t suburbs, int32_t top)
{
    int32_t most = 0;
    for (int32_t i = first; i < useful && w->useful_way[i] <= track; i++) {
        int32_t token = w->useful_money[i] & (suburbs > 0);
        int32_t paid = (w->useful_money[i] >> 1) + token * w->settings->suburb_income;
        if (paid + (others - 1) * top <= most)
            continue; /* not even with the best of all */
        if (others > 1)
            paid += best_of(w, useful, i + 1, others - 1, track - w->useful_way[i], suburbs - token, top);
        most = larger(most, paid);
    }
    return most;
}

static int32_t train_income(Work *w, const Train *train, int32_t own, int32_t stops, int32_t extra, int32_t suburbs)
{
    int32_t others = train->number + extra - 1, useful = 0, top = 0;
    for (int32_t i = 1; i < stops; i++) { /* sorted by way; of equal ways the one that pays most first */
        int32_t way = w->stop_way[i], money = w->stop_money[i], j = i;
        for (; j && (w->stop_way[j - 1] > way || (w->stop_way[j - 1] == way && w->stop_money[j - 1] < money)); j--) {
            w->stop_way[j] = w->stop_way[j - 1];
            w->stop_money[j] = w->stop_money[j - 1];
        }
        w->stop_way[j] = way;
        w->stop_money[j] = money;
    }
    for (int32_t i = 0; i < stops && w->stop_way[i] <= train->track; i++) {
        int32_t as_good = 0;
        for (int32_t j = 0; j < useful && as_good < others; j++)
            as_good += w->useful_money[j] >= w->stop_money[i] && !((w->useful_money[j] ^ w->stop_money[i]) & 1);
        if (as_good < others) {
            w->useful_way[useful] = w->stop_way[i];
            w->useful_money[useful++] = w->stop_money[i];
            top = larger(top, w->stop_money[i] >> 1);
        }
    }
    top += suburbs ? w->settings->suburb_income : 0;
    return own + (others ? best_of(w, useful, 0, others, train->track, suburbs, top) : 0);
}

/* What all trains pay; w->queue has the hexes reached from the home. */
static int32_t measure_trains(Work *w, int32_t home, int32_t reached, int32_t extra, int32_t suburbs, Row *row)
{
    const Settings *s = w->settings;
    int32_t worth = 0;
    for (int32_t each = 0; each < s->trains; each++) {
        const Train *train = &s->train[each];
        int32_t stops = 0;
        uint64_t seen = 0;
        for (int32_t i = 0; i < reached && w->steps[w->queue[i]] <= train->track; i++) {
            int32_t number = w->queue[i];
            uint64_t fresh = w->entered[number] & ~seen;
            if (w->face[number].income && number != home) {
                const Face *face = &w->face[number];
                int basic = suburbs && face->income == s->city_income && face->green == s->city_green;
                w->stop_way[stops] = w->steps[number];
                w->stop_money[stops++] = (train->green ? face->green : face->income) * 2 + basic;
            }
            for (seen |= fresh; fresh; fresh &= fresh - 1) {
                w->stop_way[stops] = w->steps[number] + 1;
                w->stop_money[stops++] = (train->green ? s->destination_green : s->destination_income) * 2;
            }
        }
        int32_t own = train->green ? w->face[home].green : w->face[home].income;
        int32_t paid = train_income(w, train, own, stops, extra, suburbs);
        count_in(&row->train[each], paid);
        worth += paid;
    }
    return worth;
}

/* Is the way to this hex shorter, or as short and cheaper? */
static int is_nearer(int32_t way, int32_t cost, int32_t than_way, int32_t than_cost)
{
    return than_way == NONE || way < than_way || (way == than_way && cost < than_cost);
}

/* Cost of the ways to the two nearest cities, if they exist, with a bonus for each mountain; the ways are found again. */
static int32_t paid_with_bonus(Work *w, const Ground *g, int32_t home, int32_t bonus)
{
    int32_t reached = find_ways(w, g, home, bonus), way[2] = {NONE, NONE}, price[2] = {0, 0};
    for (int32_t i = 1; i < reached; i++) {
        int32_t number = w->queue[i], steps = w->steps[number], cost = w->cost[number];
        if (!w->face[number].income)
            continue;
        if (is_nearer(steps, cost, way[0], price[0])) {
            way[1] = way[0];
            price[1] = price[0];
            way[0] = steps;
            price[0] = cost;
        } else if (is_nearer(steps, cost, way[1], price[1])) {
            way[1] = steps;
            price[1] = cost;
        }
    }
    return price[0] + price[1] - cost_of(&w->face[home], bonus);
}

/* Everything of one home on a place of a tile; returns its worth. w->queue has the hexes reached from it. */
static int32_t measure_home(Work *w, const Ground *g, int32_t home, int32_t reached, const Tile *tile, int32_t place, Row *row)
{
    const Settings *s = w->settings;
    int32_t income = 0, rivals = 0, way[2] = {NONE, NONE}, price[2] = {0, 0};
    int32_t destination_way = NONE, destination_cost = 0, capital_way = NONE, capital_cost = 0;
    int stranded = 1;
    uint64_t near = 0;
    for (int32_t i = 0; i < reached; i++) {
        int32_t number = w->queue[i], steps = w->steps[number], cost = w->cost[number], paid = w->face[number].income;
        if (steps && steps <= s->reach)
            income += paid;
        if (steps < s->reach)
            near |= w->entered[number];
        if (w->entered[number] && is_nearer(steps, cost, destination_way, destination_cost)) {
            destination_way = steps;
            destination_cost = cost;
        }
        stranded &= !w->entered[number] && (!paid || number == home);
        if (!steps || !paid)
            continue;
        if (is_nearer(steps, cost, way[0], price[0])) { /* the two nearest, among those the cheapest */
            way[1] = way[0];
            price[1] = price[0];
            way[0] = steps;
            price[0] = cost;
        } else if (is_nearer(steps, cost, way[1], price[1])) {
            way[1] = steps;
            price[1] = cost;
        }
    }
    for (int32_t i = 0; i < g->capitals; i++) {
        int32_t steps = w->steps[g->capital[i]], cost = w->cost[g->capital[i]];
        if (steps != NONE && is_nearer(steps, cost, capital_way, capital_cost)) {
            capital_way = steps;
            capital_cost = cost;
        }
    }
    for (int32_t i = 0; i < g->homes; i++) {
        int32_t steps = w->steps[g->home[i]];
        rivals += g->home[i] != home && steps != NONE && steps <= s->reach;
    }
    for (; near; near &= near - 1)
        income += s->destination_income;
    int32_t both = way[1] == NONE ? 0 : price[0] + price[1] - w->face[home].cost, paid_net = larger(both, 0);
    if (tile->bonus[place] && way[1] != NONE)
        paid_net = paid_with_bonus(w, g, home, tile->bonus[place]);
    if (tile->bridges >> place & 1)
        reached = find_bridged_ways(w, g, home);
    int32_t worth = measure_trains(w, home, reached, tile->extra[place], tile->suburbs[place], row) - paid_net;
    count_in(&row->income, income);
    count_in(&row->rivals, rivals);
    row->stranded_homes += stranded;
    row->homes_short_of_cities += way[1] == NONE;
    row->homes_without_destination += destination_way == NONE;
    row->homes_without_capital += capital_way == NONE;
    if (way[1] != NONE) {
        count_in(&row->city_way, way[0] + way[1]);
        count_in(&row->mountain_cost, both);
    }
    if (destination_way != NONE) {
        count_in(&row->destination_way, destination_way + 1);
        count_in(&row->destination_cost, destination_cost);
    }
    if (capital_way != NONE) {
        count_in(&row->capital_way, capital_way);
        count_in(&row->capital_cost, capital_cost);
    }
    return larger(worth, 0);
}

static void measure_homes(Work *w, const Map *map, const Ground *g, Row *row)
{
    memset(w->reached, 0, (size_t)g->count);
    for (int32_t i = 0; i < g->homes; i++) {
        int32_t home = g->home[i], reached = find_ways(w, g, home, 0);
        for (int32_t j = 0; j < reached; j++)
            w->reached[w->queue[j]] = 1;
        for (int32_t j = i + 1; j < g->homes; j++) {
            count_in(&row->home_distance, distance(w, hex_cell(map, home), hex_cell(map, g->home[j])));
            if (w->steps[g->home[j]] == NONE)
                row->home_pairs_apart++;
            else
                count_in(&row->home_land, w->steps[g->home[j]]);
        }
        for (int32_t j = 0; j < g->capitals; j++)
            row->capital_steps += distance(w, hex_cell(map, g->capital[j]), hex_cell(map, home));
        for (int32_t j = 0; j < g->cities; j++)
            row->city_steps += distance(w, hex_cell(map, g->city[j]), hex_cell(map, home));
        w->worth[i] = measure_home(w, g, home, reached, &w->tiles[map->hex[home].tile], map->hex[home].place, row);
        row->worth += w->worth[i];
    }
    row->capital_pairs = g->homes * g->capitals;
    row->city_pairs = g->homes * g->cities;
    for (int32_t i = 0; i < g->count; i++)
        row->dead_land += is_land(&w->face[i]) && !w->reached[i];
    qsort(w->worth, (size_t)g->homes, sizeof(int32_t), ascending);
    for (int32_t i = 0; i < g->homes; i++)
        row->worth_apart += (2 * (i + 1) - g->homes - 1) * w->worth[i];
}

static void measure(Work *w, const Map *map, Row *row)
{
    Ground g;
    memset(row, 0, sizeof *row);
    look_at_hexes(w, map, &g);
    link_hexes(w, &g);
    row->restarts = map->restarts;
    row->hexes = g.tiled;
    row->blanks = map->blanks;
    row->homes = g.homes;
    row->diameter = extent(w, map, g.tiled);
    measure_table(w, map, &g, row);
    measure_gaps(w, map, &g, row);
    measure_exits(w, &g, row);
    measure_parts(w, &g, row);
    measure_homes(w, map, &g, row);
}

/* Calls --------------------------------------------------------------------------------------------------------------- */

typedef struct {
    void *block[64];
    int count, failed;
} Store;

static void *reserve(Store *store, size_t count, size_t size)
{
    void *found = calloc(count ? count : 1, size);
    store->failed |= !found;
    store->block[store->count++] = found;
    return found;
}

/* Room for all maps of the box: a tile covers three hexes, each with at most six blanks around it. */
static void prepare(Work *w, Store *store, const Settings *s, const Tile *tiles)
{
    memset(w, 0, sizeof *w);
    w->settings = s;
    w->tiles = tiles;
    for (int32_t tile = 0; tile < s->tiles; tile++)
        w->pieces += tiles[tile].copies;
    size_t most = (size_t)w->pieces * 3 * 7 + 1;
    w->half = 2 * w->pieces + 6;
    w->width = 2 * w->half + 1;
    w->cells = w->width * w->width;
    w->pieces += s->capital_projects * (s->stacks ? s->stacks : 1);
    for (int edge = 0; edge < EDGES; edge++)
        w->step[edge] = DQ[edge] * w->width + DR[edge];
    size_t cells = (size_t)w->cells, pieces = 2 * (size_t)w->pieces + 2, all = cells > most ? cells : most;
    w->taken = reserve(store, cells, 1);
    w->contacts = reserve(store, cells, 1);
    w->covered = reserve(store, cells, 1);
    w->land = reserve(store, most, 1);
    w->reached = reserve(store, most, 1);
    w->pile = reserve(store, pieces, sizeof(Piece));
    w->deal = reserve(store, pieces, sizeof(Piece));
    w->entered = reserve(store, most, sizeof(uint64_t));
    w->face = reserve(store, most, sizeof(Face));
    for (int i = 0; i < 2; i++) {
        w->map[i].draw = reserve(store, pieces, sizeof(Draw));
        w->map[i].hex = reserve(store, most, sizeof(Hex));
        w->map[i].home = reserve(store, most, sizeof(int32_t));
        w->map[i].overlay = reserve(store, pieces, sizeof(int32_t));
        w->map[i].blank = reserve(store, most, sizeof(int32_t));
    }
    struct {
        int32_t **numbers;
        size_t count;
    } wanted[] = {{&w->city, most}, {&w->place, 2 * cells}, {&w->touching, 2 * cells}, {&w->turn, 2 * cells}, {&w->at, cells},
                  {&w->mark, all}, {&w->queue, all}, {&w->rim, cells}, {&w->steps, most}, {&w->cost, most},
                  {&w->beyond, EDGES * most}, {&w->number, 4 * most}, {&w->worth, most}, {&w->stop_way, most + 64},
                  {&w->stop_money, most + 64}, {&w->useful_way, most + 64}, {&w->useful_money, most + 64}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        *wanted[i].numbers = reserve(store, wanted[i].count, sizeof(int32_t));
}

/* The sizes of what goes in and out, in whole numbers of 32 bits, by which a test holds compiled.py. */
EXPORT
void platelayer_sizes(int32_t sizes[5])
{
    sizes[0] = sizeof(Settings) / sizeof(int32_t);
    sizes[1] = sizeof(Tile) / sizeof(int32_t);
    sizes[2] = sizeof(Row) / sizeof(int32_t);
    sizes[3] = sizeof(Draw) / sizeof(int32_t);
    sizes[4] = MAX_TRAINS;
}

/* The rows of the maps of `count` seeds. If `draws` is not NULL, the logs too: `room` draws and `room` blanks (q, r) for each map, and
 * three numbers in `logs`: how many of both there are, and the stack (NONE: no stacks). */
EXPORT
int32_t platelayer_maps(const Settings *settings, const Tile *tiles, const uint64_t *seeds, int32_t count, Row *rows,
                        int32_t room, Draw *draws, int32_t *blanks, int32_t *logs)
{
    Work w;
    Store store = {.count = 0};
    prepare(&w, &store, settings, tiles);
    int32_t fault = store.failed ? FAULT_MEMORY : 0;
    for (int32_t i = 0; !fault && i < count; i++) {
        const Map *map = assemble(&w, seeds[i]);
        if (!map) {
            fault = FAULT_NO_MAP;
            break;
        }
        measure(&w, map, &rows[i]);
        if (!draws)
            continue;
        if (map->draws > room || map->blanks > room) {
            fault = FAULT_MEMORY;
            break;
        }
        size_t first = (size_t)i * (size_t)room;
        memcpy(draws + first, map->draw, sizeof(Draw) * (size_t)map->draws);
        for (size_t j = 0; j < (size_t)map->blanks; j++) {
            blanks[2 * (first + j)] = q_of(&w, map->blank[j]);
            blanks[2 * (first + j) + 1] = r_of(&w, map->blank[j]);
        }
        logs[3 * i] = map->draws;
        logs[3 * i + 1] = map->blanks;
        logs[3 * i + 2] = map->stack;
    }
    while (store.count)
        free(store.block[--store.count]);
    return fault;
}
