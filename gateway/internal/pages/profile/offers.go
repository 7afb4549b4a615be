package profile

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
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
var offered = append([]string{"name", "headline", "phone", "address"}, offeredDetails...)

// offeredDetails are the offered personal details. They are not preselected, because they are more sensitive.
var offeredDetails = []string{"date_of_birth", "gender", "nationality"}

// maxDetail is the maximum length of a personal detail in characters, as in the candidate service.
const maxDetail = 200

func offeredIn(p *candidatev1.Profile) map[string]*string {
	return map[string]*string{"name": &p.Name, "headline": &p.Headline, "phone": &p.Phone, "address": &p.Address}
}

func detailsIn(d *cvv1.PersonalDetails) map[string]**wrapperspb.StringValue {
	return map[string]**wrapperspb.StringValue{"date_of_birth": &d.DateOfBirth, "gender": &d.Gender, "nationality": &d.Nationality}
}

// valuesOf returns the values of the offered fields.
func valuesOf(p *candidatev1.Profile) map[string]string {
	values := map[string]string{}
	for field, place := range offeredIn(p) {
		values[field] = *place
	}
	if d := p.GetPersonalDetails(); d != nil {
		for field, place := range detailsIn(d) {
			values[field] = (*place).GetValue()
		}
	}
	return values
}

// offerDetail sets a personal detail that a file contains, and reports whether the profile accepts the value.
// If a file contains several values for a field, only the first is accepted.
func offerDetail(p *candidatev1.Profile, field, value string) bool {
	if p.PersonalDetails == nil {
		p.PersonalDetails = &cvv1.PersonalDetails{}
	}
	place := detailsIn(p.PersonalDetails)[field]
	if place == nil || *place != nil || value == "" || !fault.Argument().Line(field, value, maxDetail) {
		return false
	}
	if field == "date_of_birth" {
		if day, err := time.Parse(time.DateOnly, value); err != nil || day.Year() == 0 {
			return false
		}
	}
	*place = wrapperspb.String(value)
	return true
}

// offers returns the changes to the profile that the form for a new CV offers. They come from an imported
// file or from the submitted form. For a file, offers preselects the fields that are empty in the profile,
// except for personal details.
func (p editorPages) offers(r *http.Request, who shell.Person, file *candidatev1.Profile) (all []ownOffer, err error) {
	read, again := valuesOf(file), r.PostForm
	if !slices.ContainsFunc(offered, func(field string) bool { return read[field] != "" || again.Get("own."+field) != "" }) {
		return nil, nil
	}
	e, err := p.read(r, who, shell.MainCV)
	if err != nil {
		return nil, err
	}
	now := valuesOf(e.doc.Profile)
	for _, field := range offered {
		one := ownOffer{Field: field, Value: read[field], Now: now[field], Chosen: now[field] == "" && !slices.Contains(offeredDetails, field)}
		if one.Value == "" {
			one.Value, one.Chosen = again.Get("own."+field), slices.Contains(again["use"], field)
		}
		if one.Value != "" && one.Value != one.Now {
			all = append(all, one)
		}
	}
	return all, nil
}

// useOffers saves the selected offers to the profile. It sends no version number, so the draft of the profile
// is kept.
func (p cvPages) useOffers(r *http.Request, who shell.Person, form url.Values) error {
	profile, mask := &candidatev1.Profile{}, &fieldmaskpb.FieldMask{}
	texts := offeredIn(profile)
	for _, field := range offered {
		value := pasted.Text(form.Get("own." + field))
		if value == "" || !slices.Contains(form["use"], field) {
			continue
		}
		if place := texts[field]; place != nil {
			*place = value
			mask.Paths = append(mask.Paths, field)
			continue
		}
		if profile.PersonalDetails == nil { // the update replaces all details
			e, err := p.read(r, who, shell.MainCV)
			if err != nil {
				return err
			}
			profile.PersonalDetails = &cvv1.PersonalDetails{}
			proto.Merge(profile.PersonalDetails, e.doc.Profile.GetPersonalDetails())
			mask.Paths = append(mask.Paths, "personal_details")
		}
		*detailsIn(profile.PersonalDetails)[field] = wrapperspb.String(value)
	}
	if len(mask.Paths) == 0 {
		return nil
	}
	_, err := p.editor.SaveOwnProfile(r.Context(), &candidatev1.SaveOwnProfileRequest{SessionToken: who.Token, Profile: profile, UpdateMask: mask})
	return err
}
