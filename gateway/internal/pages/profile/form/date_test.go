package form

import (
	"net/url"
	"strings"
	"testing"
)

func TestCommonDateFormatsAreRead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2019": "2019", "2019-3": "2019-03", "2019/03": "2019-03", "2019-03-05": "2019-03-05", "2014-06-29T10:00:00Z": "2014-06-29",
		"03/2019": "2019-03", "3/2019": "2019-03", "3.2019": "2019-03", "03 / 2019": "2019-03",
		"17/05/1990": "1990-05-17", "17.5.1990": "1990-05-17", "05/17/1990": "1990-05-17", "5/5/1990": "1990-05-05",
		"March 2019": "2019-03", "Mar 2019": "2019-03", "17 May 1990": "1990-05-17", "May 17, 1990": "1990-05-17",
		"مايو 2019": "2019-05", "17 مايو 1990": "1990-05-17", "٠٣/٢٠١٩": "2019-03", "١٧/٠٥/١٩٩٠": "1990-05-17", "\u2066 03/2019\u2069": "2019-03",
		// Day and month are ambiguous.
		"03/04/2019": "03/04/2019", "3.4.2019": "3.4.2019",
		"31/12/2019": "2019-12-31", "when it rained": "when it rained", "13/2019": "13/2019", "": "",
	} {
		if got := DateOf(in); got != want {
			t.Errorf("DateOf(%q) = %q, want %q", in, got, want)
		}
	}
	for stored, want := range map[string]string{
		"2019": "2019", "2019-03": "03/2019", "1990-05-17": "17/05/1990", "1990-05-04": "4 May 1990", "1990-05-05": "05/05/1990",
		"": "", "2019-13": "2019-13", "03/04/2019": "03/04/2019", "when it rained": "when it rained",
	} {
		if got := formatDate(stored, false); got != want || DateOf(got) != stored {
			t.Errorf("%q is shown as %q, want %q", stored, got, want)
		}
		if got := formatDate(stored, true); DateOf(got) != stored {
			t.Errorf("%q is shown as %q in Arabic, which is a different date", stored, got)
		}
	}
	long := "2014-06-29T10 " + strings.Repeat("and more ", 20)
	if got := DateOf(long); got != long {
		t.Errorf("a long text becomes %q", got)
	}
	d, _ := Read(url.Values{"personal_details.date_of_birth": {"17/05/1990"}, "experiences": {"1"}, "experiences.1.start_date": {" 03/2019 "}}, true)
	if got := d.Profile.GetPersonalDetails().GetDateOfBirth().GetValue(); got != "1990-05-17" {
		t.Errorf("birth date is %q", got)
	}
	if got := d.Content.GetExperiences()[0].GetStartDate().GetValue(); got != "2019-03" {
		t.Errorf("start date is %q", got)
	}
}
