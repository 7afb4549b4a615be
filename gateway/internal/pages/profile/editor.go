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
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// maxEditorForm is the maximum size of a CV form in bytes: the limit for any request body.
	maxEditorForm = 1 << 20
)

// editorPages serves the editor for the profile and CVs (behaviour: profiles#the-editor).
type editorPages struct {
	*shell.Shell
	editor   candidatev1.EditorServiceClient
	profiles candidatev1.ProfileServiceClient
	// appURL is the URL of the web app, without a trailing slash.
	appURL string
}

// edited is the document that a form edits: the profile or a CV.
type edited struct {
	// id is shell.MainCV for the profile, the CV's id, or "" for a CV that does not exist yet.
	id      string
	title   string
	doc     form.Document
	version int64
	// draft is the revision of the draft with which the form was filled, or 0 if there was none.
	draft int64
	// kept is the stored draft of the document, or nil if there is none.
	kept *candidatev1.Draft
	// saved is the time of the last save.
	saved time.Time
}

// withDraft returns e with the person's unsaved changes, or e unchanged if there is no draft.
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

// path returns the path of the form.
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

// mode returns the mode of the editor, which is also the last part of the page's message keys.
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
	// Mode is "profile", "cv" or "new".
	Mode string
	// Action is the URL to which the form is submitted. Preview is the URL of the preview, or "" for a CV
	// that does not exist yet.
	Action, Preview string
	// Owner identifies the person, so that drafts of different people who use the same browser are kept
	// apart.
	Owner string
	// Title is the title of the CV.
	Title string
	// Version is the version with which the form was filled. Draft is the revision of its draft, or 0 if
	// there is none.
	Version, Draft int64
	// Drafted is the time of the draft in the form, or the zero time if there is none.
	Drafted time.Time
	// Saved is when the version shown to apps and on the public page was saved, or the zero time if nothing
	// has been saved.
	Saved time.Time
	// Public is the URL of the public page, or "" if there is none.
	Public string
	Form   form.Form
	// Unsaved reports whether the form has changes that are not stored.
	Unsaved bool
	// Conflict lists the differences from the version that a different tab has saved. Gone reports whether
	// the CV was deleted.
	Conflict []form.Difference
	Gone     bool
	// Published reports whether the page is shown after a successful save.
	Published bool
	// Focus is the name of the control that gets the focus, or "" for none.
	Focus string
	// Imported reports whether the form was filled from a file. Left lists the strings in the file that no
	// field of the form can hold, and More is the number of further ones that are not listed.
	Imported bool
	Left     []leftText
	More     int
	// Own lists the details about the person that the file contains.
	Own []ownOffer
	// Full reports whether the CV was not stored because the person has the maximum number of CVs.
	Full bool
}

// documentInPath returns the id of the document that the URL path identifies.
func documentInPath(r *http.Request) string {
	if r.URL.Path == shell.ProfilePath || strings.HasPrefix(r.URL.Path, shell.ProfilePath+"/") {
		return shell.MainCV
	}
	return r.PathValue("id")
}

// show renders the editor with the stored content of the document.
func (p editorPages) show(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if r.PathValue("id") == shell.MainCV {
		web.SeeOther(w, shell.ProfilePath)
		return nil
	}
	e, err := p.read(r, who, documentInPath(r))
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

// publicPage returns the URL of the public page, or "" if there is none.
func (p editorPages) publicPage(e edited) string {
	if profile := e.doc.Profile; profile.GetProfilePublic() && profile.GetUsername() != "" {
		return p.appURL + "/p/" + profile.GetUsername()
	}
	return ""
}

// draw writes the editor page. The form and its messages are in data.
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

// formOf returns the form for a document, with dates in the page's language.
func (p editorPages) formOf(r *http.Request, doc form.Document) form.Form {
	return form.Of(doc, p.Language(r).Tag() == "ar")
}

// mark attaches the validation errors of a view to the controls of a form.
func mark(shown form.Form, v web.View) {
	for _, g := range shown {
		for _, f := range g.Controls() {
			f.Fault = v.FaultOf(f.Name)
		}
	}
}

// read returns the stored document. It returns web.NotFound for an unknown CV.
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
		if e.version > 1 { // sign-up creates version 1
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

// content replaces nil with an empty message, because a form cannot be built from nil.
func content(c *candidatev1.CvContent) *candidatev1.CvContent {
	if c == nil {
		return &candidatev1.CvContent{}
	}
	return c
}

// posted returns the content of a submitted form. It returns PAYLOAD_TOO_LARGE if the form has more entries
// than a page can show.
func posted(r *http.Request, id string) (edited, form.Keys, error) {
	if form.HasTooMany(r.PostForm) {
		return edited{}, form.Keys{}, errs.New(errs.Invalid, answer.CodePayloadTooLarge, "The form has too many entries.")
	}
	doc, keys := form.Read(r.PostForm, id == shell.MainCV)
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil || version < 1 {
		version = 1 // no page sends this, so treat the form as outdated
	}
	draft, _ := strconv.ParseInt(r.PostForm.Get("draft"), 10, 64)
	return edited{id: id, title: pasted.Line(r.PostForm.Get("title")), doc: doc, version: version, draft: max(draft, 0)}, keys, nil
}

// ownFields are the profile fields that the form contains.
var ownFields = []string{
	"name", "headline", "locale", "username", "profile_public", "open_to_work", "phone", "address", "personal_details", "content",
}

// store saves the content of a form.
func (p editorPages) store(r *http.Request, who shell.Person, e edited) (version int64, err error) {
	if e.id == shell.MainCV {
		if e.doc.Profile.GetProfilePublic() && e.doc.Profile.GetUsername() == "" { // the candidate service allows this, but there would be no page
			missing := fault.Argument()
			missing.Add("profile.username", "is required for a public page")
			return 0, missing.Err()
		}
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

// focusedField is a control that may receive the focus.
type focusedField struct {
	form.Field
	Focused bool
}

// focused returns a control for the template, with Focused set if name is its name.
func focused(f form.Field, name string) focusedField {
	return focusedField{f, name != "" && f.Name == name}
}

// focusedEntry returns an entry for the template. name is the control that receives the focus. An entry is
// shown unfolded if it is blank, contains that control or has an error.
func focusedEntry(e form.Entry, name string) any {
	open := e.Heading == "" || slices.ContainsFunc(e.Fields, func(f form.Field) bool { return f.Fault != "" || f.Name == name && name != "" })
	return struct {
		form.Entry
		Focus string
		Open  bool
	}{e, name, open}
}

// held returns a control's kind and value for the template.
func held(kind form.Kind, value string) any {
	return struct {
		Kind  form.Kind
		Value string
	}{kind, value}
}
