//go:build !nobrowser

package console

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestAnAccountIsChosenAtOnceWithThePointerAndByItsButtonWithTheKeyboard(t *testing.T) {
	t.Parallel()
	back := newBackend()
	c := startChromium(t, back)
	back.live["secret"] = member(owner, "dev_1", "dev_2")
	const chosen = `document.querySelector("#account")?.selectedOptions[0].textContent`
	c.do(chromedp.Navigate(c.url + "/settings"))
	c.await("the button goes with the script", `document.querySelector(".account button").hidden`)
	// A headless browser opens no list to point into; this is what one sends.
	evaluate[bool](c, `(() => {
		const s = document.querySelector("#account");
		s.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
		s.value = "dev_2";
		return s.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	c.await("the account is shown", `location.pathname === "/" && document.readyState === "complete" && `+chosen+` === "Account dev_2"`)

	c.do(chromedp.Navigate(c.url + "/settings"))
	c.await("the script has run", `document.querySelector(".account button").hidden`)
	c.do(chromedp.Focus("#account"), chromedp.KeyEvent(kb.ArrowUp))
	c.await("the button is there", `!document.querySelector(".account button").hidden`)
	if at := evaluate[string](c, "location.pathname"); at != "/settings" {
		t.Errorf("an arrow key leads to %s", at)
	}
	c.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	c.await("the account is shown", `location.pathname === "/" && document.readyState === "complete" && `+chosen+` === "Account dev_1"`)
}
