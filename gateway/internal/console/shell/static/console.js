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

// Ignore a second click on a submit button: its response would say that the form was already sent,
// instead of showing what the first click created.
for (const form of document.querySelectorAll("form:has(input[name=form])")) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  window.addEventListener("pageshow", () => (sent = false));
}

// Choosing an account with the pointer submits the form immediately. With the keyboard, a select
// changes on every arrow key, so the button appears instead once the choice has changed.
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

// Times are shown in UTC. Hovering over a time shows it in the browser's time zone.
document.addEventListener("pointerover", (event) => {
  const time = event.target.closest?.("time[datetime*=T]");
  if (time) time.title = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
});
