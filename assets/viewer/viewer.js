"use strict";

// Loads the program with progress and starts it; says in one line what went wrong. The page names the program, which it
// has asked for, and in a site of plain files its size; one that is opened as a file has all files in offline.js.
(async () => {
  const { program, size } = document.documentElement.dataset;
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
  // A film of the picture is recorded until it is asked for again, and saved then.
  let recorder = null;
  if (window.MediaRecorder) window.veilpathFilm = () => {
    if (recorder) {
      recorder.stop();
      recorder = null;
      return false;
    }
    recorder = new MediaRecorder(document.querySelector("canvas").captureStream(30), { mimeType: "video/webm" });
    const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      const url = URL.createObjectURL(new Blob(parts, { type: "video/webm" }));
      Object.assign(document.createElement("a"), { href: url, download: "veilpath.webm" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    });
    recorder.start();
    return true;
  };
  // Files that are chosen, or dropped without an entry of a file system, go to the program with their paths. Those of
  // trajectories, which it does not read, may be large.
  const give = async (files) => {
    const most = 64 * 2 ** 20;
    const read = [...files].filter((file) => file.size <= most).map(async (file) => [file.webkitRelativePath || file.name, new Uint8Array(await file.arrayBuffer())]);
    window.veilpathOpen?.(await Promise.all(read));
  };
  window.veilpathChoose = (folder) => {
    const input = Object.assign(document.createElement("input"), { type: "file", multiple: true, webkitdirectory: folder });
    input.addEventListener("change", () => give(input.files));
    input.click();
  };
  // The program takes the files that a page is given from their entries, and ends where one has none.
  window.addEventListener("drop", (event) => {
    const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === "file");
    if (items.every((item) => item.webkitGetAsEntry?.()?.filesystem)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    give(items.map((item) => item.getAsFile()).filter(Boolean));
  }, true);
  const offline = () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "offline.js";
    script.onload = () => {
      window.fetch = async (name) => {
        const text = window.veilpathFiles[name];
        return text === undefined ? new Response(`${name} is not here`, { status: 404 }) : new Response(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
      };
      done();
    };
    script.onerror = () => failed(new Error("this page works from a web server; veilpath view --export makes one that opens as a file too"));
    document.head.append(script);
  });
  const unpacked = async (stream) => { // servers may or may not have unpacked what they keep packed
    const reader = stream.getReader();
    const first = await reader.read();
    const whole = new ReadableStream({
      start(controller) { if (!first.done) controller.enqueue(first.value); },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close(); else controller.enqueue(value);
      },
    });
    return first.value?.[0] === 0x1f && first.value?.[1] === 0x8b ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
  };
  // compilable is a response with the program, whose arrival is shown. Browsers keep what they have compiled only of a
  // response as it came, of which a copy is counted.
  const compilable = async (response) => {
    const total = Number(size || response.headers.get("Content-Length")) || 0;
    let read = 0;
    const count = (chunk) => {
      read += chunk.byteLength;
      if (total) bar.style.width = `${Math.min(100, (100 * read) / total)}%`;
    };
    const type = "application/wasm";
    if (response.headers.get("Content-Type") === type) {
      response.clone().body.pipeTo(new WritableStream({ write: count })).catch(() => {}); // the compiler says what is wrong
      return response;
    }
    const counted = new TransformStream({
      transform(chunk, controller) {
        count(chunk);
        controller.enqueue(chunk);
      },
    });
    return new Response((await unpacked(response.body)).pipeThrough(counted), { headers: { "Content-Type": type } });
  };
  if (typeof WebAssembly !== "object") return fail("This browser has no WebAssembly.");
  try {
    if (location.protocol === "file:") await offline();
    const response = await (window.veilpathProgram ?? fetch(program));
    if (!response.ok) throw new Error(`${program}: ${response.status} ${response.statusText}`);
    const go = new Go();
    const compiling = WebAssembly.instantiateStreaming(await compilable(response), go.importObject);
    compiling.catch(() => {}); // whether there is a picture is found out while it compiles
    if (!hasWebGL()) return fail("This browser gives no WebGL 2 picture: enable hardware acceleration, or try another browser.");
    const { instance } = await compiling;
    window.veilpathStarted = () => {
      loading.style.display = "none";
      const canvas = document.querySelector("canvas");
      canvas.setAttribute("role", "application");
      canvas.setAttribute("aria-label", "The flight as a picture, worked by keys. Tab leads to the same in words.");
    };
    window.veilpathFailed = fail;
    await go.run(instance);
    fail("The viewer has ended. Reload the page to start it again.");
  } catch (error) {
    fail(`The viewer did not start: ${error.message}`);
  }
})();
