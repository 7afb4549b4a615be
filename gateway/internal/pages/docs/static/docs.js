// Scrolls the list of pages to the current page.
const list = document.querySelector(".docs-nav");
const shown = list?.querySelector("[aria-current]");
if (shown && list.scrollHeight > list.clientHeight) list.scrollTop = shown.offsetTop - list.clientHeight / 3;

// Copies code to the clipboard. Without this script the buttons stay hidden and everything else works.
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
