//go:build viewer && linux && !js

package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What usage in main_desktop.go prints, for machines on which no Go code of this program can run.
static const char *usage =
	"usage: veilpath-view [flags] [DIR|FILE]\n\n"
	"DIR or FILE: what veilpath run, study or tune wrote with --out, or a YAML configuration.\n\n"
	"  veilpath-view out/study-001\n\n"
	"  --light              begin with the light theme\n"
	"  --size WIDTHxHEIGHT  of the window (default 1280x800)\n"
	"  --zoom FACTOR        enlarge everything, by 0.5 to 4 (default 1)\n";

static int asked_for_help(void) {
	char args[4096];
	FILE *file = fopen("/proc/self/cmdline", "r");
	if (file == NULL) return 0;
	size_t n = fread(args, 1, sizeof args - 1, file);
	fclose(file);
	args[n] = 0;
	for (const char *a = args; a < args + n; a += strlen(a) + 1)
		if (strcmp(a, "-h") == 0 || strcmp(a, "-help") == 0 || strcmp(a, "--help") == 0) return 1;
	return 0;
}

// refuse ends the program with the reason why there is no window, unless help was requested, which needs none.
static void refuse(const char *reason, const char *name) {
	if (asked_for_help()) {
		fputs(usage, stdout);
		fflush(stdout);
		_exit(0);
	}
	fputs("veilpath-view: ", stderr);
	fprintf(stderr, reason, name);
	_exit(1);
}

// A package that ebiten brings panics while the program initialises when there is no display, before any
// Go code of this program runs. So the display is tried here, where the loader calls it, before that.
__attribute__((constructor)) static void need_display(void) {
	const char *name = getenv("DISPLAY");
	if (name == NULL || *name == 0)
		refuse("there is no display: DISPLAY is not set; veilpath view shows the same in a browser\n", name);
	void *x11 = dlopen("libX11.so.6", RTLD_LAZY);
	if (x11 == NULL)
		refuse("libX11.so.6 is missing; install the package libx11-6, or use veilpath view in a browser\n", name);
	void *(*open_display)(const char *) = (void *(*)(const char *))dlsym(x11, "XOpenDisplay");
	int (*close_display)(void *) = (int (*)(void *))dlsym(x11, "XCloseDisplay");
	void *display = open_display ? open_display(NULL) : NULL;
	if (display == NULL)
		refuse("the display %s cannot be opened; check DISPLAY, or use veilpath view in a browser\n", name);
	void *gl = dlopen("libGL.so.1", RTLD_LAZY);
	int (*query)(void *, int *, int *) = gl ? (int (*)(void *, int *, int *))dlsym(gl, "glXQueryExtension") : NULL;
	int first_error, first_event;
	int can_draw = query && query(display, &first_error, &first_event);
	if (close_display) close_display(display);
	if (!can_draw)
		refuse("the display %s offers no OpenGL (GLX); install the package libgl1, or run veilpath view\n", name);
}
*/
import "C"
