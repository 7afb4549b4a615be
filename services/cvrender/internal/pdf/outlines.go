package pdf

import (
	"bytes"
	"fmt"
	"io/fs"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// outlines contains the shapes of a font's glyphs.
type outlines struct {
	font   *sfnt.Font
	family string
	unit   fixed.Int26_6
	mu     sync.Mutex // guards buf
	buf    sfnt.Buffer
}

// readOutlines reads the fonts in a directory. It returns them by PostScript name.
func readOutlines(fonts fs.FS) (map[string]*outlines, error) {
	out := map[string]*outlines{}
	files, err := fs.Glob(fonts, "*.ttf")
	if err != nil {
		return nil, fmt.Errorf("pdf: fonts: %w", err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(fonts, name)
		if err != nil {
			return nil, fmt.Errorf("pdf: fonts: %w", err)
		}
		f, err := sfnt.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("pdf: %s: %w", name, err)
		}
		called, err := f.Name(nil, sfnt.NameIDPostScript)
		if err != nil {
			return nil, fmt.Errorf("pdf: %s: %w", name, err)
		}
		family, err := f.Name(nil, sfnt.NameIDTypographicFamily)
		if err != nil {
			family, err = f.Name(nil, sfnt.NameIDFamily)
		}
		if err != nil {
			return nil, fmt.Errorf("pdf: %s: %w", name, err)
		}
		// At this size, one font unit is one pixel.
		out[called] = &outlines{font: f, family: family, unit: fixed.I(int(f.UnitsPerEm()))}
	}
	return out, nil
}

// draw writes the shape of a glyph as a path, in text coordinates.
func (o *outlines) draw(out *bytes.Buffer, g glyph, size float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	shape, err := o.font.LoadGlyph(&o.buf, sfnt.GlyphIndex(g.id), o.unit, nil)
	if err != nil {
		return // cannot happen, because the page's font contains this glyph
	}
	scale := size / (float64(o.unit) / 64)
	at := func(p fixed.Point26_6) (x, y float64) {
		return g.x + float64(p.X)/64*scale, g.rise - float64(p.Y)/64*scale
	}
	var x, y float64
	for _, s := range shape {
		a, b := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			fmt.Fprintf(out, "%s %s m\n", short(a), short(b))
			x, y = a, b
		case sfnt.SegmentOpLineTo:
			fmt.Fprintf(out, "%s %s l\n", short(a), short(b))
			x, y = a, b
		case sfnt.SegmentOpQuadTo:
			// Each control point of the equivalent cubic curve is two thirds of the way from an end
			// point to the quadratic control point.
			c, d := at(s.Args[1])
			fmt.Fprintf(out, "%s %s %s %s %s %s c\n", short(x+(a-x)*2/3), short(y+(b-y)*2/3), short(c+(a-c)*2/3), short(d+(b-d)*2/3), short(c), short(d))
			x, y = c, d
		}
	}
}
