package profile

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Error codes of the candidate service that the editor handles itself.
const (
	codeVersion   = "VERSION_CONFLICT"
	codeCvGone    = "CV_NOT_FOUND"
	codeNoOwn     = "PROFILE_NOT_FOUND"
	codeUsername  = "USERNAME_TAKEN"
	codeTooMany   = "TOO_MANY_CVS"
	jsonMediaType = "application/json"
)

// noticeSaved is the key of the message shown after a save.
const noticeSaved = "notice.editor_saved"

// profileFailure converts the error that the candidate service returns for a person who has no profile yet.
func profileFailure(err error) error {
	if errs.HasCode(err, codeNoOwn) {
		return shell.ErrNoProfile
	}
	return err
}

// cvFailure converts the error that the candidate service returns for a CV that does not exist.
func cvFailure(err error) error {
	if errs.HasCode(err, codeCvGone) || errs.KindOf(err) == errs.Invalid {
		return web.NotFound()
	}
	return err
}

// save handles a submitted form. A script receives JSON and stays on the page; without JavaScript, the
// browser is redirected back to the page. A script also stores drafts, which are not published until the
// person presses Save (behaviour: profiles#autosave).
func (p editorPages) save(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	e, keys, err := posted(r, documentInPath(r))
	if err != nil {
		return err
	}
	if do, ok := form.ReadDo(r.PostForm.Get("do")); ok {
		return p.arrange(w, r, who, e, keys, do)
	}
	byScript := strings.HasPrefix(r.Header.Get("Accept"), jsonMediaType)
	switch {
	case r.PostForm.Get("do") == "discard":
		return p.discard(w, r, who, e)
	case r.PostForm.Get("do") == "compare":
		return p.conflict(w, r, who, e)
	case byScript && r.PostForm.Get("publish") == "":
		return p.keep(w, r, who, e)
	}
	version, err := p.store(r, who, e)
	switch {
	case err == nil:
		return p.saved(w, r, who, e, saveAnswer{Version: version, Public: p.publicPage(e)}, byScript)
	case errs.HasCode(err, codeVersion) || errs.HasCode(err, codeCvGone):
		if byScript {
			return answerSave(w, http.StatusConflict, saveAnswer{})
		}
		return p.conflict(w, r, who, e)
	case errs.KindOf(err) == errs.Invalid || errs.HasCode(err, codeUsername):
		if byScript {
			return p.answerFaults(w, r, err, keys)
		}
		return p.showAgain(w, r, who, e, err, keys, editorView{})
	default:
		return err
	}
}

// saved responds to a successful save. If a consent page is waiting for a CV, it leads back there.
func (p editorPages) saved(w http.ResponseWriter, r *http.Request, who shell.Person, e edited, done saveAnswer, byScript bool) error {
	next, err := p.afterSaving(r, who, e.path())
	if err != nil {
		return err
	}
	if next == e.path() && !byScript {
		p.Notify(w, noticeSaved, "")
	}
	if !byScript {
		web.SeeOther(w, next)
		return nil
	}
	if next != e.path() {
		done.Next = next
	}
	return answerSave(w, http.StatusOK, done)
}

// keep stores the form as a draft, whether or not it is valid.
func (p editorPages) keep(w http.ResponseWriter, r *http.Request, who shell.Person, e edited) error {
	form := maps.Clone(r.PostForm)
	for _, name := range []string{"csrf", "version", "draft"} {
		form.Del(name)
	}
	resp, err := p.editor.SaveOwnDraft(r.Context(), &candidatev1.SaveOwnDraftRequest{
		SessionToken: who.Token, Id: e.id, Form: form.Encode(), Version: e.version, Revision: e.draft,
	})
	switch {
	case err == nil:
		return answerSave(w, http.StatusOK, saveAnswer{Version: e.version, Draft: resp.GetRevision()})
	case errs.HasCode(err, codeVersion) || errs.HasCode(err, codeCvGone):
		return answerSave(w, http.StatusConflict, saveAnswer{})
	default:
		return profileFailure(err)
	}
}

