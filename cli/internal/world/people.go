package world

import (
	"vitae.internal/pkg/emailaddress"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

func readPerson(path string, v any, s *seen, faults *Faults) (Person, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Person{}, false
	}
	defer r.end()
	p := Person{
		Path: path,
		Ref:  r.ref(s.people),
		Account: &authv1.CreatePersonRequest{
			Email:         stored(r.required("email")),
			Password:      r.required("password"),
			EmailVerified: r.boolean("emailVerified"),
		},
	}
	p.Profile = &candidatev1.CreateProfileRequest{Profile: readProfile(r, p.Account)}
	// Like the auth service, treat two email addresses as the same if they differ only in case, or in
	// whether the domain is in Unicode or in Punycode.
	s.emails.add(emailaddress.Key(p.Account.GetEmail()), Child(path, "email"), faults)
	s.usernames.add(p.Profile.GetProfile().GetUsername(), Child(path, "username"), faults)

	cvs, at := r.list("cvs")
	for i, item := range cvs {
		if cv, ok := readCV(Index(at, i), item, s, faults); ok {
			p.CVs = append(p.CVs, cv)
		}
	}
	return p, true
}

// stored returns an email address in the form in which the auth service stores it. It returns an invalid
// address unchanged, so that the service rejects it.
func stored(email string) string {
	if address, ok := emailaddress.Parse(email); ok {
		return address
	}
	return email
}

func readProfile(r *reader, account *authv1.CreatePersonRequest) *candidatev1.Profile {
	profile := &candidatev1.Profile{
		Email:           account.GetEmail(),
		EmailVerified:   account.GetEmailVerified(),
		Name:            r.required("name"),
		Username:        r.optional("username"),
		Headline:        r.optional("headline"),
		Locale:          r.optional("locale"),
		AvatarUrl:       r.optional("avatarUrl"),
		UaePassVerified: r.boolean("uaePassVerified"),
		OpenToWork:      r.boolean("openToWork"),
		ProfilePublic:   r.boolean("profilePublic"),
		Phone:           r.optional("phone"),
		Address:         r.optional("address"),
	}
	if details := (&cvv1.PersonalDetails{}); r.message("personalDetails", details) {
		profile.PersonalDetails = details
	}
	if content := (&candidatev1.CvContent{}); r.message("profile", content) {
		profile.Content = content
	}
	return profile
}

func readCV(path string, v any, s *seen, faults *Faults) (CV, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return CV{}, false
	}
	defer r.end()
	cv := CV{Path: path, Ref: r.ref(s.cvs), Request: &candidatev1.CreateCvRequest{
		Title:   r.required("title"),
		Content: &candidatev1.CvContent{},
	}}
	if cv.Ref == MainCV {
		faults.Add(Child(path, "ref"), `is reserved for the main CV`)
	}
	if !r.message("document", cv.Request.Content) {
		faults.Add(Child(path, "document"), "is required")
	}
	return cv, true
}
