package resume

import (
	"encoding/binary"
	"testing"
)

func doc16(file []byte, at int, v uint16) []byte {
	out := append([]byte(nil), file...)
	binary.LittleEndian.PutUint16(out[at:], v)
	return out
}

func doc32(file []byte, at int, v uint32) []byte {
	out := append([]byte(nil), file...)
	binary.LittleEndian.PutUint32(out[at:], v)
	return out
}

// wide returns a compound file with sectors of 4096 bytes and one directory sector.
func wide(objects ...object) []byte {
	narrow := compoundFile(objects...)
	file := make([]byte, 3*4096) // header, directory, allocation table
	copy(file, narrow[:512])
	binary.LittleEndian.PutUint16(file[30:], 12)
	copy(file[4096:], narrow[512:512+128*len(objects)])
	binary.LittleEndian.PutUint32(file[2*4096:], cfbEnd)
	return file
}

// far returns a compound file whose allocation table is listed in a sector of the DIFAT chain
// instead of the header. The chain is read only if the file has more than 109 sectors.
func far() []byte {
	file := docFile() // header, two directory sectors, allocation table
	table := binary.LittleEndian.Uint32(file[76:])
	difat := make([]byte, 512)
	for i := range 128 {
		binary.LittleEndian.PutUint32(difat[4*i:], cfbNone)
	}
	file = doc32(append(file, difat...), 68, table+1)
	file = append(file, make([]byte, 110*512)...)
	for i := range 109 { // an allocation table without entries, so the chain must be read
		binary.LittleEndian.PutUint32(file[76+4*i:], cfbNone)
	}
	return file
}

func TestDocumentEntryIsFoundAnywhere(t *testing.T) {
	document := stream("WordDocument", cfbNone)
	left := stream("M", cfbNone)
	left.left = 2
	deep := []object{root(1)}
	for i := range 40 {
		deep = append(deep, stream("x", uint32(i+2)))
	}
	small := compoundFile(root(1), document)
	const entry = 2*128 + 512 - 128 // position of the document's entry in small
	for name, c := range map[string]struct {
		content []byte
		want    bool
	}{
		"small":                                     {small, true},
		"in the left subtree":                       {compoundFile(root(1), left, document), true},
		"after forty other entries":                 {compoundFile(append(deep, document)...), true},
		"sectors of 4096 bytes":                     {wide(root(1), document), true},
		"a spreadsheet with sectors of 4096 bytes":  {wide(root(1), stream("Workbook", cfbNone)), false},
		"sectors of an unsupported size":            {doc16(small, 30, 10), false},
		"sectors of size zero":                      {doc16(small, 30, 0), false},
		"a missing directory":                       {doc32(small, 48, 1000), false},
		"a directory that starts at the end marker": {doc32(small, 48, cfbEnd), false},
		"only a header":                             {small[:512], false},
		"an incomplete header":                      {small[:511], false},
		"a truncated directory":                     {small[:1023], false},
		"exactly the header and directory":          {small[:1024], true},
		"a missing child":                           {compoundFile(root(77), document), false},
		"no children":                               {compoundFile(root(cfbNone), document), false},
		"a root with the name":                      {compoundFile(object{name: "WordDocument", kind: 2, left: cfbNone, right: cfbNone, child: cfbNone}), false},
		"a longer name":                             {compoundFile(root(1), stream("WordDocument2", cfbNone)), false},
		"a different case":                          {compoundFile(root(1), stream("worddocument", cfbNone)), false},
		"a name of odd length":                      {doc16(small, entry+64, 27), false},
		"a name of length zero":                     {doc16(small, entry+64, 0), false},
		"a name that is too long":                   {doc16(small, entry+64, 66), false},
		"an unreachable second sector":              {doc32(docFile(), 512*3+4, cfbEnd), false},
		"after a missing sector":                    {doc32(doc32(docFile(), 512*3+4, 100), 512*3+4*100, 0), false},
	} {
		if got := hasRootStream(c.content, "WordDocument"); got != c.want {
			t.Errorf("%s: found %t", name, got)
		}
	}
}

func TestEntryNameLengthIsChecked(t *testing.T) {
	entry := make([]byte, 128)
	for i := range 32 {
		binary.LittleEndian.PutUint16(entry[2*i:], uint16('a'+i%26))
	}
	for length, want := range map[uint16]int{0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 64: 31, 65: 0, 66: 0} {
		if got := entryName(doc16(entry, 64, length)); len(got) != want {
			t.Errorf("the name of length %d is %q", length, got)
		}
	}
}

// Markers and positions beyond the end of the file are not sectors.
func TestPartialSectorIsNotRead(t *testing.T) {
	c := compound{content: make([]byte, 4*512), sector: 512}
	for sector, want := range map[uint32]bool{0: true, 2: true, 3: false, cfbMaxRegular: false, cfbNone: false, cfbEnd: false} {
		if got := c.at(sector); (got != nil) != want || want && len(got) != 512 {
			t.Errorf("sector %d: %d bytes", sector, len(got))
		}
	}
	if c.content = c.content[:len(c.content)-1]; c.at(2) != nil {
		t.Error("a truncated sector can be read")
	}
}

func TestAllocationTableChainIsRead(t *testing.T) {
	const first, second = 512 * (1 + 3), 512 * (1 + 4)
	file := append(far(), make([]byte, 200*512)...) // large enough to have that many sectors
	file = doc32(doc32(file, first+508, 4), second, 77)
	file = doc32(file, second+508, cfbEnd)
	c := compound{content: file, sector: 512}
	c.readFats()
	if len(c.fats) != 109+2*127 || c.fats[109+127] != 77 {
		t.Errorf("the table has %d sectors, want 109 and twice 127", len(c.fats))
	}
}

func TestLastDIFATEntryIsRead(t *testing.T) {
	file := far()
	table, difat := uint32(2), 512*(1+3)
	file = doc32(file, difat+4*126, table) // the last entry before the link
	c := compound{content: file, sector: 512}
	c.readFats()
	if len(c.fats) != 109+127 || c.fats[109+126] != table || c.fats[109] != cfbNone {
		t.Errorf("the table has %d sectors, the last is %d", len(c.fats), c.fats[len(c.fats)-1])
	}
	c.fats = []uint32{cfbNone, table}
	for sector, want := range map[uint32]uint32{0: cfbMaxRegular + 1, 128: cfbEnd, 129: 0, 2 * 128: cfbMaxRegular + 1} {
		if got := c.follows(sector); got != want {
			t.Errorf("sector %d is followed by %d, want %d", sector, got, want)
		}
	}
}
