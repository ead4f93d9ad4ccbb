//go:build viewer && linux && !js

package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// refuse ends the program with the reason why there is no window.
static void refuse(const char *reason, const char *name) {
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
	if (close_display) close_display(display);
}
*/
import "C"
