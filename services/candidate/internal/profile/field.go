package profile

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/validate"
)

// Field is a part of a profile that can be replaced on its own, by its name in
// the .proto.
type Field string

// The fields of a profile that can be written.
const (
	FieldEmail           Field = "email"
	FieldEmailVerified   Field = "email_verified"
	FieldName            Field = "name"
	FieldUsername        Field = "username"
	FieldHeadline        Field = "headline"
	FieldLocale          Field = "locale"
	FieldAvatarURL       Field = "avatar_url"
	FieldUAEPassVerified Field = "uae_pass_verified"
	FieldOpenToWork      Field = "open_to_work"
	FieldProfilePublic   Field = "profile_public"
	FieldPersonalDetails Field = "personal_details"
	FieldPhone           Field = "phone"
	FieldAddress         Field = "address"
	FieldContent         Field = "content"
)

// Limits, in characters.
const (
	maxPersonID = 100
	maxName     = 200
	maxHeadline = 300
	maxLocale   = 35
	maxPhone    = 50
	maxAddress  = 500
	maxDetail   = 200
	maxTitle    = 200
)

// rules has the check of every field that can be written; `true` and `false`
// have none to break.
var rules = map[Field]func(f *validate.Fields, path string, p Profile){
	FieldEmail:           func(f *validate.Fields, path string, p Profile) { f.Email(path, p.Email) },
	FieldEmailVerified:   func(*validate.Fields, string, Profile) {},
	FieldName:            func(f *validate.Fields, path string, p Profile) { f.Required(path, p.Name, maxName) },
	FieldUsername:        func(f *validate.Fields, path string, p Profile) { validateUsername(f, path, p.Username) },
	FieldHeadline:        func(f *validate.Fields, path string, p Profile) { f.Text(path, p.Headline, maxHeadline) },
	FieldLocale:          func(f *validate.Fields, path string, p Profile) { validateLocale(f, path, p.Locale) },
	FieldAvatarURL:       func(f *validate.Fields, path string, p Profile) { f.Image(path, p.AvatarURL) },
	FieldUAEPassVerified: func(*validate.Fields, string, Profile) {},
	FieldOpenToWork:      func(*validate.Fields, string, Profile) {},
	FieldProfilePublic:   func(*validate.Fields, string, Profile) {},
	FieldPersonalDetails: func(f *validate.Fields, path string, p Profile) { p.Details.validate(f, path) },
	FieldPhone:           func(f *validate.Fields, path string, p Profile) { f.Text(path, p.Phone, maxPhone) },
	FieldAddress:         func(f *validate.Fields, path string, p Profile) { f.Text(path, p.Address, maxAddress) },
	FieldContent:         func(f *validate.Fields, path string, p Profile) { p.Content.Validate(f, path) },
}

// order in which the fields are checked, so that the first fault is the same
// each time.
var order = []Field{
	FieldEmail, FieldEmailVerified, FieldName, FieldUsername, FieldHeadline, FieldLocale, FieldAvatarURL,
	FieldUAEPassVerified, FieldOpenToWork, FieldProfilePublic, FieldPersonalDetails, FieldPhone, FieldAddress,
	FieldContent,
}

// root is the path of the profile in the requests that carry one.
const root = "profile"

func (p Profile) validate(fields []Field) error {
	var f validate.Fields
	for _, field := range fields {
		rules[field](&f, root+"."+string(field), p)
	}
	return f.Err()
}

// ParseFields turns the paths of an update mask into fields.
// Errors: INVALID_ARGUMENT naming update_mask.
func ParseFields(paths []string) ([]Field, error) {
	fields := make([]Field, 0, len(paths))
	for _, path := range paths {
		if _, ok := rules[Field(path)]; !ok {
			return nil, errs.New(errs.Invalid, validate.Code, "update_mask: must name top-level fields of a profile that can be written").
				WithField("update_mask")
		}
		fields = append(fields, Field(path))
	}
	if len(fields) == 0 {
		return nil, errs.New(errs.Invalid, validate.Code, "update_mask: must name at least one field").WithField("update_mask")
	}
	return fields, nil
}

var username = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,38}[a-z0-9]$`)

// IsUsername reports whether s, in any case, has the form of a handle.
func IsUsername(s string) bool { return username.MatchString(strings.ToLower(s)) }

// isStorable reports whether an id can be looked up at all: Postgres refuses NUL.
func isStorable(id string) bool { return !strings.ContainsRune(id, 0) }

func validateUsername(f *validate.Fields, path, s string) {
	if s != "" && !username.MatchString(s) {
		f.Fail(path, "must be 2 to 40 lower-case letters, digits, dots, hyphens and underscores, with a letter or digit at both ends")
	}
}

func validateLocale(f *validate.Fields, path, s string) {
	if s == "" || !f.Text(path, s, maxLocale) {
		return
	}
	// Parse also takes the underscores of POSIX locales, which BCP 47 has not.
	if _, err := language.Parse(s); err != nil || strings.Contains(s, "_") {
		f.Fail(path, "must be a BCP 47 language tag")
	}
}

func (d Details) validate(f *validate.Fields, path string) {
	f.Day(path+".date_of_birth", d.DateOfBirth)
	f.Text(path+".gender", d.Gender, maxDetail)
	f.Text(path+".marital_status", d.MaritalStatus, maxDetail)
	f.Text(path+".nationality", d.Nationality, maxDetail)
	f.Text(path+".residence", d.Residence, maxDetail)
	f.Text(path+".visa_residency", d.VisaResidency, maxDetail)
	f.Text(path+".national_service", d.NationalService, maxDetail)
	f.Text(path+".dependents", d.Dependents, maxDetail)
}
