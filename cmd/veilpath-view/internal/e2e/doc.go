// Package e2e drives the viewer as a user does: the desktop program under Xvfb by xdotool, the page in
// headless Chromium by playwright-core. Its tests run when VIEWER_END_TO_END is set, which .ci/viewer
// does after installing what they need; otherwise they say that they are skipped. What memory the page takes while it
// is dragged for long tells node drag.cjs ADDRESS MINUTES.
package e2e
