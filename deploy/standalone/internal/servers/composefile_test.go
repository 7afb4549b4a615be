package servers_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	gateway "vitae.internal/gateway/app"
	"vitae.internal/pkg/daemon"
	auth "vitae.internal/services/auth/app"
	candidate "vitae.internal/services/candidate/app"
	cvrender "vitae.internal/services/cvrender/app"
	partnercatalog "vitae.internal/services/partnercatalog/app"
)

// composition holds the tested fields of docker-compose.yml.
type composition struct {
	Services map[string]struct {
		Image       string
		Build       struct{ Target string }
		Environment map[string]string
		Volumes     []string
		CapDrop     []string `yaml:"cap_drop"`
		SecurityOpt []string `yaml:"security_opt"`
		ReadOnly    bool     `yaml:"read_only"`
		MemLimit    string   `yaml:"mem_limit"`
		PidsLimit   int      `yaml:"pids_limit"`
		StopGrace   string   `yaml:"stop_grace_period"`
		Logging     struct{ Options map[string]string }
		Profiles    []string
		Ports       []string
	}
	Networks map[string]any
}

func composeFile(t *testing.T) (c composition) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, repository+"/docker-compose.yml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// settingsOf adds the environment variables that a configuration type reads.
func settingsOf(config reflect.Type, prefix string, into map[string]bool) {
	for field := range config.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("env"), ","); name != "" {
			into[prefix+name] = true
		}
		if field.Type.Kind() == reflect.Struct {
			settingsOf(field.Type, prefix+field.Tag.Get("envPrefix"), into)
		}
	}
}

func TestComposeSettingsAreRead(t *testing.T) {
	c := composeFile(t)
	for part, config := range map[string]reflect.Type{
		"auth": reflect.TypeFor[auth.Config](), "partnercatalog": reflect.TypeFor[partnercatalog.Config](),
		"candidate": reflect.TypeFor[candidate.Config](), "cvrender": reflect.TypeFor[cvrender.Config](), "gateway": reflect.TypeFor[gateway.Config](),
	} {
		reads := map[string]bool{}
		settingsOf(config, "", reads)
		settingsOf(reflect.TypeFor[daemon.Config](), "", reads)
		for name := range c.Services[part].Environment {
			setting := strings.TrimSuffix(name, "_FILE")
			if strings.HasPrefix(name, "VITAE_") && !reads[setting] {
				t.Errorf("%s gets the setting %s, which it does not read", part, name)
			}
		}
	}
}

func TestComposeRestrictsContainers(t *testing.T) {
	for name, s := range composeFile(t).Services {
		if slices.Contains(s.Profiles, "tools") || slices.Contains(s.Profiles, "partner") {
			continue
		}
		if s.MemLimit == "" || s.PidsLimit == 0 || s.StopGrace == "" || s.Logging.Options["max-size"] == "" {
			t.Errorf("%s: memory %q, processes %d, grace %q, log %v", name, s.MemLimit, s.PidsLimit, s.StopGrace, s.Logging.Options)
		}
		if name == "postgres" || name == "redis" { // their images start as root
			continue
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s: read_only %v, cap_drop %v, security_opt %v", name, s.ReadOnly, s.CapDrop, s.SecurityOpt)
		}
	}
}

// stopping is the time that a service may take to stop: 20 s for in-flight calls, and 20 s to send usage reports and
// events.
const stopping = 40 * time.Second

func TestComposeGracePeriodsSuffice(t *testing.T) {
	for name, s := range composeFile(t).Services {
		if s.Environment["VITAE_TLS_CERT"] == "" || slices.Contains(s.Profiles, "tools") {
			continue
		}
		grace, err := time.ParseDuration(s.StopGrace)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		needs := stopping
		if pause := s.Environment["VITAE_DRAIN_PAUSE"]; pause != "" {
			more, err := time.ParseDuration(pause)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			needs += more
		}
		if grace <= needs {
			t.Errorf("%s is killed after %v, but may need %v to stop", name, grace, needs)
		}
	}
}

func TestComposeImagesCanBePinned(t *testing.T) {
	for name, s := range composeFile(t).Services {
		pinned := regexp.MustCompile(`^\$\{VITAE_[A-Z]+_IMAGE:-[a-z]+:[0-9.]+\}$`)
		if s.Build.Target != "" {
			pinned = regexp.MustCompile(`^\$\{VITAE_IMAGES:-vitae\}/` + name + `:\$\{VITAE_VERSION:-latest\}$`)
		}
		if !pinned.MatchString(s.Image) {
			t.Errorf("%s has the image %q", name, s.Image)
		}
	}
	for _, from := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(read(t, repository+"/deploy/docker/Dockerfile"), -1) {
		if from[1] != "base" && from[1] != "scratch" && !strings.HasPrefix(from[1], "${") {
			t.Errorf("the Dockerfile builds from %s, which no build argument can change", from[1])
		}
	}
}

func TestComposeSeparatesNetworksAndVolumes(t *testing.T) {
	c := composeFile(t)
	holders := map[string][]string{}
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			holders[source] = append(holders[source], name)
		}
		if len(s.Ports) > 0 && name != "proxy" {
			t.Errorf("%s publishes %v", name, s.Ports)
		}
	}
	if got := holders["certs-authority"]; !slices.Equal(got, []string{"certs"}) {
		t.Errorf("the key of the authority is mounted by %v, want only certs", got)
	}
	for _, part := range []string{"auth", "partnercatalog", "candidate", "cvrender", "gateway", "vitaectl"} {
		if got := slices.Sorted(slices.Values(holders["certs-"+part])); !slices.Equal(got, slices.Sorted(slices.Values([]string{"certs", part}))) {
			t.Errorf("the key of %s is mounted by %v, want only certs and %s", part, got, part)
		}
	}
	for _, network := range []string{"calls", "render", "postgres", "redis"} {
		if options, _ := c.Networks[network].(map[string]any); options["internal"] != true {
			t.Errorf("%s is not internal", network)
		}
	}
}

func TestSeccompProfileAllowsNoHostCalls(t *testing.T) {
	var profile struct {
		DefaultAction string
		Syscalls      []struct {
			Names    []string
			Action   string
			Includes map[string]any
		}
	}
	if err := json.Unmarshal([]byte(read(t, repository+"/deploy/docker/cvrender-seccomp.json")), &profile); err != nil {
		t.Fatal(err)
	}
	if profile.DefaultAction != "SCMP_ACT_ERRNO" {
		t.Errorf("the default action is %s", profile.DefaultAction)
	}
	refused := strings.Fields("acct add_key bpf clock_settime delete_module fsmount fsopen init_module io_uring_setup kexec_load keyctl mount move_mount " +
		"open_by_handle_at perf_event_open pivot_root quotactl reboot request_key setns settimeofday swapon syslog umount2 userfaultfd")
	for _, s := range profile.Syscalls {
		if _, is := s.Includes["caps"]; is {
			t.Errorf("%v depends on a capability; cvrender has none", s.Names)
		}
		for _, name := range s.Names {
			if s.Action == "SCMP_ACT_ALLOW" && slices.Contains(refused, name) {
				t.Errorf("%s is allowed", name)
			}
		}
	}
}
