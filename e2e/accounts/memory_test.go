package accounts_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit"
	"vitae.internal/pkg/testkit/picturetest"
)

// attacker is a signed-in person who sends files and forms and does not read the responses.
type attacker struct {
	*person.Person

	address, app, csrf string
}

// sent is a request on its own connection, whose response has been read only up to the status.
type sent struct {
	what   string
	conn   net.Conn
	status string
}

// send sends a form, and returns when the response begins.
func (a attacker) send(t *testing.T, what, path, contentType string, body []byte) sent {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.app+path, bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return sent{}
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Origin", a.app)
	req.Close = true // the connection is closed when the request is complete
	for _, c := range a.Cookies(req.URL) {
		req.AddCookie(c)
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(a.address)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", req.URL.Host)
	if err != nil {
		t.Error(err)
		return sent{}
	}
	t.Cleanup(func() { _ = conn.Close() })
	begins := make([]byte, len("HTTP/1.1 200"))
	err = req.Write(conn)
	if err == nil {
		_, err = io.ReadFull(conn, begins)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return sent{what, conn, string(begins[9:])}
}

// readToEnd reads the response until the server closes the connection. By then the server has released
// what the request held, such as the person's slot for reading a file.
func (s sent) readToEnd(t *testing.T) {
	if s.conn == nil {
		return
	}
	if _, err := io.Copy(io.Discard, s.conn); err != nil {
		t.Errorf("%s: %v", s.what, err)
	}
}

func (a attacker) file(t *testing.T, what, path, field string, file []byte) sent {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", a.csrf)
	part, _ := w.CreateFormFile(field, "file") // writes to memory do not fail
	_, _ = part.Write(file)
	_ = w.Close()
	return a.send(t, what, path, w.FormDataContentType(), body.Bytes())
}

func (a attacker) form(t *testing.T, what, path, body string) sent {
	return a.send(t, what, path, "application/x-www-form-urlencoded", []byte(body))
}

// worst returns the inputs with the highest known memory use: files, to be sent one after another, and
// forms, to be sent concurrently.
func (a attacker) worst(t *testing.T) (files, forms []func() sent) {
	entries := url.Values{"do": {"add projects"}, "csrf": {a.csrf}}
	for i := range 990 {
		entries.Add("experiences", strconv.Itoa(i))
		entries.Set(fmt.Sprintf("experiences.%d.title", i), "''''''''''''''''''''")
	}
	list := func(n int, item string) []byte { return []byte(strings.TrimSuffix(strings.Repeat(item+",", n), ",")) }
	paths := fmt.Appendf(nil, `{"basics":{"name":"A"},"work":[{"name":"X","position":"Y"}],"%s":[%s]}`, strings.Repeat(`\"`, 490), list(48_000, `"a"`))
	empty := fmt.Appendf(nil, `{"work":[%s]}`, list(24_000, `{"a":1}`))
	links := fmt.Appendf(nil, `{"basics":{"name":"x","profiles":[%s]}}`, list(13_000, `{"network":"x","url":"a"}`))
	full := fmt.Appendf(nil, `{"work":[%s]}`, list(990, `{"name":"''''''''''''''''''''","position":"b"}`))
	files = []func() sent{
		func() sent { return a.file(t, "long paths", "/cvs/import", "file", paths) },
		func() sent { return a.file(t, "empty entries", "/cvs/import", "file", empty) },
		func() sent { return a.file(t, "links", "/cvs/import", "file", links) },
		func() sent { return a.file(t, "many entries", "/cvs/import", "file", full) },
	}
	form := entries.Encode() // here, because the forms are sent concurrently
	for range 6 {
		forms = append(forms, func() sent { return a.form(t, "a large form", "/cvs/new", form) })
	}
	return files, forms
}

// europassPDF is a PDF that contains a Europass CV, which declares its encoding as US-ASCII but has a
// letter that is not ASCII.
const europassPDF = "%PDF-1.4\n1 0 obj\n<< /Type /EmbeddedFile >>\nstream\n" +
	`<?xml version="1.0" encoding="US-ASCII"?><SkillsPassport><LearnerInfo><EducationList><Education><Title>Études</Title>` +
	`<Organisation><Name>Sample University</Name></Organisation></Education></EducationList></LearnerInfo></SkillsPassport>` +
	"\nendstream\nendobj\n%%EOF"

// composeMemory returns the memory limit of the services in docker-compose.yml, in bytes.
func composeMemory(t *testing.T) int64 {
	t.Helper()
	raw := expect.Must(os.ReadFile(filepath.Join(expect.Must(testkit.Root())(t), "docker-compose.yml")))(t)
	m := regexp.MustCompile(`(?s)x-part: &part.*?mem_limit: (\d+)m`).FindSubmatch(raw)
	if m == nil {
		t.Fatal("docker-compose.yml has no memory limit")
	}
	return expect.Must(strconv.ParseInt(string(m[1]), 10, 64))(t) << 20
}

// maxConnections is the maximum number of connections that a listener accepts in the test.
const maxConnections = 200

// openIdleConnections opens more connections to the pages than the listener accepts, from several IP
// addresses. Each sends one request and then stays idle.
func openIdleConnections(t *testing.T, s *stack.Stack) {
	t.Helper()
	app := expect.Must(url.Parse(s.AppURLs[0]))(t)
	for i := range maxConnections + 10 {
		from := &net.TCPAddr{IP: net.IPv4(127, 0, 21, byte(1+i%7))}
		conn := expect.Must((&net.Dialer{LocalAddr: from}).DialContext(t.Context(), "tcp", app.Host))(t)
		t.Cleanup(func() { _ = conn.Close() })
		_, err := fmt.Fprintf(conn, "HEAD /static/ HTTP/1.1\r\nHost: %s\r\n\r\n", app.Host)
		if err == nil {
			_, err = io.ReadFull(conn, make([]byte, len("HTTP/1.1")))
		}
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
}

// Six people send the inputs of worst concurrently and read no responses, while idle connections use up the
// connection limit. Within the memory limits of a container, the gateway and the candidate service must not
// exit, and must serve everybody else. The other person has a different IP address, because requests from one
// address share half of the memory budget.
func TestWorstInputsDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	limit := composeMemory(t)
	// These are the settings in a container (daemon.SizeHeap).
	s := suite.Start(t, "memory", suite.NoTiers, suite.Split, fmt.Sprintf("GOMEMLIMIT=%d", limit*9/10), "GOGC=100", fmt.Sprintf("VITAE_MAX_CONNECTIONS=%d", maxConnections))
	var people []world.Person
	for _, ref := range []string{"one", "two", "red", "green", "blue", "white", "other"} {
		p := world.Bare()
		p.Ref, p.Profile = ref, new(world.English())
		people = append(people, p)
	}
	in := scene.Of(t, s, world.World{People: people})
	signedIn := func(ref, address string) attacker {
		m := marked{Platform: scene.Platform{Scene: in}, browser: in.NewPerson(t, ref).From(address)}
		at := expect.Must(m.browser.Open(t.Context(), s.AppURLs[0]+"/profile"))(t)
		expect.Must(m.browser.SignIn(t.Context(), at.Page))(t)
		return attacker{m.browser, address, s.AppURLs[0], m.csrf(t)}
	}
	browsers := map[string]attacker{}
	for _, p := range people[:6] {
		browsers[p.Ref] = signedIn(p.Ref, "127.0.0.1")
	}
	other := signedIn("other", "127.0.22.1")
	confined := confine(t, s, limit)
	openIdleConnections(t, s)

	var attack sync.WaitGroup
	got := make(chan sent, 100)
	inOrder := func(all ...func() sent) {
		attack.Go(func() {
			for _, send := range all {
				got <- send()
			}
		})
	}
	for _, ref := range []string{"one", "two"} {
		files, forms := browsers[ref].worst(t)
		inOrder(files...)
		for _, form := range forms {
			inOrder(form)
		}
	}
	for ref, side := range map[string]int{"red": 4000, "green": 4000, "blue": 3000} { // need 384 and 216 MB to decode
		a := browsers[ref]
		inOrder(func() sent {
			return a.file(t, fmt.Sprint("a photo of ", side), "/profile/photo", "photo", picturetest.ProgressiveJPEG(side, side, 4))
		})
	}
	inOrder(func() sent { // the gateway decodes a file of more than 512 KiB
		return browsers["white"].file(t, "a large photo", "/profile/photo", "photo", append(picturetest.ProgressiveJPEG(2200, 2200, 4), make([]byte, 9<<20)...))
	})
	over := make(chan struct{})
	go func() { attack.Wait(); close(got); close(over) }()
	rounds := 0
	for again := true; again; rounds++ {
		select {
		case <-over:
			again = false // do a last round while the responses are still unread
		default:
		}
		for _, path := range []string{"/profile", "/cvs", "/account", "/connections", "/cvs/import"} {
			if at := expect.Must(other.Open(t.Context(), s.AppURLs[0]+path))(t); at.Status != http.StatusOK {
				t.Errorf("%s of the other person: %d", path, at.Status)
			}
		}
	}
	for _, send := range []func() sent{
		func() sent { return other.file(t, "an import", "/cvs/import", "file", []byte(europassPDF)) },
		func() sent {
			return other.file(t, "a photo", "/profile/photo", "photo", picturetest.ProgressiveJPEG(600, 600, 3))
		},
	} {
		res := send()
		res.readToEnd(t)
		if res.status != "200" && res.status != "303" {
			t.Errorf("%s of the other person: %s", res.what, res.status)
		}
	}
	statuses := map[string]int{}
	for s := range got {
		statuses[s.what+" "+s.status]++
	}
	t.Logf("the other person opened the pages %d times during %v", rounds, statuses)
	for _, p := range confined {
		peak, err := p.PeakMemory()
		if err != nil || !p.Alive() {
			t.Errorf("%s has exited: %v", p.Command, err)
		} else if peak > limit {
			t.Errorf("%s used %d MiB, limit %d", p.Command, peak>>20, limit>>20)
		} else {
			t.Logf("%s used %d MiB", p.Command, peak>>20)
		}
	}
}

// confine puts the gateway and candidate processes into memory cgroups. If the test may not create
// cgroups, it only compares their peak memory with the limit.
func confine(t *testing.T, s *stack.Stack, limit int64) (processes []stack.Process) {
	t.Helper()
	for _, name := range []string{"gateway", "candidate"} {
		for _, p := range s.Services(name) {
			processes = append(processes, p)
			end, err := p.Confine(limit)
			if err != nil {
				t.Logf("cannot create a cgroup for %s: %v", name, err)
				continue
			}
			t.Cleanup(func() {
				if err := end(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if len(processes) != 3 {
		t.Fatalf("%d processes, want two gateways and one candidate", len(processes))
	}
	return processes
}
