package pdf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"unicode/utf16"
)

// setOutputIntent says which colours the numbers on the pages are: those of sRGB (ISO 19005-2, 6.2.3
// and 6.2.4.3; ISO 32000-1, 14.11.5).
func (f *file) setOutputIntent() {
	profile := sRGB()
	number := f.add(&object{value: fmt.Appendf(nil, "<</N 3 /Length %d>>", len(profile)), stream: profile})
	catalog := f.objects[f.root]
	catalog.value = with(catalog.value, "OutputIntents", fmt.Sprintf(
		"[<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (%s) /Info (%s) /DestOutputProfile %d 0 R>>]", nameOfSRGB, nameOfSRGB, number))
}

const nameOfSRGB = "sRGB IEC61966-2.1"

// The primaries of sRGB, and the matrix that takes its white (D65) to that of profiles (D50), by the
// linear Bradford transform (ICC.1:2004-10, annex E). X, Y and Z of a primary are a row.
var (
	primaries = [3][3]float64{{0.4360747, 0.2225045, 0.0139322}, {0.3850649, 0.7168786, 0.0971045}, {0.1430804, 0.0606169, 0.7141733}}
	bradford  = []float64{1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316}
	whiteD50  = []float64{0.9642, 1, 0.8249}
)

// curve holds the parameters of the transfer function of IEC 61966-2-1: ((x+0.055)/1.055)^2.4 from
// 0.04045 on, x/12.92 below (ICC.1:2004-10, 10.15, function 3).
var curve = []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}

// sRGB gives the profile of a display with the colours of sRGB (ICC.1:2004-10, version 4.2, which
// ISO 32000-1 knows). It is made here because its numbers are public and a profile of others has a
// licence.
var sRGB = sync.OnceValue(func() []byte {
	type tag struct {
		name string
		data []byte
	}
	tags := []tag{
		{"desc", multiText(nameOfSRGB)}, {"cprt", multiText("No copyright, use freely")}, {"wtpt", s15Fixed16("XYZ ", whiteD50)},
		{"chad", s15Fixed16("sf32", bradford)}, {"rXYZ", s15Fixed16("XYZ ", primaries[0][:])}, {"gXYZ", s15Fixed16("XYZ ", primaries[1][:])},
		{"bXYZ", s15Fixed16("XYZ ", primaries[2][:])}, {"rTRC", parametric(curve)},
	}
	// The three curves are the same bytes.
	names := append(tags[:len(tags):len(tags)], tag{name: "gTRC"}, tag{name: "bTRC"})
	table, data := binary.BigEndian.AppendUint32(nil, uint32(len(names))), []byte{}
	start, at, size := headerSize+4+12*len(names), 0, 0
	for _, t := range names {
		if t.data != nil {
			at, size = start+len(data), len(t.data)
			data = append(data, t.data...)
			data = append(data, make([]byte, -len(data)&3)...)
		}
		table = append(table, t.name...)
		table = binary.BigEndian.AppendUint32(table, uint32(at))
		table = binary.BigEndian.AppendUint32(table, uint32(size))
	}
	return append(append(profileHeader(start+len(data)), table...), data...)
})

// headerSize is the length of the header of a profile, in bytes (ICC.1:2004-10, 7.2).
const headerSize = 128

// profileHeader gives the header of a profile of size bytes.
func profileHeader(size int) []byte {
	h := make([]byte, headerSize)
	binary.BigEndian.PutUint32(h, uint32(size))
	copy(h[8:], []byte{4, 0x20})
	copy(h[12:], "mntrRGB XYZ ")
	copy(h[24:], []byte{2000 >> 8, 2000 & 0xff, 0, 1, 0, 1}) // a date must be there; the same bytes always
	copy(h[36:], "acsp")
	copy(h[68:], s15Fixed16("", whiteD50)[4:])
	return h
}

// s15Fixed16 gives numbers in the type s15Fixed16Number behind a signature and four bytes.
func s15Fixed16(signature string, numbers []float64) []byte {
	out := append([]byte(signature), 0, 0, 0, 0)
	for _, x := range numbers {
		out = binary.BigEndian.AppendUint32(out, uint32(int32(math.Round(x*65536))))
	}
	return out
}

// parametric gives a curve of function 3.
func parametric(parameters []float64) []byte {
	return bytes.Join([][]byte{[]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), s15Fixed16("", parameters)[4:]}, nil)
}

// multiText gives a text in English (multiLocalizedUnicodeType).
func multiText(text string) []byte {
	units := utf16.Encode([]rune(text))
	out := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS")
	out = binary.BigEndian.AppendUint32(out, uint32(2*len(units)))
	out = binary.BigEndian.AppendUint32(out, 28)
	for _, u := range units {
		out = binary.BigEndian.AppendUint16(out, u)
	}
	return out
}
