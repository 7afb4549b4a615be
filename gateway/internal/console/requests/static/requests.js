// Follow mode inserts new requests at the top of the list. The page works without this script.
(() => {
  const every = 2000, slowest = 30000, patience = 15000, quiet = 10000;
  const idle = 30 * 60 * 1000; // then probably nobody is watching, and the session may expire
  const maxRows = 500; // rows; above this number, the page reloads only the newest
  const button = document.getElementById("follow");
  const list = document.getElementById("list");
  const state = document.getElementById("follow-state");
  if (!button || !list || !state) return;

  let rows = document.getElementById("rows");
  let on = false, polling = false, timer = 0, wait = every, tag = "", until = 0, fresh = 0, announcedAt = 0;

  function say(text) { state.textContent = text; }

  function stop(text) {
    on = false;
    clearTimeout(timer);
    button.setAttribute("aria-pressed", "false");
    say(text);
  }

  function schedule(after) {
    wait = after;
    clearTimeout(timer);
    if (on && !document.hidden) timer = setTimeout(poll, wait);
  }

  // announce shows the number of new requests, at most once in ten seconds.
  function announce() {
    if (!fresh || Date.now() - announcedAt < quiet) return;
    say(fresh === 1 ? "1 new request." : fresh + " new requests.");
    fresh = 0;
    announcedAt = Date.now();
  }

  function merge(body) {
    const known = new Set([...rows.rows].map((row) => row.dataset.id));
    if (body.dataset.whole !== undefined) {
      fresh += [...body.rows].filter((row) => !known.has(row.dataset.id)).length;
      const older = document.getElementById("older");
      if (older) {
        older.href = body.dataset.whole;
        older.textContent = "Older";
        document.getElementById("searched")?.remove();
        older.hidden = false;
      }
      rows.replaceWith(body);
      rows = body;
    } else {
      for (const row of [...body.rows].reverse()) {
        if (known.has(row.dataset.id)) continue;
        const at = row.querySelector("time").dateTime;
        const before = [...rows.rows].find((other) => other.querySelector("time").dateTime <= at);
        row.classList.add("fresh");
        rows.insertBefore(row, before || null);
        fresh++;
      }
    }
    if (fresh) document.getElementById("groups")?.closest("section").remove(); // its counts no longer match the rows
    if (rows.rows.length) {
      list.hidden = false;
      document.getElementById("none")?.remove();
    }
  }

  async function poll() {
    if (polling || !on) return;
    if (Date.now() > until) return stop("Following has stopped, because nothing was done here for half an hour.");
    const address = new URL(button.dataset.from, location.href);
    const newest = rows.querySelector("time");
    if (rows.rows.length <= maxRows) address.searchParams.set("since", newest ? newest.dateTime : button.dataset.since);
    polling = true;
    try {
      // A redirect means that the session has ended, so it is not followed.
      const response = await fetch(address, { headers: tag ? { "If-None-Match": tag } : {}, redirect: "manual", signal: AbortSignal.timeout(patience) });
      if (!on) return;
      if (response.type === "opaqueredirect") return stop("Following has stopped: the session has ended. Refresh the page to sign in again.");
      if (response.status === 304) {
        schedule(every);
      } else if (response.ok) {
        tag = response.headers.get("ETag") || "";
        const body = new DOMParser().parseFromString("<table>" + await response.text() + "</table>", "text/html").querySelector("tbody");
        if (body) merge(document.adoptNode(body));
        schedule(every);
      } else if (response.status >= 500 || response.status === 429) {
        schedule(Math.min(wait * 2, slowest));
      } else {
        return stop("Following has stopped. Refresh the page.");
      }
      announce();
    } catch {
      schedule(Math.min(wait * 2, slowest));
    } finally {
      polling = false;
    }
  }

  function extend() { until = Date.now() + idle; }

  button.hidden = false;
  button.addEventListener("click", () => {
    if (on) return stop("Following has stopped.");
    on = true;
    extend();
    button.setAttribute("aria-pressed", "true");
    say("Following: new requests come to the top.");
    announcedAt = Date.now();
    wait = every;
    poll();
  });
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, extend, { passive: true });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (on && !document.hidden) poll();
  });
})();
