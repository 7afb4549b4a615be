package mail

import (
	"cmp"
	"strconv"
	"strings"

	"vitae.internal/pkg/country"
)

// consolePage returns the developer console page on which the reported action can be undone, or "" for other emails.
func (d Due) consolePage() string {
	switch d.Kind {
	case KeyCreated, SecretCreated:
		return "/audit"
	case MemberJoined:
		return "/team"
	case AccountSuspended, AccountResumed:
		return "/"
	default:
		return ""
	}
}

// page returns the page to which a notice links. The reported action can be undone there.
func (k Kind) page() string {
	switch k {
	case AppConnected, AppAllowedMore:
		return "/connections"
	case PasskeyAdded, PasskeyRemoved, NewSignIn:
		return "/account"
	case DeletionRequested, AccountKept, ExportReady:
		return "/account/data"
	default:
		return "/reset"
	}
}

// filler returns a Replacer that fills an email's facts into the messages: {app}, {browser}, {time} and others.
func (t texts) filler(d Due, language string) *strings.Replacer {
	at := d.CreatedAt.UTC()
	if d.SuspendedAt != nil { // earlier than the email if only the reason has changed
		at = d.SuspendedAt.UTC()
	}
	time := strings.NewReplacer("{day}", strconv.Itoa(at.Day()), "{month}", t["month."+strconv.Itoa(int(at.Month()))],
		"{year}", strconv.Itoa(at.Year()), "{time}", at.Format("15:04")).Replace(t["time"])
	account := t["account.unverified"]
	if d.Kind != Invitation || d.AccountVerified {
		account = isolated(d.AccountName)
	}
	reason := t["reason.none"]
	if d.SuspensionReason != "" {
		reason = strings.ReplaceAll(t["reason"], "{reason}", isolated(strings.Join(strings.Fields(d.SuspensionReason), " ")))
	}
	return strings.NewReplacer("{account}", account, "{reason}", reason, "{person}", isolated(cmp.Or(d.SubjectEmail, t["person.unknown"])), "{role}", t["role."+d.SubjectRole], "{app}", isolated(d.AppName), "{browser}", t.place(d, language), "{time}", isolated(time))
}

// place returns the browser name for a notice, followed by the country if it is known.
func (t texts) place(d Due, language string) string {
	if d.Country == "" {
		return t.browser(d)
	}
	return strings.NewReplacer("{browser}", t.browser(d), "{country}", isolated(country.Name(d.Country, language))).Replace(t["browser.country"])
}

// browser returns the browser name for a notice.
func (t texts) browser(d Due) string {
	switch {
	case d.Browser == "":
		return t["browser.unknown"]
	case d.System == "":
		return isolated(d.Browser)
	}
	return strings.NewReplacer("{browser}", isolated(d.Browser), "{system}", isolated(d.System)).Replace(t["browser"])
}

// isolated wraps a name in a directional isolate (UAX #9, first strong isolate), so that the name and the
// surrounding text don't affect each other's direction. It removes characters that could end the isolate.
func isolated(name string) string {
	kept := strings.Map(func(r rune) rune {
		if r >= 0x2066 && r <= 0x2069 || r >= 0x202A && r <= 0x202E || r < ' ' {
			return -1
		}
		return r
	}, name)
	return "\u2068" + kept + "\u2069"
}
