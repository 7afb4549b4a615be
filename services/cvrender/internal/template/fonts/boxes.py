"""Creates VitaeBoxes-Regular.ttf, a font with a box for every character (fontTools 4.38)."""

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

# All characters except spaces, control characters, surrogates and noncharacters.
RANGES = [(0x21, 0x7E), (0xA1, 0xD7FF), (0xE000, 0xFDCF), (0xFDF0, 0xFFFD), (0x10000, 0x1FBFF), (0x20000, 0x323AF)]


def box():
    pen = TTGlyphPen(None)
    for first, *rest in ([(60, 0), (60, 700), (540, 700), (540, 0)], [(110, 50), (490, 50), (490, 650), (110, 650)]):
        pen.moveTo(first)
        for point in rest:
            pen.lineTo(point)
        pen.closePath()
    return pen.glyph()


def table(kind, encoding, characters):
    out = CmapSubtable.newSubtable(kind)
    out.platformID, out.platEncID, out.language = 3, encoding, 0
    out.format, out.reserved, out.length = kind, 0, 0
    out.cmap = {c: "box" for c in characters}
    return out


font = FontBuilder(1000, isTTF=True)
font.setupGlyphOrder([".notdef", "box"])
font.setupCharacterMap({0xFFFD: "box"})
font.setupGlyf({".notdef": box(), "box": box()})
font.setupHorizontalMetrics({".notdef": (600, 60), "box": (600, 60)})
font.setupHorizontalHeader(ascent=800, descent=-200)
font.setupNameTable({
    "copyright": "Vitae", "familyName": "Vitae Boxes", "styleName": "Regular", "uniqueFontIdentifier": "VitaeBoxes-Regular",
    "fullName": "Vitae Boxes", "psName": "VitaeBoxes-Regular", "version": "Version 1.0",
})
font.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200, fsType=0)
font.setupPost()
font.font["head"].created = font.font["head"].modified = 3786825600
# Format 13 maps many characters to one glyph.
font.font["cmap"].tables = [table(4, 1, [0xFFFD]), table(13, 10, (c for a, b in RANGES for c in range(a, b + 1)))]
font.font.recalcTimestamp = False
font.save("VitaeBoxes-Regular.ttf")
