package chromium

import "path/filepath"

// arguments returns the command line. It must not contain --no-sandbox, because a Chromium that
// cannot create its sandbox must not start.
func arguments(home string) []string {
	return []string{
		"--headless",
		"--remote-debugging-pipe",
		"--user-data-dir=" + filepath.Join(home, "profile"),
		"--no-first-run",
		"--no-default-browser-check",
		// Disable background traffic, updates, reports and dialogs.
		"--disable-background-networking",
		"--disable-breakpad",
		"--disable-client-side-phishing-detection",
		"--disable-component-extensions-with-background-pages",
		"--disable-component-update",
		"--disable-crash-reporter",
		"--disable-default-apps",
		"--disable-domain-reliability",
		"--disable-extensions",
		"--disable-hang-monitor",
		"--disable-popup-blocking",
		"--disable-prompt-on-repost",
		"--disable-quic",
		"--disable-sync",
		"--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,DialMediaRouteProvider",
		"--metrics-recording-only",
		"--no-pings",
		"--password-store=basic",
		"--use-mock-keychain",
		// Host names do not resolve, even if the network namespace should have a network.
		"--host-resolver-rules=MAP * ~NOTFOUND",
		"--proxy-server=direct://",
		// Use little memory and keep the speed steady: one renderer, no graphics driver, no
		// JavaScript compiler, and no throttling of hidden tabs.
		"--disable-gpu",
		"--disable-software-rasterizer",
		"--disable-dev-shm-usage",
		"--js-flags=--jitless",
		"--mute-audio",
		"--renderer-process-limit=1",
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding",
		"--disable-ipc-flooding-protection",
		// Produce the same bytes on every machine.
		"--force-color-profile=srgb",
		"--font-render-hinting=none",
		"--lang=en-US",
		// The PDF contains the user agent as its creator.
		"--user-agent=Vitae",
		"about:blank",
	}
}

// environment returns the complete environment of Chromium. It inherits no variables from this
// process.
func environment(home string) []string {
	return []string{
		"HOME=" + home,
		"TMPDIR=" + filepath.Join(home, "tmp"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_RUNTIME_DIR=" + filepath.Join(home, "tmp"),
		"FONTCONFIG_FILE=" + filepath.Join(home, "fonts.conf"),
		"DBUS_SESSION_BUS_ADDRESS=disabled:",
		"PATH=/usr/bin:/bin",
		"LANG=C.UTF-8",
		"TZ=UTC",
	}
}
