// Keeps the page up to date and saves a round trip. Every page works without this file.

const csrf = () => document.querySelector('meta[name="csrf"]')?.content ?? "";
const main = () => document.getElementById("main");
const announce = (text) => { document.getElementById("announce").textContent = text; };

/** A part of the page without what changes by itself, to see whether something really changed. */
function shape(node) {
  const copy = node.cloneNode(true);
  for (const time of copy.querySelectorAll("time")) time.textContent = "";
  for (const details of copy.querySelectorAll("details")) details.removeAttribute("open");
  for (const note of copy.querySelectorAll(".wrong")) note.remove();
  return copy.innerHTML;
}

/** Somebody is writing here: leave it alone. */
function busy(node) {
  if (node.querySelector("details.edit[open]")) return true;
  for (const field of node.querySelectorAll("input, textarea")) {
    // Browsers put back what was in a field before a reload; nobody writes in one that is folded away.
    if (field.type === "hidden" || field.closest("details:not([open])")) continue;
    if (field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue) return true;
  }
  return false;
}

/** How to find the element with the focus again after its part was replaced. */
function focusKey() {
  const active = document.activeElement;
  if (!active || active === document.body || !main()?.contains(active)) return null;
  return (root) => {
    if (active.id) return root.querySelector(`#${CSS.escape(active.id)}`);
    const same = [...root.querySelectorAll(active.localName)];
    const link = active.getAttribute("href");
    return same.find((other) => other.getAttribute("href") === link && other.textContent === active.textContent);
  };
}

/** Replaces what differs; everything else, and the focus, stays. Returns how many parts are new. */
function adopt(fresh) {
  const now = main();
  const next = fresh.getElementById("main");
  if (!now || !next) return 0;
  const ids = (root) => [...root.querySelectorAll("[data-live][id]")].map((node) => node.id).join(" ");
  const key = focusKey();
  let changed = 0;
  const swap = (old, young) => {
    for (const details of young.querySelectorAll("details[id]")) {
      const before = old.querySelector(`#${CSS.escape(details.id)}`);
      if (before) details.open = before.open;
    }
    old.replaceWith(young);
  };
  if (ids(now) !== ids(next)) {
    if (busy(now)) return 0;
    swap(now, next);
    changed = 1;
  } else {
    for (const young of next.querySelectorAll("[data-live][id]")) {
      const old = document.getElementById(young.id);
      if (!old || busy(old)) continue;
      const differs = shape(old) !== shape(young);
      if (!differs && old.isEqualNode(young)) continue;
      if (differs) { young.classList.add("fresh"); changed += 1; }
      swap(old, young);
    }
    for (const name of ["topics", "again"]) {
      if (next.dataset[name] === undefined) delete now.dataset[name]; else now.dataset[name] = next.dataset[name];
    }
  }
  if (key && !main().contains(document.activeElement)) key(main())?.focus();
  return changed;
}

let fetching = false;
let wanted = false;
async function refresh() {
  if (fetching) { wanted = true; return; }
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { "X-Vib-Refresh": "1" }, cache: "no-store" });
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (adopt(fresh) > 0) announce(document.querySelector("vib-live")?.dataset.new ?? "");
    }
  } catch {
    // The connection is gone; the state beside the menu says so.
  } finally {
    fetching = false;
    if (wanted) { wanted = false; refresh(); }
  }
}

/** Shows whether the page is up to date, and keeps it so. Hidden pages do not listen. */
class VibLive extends HTMLElement {
  connectedCallback() {
    this.visibility = () => (document.hidden ? this.close() : this.open(true));
    document.addEventListener("visibilitychange", this.visibility);
    addEventListener("pagehide", () => this.close());
    this.open(false);
  }
  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.visibility);
    this.close();
  }
  show(state) {
    this.setAttribute("state", state);
    this.textContent = this.dataset[state];
  }
  open(again) {
    if (this.source) return;
    this.source = new EventSource(`${this.getAttribute("href")}?seen=${this.dataset.seen ?? ""}`);
    let missed = again;
    this.source.onopen = () => {
      this.show("on");
      if (missed) refresh();
      missed = false;
    };
    this.source.onerror = () => {
      missed = true;
      this.show("off");
      if (this.source?.readyState === EventSource.CLOSED) {
        this.close();
        this.later = setTimeout(() => { if (!document.hidden) this.open(true); }, 3000);
      }
    };
    this.source.addEventListener("change", (event) => {
      const about = JSON.parse(event.data).topics;
      const topics = (main()?.dataset.topics ?? "").split(" ");
      if (about.some((topic) => topics.includes(topic))) refresh();
    });
  }
  close() {
    clearTimeout(this.later);
    this.source?.close();
    this.source = null;
  }
}
customElements.define("vib-live", VibLive);

/** A form that need not load the page anew: what comes back replaces what is there. */
addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-inline]")) return;
  event.preventDefault();
  const send = form.querySelector("button[type=submit]");
  if (send.disabled) return;
  send.disabled = true;
  form.querySelector(".wrong")?.remove();
  const wrong = (text) => {
    const note = document.createElement("p");
    note.className = "wrong";
    note.setAttribute("role", "alert");
    note.textContent = text;
    form.append(note);
  };
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "X-CSRF-Token": csrf(), "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(new FormData(form)),
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) {
      wrong([page.querySelector("h1")?.textContent, page.querySelector("main p")?.textContent].join(" "));
      return;
    }
    const card = form.closest("[id]")?.id;
    main().replaceWith(page.getElementById("main"));
    document.title = page.title;
    history.replaceState(null, "", answer.url);
    announce(main().querySelector(".said")?.textContent ?? "");
    const place = (card && document.getElementById(card)) || main();
    (place.querySelector("summary, button, a") ?? main()).focus({ preventScroll: true });
  } catch {
    wrong(document.querySelector("vib-live")?.dataset.off ?? "");
  } finally {
    send.disabled = false;
  }
});

// Work in progress is looked at until it is done.
setInterval(() => { if (main()?.dataset.again) refresh(); }, 400);

// `/` goes to the search field.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  const field = document.querySelector("[data-search]");
  if (!field) return;
  event.preventDefault();
  const folded = field.closest("details");
  if (folded) folded.open = true;
  field.focus();
});

// Arrow keys walk along the strip of steps.
addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const here = event.target.closest?.(".strip a");
  if (!way || !here || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [...document.querySelectorAll(".strip a")];
  const next = all[all.indexOf(here) + way];
  if (next) { event.preventDefault(); next.focus(); }
});
