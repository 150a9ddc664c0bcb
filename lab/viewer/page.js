"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const film = JSON.parse($("film").textContent);
  const last = film.steps.length - 1;
  const JUMP = 10; // steps of Page Up and Page Down where nothing groups them
  const WIDE = 240, HIGH = 44; // of a curve, in its own units
  const noted = film.steps.some(([, , , note]) => note);
  let at = 0, view = 0, timer = null;

  // --- pictures ------------------------------------------------------------------------------

  /** The marks of every step of a view: each list made from the one before. */
  const made = film.pictures.map((steps) => {
    let marks = [];
    return steps.map((changes) => {
      marks = marks.slice();
      for (const [from, gone, ...come] of changes) marks.splice(from, gone, ...come);
      return marks;
    });
  });

  function draw() {
    $("board").innerHTML = made[view][at].map((mark) => film.marks[mark]).join("");
  }

  /** Nearer, round the point that was clicked, or back. */
  function zoom(event) {
    const board = $("board"), frame = board.firstChild.getBoundingClientRect();
    const [x, y] = [(event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height];
    if (!board.classList.toggle("near")) return;
    board.scrollLeft = x * board.scrollWidth - board.clientWidth / 2;
    board.scrollTop = y * board.scrollHeight - board.clientHeight / 2;
  }

  // --- curves --------------------------------------------------------------------------------

  const svg = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const element = (name, className, text = "") => {
    const node = document.createElement(name);
    node.className = className;
    node.textContent = text;
    return node;
  };
  const across = (step) => (last ? (WIDE * step) / last : 0);

  function curves() {
    $("curves").replaceChildren(...film.quantities.map(curve));
  }

  function curve(name, place) {
    const seats = film.numbers[view][place], all = seats.flat();
    const low = Math.min(0, ...all), high = Math.max(1, ...all);
    const up = (value) => HIGH - 2 - ((HIGH - 4) * (value - low)) / (high - low);
    const box = element("div", "curve");
    const head = element("p", "values");
    head.append(element("b", "", name), element("span", "seat0"), element("span", "seat1"));
    const plot = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" });
    seats.forEach((values, seat) => {
      // A value stays until the next step, so lines have steps too.
      const path = values.map((value, step) => (step ? `H${across(step).toFixed(1)}V` : "M0 ") + up(value).toFixed(1));
      plot.append(svg("path", { d: path.join(""), class: `seat${seat}` }));
    });
    plot.append(svg("line", { class: "cursor", y1: 0, y2: HIGH }));
    plot.addEventListener("pointerdown", (event) => {
      const frame = plot.getBoundingClientRect();
      go(Math.round((last * (event.clientX - frame.left)) / frame.width));
    });
    box.append(head, plot);
    return box;
  }

  function mark() {
    [...$("curves").children].forEach((box, place) => {
      film.numbers[view][place].forEach((values, seat) => {
        box.querySelector(`span.seat${seat}`).textContent = values[at].toLocaleString("en");
      });
      for (const end of ["x1", "x2"]) box.querySelector(".cursor").setAttribute(end, across(at));
    });
  }

  // --- actions -------------------------------------------------------------------------------

  const rows = film.steps.map(([clock, seat, action, note], step) => {
    const row = element("li", `step seat${seat}`);
    const button = element("button", "", action || (step ? note : "start"));
    button.prepend(element("i", "", step));
    button.addEventListener("click", () => go(step));
    row.append(button);
    return row;
  });

  function list() {
    let group = null;
    rows.forEach((row, step) => {
      const clock = film.steps[step][0];
      if (film.clock && clock !== group) $("actions").append(element("li", "group", `${film.clock} ${clock}`));
      group = clock;
      $("actions").append(row);
    });
  }

  function show(row) {
    const box = $("actions"), top = row.offsetTop - box.offsetTop;
    const inside = top > box.scrollTop + 40 && top + row.offsetHeight < box.scrollTop + box.clientHeight;
    if (!inside) box.scrollTop = top - box.clientHeight / 2; // the list scrolls, the page does not
  }

  // --- time ----------------------------------------------------------------------------------

  function go(step) {
    rows[at].classList.remove("now");
    rows[at].firstChild.removeAttribute("aria-current");
    at = Math.max(0, Math.min(last, step));
    rows[at].classList.add("now");
    rows[at].firstChild.setAttribute("aria-current", "step");
    const [clock, seat, action, note] = film.steps[at];
    $("slider").value = at;
    const when = film.clock ? `${film.clock} ${clock} · ` : "";
    $("now").replaceChildren(
      element("small", "", `${when}step ${at} of ${last}`),
      element("b", `seat${seat}`, action || "start"),
    );
    $("note").textContent = note;
    $("note").hidden = !noted;
    document.body.dataset.step = at;
    draw();
    mark();
    show(rows[at]);
    if (at === last) stop();
  }

  /** To the next start of a round or day (1), or the one before (-1). */
  function leap(way) {
    if (!film.clock) return go(at + way * JUMP);
    const clock = (step) => film.steps[step][0];
    let step = at + way;
    while (step > 0 && step < last && clock(step) === clock(step - 1)) step += way;
    go(step);
  }

  function play() {
    if (timer !== null) return stop();
    if (at === last) go(0);
    $("play").textContent = "Stop";
    const tick = () => {
      timer = setTimeout(tick, 1000 / $("speed").value);
      go(at + 1);
    };
    timer = setTimeout(tick, 1000 / $("speed").value);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    $("play").textContent = "Play";
  }

  const keys = {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1),
    Home: () => go(0), End: () => go(last),
    PageUp: () => leap(-1), PageDown: () => leap(1),
    " ": play,
  };
  document.addEventListener("keydown", (event) => {
    const typed = event.target.tagName === "SELECT" || (event.key === " " && event.target.tagName === "BUTTON");
    if (typed || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault(); // the slider's own keys too: they would move it twice
    keys[event.key]();
  });
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("home").addEventListener("click", keys.Home);
  $("back").addEventListener("click", keys.ArrowLeft);
  $("next").addEventListener("click", keys.ArrowRight);
  $("last").addEventListener("click", keys.End);
  $("board").addEventListener("click", zoom);
  $("play").addEventListener("click", play);
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => {
      document.querySelectorAll("[data-view]").forEach((one) => one.setAttribute("aria-pressed", one === button));
      view = Number(button.dataset.view);
      curves();
      go(at);
    });
  }

  list();
  curves();
  go(Number(location.hash.slice(1)) || 0);
})();
