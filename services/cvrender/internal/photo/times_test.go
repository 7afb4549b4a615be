package photo

import (
	"context"
	"errors"
	"image"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
)

// slowly is the delay between two reads in the test format "slow".
var slowly time.Duration

func init() {
	image.RegisterFormat("slow", "SLOW", func(r io.Reader) (image.Image, error) {
		time.Sleep(slowly)
		if _, err := io.ReadAll(r); err != nil {
			return nil, err
		}
		return halves(2, 2), nil
	}, func(io.Reader) (image.Config, error) { return image.Config{Width: 2, Height: 2}, nil })
}

// took returns how long f takes according to the fake clock, and the error that f returns.
func took(f func() error) (time.Duration, error) {
	began := time.Now()
	err := f()
	return time.Since(began), err
}

// (behaviour: pdf#photos)
func TestSlowPhotoIsOmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSource(t, nil, clock.System{})
		granted := s.small.join("usr_1")
		d, err := took(func() error { _, err := s.decode(t.Context(), "usr_1", pngOf(t, halves(9, 9))); return err })
		if d != 4*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller waited %v for a slot: %v", d, err)
		}
		s.small.giveUp("usr_1", granted)
		for range maxFetches {
			s.fetches <- struct{}{}
		}
		d, err = took(func() error { _, err := s.fetch(t.Context(), "http://127.0.0.1"); return err })
		if d != 4*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller waited %v for the fetch: %v", d, err)
		}
		for slowly = range map[time.Duration]bool{3*time.Second - 1: true, 3*time.Second + 1: false} {
			_, err := s.decode(t.Context(), "usr_1", []byte("SLOW picture"))
			if want := slowly < 3*time.Second; (err == nil) != want {
				t.Errorf("a decoding with a delay of %v per read: %v", slowly, err)
			}
		}
	})
}

func TestPhotoWaitsForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := pngOf(t, halves(2001, 1000))
		f, err := picture.Inspect(file)
		if err != nil {
			t.Fatal(err)
		}
		var release func()
		for err == nil {
			brief, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var reserved func()
			if reserved, err = f.Reserve(brief); err == nil {
				release = sync.OnceFunc(reserved)
				defer release()
			}
		}
		s := newSource(t, nil, clock.System{})
		d, err := took(func() error { _, err := s.decode(t.Context(), "usr_1", file); return err })
		if d != 4*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller waited %v for memory: %v", d, err)
		}
		release()
		if _, err := s.decode(t.Context(), "usr_1", file); err != nil {
			t.Errorf("with memory for one picture: %v", err)
		}
	})
}

func TestLargePictureUsesLargeLane(t *testing.T) {
	s := newSource(t, nil, clock.System{})
	granted := s.large.join("another")
	defer s.large.giveUp("another", granted)
	if _, err := s.decode(patient(t), "usr_1", pngOf(t, halves(2000, 1000))); err != nil {
		t.Errorf("a picture of two megapixels: %v", err)
	}
	ctx, giveUp := context.WithCancel(patient(t))
	got := make(chan error, 1)
	go func() { _, err := s.decode(ctx, "usr_1", pngOf(t, halves(2001, 1000))); got <- err }()
	inLine(t, s.large, "usr_1", 1)
	giveUp()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("a larger picture: %v", err)
	}
}
