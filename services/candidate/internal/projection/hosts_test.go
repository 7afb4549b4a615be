package projection

import "testing"

func TestPhonePlatformLinksCountAsNumbers(t *testing.T) {
	for _, platform := range []string{"phone", "tel", "telephone", "mobile", "cell", "cellphone", "whatsapp", "signal", "viber"} {
		if !revealsPhone(platform, "https://x.example/", "") || len(seeSocials(map[string]string{" " + platform: "https://x.example/"}, permission{}, "")) != 0 {
			t.Errorf("%s is shown", platform)
		}
		if !isPhoneName(platform) || !isPhoneName("X-"+"Phone") {
			t.Errorf("%s is not recognized as a parameter for a phone number", platform)
		}
	}
	for _, platform := range []string{"", "linkedin", "phones", "telegram", "website"} {
		if revealsPhone(platform, "https://x.example/", "") {
			t.Errorf("%q is not shown", platform)
		}
	}
}

func TestMessengerAndMemberHostsAreRecognized(t *testing.T) {
	tells := func(link string) bool {
		a, ok := readAddress(link)
		if !ok {
			t.Fatal(link)
		}
		return a.tellsNumber("")
	}
	for _, host := range []string{"wa.me", "wa.link", "whatsapp.com", "signal.me", "viber.com", "vb.me"} {
		if !tells("https://"+host+"/sara") || !tells("https://sub."+host) || tells("https://x"+host+"/sara") {
			t.Error(host)
		}
	}
	for _, host := range []string{"t.me", "telegram.me", "telegram.dog", "zalo.me", "line.me", "imo.im", "botim.me", "skype.com", "wechat.com", "truecaller.com"} {
		if !tells("https://"+host+"/123456") || tells("https://"+host+"/sara") || tells("https://x"+host+"/123456") {
			t.Error(host)
		}
	}
	for _, host := range []string{"facebook.com", "scopus.com", "ieee.org", "acm.org"} {
		if revealsPhone("x", "https://"+host+"/1234567890", "") || !revealsPhone("x", "https://x"+host+"/1234567890", "") {
			t.Error(host)
		}
	}
	for _, scheme := range []string{"tel", "sms", "smsto", "callto", "facetime", "skype", "viber", "whatsapp", "sip", "sips", "TEL"} {
		if !tells("https://x.example/?u="+scheme+":12") || tells("https://x.example/?u=x"+scheme+":12") || tells("https://x.example/"+scheme+"/12") {
			t.Error(scheme)
		}
	}
	// A plus marks a phone number even if the person's own number is unknown.
	if !tells("https://x.example/+9715012345") || tells("https://x.example/9715012345") || tells("https://x.example/") {
		t.Error("only the link with a plus should count as a phone number")
	}
}

func TestSeparatorsDoNotHideNumbers(t *testing.T) {
	for _, separator := range []string{" ", ".", "-", "(", ")", "+"} {
		if piece := "123" + separator + "456"; !anyNumber([]string{piece}, 6) {
			t.Errorf("%q is not recognized as a number", piece)
		}
	}
	for _, cut := range []string{"/", "?", "#", "&", ";", "=", ",", ":", "@", "~", "!", "$", "*", "'", "|", "\""} {
		if got := split("a" + cut + "b"); len(got) != 2 {
			t.Errorf("%s does not separate: %q", cut, got)
		}
	}
}
