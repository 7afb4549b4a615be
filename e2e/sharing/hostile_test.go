package sharing_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestHostileCVIsShownAsText(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		t.Errorf("the renderer reached the canary: %s", r.URL)
	}))
	defer canary.Close()

	hostile := world.Full()
	hostile.AvatarURL = canary.URL + "/avatar.png"
	script := "<script>fetch('" + canary.URL + "/script')</script>"
	image := "<img src=" + canary.URL + "/image onerror=alert(1)>"
	style := "</style><style>@import url(" + canary.URL + "/style);body{background:url(" + canary.URL + "/css)}"
	hostile.Headline = script
	hostile.Profile.Summary = image + " {{.}} ${7*7}"
	hostile.Profile.Bio = style
	hostile.Profile.Skills = []string{`<iframe src="file:///etc/passwd">`, `<link rel=stylesheet href="` + canary.URL + `/link">`, `<object data="file:///etc/hostname">`}
	hostile.Profile.Projects[0]["image"] = canary.URL + "/project.png"
	hostile.Profile.Experiences[0]["overview"] = "alpha\u2028beta\vgamma and 李明, Muḥammad Ǵorǵi, राजेश, 🎉"
	hostile.Profile.Experiences[1]["overview"] = `<svg><use href="` + canary.URL + `/svg#a"/></svg><base href="` + canary.URL + `">`
	s := scene.New(t, hostile)
	c := scene.Connected{Scene: s, App: s.Client(t, "web")}
	c.Tokens = scene.Connect(t, c.App, s.NewPerson(t, "layla"), world.EveryScope, person.Choice{Photo: true})

	text := expect.PDFText(t, c.Get(t, "/v1/me/cv.pdf"))
	// Long words may be broken across lines, so spaces are removed before comparing.
	squeezed := strings.ReplaceAll(expect.Flattened(text), " ", "")
	for _, want := range []string{script, image, "{{.}}", "${7*7}", "file:///etc/passwd", "@importurl("} {
		if !strings.Contains(squeezed, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("the PDF does not show %s as text:\n%s", want, text)
		}
	}
	expect.Shows(t, "hostile", text, false, "root:x:0:0")
	expect.Shows(t, "hostile", expect.Flattened(text), true, "alpha beta gamma and 李明, Muḥammad Ǵorǵi, राजेश, 🎉")
	expect.PDFText(t, scene.Open(t, c.Link(t)))
	photo := expect.Success(t, c.Get(t, "/v1/me"))["avatarUrl"]
	expect.Matches(t, "avatarUrl", scene.PhotoURL, photo)
	expect.Refused(t, scene.Open(t, photo.(string)), http.StatusNotFound, "PHOTO_NOT_FOUND")
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was reached %d times", n)
	}
}
