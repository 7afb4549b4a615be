package profile

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// maxEditorForm is the largest form of a CV in bytes: as much as any body may have.
	maxEditorForm = 1 << 20
)

// editorPages are where people write their profile and CVs
// (behaviour: profiles#the-editor).
type editorPages struct {
	*shell.Shell
	editor   candidatev1.EditorServiceClient
	profiles candidatev1.ProfileServiceClient
	// appURL is the address of the pages; no trailing slash.
	appURL string
}

// edited is what a form edits.
type edited struct {
	// id is shell.MainCV for the profile, a CV's id, or "" for a CV that is not there yet.
	id      string
	title   string
	doc     form.Document
	version int64
	// draft is the revision of the draft that the form was made from, 0 for none.
	draft int64
	// kept is the draft of what is stored, nil for none.
	kept *candidatev1.Draft
	// saved is when what is stored was saved.
	saved time.Time
}

// withDraft returns what the person has written and not saved, or what is stored if there is no draft.
func (e edited) withDraft() edited {
	values, err := url.ParseQuery(e.kept.GetForm())
	if e.kept == nil || err != nil {
		return e
	}
	if e.doc, _ = form.Read(values, e.id == shell.MainCV); e.id != shell.MainCV {
		e.title = pasted.Line(values.Get("title"))
	}
	e.version, e.draft = e.kept.GetVersion(), e.kept.GetRevision()
	return e
}

// path is that of the form.
func (e edited) path() string {
	switch e.id {
	case shell.MainCV:
		return shell.ProfilePath
	case "":
		return shell.CVsPath + "/new"
	default:
		return shell.CVsPath + "/" + e.id
	}
}

// mode is the end of the keys of the texts of the page.
func (e edited) mode() string {
	switch e.id {
	case shell.MainCV:
		return "profile"
	case "":
		return "new"
	default:
		return "cv"
	}
}

type editorView struct {
	// Mode is profile, cv or new.
	Mode string
	// Action takes the form; Preview shows what a reader sees, "" for a CV that is not there yet.
	Action, Preview string
	// Owner distinguishes drafts in the browser.
	Owner string
	// Title of a CV.
	Title string
	// Version of what the form was made from, and the revision of its draft, 0 for none.
	Version, Draft int64
	// Drafted is when the draft in the form was written, the zero time for none.
	Drafted time.Time
	// Saved is when what apps and the public page show was saved, the zero time for nothing.
	Saved time.Time
	// Public is the address of the public page, "" without one.
	Public string
	Form   form.Form
	// Unsaved means that the form has changes that are not stored.
	Unsaved bool
	// Conflict has what another tab has stored; Gone means that the CV was deleted.
	Conflict []form.Difference
	Gone     bool
	// Published is whether this is the page after a save.
	Published bool
	// Focus is the control to begin with, "" for none.
	Focus string
	// Imported means that the form was filled from a file, and Left has what has no place in it.
	// More is how many further texts have no place.
	Imported bool
	Left     []leftText
	More     int
	// Own is what the file says of the person.
	Own []ownOffer
	// Full means that the CV is not stored because the person has the maximum number.
	Full bool
}

// subject is what the path of a request edits.
func subject(r *http.Request) string {
	if r.URL.Path == shell.ProfilePath || strings.HasPrefix(r.URL.Path, shell.ProfilePath+"/") {
		return shell.MainCV
	}
	return r.PathValue("id")
}

// show draws the editor with what is stored.
func (p editorPages) show(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if r.PathValue("id") == shell.MainCV {
		web.SeeOther(w, shell.ProfilePath)
		return nil
	}
	e, err := p.read(r, who, subject(r))
	if err != nil {
		return err
	}
	notice, err := p.TakeNotice(w, r, "title")
	if err != nil {
		return err
	}
	data := editorView{Public: p.publicPage(e), Published: notice.Key == noticeSaved}
	if e.kept != nil {
		e = e.withDraft()
		data.Drafted, data.Unsaved = e.kept.GetSavedAt().AsTime(), true
	}
	data.Form = p.formOf(r, e.doc)
	return p.draw(w, r, http.StatusOK, who, e, web.View{Notice: notice}, data)
}

// publicPage is the address of the public page, "" without one.
func (p editorPages) publicPage(e edited) string {
	if profile := e.doc.Profile; profile.GetProfilePublic() && profile.GetUsername() != "" {
		return p.appURL + "/p/" + profile.GetUsername()
	}
	return ""
}

// draw answers with the editor. data has the form and what is said about it.
func (p editorPages) draw(w http.ResponseWriter, r *http.Request, status int, who shell.Person, e edited, v web.View, data editorView) error {
	data.Mode, data.Action, data.Owner, data.Title, data.Version = e.mode(), e.path(), who.GetId(), e.title, e.version
	data.Draft, data.Saved = e.draft, e.saved
	var err error
	if e.id != "" {
		data.Preview = e.path() + "/preview"
	} else if data.Own == nil {
		if data.Own, err = p.offers(r, who, &candidatev1.Profile{}); err != nil {
			return err
		}
	}
	mark(data.Form, v)
	v.Data = data
	w.Header().Set(web.PolicyHeader, web.Policy{Scripts: true, Connect: true}.String())
	return p.Show(w, r, who, status, "editor", v, "editor."+data.Mode+".title")
}

