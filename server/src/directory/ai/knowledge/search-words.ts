import { fold } from '@recado/contract/text/fold'

/** A search word, and its stem, which all forms of the word share. */
export type SearchWord = { word: string; stem: string; isExact: boolean }

/** Limits of the question: characters, and search words (only the first ones are used). */
const maxQuestionChars = 2000
const maxSearchWords = 24
const maxWordChars = 40

/** Stop words of the three languages, folded. */
const stopWords = new Set(
  `a al algo algun alguna ao aos as com como con cual cuando da das de del desde do dos e el ela ele eles ella ellos em en
  entre era es esa ese eso esta estan este esto estou eu fue ha hace hay hasta i isso isto je la las le les lhe lo los mais mas
  me mi meu minha muy muito na nas nem no nos nosso nuestra nuestro o ola os ou para pelo pero por porque pra puedo qual
  quando que quem quien quiero quero saber se ser si sim sin sobre sou soy su sua sus tambem tambien te tem tengo tenho ti
  tiene tienen tu um uma un una uno unos voces voce vos y ya yo hola hello hi hey oi bom dia boa tarde noite buenas buenos
  dias tardes noches gracias obrigado obrigada favor please thanks thank you am an and any are at be by can could did does
  for from had has have he her his how if in into is it its my not of on or our she should so that the their them there
  they this to us was we were what when where which who will with would your`.split(/\s+/),
)

/** All words of a text, folded, without duplicates. */
export function splitWords(text: string): string[] {
  const found = new Set<string>()
  for (const [word] of fold(text).matchAll(/[\p{L}\p{N}]+/gu)) found.add(word.slice(0, maxWordChars))
  return [...found]
}

export const parseSearchWords = (question: string): SearchWord[] =>
  splitWords(question.slice(0, maxQuestionChars).toWellFormed())
    .filter((word) => !stopWords.has(word) && (word.length > 1 || /\p{N}/u.test(word)))
    .slice(0, maxSearchWords)
    .map((word) => ({ word, stem: stemWord(word), isExact: word.length < 4 || /\p{N}/u.test(word) }))

/**
 * The part of a word that its forms share, without knowing the language: "horarios" and "horario", "devoluciones" and
 * "devolución", "shipping" and "shipped". Numbers and short words are not stemmed.
 */
export function stemWord(word: string): string {
  if (/\p{N}/u.test(word) || word.length < 5) return word
  if (word.length < 7) return word.slice(0, -1)
  return word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)))
}

/** Whether a word of a text is a form of a search word. Short words and numbers must be equal. */
export const isWordForm = (word: string, { stem, isExact }: SearchWord): boolean =>
  isExact ? word === stem : word.startsWith(stem)

/** The words of a text that match the question, to highlight them. */
export function findMatchingWords(text: string, asked: SearchWord[]): string[] {
  const found = new Set<string>()
  for (const [word] of text.normalize('NFC').matchAll(/[\p{L}\p{N}]+/gu)) {
    const folded = fold(word)
    if (asked.some((one) => isWordForm(folded, one))) found.add(word)
  }
  return [...found]
}
