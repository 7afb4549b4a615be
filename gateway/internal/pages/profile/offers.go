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

// ownOffer is something that an imported file says of the person, and that differs from the profile.
type ownOffer struct {
	// Field is the field of the profile, and the end of the key of its label.
	Field, Value string
	// Now is what the profile has, "" for nothing.
	Now    string
	Chosen bool
}

// offered are the fields of a profile that a file can fill, and their places in one.
var offered = []string{"name", "headline", "phone", "address"}

func offeredIn(p *candidatev1.Profile) map[string]*string {
	return map[string]*string{"name": &p.Name, "headline": &p.Headline, "phone": &p.Phone, "address": &p.Address}
}

// offers returns what the form of a new CV offers for the profile: what a file says, or what a form sent
// again. Of a file what the profile lacks is chosen.
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

// useOffers puts what was chosen of an imported file into the profile. It changes nothing else, so it needs
// no version.
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
