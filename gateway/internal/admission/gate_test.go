package admission

import (
	"testing"

	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/photolink"
	"vitae.internal/pkg/testkit"
)

func TestNewGateRequiresDependencies(t *testing.T) {
	links, err := cvlink.New(testkit.Ring("cv_link", "a"), "https://api.example")
	if err != nil {
		t.Fatal(err)
	}
	photos, err := photolink.New(testkit.Ring("cv_link", "a"), "https://api.example")
	if err != nil {
		t.Fatal(err)
	}
	limited := Surface{Limiter: noLimiter{}}
	whole := GateConfig{Verifier: noVerifier{}, Links: links, Photos: photos, MadeUp: limited}
	gate, err := NewGate(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLinkGate(gate, limited); err != nil {
		t.Error(err)
	}
	for name, lack := range map[string]func(*GateConfig){
		"verifier": func(c *GateConfig) { c.Verifier = nil },
		"links":    func(c *GateConfig) { c.Links = nil },
		"photos":   func(c *GateConfig) { c.Photos = nil },
		"made up":  func(c *GateConfig) { c.MadeUp = Surface{} },
	} {
		c := whole
		lack(&c)
		if _, err := NewGate(c); err == nil {
			t.Errorf("without %s: made", name)
		}
	}
	if _, err := NewLinkGate(gate, Surface{}); err == nil {
		t.Error("a gate for links without a limit is made")
	}
	if _, err := NewLinkGate(Gate{}, limited); err == nil {
		t.Error("a gate for links without a gate is made")
	}
}

type noLimiter struct{ Limiter }

type noVerifier struct{ Verifier }
