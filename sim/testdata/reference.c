/*
 * A second implementation of the closed loop, written from the model's equations alone and sharing no
 * code or method with the Go packages: plain value iteration with a dense table, the full guidance
 * vectors projected afterwards, textbook Runge-Kutta on a state of six, detection by brute force. It
 * prints the table that reference_test.go compares with.
 *
 *	gcc -O2 -ffp-contract=off -o /tmp/reference reference.c -lm && /tmp/reference > reference.csv
 *
 * Noise: splitmix64 seeded with the run number; a normal is the sum of 12 uniforms less 6, because that
 * needs no library function and so is the same number in every language.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, STATES = SIDE * SIDE, ACTIONS = 5, START = 7 * SIDE, GOAL = 11 * SIDE + 16, MAXSTEPS = 200000 };
static const double SPACING = 12.5, SPEED = 1.7, LIMIT = 0.2, DISCOUNT = 0.95, PI = 3.14159265358979323846;

typedef struct { double lambda, rho, slip, dt, steepening_deg, genex_n, sigma; int consecutive; } Setting;
typedef struct { double r[3], v[3], a[3]; } Sample;
typedef struct { int engaged; double waypoint[3], arrival[3]; } Steering;

static Sample history[MAXSTEPS];
static double reward[STATES][ACTIONS], private_reward[STATES][ACTIONS];

static uint64_t splitmix(uint64_t *state) {
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static double normal(uint64_t *state) {
	double sum = 0;
	for (int i = 0; i < 12; i++) sum += (double)(splitmix(state) >> 11) * 0x1p-53;
	return sum - 6;
}

static int outcome(int state, int action) {
	int column = state % SIDE, row = state / SIDE;
	if (action < 4) {
		int c = column + (action == 2) - (action == 3), r = row + (action == 0) - (action == 1);
		return c < 0 || c >= SIDE || r < 0 || r >= SIDE ? state : r * SIDE + c;
	}
	int best = state;
	double nearest = 1e300;
	for (int r = row - 1; r <= row + 1; r++)
		for (int c = column - 1; c <= column + 1; c++) {
			if (c < 0 || c >= SIDE || r < 0 || r >= SIDE) continue;
			double d = hypot(c - GOAL % SIDE, r - GOAL / SIDE);
			if (d < nearest) { nearest = d; best = r * SIDE + c; }
		}
	return best;
}

static double backup(double r[STATES][ACTIONS], const double *value, int s, int a, double slip) {
	double expected = (1 - slip) * value[outcome(s, a)];
	for (int b = 0; b < ACTIONS; b++)
		if (b != a) expected += slip / 4 * value[outcome(s, b)];
	return r[s][a] + DISCOUNT * expected;
}

static void value_iteration(double r[STATES][ACTIONS], double slip, double *value, int *policy) {
	static double next[STATES];
	memset(value, 0, STATES * sizeof *value);
	for (double change = 1; change > 1e-12;) {
		change = 0;
		for (int s = 0; s < STATES; s++) {
			next[s] = -1e300;
			for (int a = 0; a < ACTIONS; a++) {
				double q = backup(r, value, s, a, slip);
				if (q > next[s]) { next[s] = q; policy[s] = a; }
			}
			change = fmax(change, fabs(next[s] - value[s]));
		}
		memcpy(value, next, sizeof next);
	}
}

static double policy_value(const int *policy, double slip) {
	static double value[STATES], next[STATES];
	memset(value, 0, sizeof value);
	for (double change = 1; change > 1e-13;) {
		change = 0;
		for (int s = 0; s < STATES; s++) {
			next[s] = backup(reward, value, s, policy[s], slip);
			change = fmax(change, fabs(next[s] - value[s]));
		}
		memcpy(value, next, sizeof next);
	}
	return value[START];
}

static double norm(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static void acceleration(const Steering *s, const Setting *set, const double *r, const double *v, double *a) {
	if (s->engaged) {
		double k1 = (set->genex_n + 2) * (set->genex_n + 3), k2 = -(set->genex_n + 1) * (set->genex_n + 2);
		double tgo = fmax(norm(r) / SPEED, 0.3);
		for (int i = 0; i < 3; i++)
			a[i] = (k1 * (-r[i] - v[i] * tgo) + k2 * (s->arrival[i] - v[i]) * tgo) / (tgo * tgo);
	} else {
		double d[3] = { s->waypoint[0] - r[0], s->waypoint[1] - r[1], s->waypoint[2] - r[2] };
		double tgo = fmax(norm(d) / SPEED, 2);
		for (int i = 0; i < 2; i++) a[i] = 3 / (tgo * tgo) * (d[i] - v[i] * tgo);
		a[2] = 0;
	}
	double along = (a[0] * v[0] + a[1] * v[1] + a[2] * v[2]) / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int i = 0; i < 3; i++) a[i] -= along * v[i];
	double size = norm(a);
	if (size > LIMIT)
		for (int i = 0; i < 3; i++) a[i] *= LIMIT / size;
}

static void derivative(const Steering *s, const Setting *set, const double *x, double *dx) {
	memcpy(dx, x + 3, 3 * sizeof *dx);
	acceleration(s, set, x, x + 3, dx + 3);
}

static void runge_kutta(const Steering *s, const Setting *set, double *x) {
	double k[4][6], y[6];
	derivative(s, set, x, k[0]);
	for (int stage = 1; stage < 4; stage++) {
		for (int i = 0; i < 6; i++) y[i] = x[i] + (stage == 3 ? 1 : 0.5) * set->dt * k[stage - 1][i];
		derivative(s, set, y, k[stage]);
	}
	for (int i = 0; i < 6; i++) x[i] += set->dt / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
	double speed = norm(x + 3);
	for (int i = 3; i < 6; i++) x[i] *= SPEED / speed;
}

static void engage(Steering *s, const Setting *set, const double *r) {
	double heading = atan2(-r[1], -r[0]), pitch = -asin(r[2] / norm(r)) - set->steepening_deg * PI / 180;
	s->engaged = 1;
	s->arrival[0] = SPEED * cos(pitch) * cos(heading);
	s->arrival[1] = SPEED * cos(pitch) * sin(heading);
	s->arrival[2] = SPEED * sin(pitch);
}

static void locate(int state, double *p) {
	p[0] = -200 + SPACING * (state % SIDE);
	p[1] = -50 + SPACING * (state / SIDE - 7);
	p[2] = 10;
}

static double planar(const double *a, const double *b) { return hypot(a[0] - b[0], a[1] - b[1]); }

static double detect(int samples, const Setting *set) {
	int inside = 0;
	for (int i = 0; i < samples; i++) {
		double T = (samples - 1 - i) * set->dt, lag, p[3];
		if (set->lambda == 0) lag = T * T / 2;
		else lag = T / set->lambda - (1 - exp(-set->lambda * T)) / (set->lambda * set->lambda);
		for (int j = 0; j < 3; j++) p[j] = history[i].r[j] + history[i].v[j] * T + history[i].a[j] * lag;
		inside = norm(p) <= set->rho ? inside + 1 : 0;
		if (inside == set->consecutive) return norm(history[i].r);
	}
	return 0;
}

static void fly(const int *policy, const Setting *set, const char *name, int run, double cost) {
	double x[6] = { -200, -50, 10, SPEED * cos(atan2(50, 200)), SPEED * sin(atan2(50, 200)), 0 };
	double from[3], handover = 0, heading_error = 0, previous = 1e300;
	int state = START, commanded = START, transitions = 0, fallback = 0, samples = 0;
	Steering s = { 0 };
	if (policy) {
		commanded = outcome(state, policy[state]);
		locate(state, from);
		locate(commanded, s.waypoint);
	}
	for (;;) {
		double distance = norm(x);
		if (!s.engaged) {
			int hand = !policy || distance < 80;
			if (!hand && (commanded == state || planar(x, s.waypoint) < planar(x, from))) {
				state = commanded;
				transitions++;
				commanded = outcome(state, policy[state]);
				locate(state, from);
				locate(commanded, s.waypoint);
				fallback = transitions >= 100;
			}
			if (hand || fallback) {
				engage(&s, set, x);
				handover = distance;
				double turn = atan2(x[4], x[3]) - atan2(-x[1], -x[0]);
				heading_error = fabs(remainder(turn, 2 * PI)) * 180 / PI;
			}
		}
		memcpy(history[samples].r, x, 6 * sizeof *x);
		acceleration(&s, set, x, x + 3, history[samples].a);
		samples++;
		if (distance < SPEED * set->dt * 1.01 || (distance > previous && previous < 5)) break;
		if (samples == MAXSTEPS) { fprintf(stderr, "%s run %d does not end\n", name, run); exit(1); }
		previous = distance;
		runge_kutta(&s, set, x);
	}
	printf("%s,%d,%g,%g,%g,%g,%g,%g,%.17g,%d,%.17g,%.17g,%.17g,%.17g,%d,%d,%.17g\n", name, run, set->lambda, set->rho,
		set->slip, set->dt, set->steepening_deg, set->genex_n, set->sigma, set->consecutive, detect(samples, set), handover,
		heading_error, (samples - 1) * set->dt, transitions, fallback, cost);
}

static void noisy(const Setting *set, int run, int *policy) {
	static double value[STATES];
	uint64_t state = (uint64_t)run;
	for (int s = 0; s < STATES; s++)
		for (int a = 0; a < ACTIONS; a++) private_reward[s][a] = reward[s][a] + set->sigma * normal(&state);
	value_iteration(private_reward, set->slip, value, policy);
}

int main(int argc, char **argv) {
	static const struct { const char *name; Setting set; int runs; } cases[] = {
		{ "paper", { 0.1, 0.7, 0, 0.1, 1.38, 0, 2.524, 3 }, 12 },
		{ "strong", { 0.1, 0.7, 0, 0.1, 1.38, 0, 11.84, 3 }, 40 },
		{ "lambda", { 0.03, 0.7, 0, 0.1, 1.38, 0, 2.524, 3 }, 6 },
		{ "constant", { 0, 2.5, 0, 0.1, 1.38, 0, 2.524, 3 }, 6 },
		{ "radius", { 0.1, 3, 0, 0.1, 1.38, 0, 2.524, 3 }, 6 },
		{ "slip", { 0.1, 0.7, 0.15, 0.1, 1.38, 0, 2.524, 3 }, 8 },
		{ "step", { 0.1, 0.7, 0, 0.05, 1.38, 0, 2.524, 3 }, 6 },
		{ "steep", { 0.1, 0.7, 0, 0.1, 5, 0, 2.524, 3 }, 6 },
		{ "exponent", { 0.1, 0.7, 0, 0.1, 1.38, 1, 2.524, 3 }, 6 },
		{ "patient", { 0.1, 0.7, 0, 0.1, 1.38, 0, 1.349, 8 }, 6 },
		{ "lost", { 0.1, 0.7, 0, 0.1, 1.38, 0, 100, 3 }, 10 },
		{ "sharp", { 0.1, 0.02, 0, 0.1, 1.38, 0, 2.524, 3 }, 6 },
	};
	static double value[STATES];
	static int policy[STATES];
	for (int s = 0; s < STATES; s++)
		for (int a = 0; a < ACTIONS; a++) {
			int next = outcome(s, a);
			reward[s][a] = -2 * hypot(next % SIDE - GOAL % SIDE, next / SIDE - GOAL / SIDE);
		}
	printf("case,run,lambda_per_s,radius_km,slip,step_s,steepening_deg,genex_n,sigma,consecutive,detection_km,handover_km,"
		"heading_error_deg,flight_time_s,transitions,fallback,cost_of_privacy\n");
	if (argc == 3) { /* sigma, runs: the paper's setting in bulk */
		Setting set = { 0.1, 0.7, 0, 0.1, 1.38, 0, atof(argv[1]), 3 };
		for (int run = 0; run < atoi(argv[2]); run++) {
			noisy(&set, run, policy);
			fly(policy, &set, "bulk", run, 0);
		}
		return 0;
	}
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		const Setting *set = &cases[c].set;
		fly(NULL, set, cases[c].name, -1, 0);
		for (int run = 0; run < cases[c].runs; run++) {
			value_iteration(reward, set->slip, value, policy);
			double optimal = value[START];
			noisy(set, run, policy);
			double cost = fabs(policy_value(policy, set->slip) - optimal) / fabs(optimal);
			fly(policy, set, cases[c].name, run, cost);
		}
	}
	return 0;
}
