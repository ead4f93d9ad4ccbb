"use strict";

// Keeps a document beside the picture that says and does what the picture does: headings, sliders, choices, buttons and
// a table, for screen readers and the Tab key, with which it is shown over the picture. The program calls
// veilpathOutline with what is on show as JSON, and is called back through veilpathOperate.
(() => {
  const root = document.getElementById("outline");
  const parts = {};
  const canvas = () => document.querySelector("canvas");
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const operate = (id, value) => window.veilpathOperate?.(id, String(value));
  // Sliders go in a thousand steps; those of ratios in equal ratios.
  const steps = 1000;
  const toStep = (s) => Math.round(steps * (s.log ? Math.log(s.value / s.low) / Math.log(s.high / s.low) : (s.value - s.low) / (s.high - s.low || 1)));
  const fromStep = (s, step) => (s.log ? s.low * (s.high / s.low) ** (step / steps) : s.low + ((s.high - s.low) * step) / steps);

  const grid = (caption) => make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr")), make("tbody"));

  const build = () => {
    root.replaceChildren(
      parts.title = make("h1"),
      parts.story = make("p"),
      parts.why = make("p", { id: "why" }),
      make("h2", {}, "Settings"),
      parts.sliders = make("div"),
      parts.choices = make("div"),
      make("h2", {}, "Do"),
      parts.buttons = make("div"),
      make("h2", {}, "Results"),
      parts.compared = grid("What is on show"),
      parts.less = make("p"),
      parts.help = make("div", {}, make("h2", {}, "Help"), make("p"), grid("Keys and what they do")),
      make("h2", {}, "What happens on this flight"),
      parts.events = make("ol"),
    );
  };
  // A list has an element for every item, in their order. Where the one with the focus goes, the one before has it.
  const control = (element) => (element.matches("button") ? element : element.querySelector("summary, input, select, button"));
  const list = (parent, items, key, create, update) => {
    const before = [...parent.children];
    const known = new Map(before.map((e) => [e.dataset.key, e]));
    const focused = before.findIndex((e) => e.contains(document.activeElement));
    const elements = items.map((item, i) => {
      const name = key(item, i);
      const element = known.get(name) ?? create(item, i);
      element.dataset.key = name;
      known.delete(name);
      update(element, item);
      return element;
    });
    for (const gone of known.values()) gone.remove();
    elements.forEach((e, i) => { if (parent.children[i] !== e) parent.insertBefore(e, parent.children[i] ?? null); });
    if (focused < 0 || parent.contains(document.activeElement)) return;
    const next = before.slice(0, focused + 1).findLast((e) => e.isConnected) ?? elements[0];
    (next ? control(next) : root).focus();
  };
  const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

  // The number of a run is typed, all else slides.
  const slider = (s) => {
    const typed = s.id === "run";
    const input = make("input", { type: typed ? "number" : "range", id: "outline-" + s.id, min: 0 });
    input.addEventListener(typed ? "change" : "input", () => {
      const now = parts.now.sliders.find((other) => other.id === s.id);
      operate(s.id, typed ? Number(input.value) : fromStep(now, Number(input.value)));
    });
    return make("div", {}, make("label", { for: "outline-" + s.id }), input, make("span"));
  };
  const set = (element, s) => {
    const [label, input, said] = element.children;
    say(label, s.label);
    say(said, s.text);
    if (s.id === "run") {
      if (document.activeElement !== input) input.value = s.value;
      return;
    }
    input.max = steps;
    if (Math.round(Number(input.value)) !== toStep(s)) input.value = toStep(s);
    input.setAttribute("aria-valuetext", s.text);
  };
  const press = (b) => {
    const button = make("button", { type: "button", id: "outline-" + b.id });
    button.addEventListener("click", () => operate(b.id, ""));
    return button;
  };
  const pressed = (button, b) => {
    say(button, b.label);
    if (b.stays) button.setAttribute("aria-pressed", String(b.pressed));
    else button.removeAttribute("aria-pressed");
  };

  const place = (_, i) => String(i);
  const cells = (row, texts, heads) => list(row, texts, place, (_, i) => (heads ? make("th", { scope: "col" }) : i ? make("td") : make("th", { scope: "row" })), say);
  const rows = (table, all) => list(table.tBodies[0], all, place, () => make("tr"), (row, texts) => cells(row, texts, false));
  // The canvas keeps all keys to itself: Tab leads from it into the document, to where that was left by Escape. A control
  // keeps the keys that work it; the others act as on the picture. What they open there has the focus until it closes.
  let left = null; // the control that gave the focus to the canvas, until another has it
  let lent = false;
  const enter = () => {
    left?.focus();
    if (!root.contains(document.activeElement)) (root.querySelector("input, select, button") ?? root).focus();
  };
  const lend = (control) => {
    left = control;
    canvas()?.focus();
  };
  const keeps = (element, key) => {
    if (element.matches("button, summary")) return key === " " || key === "Enter";
    if (element.type === "range") return /^(Arrow|Page|Home|End)/.test(key);
    return element !== root && key !== "/" && key !== "?";
  };
  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const held = event.ctrlKey || event.metaKey;
    if (key === "Tab" && target.matches?.("canvas, body")) {
      event.stopImmediatePropagation();
      event.preventDefault();
      enter();
    } else if (!root.contains(target) || (key === "Escape" && parts.now.over)) {
      return;
    } else if (key === "Escape" || !(held ? own(event) : !keeps(target, key))) {
      event.stopImmediatePropagation();
      if (key === "Escape") lend(target);
    } else if (held ? key.toLowerCase() === "k" : key === "/" || key === "?") {
      lend(target);
      lent = true;
    }
  }, true);

  // The canvas has the keys of the program. Those of the browser with Ctrl or Cmd pass it by: copy, find, reload, print.
  // Those of the program pass too.
  const own = (event) => ["k", "y", "z", "control", "meta", "shift"].includes(event.key.toLowerCase());
  window.addEventListener("keydown", (event) => {
    if (event.target === canvas() && (event.ctrlKey || event.metaKey) && !own(event)) event.stopImmediatePropagation();
  }, true);

  // Where fingers work the picture, the words of the palette are typed into a field, which brings up their keyboard. It
  // opens with a name in it where a number is asked for.
  const field = document.getElementById("find");
  const leave = () => {
    field.hidden = true;
    canvas()?.focus();
  };
  const find = (key) => { if (!window.veilpathFind(field.value, key)) leave(); };
  field.addEventListener("input", () => find(""));
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    find(event.key);
  });
  window.veilpathField = (left, top, width, height, words) => {
    if (width === 0) return field.hidden || leave();
    Object.assign(field.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    if (field.value !== words) field.value = words;
    if (!field.hidden) return;
    field.inputMode = words ? "decimal" : "text";
    field.hidden = false;
    field.focus();
  };

  root.addEventListener("focusin", () => {
    left = null;
    lent = false;
  });

  window.veilpathOutline = (text) => {
    const t = JSON.parse(text);
    if (!parts.title) build();
    if (lent && parts.now.over && !t.over) enter();
    parts.now = t;
    root.className = t.dark ? "dark" : "light";
    say(parts.title, t.title);
    say(parts.story, t.story);
    say(parts.why, t.why.join(" "));
    list(parts.sliders, t.sliders, (s) => s.id, slider, set);
    list(parts.choices, t.choices, (c) => c.id, (c) => {
      const select = make("select", { id: "outline-" + c.id }, ...c.options.map((o) => make("option", { value: o }, o)));
      select.addEventListener("change", () => operate(c.id, select.value));
      return make("p", {}, make("label", { for: "outline-" + c.id }, c.label + " "), select);
    }, (element, c) => { element.lastChild.value = c.value; });
    list(parts.buttons, t.buttons, (b) => b.id, press, pressed);
    cells(parts.compared.tHead.rows[0], t.compared.head, true);
    rows(parts.compared, t.compared.rows);
    say(parts.less, t.compared.text);
    parts.help.hidden = !t.help;
    if (t.help) {
      say(parts.help.children[1], t.help.text);
      rows(parts.help.children[2], t.help.rows);
    }
    list(parts.events, t.events, (e) => String(e.time_s) + e.text, (e) => {
      const button = make("button", { type: "button" }, e.time_s.toFixed(1) + " s: " + e.text);
      button.addEventListener("click", () => operate("time", e.time_s));
      return make("li", {}, button);
    }, () => {});
  };
})();