// discard deletes the draft and shows the stored content.
func (p editorPages) discard(w http.ResponseWriter, r *http.Request, who shell.Person, e edited) error {
	_, err := p.editor.DiscardOwnDraft(r.Context(), &candidatev1.DiscardOwnDraftRequest{SessionToken: who.Token, Id: e.id, Revision: e.draft})
	if err != nil {
		return err
	}
	return p.GoTo(w, e.path(), "notice.draft_discarded", "")
}

// arrange adds, moves or removes an entry when JavaScript is disabled. It stores nothing, because a blank
// entry cannot be stored.
func (p editorPages) arrange(w http.ResponseWriter, r *http.Request, who shell.Person, e edited, keys form.Keys, do form.Do) error {
	do.Apply(e.doc, keys)
	data := editorView{Form: p.formOf(r, e.doc), Unsaved: true}
	if do.Verb == "add" {
		data.Focus = data.Form.AddBlank(do.List)
	}
	return p.draw(w, r, http.StatusOK, who, e, web.View{}, data)
}

// conflict shows the person's text next to the version that was stored in the meantime. The form takes over
// the version number of the stored one, so submitting the form again replaces it
// (behaviour: profiles#concurrent-edits).
func (p editorPages) conflict(w http.ResponseWriter, r *http.Request, who shell.Person, mine edited) error {
	stored, err := p.read(r, who, mine.id)
	if errs.KindOf(err) == errs.NotFound {
		mine.id = ""
		return p.draw(w, r, http.StatusConflict, who, mine, web.View{}, editorView{Form: p.formOf(r, mine.doc), Unsaved: true, Gone: true})
	}
	if err != nil {
		return err
	}
	mine.version, mine.saved = stored.version, stored.saved
	newest := stored.kept.GetRevision()
	if newest != mine.draft && newest != 0 {
		stored = stored.withDraft() // changes made in a different tab
	}
	mine.draft = newest
	data := editorView{Form: p.formOf(r, mine.doc), Unsaved: true}
	data.Conflict = form.Differences(data.Form, p.formOf(r, stored.doc))
	if mine.title != stored.title {
		data.Conflict = append([]form.Difference{{Label: "title", Kind: form.Line, Mine: mine.title, Stored: stored.title}}, data.Conflict...)
	}
	if len(data.Conflict) == 0 { // both tabs have the same content
		web.SeeOther(w, mine.path())
		return nil
	}
	return p.draw(w, r, http.StatusConflict, who, mine, web.View{}, data)
}

// showAgain shows the form with its errors.
func (p editorPages) showAgain(w http.ResponseWriter, r *http.Request, who shell.Person, e edited, refused error, keys form.Keys, data editorView) error {
	data.Form, data.Unsaved = p.formOf(r, e.doc), true
	faults, err := p.faults(r, refused, keys.Renumbered(e.doc), labels(data.Form))
	if err != nil {
		return err
	}
	return p.draw(w, r, http.StatusUnprocessableEntity, who, e, web.View{Faults: faults}, data)
}

// labels returns a form's controls by name.
func labels(shown form.Form) map[string]form.Field {
	all := map[string]form.Field{"title": {Name: "title", Label: "title"}}
	for _, g := range shown {
		for _, f := range g.Controls() {
			all[f.Name] = *f
		}
	}
	return all
}

// faults converts the fields that the candidate service rejects to messages next to their controls. Errors
// without a control are shown for the form as a whole, so none goes unreported.
func (p editorPages) faults(r *http.Request, refused error, keys form.Keys, known map[string]form.Field) (all []web.Fault, err error) {
	e, _ := errs.As(refused)
	for _, violation := range e.Violations {
		name := controlOf(violation.Field, keys)
		fault, err := p.Fault(r, name, explanation(violation.Description))
		if err != nil {
			return nil, err
		}
		if field, ok := known[name]; ok {
			if fault.Label, err = p.Language(r).Text("editor.field." + field.Label); err != nil {
				return nil, err
			}
		}
		if name == "" {
			fault.Field = "editor"
		}
		all = append(all, fault)
	}
	return all, nil
}

// controlOf is like form.Control, but also handles the title of a CV, which is not part of the content.
func controlOf(path string, keys form.Keys) string {
	if path == "title" {
		return path
	}
	return form.Control(path, keys)
}

