package snippet

import "strings"

// curl returns the request as a shell command.
func (r Request) curl() string {
	first := "curl -sS --fail-with-body"
	if r.File != "" {
		first += " -o " + r.File
	}
	if r.Redirects {
		first += ` -o /dev/null -w '%{redirect_url}\n'`
	}
	if r.Method != "GET" && (r.Method != "POST" || r.JSON == "" && len(r.Form) == 0) {
		first += " -X " + r.Method
	}
	if len(r.Query) > 0 {
		first += " -G"
	}
	path := ""
	for _, s := range r.Segments() {
		path += s.Text
		if s.Variable != "" {
			path += "$" + s.Variable
		}
	}
	parts := []string{first + ` "$BASE` + path + `"`}
	if r.Basic {
		parts = append(parts, `-u "$CLIENT_ID:$CLIENT_SECRET"`)
	}
	if r.Bearer != "" {
		parts = append(parts, `-H "Authorization: Bearer $`+r.Bearer+`"`)
	}
	for _, v := range append(append([]Value{}, r.Query...), r.Form...) {
		value := v.Text
		if v.Variable != "" {
			value = "$" + v.Variable
		}
		parts = append(parts, `--data-urlencode "`+v.Name+"="+value+`"`)
	}
	if r.JSON != "" {
		parts = append(parts, "-H 'Content-Type: application/json'", "-d '"+strings.ReplaceAll(r.JSON, "'", `'\''`)+"'")
	}
	return strings.Join(parts, " \\\n  ") + "\n"
}
