import { defineTexts } from '../../lib/texts.ts'

const beside = (about: string) => (about ? ` (${about})` : '')

/** Why a program could not be told something, by the word that the server has for it. */
export const troubleTexts = defineTexts({
  es: {
    timeout: (seconds: string) => `no respondió en ${seconds} segundos`,
    forbidden: (about: string) => `a esa dirección no se llama${beside(about)}`,
    unreachable: (about: string) => `no se puede llegar${beside(about)}`,
    resting: () => 'hace poco no respondía y descansa un rato',
  },
  pt: {
    timeout: (seconds) => `não respondeu em ${seconds} segundos`,
    forbidden: (about) => `esse endereço não é chamado${beside(about)}`,
    unreachable: (about) => `não dá para alcançar${beside(about)}`,
    resting: () => 'há pouco não respondia e descansa um momento',
  },
  en: {
    timeout: (seconds) => `no answer within ${seconds} seconds`,
    forbidden: (about) => `that address is not called${beside(about)}`,
    unreachable: (about) => `it cannot be reached${beside(about)}`,
    resting: () => 'it did not answer lately and is left alone for a while',
  },
})
type Words = Record<keyof (typeof troubleTexts)['es'], (about: string) => string>

/** What the program answered itself has no word of ours and is shown as it is. */
export function troubleIn(words: Words, code: string): string {
  const [, word = '', about = ''] = /^([a-z]{1,20})(?::([\s\S]*))?$/.exec(code) ?? []
  return Object.hasOwn(words, word) ? words[word as keyof Words](about) : code
}
