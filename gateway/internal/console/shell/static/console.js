// Copy buttons. The pages work without them.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  });
}

// A second press of a button would show that the form was sent before, in place of what it
// has made.
for (const form of document.querySelectorAll("form:has(input[name=form])")) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  window.addEventListener("pageshow", () => (sent = false));
}

// An account that is chosen with the pointer is shown at once. With the keyboard a select
// changes at every arrow key, so there the button stays, once there is something to send.
for (const form of document.querySelectorAll("form[data-at-once]")) {
  const select = form.querySelector("select");
  const button = form.querySelector("button");
  let byKey = false;
  button.hidden = true;
  select.addEventListener("pointerdown", () => (byKey = false));
  select.addEventListener("keydown", () => (byKey = true));
  select.addEventListener("change", () => {
    button.hidden = !byKey;
    if (!byKey) form.requestSubmit();
  });
  window.addEventListener("pageshow", () => {
    form.reset();
    button.hidden = true;
  });
}

// Times are in UTC. Pointing at one shows it in the zone of the browser.
document.addEventListener("pointerover", (event) => {
  const time = event.target.closest?.("time[datetime*=T]");
  if (time) time.title = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
});