// explanations maps prefixes of the candidate service's rule descriptions to message keys.
var explanations = []struct{ begins, key string }{
	{"is required for a public page", "editor.fault.username_missing"},
	{"is required", "editor.fault.required"},
	{"must not be blank", "editor.fault.required"},
	{"must be a date of the calendar, YYYY, ", "editor.fault.date"},
	{"must be a date of the calendar, YYYY-MM-DD", "editor.fault.day"},
	{"must not be before the start date", "editor.fault.period"},
	{"must be an http or https URL", "editor.fault.link"},
	{"must be at most", "editor.fault.long"},
	{"must be a single line", "editor.fault.line"},
	{"must not hold characters that override", "editor.fault.line"},
	{"must have at most", "editor.fault.many"},
	{"must be 2 to 40", "editor.fault.username"},
	{"The username is taken", "editor.fault.taken"},
	{"must name a platform", "editor.fault.platform"},
	{"must hold an image", "editor.fault.photo"},
	{"must be a picture", "editor.fault.photo"},
}

// explanation returns the message key for a rule, or a general key for an unknown rule.
func explanation(description string) string {
	for _, one := range explanations {
		if strings.HasPrefix(description, one.begins) {
			return one.key
		}
	}
	return "editor.fault.other"
}

// saveAnswer is the JSON response to a save by a script.
type saveAnswer struct {
	// Version and Draft must be sent with the next save.
	Version int64 `json:"version,omitempty"`
	Draft   int64 `json:"draft,omitempty"`
	// Next is the URL to go to after the person has pressed Save, or "" to stay on the page.
	Next string `json:"next,omitempty"`
	// Public is the URL of the public page. It is set after a save that was published.
	Public string `json:"public,omitempty"`
	// Faults are the error messages, as HTML, by control name.
	Faults []saveFault `json:"faults,omitempty"`
}

type saveFault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (p editorPages) answerFaults(w http.ResponseWriter, r *http.Request, refused error, keys form.Keys) error {
	faults, err := p.faults(r, refused, keys, nil)
	if err != nil {
		return err
	}
	var out saveAnswer
	for _, fault := range faults {
		out.Faults = append(out.Faults, saveFault{Field: fault.Field, Message: string(fault.Message)})
	}
	return answerSave(w, http.StatusUnprocessableEntity, out)
}

func answerSave(w http.ResponseWriter, status int, a saveAnswer) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", jsonMediaType)
	w.WriteHeader(status)
	_, _ = w.Write(raw) // fails only if the client has disconnected
	return nil
}

// preview shows a CV to its owner in the layout of the public page (behaviour: profiles#preview).
func (p editorPages) preview(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	e, err := p.read(r, who, documentInPath(r))
	if err != nil {
		return err
	}
	req := &candidatev1.PreviewOwnCvRequest{SessionToken: who.Token, Id: e.id}
	if e.kept != nil {
		e = e.withDraft()
		req.Written = &candidatev1.Profile{}
		if e.id == shell.MainCV {
			req.Written = e.doc.Profile
		}
		req.Written.Content = e.doc.Content
	}
	resp, err := p.editor.PreviewOwnCv(r.Context(), req)
	if err != nil {
		return cvFailure(profileFailure(err))
	}
	v := public.ViewOf("", &candidatev1.GetPublicProfileResponse{User: resp.GetUser(), Cv: resp.GetCv()})
	v.Own = true
	if v.Language == "" {
		v.Language = p.Language(r).Tag()
	}
	w.Header().Set(web.PolicyHeader, web.Policy{Images: v.PhotoOrigin}.String())
	return p.Show(w, r, who, http.StatusOK, "cv", web.View{Data: v}, "editor.preview")
}

// afterSaving returns the URL to go to after a save. It is the consent page that is waiting for a CV, if the
// person now has one, and path otherwise.
func (p editorPages) afterSaving(r *http.Request, who shell.Person, path string) (string, error) {
	left := p.Waiting(p.Site, r)
	if left == nil {
		return path, nil
	}
	cvs, err := shell.ListCVs(r.Context(), p.profiles, who, "")
	if err != nil || len(cvs.GetCvs()) == 0 {
		return path, err
	}
	return left.Path, nil
}
