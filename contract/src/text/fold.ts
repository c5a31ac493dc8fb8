/**
 * Normalizes text for search: removes accents, case and invisible characters. "arbol" finds "Árbol", "2" finds
 * "２", "o'brien" finds "O’Brien". All searches on both sides use it. The database has the same function, `fold`
 * (migration 0025), and a test keeps the two equal, so that a found row still matches when a live update of it
 * arrives.
 */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(ignoredMarks, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => letters[letter] ?? letter)
}

const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * Accents, Hebrew and Arabic vowel points, and zero-width characters. Vowel signs of Indic and Thai scripts are
 * kept, because the words would change without them.
 */
const ignoredMarks =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Letters that Unicode does not decompose into a base letter and an accent, and typographic variants of ' " and -. */
const letters: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  // Sigma has another form at the end of a word, and the end of a typed prefix need not be the end of a word.
  ς: 'σ',
  '¡': '!',
  '¿': '?',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
}
const specialLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
