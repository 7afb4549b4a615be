package usage

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/console/plot"
)

// sights maps kinds of color vision to matrices for linear RGB: normal vision, and vision without
// one of the three cone types (Machado, Oliveira and Fernandes 2009, severity 1).
var sights = map[string][3][3]float64{
	"normal vision": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia":  {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// leastDifference is the minimum CIELAB distance between two colors. For comparison, 2.3 is just
// noticeable if the colors are side by side.
const leastDifference = 14

func TestPlotColorsAreDistinguishable(t *testing.T) {
	t.Parallel()
	light, dark := palette(t)
	for theme, colors := range map[string][]string{"light": light, "dark": dark} {
		card := linear(t, map[string]string{"light": "#ffffff", "dark": "#181d1c"}[theme])
		for i, a := range colors {
			if c := contrast(linear(t, a), card); c < 3 {
				t.Errorf("%s: layer %d has a contrast of %.1f to the card (WCAG 1.4.11 requires 3)", theme, i, c)
			}
			for j, b := range colors[:i] {
				for sight, m := range sights {
					if d := distance(lab(seen(linear(t, a), m)), lab(seen(linear(t, b), m))); d < leastDifference {
						t.Errorf("%s, %s: layers %d and %d differ by %.1f", theme, sight, j, i, d)
					}
				}
			}
		}
	}
}

func TestSharesAreNotRoundedToZeroOrAll(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		n, all int64
		want   string
	}{{0, 0, "0%"}, {0, 9, "0%"}, {1, 100_000, "< 0.1%"}, {1, 8, "12.5%"}, {99_999, 100_000, "> 99.9%"}, {5, 5, "100%"}} {
		if got := percent(one.n, one.all); got != one.want {
			t.Errorf("%d of %d is formatted as %s, want %s", one.n, one.all, got, one.want)
		}
	}
}

// palette returns the layer colors of both themes.
func palette(t *testing.T) (light, dark []string) {
	t.Helper()
	style, err := os.ReadFile("static/plot.css")
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(style), "prefers-color-scheme: dark")
	for i := range plot.MaxSeries {
		color := regexp.MustCompile(fmt.Sprintf("--layer-%d: (#[0-9a-f]{6})", i))
		a, b := color.FindStringSubmatch(first), color.FindStringSubmatch(second)
		if a == nil || b == nil {
			t.Fatalf("layer %d has no color", i)
		}
		light, dark = append(light, a[1]), append(dark, b[1])
	}
	return light, dark
}

// linear converts sRGB (IEC 61966-2-1) to linear RGB.
func linear(t *testing.T, hex string) (out [3]float64) {
	t.Helper()
	for i := range out {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if c := float64(n) / 255; c <= 0.04045 {
			out[i] = c / 12.92
		} else {
			out[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return out
}

func seen(c [3]float64, m [3][3]float64) (out [3]float64) {
	for i, row := range m {
		out[i] = min(max(row[0]*c[0]+row[1]*c[1]+row[2]*c[2], 0), 1)
	}
	return out
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b [3]float64) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

// lab converts linear RGB to CIELAB with white point D65.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047)
	y := f(0.2126729*c[0] + 0.7151522*c[1] + 0.0721750*c[2])
	z := f((0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
