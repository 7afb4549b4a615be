package app

import (
	"errors"
	"net/netip"
	"time"
)

// Config is the configuration of the service.
type Config struct {
	Addr        string         `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104" help:"Where cvrender listens."`
	Chromium    string         `env:"VITAE_CVRENDER_CHROMIUM" help:"Path of Chromium. Unset: searched for."`
	Slots       int            `env:"VITAE_CVRENDER_SLOTS" envDefault:"1" help:"Documents printed at once, each by a Chromium of one core and 300 MB."`
	Queue       int            `env:"VITAE_CVRENDER_QUEUE" envDefault:"32" help:"Documents that may wait."`
	PerShare    int            `env:"VITAE_CVRENDER_PER_SHARE" envDefault:"4" help:"Documents of one person that may wait or print."`
	Deadline    time.Duration  `env:"VITAE_CVRENDER_DEADLINE" envDefault:"10s" help:"Time limit for printing a document."`
	Recycle     int            `env:"VITAE_CVRENDER_RECYCLE" envDefault:"500" help:"Documents after which a Chromium is replaced."`
	Probe       time.Duration  `env:"VITAE_CVRENDER_PROBE" envDefault:"30s" help:"Idle time after which a Chromium must print a probe."`
	CacheBytes  int64          `env:"VITAE_CVRENDER_CACHE_BYTES" envDefault:"33554432" help:"Size of the cache of finished PDFs."`
	MemoryBytes int64          `env:"VITAE_CVRENDER_MEMORY_BYTES" envDefault:"1073741824" help:"Memory that the processes of one Chromium may use, without the program itself."`
	PhotoAllow  []netip.Prefix `env:"VITAE_CVRENDER_PHOTO_ALLOW" help:"Private networks (CIDR, comma-separated) from which photos may be fetched, for local demonstrations."`
}

// check rejects limits with which nothing could be rendered. The listener validates the address.
func (c Config) check() error {
	if c.Slots < 1 || c.Queue < 1 || c.PerShare < 1 || c.Recycle < 1 || c.Deadline <= 0 || c.Probe <= 0 || c.MemoryBytes <= 0 {
		return errors.New("slots, queue, requests per share, recycling, deadline, probe and memory must be positive")
	}
	return nil
}
