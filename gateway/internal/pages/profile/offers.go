package profile

import (
	"net/http"
	"net/url"
	"slices"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// ownOffer is a detail about the person that differs between an imported file and the profile.
type ownOffer struct {
	// Field is the profile field, and the last part of its label's message key.
	Field, Value string
	// Now is the value in the profile, or "" if it has none.
	Now    string
	Chosen bool
}

// offered are the profile fields that a file can fill.
var offered = []string{"name", "headline", "phone", "address"}

func offeredIn(p *candidatev1.Profile) map[string]*string {
	return map[string]*string{"name": &p.Name, "headline": &p.Headline, "phone": &p.Phone, "address": &p.Address}
}

// offers returns the changes to the profile that the form for a new CV offers. They come from an imported
// file or from the submitted form. For a file, offers preselects the fields that are empty in the profile.
func (p editorPages) offers(r *http.Request, who shell.Person, file *candidatev1.Profile) (all []ownOffer, err error) {
	read, again := offeredIn(file), r.PostForm
	if !slices.ContainsFunc(offered, func(field string) bool { return *read[field] != "" || again.Get("own."+field) != "" }) {
		return nil, nil
	}
	e, err := p.read(r, who, shell.MainCV)
	if err != nil {
		return nil, err
	}
	now := offeredIn(e.doc.Profile)
	for _, field := range offered {
		one := ownOffer{Field: field, Value: *read[field], Now: *now[field], Chosen: *now[field] == ""}
		if one.Value == "" {
			one.Value, one.Chosen = again.Get("own."+field), slices.Contains(again["use"], field)
		}
		if one.Value != "" && one.Value != one.Now {
			all = append(all, one)
		}
	}
	return all, nil
}

// useOffers saves the selected offers to the profile. It sends no version number, because it changes nothing
// else.
func (p cvPages) useOffers(r *http.Request, who shell.Person, form url.Values) error {
	profile := &candidatev1.Profile{}
	mask, places := &fieldmaskpb.FieldMask{}, offeredIn(profile)
	for _, field := range offered {
		if value := form.Get("own." + field); value != "" && slices.Contains(form["use"], field) {
			*places[field] = pasted.Text(value)
			mask.Paths = append(mask.Paths, field)
		}
	}
	if len(mask.Paths) == 0 {
		return nil
	}
	_, err := p.editor.SaveOwnProfile(r.Context(), &candidatev1.SaveOwnProfileRequest{SessionToken: who.Token, Profile: profile, UpdateMask: mask})
	return err
}
