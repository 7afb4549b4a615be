// Renders the OpenAPI document into the page. What is rendered, and by what, stands
// at the element, because both addresses hold a hash or a host of this deployment.
const place = document.getElementById("reference");
const { init } = await import(place.dataset.renderer);

// Redoc's search box takes the mouse and Ctrl+K, but not Tab.
new MutationObserver(() => {
  for (const box of place.querySelectorAll("[data-testid=search-trigger]:not([role])")) {
    box.role = "button";
    box.tabIndex = 0;
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        box.firstElementChild.click();
      }
    });
  }
}).observe(place, { childList: true, subtree: true });

init(place.dataset.document, { disableTelemetry: true, router: "hash" }, place);
