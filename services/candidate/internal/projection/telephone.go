package projection

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// phoneKey is the key of the phone number in the socials (behaviour: sharing#telephone-links).
const phoneKey = "phone"

// phonePlatforms are the platforms whose links are phone numbers.
var phonePlatforms = map[string]bool{
	phoneKey: true, "tel": true, "telephone": true, "mobile": true, "cell": true, "cellphone": true,
	"whatsapp": true, "signal": true, "viber": true,
}

// phoneHosts are the hosts whose links always count as phone numbers, because some of them contain a short
// name that stands for the number.
var phoneHosts = []string{"wa.me", "wa.link", "whatsapp.com", "signal.me", "viber.com", "vb.me"}

// messengerHosts are the hosts that identify a person by either a phone number or a chosen name. On these
// hosts, even short numbers count as phone numbers.
var messengerHosts = []string{
	"t.me", "telegram.me", "telegram.dog", "zalo.me", "line.me", "imo.im", "botim.me", "skype.com", "wechat.com", "truecaller.com",
}

// memberHosts are the hosts whose member ids have as many digits as phone numbers.
var memberHosts = []string{"facebook.com", "scopus.com", "ieee.org", "acm.org"}

// Lengths of numbers, in digits.
const (
	// maxDigits is the maximum length of a phone number (ITU-T E.164).
	maxDigits = 15
	// leastBare is the minimum number of digits in a phone number that is not marked as one. Most member ids
	// are shorter.
	leastBare = 10
	// leastAtMessenger, leastInternational and leastNamed are the minimum numbers of digits in a number that
	// the host, a plus or a parameter name, respectively, marks as a phone number.
	leastAtMessenger   = 6
	leastInternational = 7
	leastNamed         = 5
	// ownEnd is the number of digits at the end that all spellings of a phone number have in common.
	// leastOwn is the minimum number of digits to search for.
	ownEnd   = 8
	leastOwn = 7
)

// inNumbers are the characters that may separate the digits of a phone number.
const inNumbers = " .-()+"

// revealsPhone reports whether a link to a platform is, or may be, a phone number. own is the result of
// ownNumber for the profile's phone number.
func revealsPhone(platform, link, own string) bool {
	if phonePlatforms[platform] {
		return true
	}
	a, ok := readAddress(link)
	if !ok {
		return true // the whole link may be a number
	}
	return a.tellsNumber(own) || a.hasBareNumber()
}

// withoutNumber returns the link of an entry, or "" if it reveals a phone number. Such links often end in
// the number of a certificate or a page, so it keeps links with numbers that are not marked as phone
// numbers.
func withoutNumber(link, own string) string {
	if text(link) == "" {
		return link
	}
	if a, ok := readAddress(link); !ok || a.tellsNumber(own) {
		return ""
	}
	return link
}

// address is a parsed http or https URL.
type address struct {
	url *url.URL
	// said holds the decoded path, query and fragment, with all digits converted to 0 to 9.
	said string
	// pieces are the parts of said that contain digits.
	pieces []string
}

// readAddress parses a link. It returns false if the link is not an http or https URL.
func readAddress(link string) (address, bool) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return address{}, false
	}
	said := u.EscapedPath() + "?" + u.RawQuery + "#" + u.EscapedFragment()
	if plain, err := url.PathUnescape(said); err == nil {
		said = plain
	}
	a := address{url: u, said: westernDigits(said)}
	if strings.ContainsAny(a.said, digits) {
		a.pieces = slices.DeleteFunc(split(a.said), func(piece string) bool { return !strings.ContainsAny(piece, digits) })
	}
	return a, true
}

const digits = "0123456789"

// callScheme matches a URL that starts a call or a message, inside another URL.
var callScheme = regexp.MustCompile(`(?i)\b(tel|sms|smsto|callto|facetime|skype|viber|whatsapp|sips?):.*[0-9]`)

// tellsNumber reports whether the URL contains a number that is marked as a phone number, or the profile's
// number.
func (a address) tellsNumber(own string) bool {
	switch {
	case a.isOf(phoneHosts):
		return true
	case len(a.pieces) == 0:
		return false
	case a.isOf(messengerHosts) && anyNumber(a.pieces, leastAtMessenger):
		return true
	case strings.Contains(a.said, ":") && callScheme.MatchString(a.said):
		return true
	case a.url.RawQuery != "" && a.hasPhoneParameter():
		return true
	}
	for _, piece := range a.pieces {
		if hasInternational(piece) || own != "" && strings.Contains(digitsOf(piece), own) {
			return true
		}
	}
	return false
}

func (a address) hasPhoneParameter() bool {
	for name, values := range a.url.Query() {
		if isPhoneName(name) && len(digitsOf(westernDigits(strings.Join(values, "")))) >= leastNamed {
			return true
		}
	}
	return false
}

// hasBareNumber reports whether a part of the URL is a number that is as long as a phone number.
func (a address) hasBareNumber() bool {
	if a.isOf(memberHosts) {
		return false
	}
	return anyNumber(a.pieces, leastBare) || anyNumber(strings.Split(a.url.Hostname(), "."), leastBare)
}

// isPhoneName reports whether a parameter name marks the value as a phone number.
func isPhoneName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "phone") || phonePlatforms[name] || name == "msisdn"
}

// isOf reports whether the URL's host is one of hosts or a subdomain of one.
func (a address) isOf(hosts []string) bool {
	host := strings.ToLower(strings.TrimSuffix(a.url.Hostname(), "."))
	for _, one := range hosts {
		if above, ok := strings.CutSuffix(host, one); ok && (above == "" || above[len(above)-1] == '.') {
			return true
		}
	}
	return false
}

// westernDigits converts Arabic, Persian and full-width digits to 0 to 9, and a full-width plus to +.
func westernDigits(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		case r >= '۰' && r <= '۹':
			return r - '۰' + '0'
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '＋':
			return '+'
		}
		return r
	}, s)
}

// split splits the text of a URL at separators.
func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/?#&;=,:@~!$*'|\"", r) })
}

// anyNumber reports whether any piece is a number with least to maxDigits digits.
func anyNumber(pieces []string, least int) bool {
	return slices.ContainsFunc(pieces, func(piece string) bool {
		if len(piece) < least || strings.Trim(piece, digits+inNumbers) != "" {
			return false
		}
		n := len(digitsOf(piece))
		return n >= least && n <= maxDigits
	})
}

// international matches a number in international format.
var international = regexp.MustCompile(`\+[ (]*[0-9](?:[ .()+-]*[0-9])*`)

// hasInternational reports whether piece contains a number that starts with a plus and a country code.
func hasInternational(piece string) bool {
	if !strings.Contains(piece, "+") {
		return false
	}
	for _, at := range international.FindAllStringIndex(piece, -1) {
		n := len(digitsOf(piece[at[0]:at[1]]))
		if n >= leastInternational && n <= maxDigits && !isWord(piece, at[0]-1) && !isWord(piece, at[1]) {
			return true
		}
	}
	return false
}

// isWord reports whether the byte at i is part of a word. A plus also counts, because c++ is a name.
func isWord(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '+' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// ownNumber returns the last digits of the profile's phone number, which all its spellings have in common,
// or "" if there is no number.
func ownNumber(phone string) string {
	number := digitsOf(westernDigits(phone))
	if len(number) < leastOwn {
		return ""
	}
	return number[max(0, len(number)-ownEnd):]
}
