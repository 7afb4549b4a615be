package company

// arabic spells the letters of Arabic, and those that Persian, Urdu, Kurdish and
// Pashto add, as road signs and passports of the region do: without marks
// (BGN/PCGN 1956 without its dots and ayns). Names are written without short vowels,
// so the spelling has none either. Keys are characters after NFKC.
//
// The general table writes ayn, ta marbuta and alif maqsura with signs that a slug
// would drop.
var arabic = map[rune]string{
	'ء': "", 'آ': "a", 'أ': "a", 'ؤ': "w", 'إ': "i", 'ئ': "y", 'ا': "a", 'ٱ': "a",
	'ب': "b", 'ة': "a", 'ت': "t", 'ث': "th", 'ج': "j", 'ح': "h", 'خ': "kh",
	'د': "d", 'ذ': "dh", 'ر': "r", 'ز': "z", 'س': "s", 'ش': "sh", 'ص': "s", 'ض': "d",
	'ط': "t", 'ظ': "z", 'ع': "a", 'غ': "gh", 'ف': "f", 'ق': "q", 'ك': "k", 'ل': "l",
	'م': "m", 'ن': "n", 'ه': "h", 'و': "w", 'ى': "a", 'ي': "y",
	// Stretches a word and is no letter.
	'ـ': "",

	// Persian and Urdu.
	'پ': "p", 'چ': "ch", 'ژ': "zh", 'ک': "k", 'گ': "g", 'ی': "y",
	'ٹ': "t", 'ڈ': "d", 'ڑ': "r", 'ں': "n", 'ھ': "h", 'ہ': "h", 'ۂ': "h", 'ۃ': "a", 'ے': "e", 'ۓ': "e",
	// Kurdish and Pashto.
	'ڕ': "r", 'ڵ': "l", 'ۆ': "o", 'ۇ': "u", 'ێ': "e", 'ە': "e", 'ڤ': "v",
	'ټ': "t", 'ځ': "z", 'څ': "ts", 'ډ': "d", 'ړ': "r", 'ږ': "g", 'ښ': "sh", 'ڼ': "n", 'ې': "e", 'ۍ': "y",
}
