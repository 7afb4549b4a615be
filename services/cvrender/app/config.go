package app

import (
	"errors"
	"net/netip"
	"time"
)

// Config is the configuration of the part.
type Config struct {
	// Addr is where the gRPC server listens.
	Addr string `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104"`
	// Chromium is the path of the program; empty to look for it.
	Chromium string `env:"VITAE_CVRENDER_CHROMIUM"`
	// Slots is how many Chromium processes print side by side; one needs about
	// one core and 300 MB.
	Slots int `env:"VITAE_CVRENDER_SLOTS" envDefault:"1"`
	// Queue is how many documents may wait.
	Queue int `env:"VITAE_CVRENDER_QUEUE" envDefault:"32"`
	// PerShare is how many requests of one share may be under way.
	PerShare int `env:"VITAE_CVRENDER_PER_SHARE" envDefault:"4"`
	// Deadline is for printing one document.
	Deadline time.Duration `env:"VITAE_CVRENDER_DEADLINE" envDefault:"10s"`
	// Recycle is after how many documents a Chromium is replaced.
	Recycle int `env:"VITAE_CVRENDER_RECYCLE" envDefault:"500"`
	// Probe is how long a Chromium may be idle before it must print a probe.
	Probe time.Duration `env:"VITAE_CVRENDER_PROBE" envDefault:"30s"`
	// CacheBytes is how many bytes of finished PDFs are kept.
	CacheBytes int64 `env:"VITAE_CVRENDER_CACHE_BYTES" envDefault:"33554432"`
	// MemoryBytes is how much memory the processes of one Chromium may hold together,
	// without the program itself.
	MemoryBytes int64 `env:"VITAE_CVRENDER_MEMORY_BYTES" envDefault:"1073741824"`
	// PhotoAllow are blocks of addresses from which photos may be fetched although they are
	// not public, for local demonstrations: "127.0.0.1/32,::1/128".
	PhotoAllow []netip.Prefix `env:"VITAE_CVRENDER_PHOTO_ALLOW"`
}

// check refuses limits with which nothing could be rendered. The listener checks the
// address.
func (c Config) check() error {
	if c.Slots < 1 || c.Queue < 1 || c.PerShare < 1 || c.Recycle < 1 || c.Deadline <= 0 || c.Probe <= 0 || c.MemoryBytes <= 0 {
		return errors.New("slots, queue, requests per share, recycling, deadline, probe and memory must be positive")
	}
	return nil
}