// formOf returns the form of a document, with dates in the language of the page.
func (p editorPages) formOf(r *http.Request, doc form.Document) form.Form {
	return form.Of(doc, p.Language(r).Tag() == "ar")
}

// mark puts the faults of a view at the controls of a form.
func mark(shown form.Form, v web.View) {
	for _, g := range shown {
		for _, f := range g.Controls() {
			f.Fault = v.FaultOf(f.Name)
		}
	}
}

// read returns what is stored. Errors: web.NotFound for an unknown CV.
func (p editorPages) read(r *http.Request, who shell.Person, id string) (edited, error) {
	if id == shell.MainCV {
		resp, err := p.editor.GetOwnProfile(r.Context(), &candidatev1.GetOwnProfileRequest{SessionToken: who.Token})
		if err != nil {
			return edited{}, profileFailure(err)
		}
		profile := resp.GetProfile()
		e := edited{
			id: id, doc: form.Document{Profile: profile, Content: content(profile.GetContent())}, version: resp.GetVersion(), kept: resp.GetDraft(),
		}
		if e.version > 1 { // the first version is that of the sign-up
			e.saved = profile.GetUpdatedAt().AsTime()
		}
		return e, nil
	}
	resp, err := p.editor.GetOwnCv(r.Context(), &candidatev1.GetOwnCvRequest{SessionToken: who.Token, Id: id})
	if err != nil {
		return edited{}, cvFailure(err)
	}
	return edited{
		id: id, title: resp.GetCv().GetTitle(), doc: form.Document{Content: content(resp.GetCv().GetContent())}, version: resp.GetVersion(),
		kept: resp.GetDraft(), saved: resp.GetCv().GetUpdatedAt().AsTime(),
	}, nil
}

// content is never nil, so that a form of it can be made.
func content(c *candidatev1.CvContent) *candidatev1.CvContent {
	if c == nil {
		return &candidatev1.CvContent{}
	}
	return c
}

// posted returns the content of a form. Errors: PAYLOAD_TOO_LARGE for a form with more entries than can
// be shown again.
func posted(r *http.Request, id string) (edited, form.Keys, error) {
	if form.HasTooMany(r.PostForm) {
		return edited{}, form.Keys{}, errs.New(errs.Invalid, answer.CodePayloadTooLarge, "The form has too many entries.")
	}
	doc, keys := form.Read(r.PostForm, id == shell.MainCV)
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil || version < 1 {
		version = 1 // no page shows such a form: it counts as one of long ago
	}
	draft, _ := strconv.ParseInt(r.PostForm.Get("draft"), 10, 64)
	return edited{id: id, title: pasted.Line(r.PostForm.Get("title")), doc: doc, version: version, draft: max(draft, 0)}, keys, nil
}

// ownFields are what the form of a profile has.
var ownFields = []string{
	"name", "headline", "locale", "username", "profile_public", "open_to_work", "phone", "address", "personal_details", "content",
}

// store writes what a form says.
func (p editorPages) store(r *http.Request, who shell.Person, e edited) (version int64, err error) {
	if e.id == shell.MainCV {
		e.doc.Profile.Content = e.doc.Content
		resp, err := p.editor.SaveOwnProfile(r.Context(), &candidatev1.SaveOwnProfileRequest{
			SessionToken: who.Token, Profile: e.doc.Profile, Version: e.version, DraftRevision: e.draft,
			UpdateMask: &fieldmaskpb.FieldMask{Paths: slices.Clone(ownFields)},
		})
		return resp.GetVersion(), profileFailure(err)
	}
	resp, err := p.editor.SaveOwnCv(r.Context(), &candidatev1.SaveOwnCvRequest{
		SessionToken: who.Token, Id: e.id, Title: e.title, Content: e.doc.Content, Version: e.version, DraftRevision: e.draft,
	})
	return resp.GetVersion(), err
}

// focusedField is a control with whether the page begins at it.
type focusedField struct {
	form.Field
	Focused bool
}

// focused is for the template: a control, and whether it is the one named.
func focused(f form.Field, name string) focusedField {
	return focusedField{f, name != "" && f.Name == name}
}

// focusedEntry is for the template: an entry, and the control at which the page begins. An entry is open
// while it is blank, when the page begins in it, and when something is wrong with it.
func focusedEntry(e form.Entry, name string) any {
	open := e.Heading == "" || slices.ContainsFunc(e.Fields, func(f form.Field) bool { return f.Fault != "" || f.Name == name && name != "" })
	return struct {
		form.Entry
		Focus string
		Open  bool
	}{e, name, open}
}

// held is for the template: the value of a control.
func held(kind form.Kind, value string) any {
	return struct {
		Kind  form.Kind
		Value string
	}{kind, value}
}
