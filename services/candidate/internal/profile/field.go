package profile

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/format"
)

// Field is an updatable field of a profile. Its value is the name of the field in the .proto file.
type Field string

// The updatable fields.
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

// Maximum lengths in characters.
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

// rule validates one field.
type rule struct {
	field Field
	// check adds the field's validation errors to faults. It is nil for booleans.
	check func(faults *fault.List, path string, p Profile)
}

// rules lists the fields in the order of validation, which makes the first error deterministic.
var rules = []rule{
	{FieldEmail, func(f *fault.List, path string, p Profile) { format.Email(f, path, p.Email) }},
	{FieldEmailVerified, nil},
	{FieldName, func(f *fault.List, path string, p Profile) { format.Name(f, path, p.Name, maxName) }},
	{FieldUsername, func(f *fault.List, path string, p Profile) { validateUsername(f, path, p.Username) }},
	{FieldHeadline, func(f *fault.List, path string, p Profile) { f.Line(path, p.Headline, maxHeadline) }},
	{FieldLocale, func(f *fault.List, path string, p Profile) { validateLocale(f, path, p.Locale) }},
	{FieldAvatarURL, func(f *fault.List, path string, p Profile) { format.Image(f, path, p.AvatarURL) }},
	{FieldUAEPassVerified, nil},
	{FieldOpenToWork, nil},
	{FieldProfilePublic, nil},
	{FieldPersonalDetails, func(f *fault.List, path string, p Profile) { validateDetails(f, path, p.Details) }},
	{FieldPhone, func(f *fault.List, path string, p Profile) { f.Text(path, p.Phone, maxPhone) }},
	{FieldAddress, func(f *fault.List, path string, p Profile) { f.Text(path, p.Address, maxAddress) }},
	{FieldContent, func(f *fault.List, path string, p Profile) { cv.Validate(p.Content, f, path) }},
}

// root is the path of the profile in requests.
const root = "profile"

// validateNew validates a new profile.
func (p Profile) validateNew() *fault.List {
	faults := fault.Argument()
	format.Required(faults, root+".person_id", p.ID, maxPersonID)
	format.Handle(faults, root+".person_id", p.ID, maxPersonID)
	for _, r := range rules {
		r.validate(faults, p)
	}
	return faults
}

// validateChange validates an update mask and its fields, in the order of the mask.
func (p Profile) validateChange(mask []Field) *fault.List {
	const path = "update_mask"
	faults := fault.Argument()
	if len(mask) == 0 {
		faults.Add(path, "must name at least one field")
	}
	var named []rule
	for _, field := range mask {
		at := slices.IndexFunc(rules, func(r rule) bool { return r.field == field })
		if at < 0 {
			faults.Add(path, "must name top-level fields of a profile that can be written")
			continue
		}
		named = append(named, rules[at])
	}
	for _, r := range named {
		r.validate(faults, p)
	}
	return faults
}

func (r rule) validate(faults *fault.List, p Profile) {
	if r.check != nil {
		r.check(faults, root+"."+string(r.field), p)
	}
}

var username = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,38}[a-z0-9]$`)

// IsUsername reports whether s is a valid handle, regardless of case.
func IsUsername(s string) bool { return username.MatchString(strings.ToLower(s)) }

func validateUsername(faults *fault.List, path, s string) {
	if s != "" && !username.MatchString(s) {
		faults.Add(path, "must be 2 to 40 lower-case letters, digits, dots, hyphens and underscores, with a letter or digit at both ends")
	}
}

func validateLocale(faults *fault.List, path, s string) {
	if s == "" || !faults.Text(path, s, maxLocale) {
		return
	}
	// Parse also accepts POSIX locales, which contain underscores, but BCP 47 does not allow them.
	if _, err := language.Parse(s); err != nil || strings.Contains(s, "_") {
		faults.Add(path, "must be a BCP 47 language tag")
	}
}

func validateDetails(faults *fault.List, path string, d *Details) {
	format.Day(faults, path+".date_of_birth", d.GetDateOfBirth().GetValue())
	faults.Text(path+".gender", d.GetGender().GetValue(), maxDetail)
	faults.Text(path+".marital_status", d.GetMaritalStatus().GetValue(), maxDetail)
	faults.Text(path+".nationality", d.GetNationality().GetValue(), maxDetail)
	faults.Text(path+".residence", d.GetResidence().GetValue(), maxDetail)
	faults.Text(path+".visa_residency", d.GetVisaResidency().GetValue(), maxDetail)
	faults.Text(path+".national_service", d.GetNationalService().GetValue(), maxDetail)
	faults.Text(path+".dependents", d.GetDependents().GetValue(), maxDetail)
}
