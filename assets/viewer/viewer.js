"use strict";

// Loads viewer.wasm with progress and starts it; says in one line what went wrong.
(async () => {
  const loading = document.getElementById("loading");
  const progress = document.getElementById("progress");
  const bar = document.getElementById("bar");
  const fail = (text) => {
    loading.hidden = false;
    loading.classList.add("failed");
    loading.style.display = "grid";
    progress.textContent = text;
  };
  const hasWebGL = () => {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  };
  if (typeof WebAssembly !== "object") return fail("This browser has no WebAssembly.");
  if (!hasWebGL()) return fail("This browser gives no WebGL 2 picture: enable hardware acceleration, or try another browser.");
  try {
    const response = await fetch("viewer.wasm");
    if (!response.ok) throw new Error(`viewer.wasm: ${response.status} ${response.statusText}`);
    const total = Number(response.headers.get("X-Uncompressed-Length")) || 0;
    let read = 0;
    const counted = new TransformStream({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (total) bar.style.width = `${Math.min(100, (100 * read) / total)}%`;
        controller.enqueue(chunk);
      },
    });
    const stream = new Response(response.body.pipeThrough(counted), { headers: { "Content-Type": "application/wasm" } });
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(stream, go.importObject);
    window.veilpathStarted = () => { loading.style.display = "none"; };
    window.veilpathFailed = fail;
    await go.run(instance);
    fail("The viewer has ended. Reload the page to start it again.");
  } catch (error) {
    fail(`The viewer did not start: ${error.message}`);
  }
})();
