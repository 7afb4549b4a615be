package app_test

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// canaries returns those values that occur in the encoded messages. The wire format contains
// strings unchanged, whichever field they are in.
func canaries(t *testing.T, values iter.Seq[string], messages ...proto.Message) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, m := range messages {
		raw, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for value := range values {
			if bytes.Contains(raw, []byte(value)) {
				found[value] = true
			}
		}
	}
	return found
}

// pick returns the items whose bits are set in bits.
func pick(bits int, items []string) (picked []string) {
	for i, item := range items {
		if bits&(1<<i) != 0 {
			picked = append(picked, item)
		}
	}
	return picked
}

// knownFields is the number of profile fields that TestPrivateFieldsNeedGrant covers. The test
// fills in the personal details itself; the fields of the content are covered by package
// projection.
const knownFields = 17

func TestPrivacyTestsCoverEveryField(t *testing.T) {
	t.Parallel()
	if got := (&candidatev1.Profile{}).ProtoReflect().Descriptor().Fields().Len(); got != knownFields {
		t.Errorf("a profile has %d fields, the tests cover %d", got, knownFields)
	}
}

// TestPrivateFieldsNeedGrant searches each encoded response for the stored values, so it also
// covers fields that are added later.
func TestPrivateFieldsNeedGrant(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := full("usr_1")
	p.Phone, p.Address, p.Email, p.AvatarUrl = "canary-phone", "canary-address", "canary-email@example.com", "https://example.com/canary-photo.jpg"
	p.Content.Socials["phone"] = "canary-social"
	p.Content.Socials["chat"] = "https://wa.me/canary-chat"
	p.Content.About, p.Content.Interests = "canary-about", []string{"canary-interest"}
	needs := map[string]string{
		"canary-phone": "cv:contact", "canary-address": "cv:contact", "canary-chat": "cv:contact",
		"canary-social": "never", // replaced with the profile's phone number
		"canary-email":  "email", "canary-photo.jpg": "never", "canary-signed": "photo", "canary-about": "never", "canary-interest": "never",
	}
	details := p.GetPersonalDetails().ProtoReflect()
	fields := details.Descriptor().Fields()
	for i := range fields.Len() {
		fd, value := fields.Get(i), "canary-"+fields.Get(i).TextName()
		if fd.Name() == "date_of_birth" {
			value = "1911-11-11"
		}
		details.Set(fd, protoreflect.ValueOfMessage(text(value).ProtoReflect()))
		needs[value] = "cv:contact"
	}
	r.create(p)
	other := r.createCv("usr_1", "Other", p.GetContent())

	scopes := []string{"profile", "cv:read", "email", "cv:contact"}
	for _, chosen := range []string{"master", other.GetId()} {
		for bits := range 8 {
			granted := append(slices.Clone(scopes[:2]), pick(bits, scopes[2:])...)
			reader := consent("usr_1", chosen, granted...)
			reader.SharePhoto, reader.PhotoUrl = bits&4 != 0, "https://api.example/v1/photos/canary-signed"
			shared, err := r.getSharedCv(reader)
			if err != nil {
				t.Fatal(err)
			}
			user, err := r.getMe(reader)
			if err != nil {
				t.Fatal(err)
			}
			may := map[string]bool{"photo": reader.GetSharePhoto()}
			for _, scope := range granted {
				may[scope] = true
			}
			seen := canaries(t, maps.Keys(needs), shared, user)
			for value, need := range needs {
				if seen[value] != may[need] {
					t.Errorf("%s, %q, photo %t: contains %s: %t", chosen, granted, reader.GetSharePhoto(), value, seen[value])
				}
			}
		}
	}
	legacy := legacyPrincipal("usr_1")
	legacy.PhotoUrl = "https://api.example/v1/photos/canary-signed"
	older, err := r.getLegacy(legacy)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"canary-phone": true, "canary-email": true, "canary-signed": true}
	seen := canaries(t, maps.Keys(needs), older)
	for value := range needs {
		if seen[value] != listed[value] {
			t.Errorf("the legacy profile contains %s: %t", value, seen[value])
		}
	}
	page, err := r.pages.GetPublicProfile(t.Context(), &candidatev1.GetPublicProfileRequest{Username: "sara"})
	if err != nil {
		t.Fatal(err)
	}
	for value := range canaries(t, maps.Keys(needs), page) {
		if value != "canary-photo.jpg" {
			t.Errorf("the public page contains %s", value)
		}
	}
}
