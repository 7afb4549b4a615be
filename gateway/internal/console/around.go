package console

import (
	"context"
	"net/http"

	"vitae.internal/gateway/internal/web"
)

// asked is what auth has answered about who sends a request. A failure page is drawn with
// it, so that it does not ask again.
type asked struct {
	done bool
	by   developer
	err  error
}

type askedKey struct{}

// remembering gives every request a place for who sends it.
func remembering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askedKey{}, &asked{})))
	})
}

// around gives the menu of a failure page (behaviour: console#failure-pages). Where the
// person is not known yet it asks auth, if the address of the client may still open a page.
// Otherwise a browser with a session gets the menu alone, which says nothing about anybody.
func (c *Console) around(r *http.Request) (web.Visitor, any) {
	token := c.site.SessionToken(r)
	if !c.PlatformOn || token == "" {
		return nil, nil
	}
	a, _ := r.Context().Value(askedKey{}).(*asked)
	if a != nil && !a.done && c.Page(r) == nil {
		_, _ = resolver{c.console}.Resolve(r.Context(), token) // what it gives stands in a
	}
	switch {
	case a != nil && a.done && a.err == nil:
		return a.by, c.surrounded(r, a.by, nil)
	case a != nil && web.NobodyBehind(a.err):
		return nil, nil
	default:
		return nil, page{Shell: &shell{Links: menuAt(""), Docs: c.AppURL + "/docs"}}
	}
}

// surrounded puts a page of a person into the shell of the account that they have chosen, if
// they have any.
func (c *Console) surrounded(r *http.Request, d developer, body any) page {
	chosen := c.chosen(r, d)
	if chosen == nil {
		return page{Body: body}
	}
	var view web.View
	c.site.Identify(&view, d)
	return page{Shell: c.shellFor(r.URL.Path, visit{d, chosen}, view.CSRF), Body: body}
}

// drawFor answers with a page that is about no account, for a person who may have some. It
// takes the notice that waits.
func (c *Console) drawFor(w http.ResponseWriter, r *http.Request, d developer, status int, name string, view web.View) error {
	if err := c.report(w, r, &view); err != nil {
		return err
	}
	c.site.Identify(&view, d)
	view.Data = c.surrounded(r, d, view.Data)
	return c.site.Render(w, r, status, name, view)
}

// report gives a page the notice that waits, and its faults the labels of their fields.
func (c *Console) report(w http.ResponseWriter, r *http.Request, view *web.View) error {
	for i, fault := range view.Faults {
		if fault.Label == "" {
			view.Faults[i].Label = faultLabelOf(fault.Field)
		}
	}
	notice, err := c.site.TakeNotice(w, r, "name")
	notice.Neutral = notice.Key == noticeSent
	view.Notice = notice
	return err
}
