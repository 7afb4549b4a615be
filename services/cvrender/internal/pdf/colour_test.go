package pdf

import (
	"encoding/binary"
	"math"
	"testing"
)

// The numbers of the profile are those that follow from the chromaticities of IEC 61966-2-1.
func TestTheProfileHasThePrimariesOfSRGB(t *testing.T) {
	xy := [3][2]float64{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}
	white := [3]float64{0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290}
	for i := range 3 {
		// Of white, the luminance of a primary is Y, and X and Z follow from its chromaticity.
		y := luminance(xy, white, i)
		unadapted := [3]float64{xy[i][0] / xy[i][1] * y, y, (1 - xy[i][0] - xy[i][1]) / xy[i][1] * y}
		for j := range 3 {
			want := 0.0
			for k := range 3 {
				want += bradford[3*j+k] * unadapted[k]
			}
			if got := primaries[i][j]; math.Abs(got-want) > 0.0002 {
				t.Errorf("primary %d, coordinate %d: %f, want %f", i, j, got, want)
			}
		}
	}
	for j := range 3 {
		if sum := primaries[0][j] + primaries[1][j] + primaries[2][j]; math.Abs(sum-whiteD50[j]) > 0.0005 {
			t.Errorf("coordinate %d of white: %f, want %f", j, sum, whiteD50[j])
		}
	}
	profile := sRGB()
	if got := int(binary.BigEndian.Uint32(profile)); got != len(profile) || len(profile)%4 != 0 {
		t.Errorf("the profile says %d bytes and has %d", got, len(profile))
	}
}

// luminance solves, by Cramer's rule, how much of the luminance of white is that of a primary.
func luminance(xy [3][2]float64, white [3]float64, which int) float64 {
	column := func(i int) [3]float64 {
		return [3]float64{xy[i][0] / xy[i][1], 1, (1 - xy[i][0] - xy[i][1]) / xy[i][1]}
	}
	all := [3][3]float64{column(0), column(1), column(2)}
	replaced := all
	replaced[which] = white
	return determinant(replaced) / determinant(all)
}

func determinant(m [3][3]float64) float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}
