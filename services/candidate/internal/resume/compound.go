package resume

import (
	"encoding/binary"
	"unicode/utf16"
)

// Numbers that are defined by the compound file format ([MS-CFB] §2).
const (
	cfbHeader       = 512
	cfbEntry        = 128
	cfbMaxRegular   = 0xfffffffa // higher sector and entry numbers are markers
	cfbStream       = 2          // object type of a stream entry
	cfbHeaderDifats = 109        // FAT sectors listed in the header
)

// compound reads a compound file. It does not trust any number in the file: positions outside the
// file read as empty, and every walk is limited by the size of the file.
type compound struct {
	content []byte
	// sector is the size of a sector in bytes.
	sector int
	// fats lists the sectors of the allocation table. The header lists the first ones, which
	// suffice for 6.8 MB with sectors of 512 bytes; the DIFAT chain lists the others.
	fats []uint32
}

// hasRootStream reports whether the root of a compound file contains a stream with the given name.
// It ignores streams of embedded files, because a spreadsheet that contains a document is not a
// document.
func hasRootStream(content []byte, name string) bool {
	if len(content) < cfbHeader {
		return false
	}
	c := compound{content: content}
	switch c.u16(30) {
	case 9:
		c.sector = 512
	case 12:
		c.sector = 4096
	default:
		return false
	}
	c.readFats()
	entries := c.directory()
	if len(entries) == 0 {
		return false
	}
	return c.search(entries, name)
}

// search searches the tree of the root's children for a stream with the given name.
func (c compound) search(entries [][]byte, name string) bool {
	seen := make([]bool, len(entries))
	next := []uint32{binary.LittleEndian.Uint32(entries[0][76:])}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if uint64(at) >= uint64(len(entries)) || seen[at] {
			continue
		}
		seen[at] = true
		e := entries[at]
		if e[66] == cfbStream && entryName(e) == name {
			return true
		}
		next = append(next, binary.LittleEndian.Uint32(e[68:]), binary.LittleEndian.Uint32(e[72:]))
	}
	return false
}

func entryName(e []byte) string {
	length := int(binary.LittleEndian.Uint16(e[64:])) // in bytes, including the final NUL
	if length < 2 || length > 64 || length%2 != 0 {
		return ""
	}
	units := make([]uint16, length/2-1)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(e[2*i:])
	}
	return string(utf16.Decode(units))
}

// directory returns the directory entries. The first one is the root.
func (c compound) directory() [][]byte {
	var entries [][]byte
	at := c.u32(48)
	for range c.sectors() {
		s := c.at(at)
		if s == nil {
			break
		}
		for i := 0; i+cfbEntry <= len(s); i += cfbEntry {
			entries = append(entries, s[i:i+cfbEntry])
		}
		at = c.follows(at)
	}
	return entries
}

// readFats fills in the list of the allocation table's sectors.
func (c *compound) readFats() {
	for i := range cfbHeaderDifats {
		c.fats = append(c.fats, c.u32(76+4*i))
	}
	at := c.u32(68)
	for range c.sectors() {
		s := c.at(at)
		if s == nil || len(c.fats) > c.sectors() { // the sector does not exist, or the list is longer than the file allows
			return
		}
		last := len(s) - 4
		for i := 0; i < last; i += 4 {
			c.fats = append(c.fats, binary.LittleEndian.Uint32(s[i:]))
		}
		at = binary.LittleEndian.Uint32(s[last:])
	}
}

// follows returns the sector that follows in a chain.
func (c compound) follows(sector uint32) uint32 {
	perFat := uint32(c.sector / 4)
	fat := sector / perFat
	if uint64(fat) >= uint64(len(c.fats)) {
		return cfbMaxRegular + 1
	}
	s := c.at(c.fats[fat])
	if s == nil {
		return cfbMaxRegular + 1
	}
	return binary.LittleEndian.Uint32(s[4*(sector%perFat):])
}

// at returns a sector, or nil if it does not exist. The header takes the space of one sector before
// the first sector.
func (c compound) at(sector uint32) []byte {
	if sector > cfbMaxRegular {
		return nil
	}
	from := (int64(sector) + 1) * int64(c.sector)
	if from+int64(c.sector) > int64(len(c.content)) {
		return nil
	}
	return c.content[from : from+int64(c.sector)]
}

func (c compound) sectors() int      { return len(c.content) / c.sector }
func (c compound) u16(at int) uint16 { return binary.LittleEndian.Uint16(c.content[at:]) }
func (c compound) u32(at int) uint32 { return binary.LittleEndian.Uint32(c.content[at:]) }
