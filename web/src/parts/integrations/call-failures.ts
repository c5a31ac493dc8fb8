import { defineTexts } from '../../lib/texts.ts'

const inParentheses = (about: string) => (about ? ` (${about})` : '')

/** Reasons why a program could not be called, by the server's codes. */
export const callFailureTexts = defineTexts({
  es: {
    timeout: (seconds: string) => `no respondió en ${seconds} segundos`,
    insecure: () => 'la dirección tiene que empezar con https',
    keyended: () => 'la clave que lo creó fue revocada o venció',
    keyscope: () => 'la clave que lo creó no puede leer ese evento',
    forbidden: (about: string) => `a esa dirección no se llama${inParentheses(about)}`,
    unreachable: (about: string) => `no se puede llegar${inParentheses(about)}`,
    resting: () => 'hace poco no respondía y descansa un rato',
  },
  pt: {
    timeout: (seconds) => `não respondeu em ${seconds} segundos`,
    insecure: () => 'o endereço tem que começar com https',
    keyended: () => 'a chave que o criou foi revogada ou venceu',
    keyscope: () => 'a chave que o criou não pode ler esse evento',
    forbidden: (about) => `esse endereço não é chamado${inParentheses(about)}`,
    unreachable: (about) => `não dá para alcançar${inParentheses(about)}`,
    resting: () => 'há pouco não respondia e descansa um momento',
  },
  en: {
    timeout: (seconds) => `no answer within ${seconds} seconds`,
    insecure: () => 'the address has to begin with https',
    keyended: () => 'the key that made it was revoked or has expired',
    keyscope: () => 'the key that made it may not read that event',
    forbidden: (about) => `that address is not called${inParentheses(about)}`,
    unreachable: (about) => `it cannot be reached${inParentheses(about)}`,
    resting: () => 'it did not answer lately and is left alone for a while',
  },
})
type CallFailureTexts = Record<keyof (typeof callFailureTexts)['es'], (about: string) => string>

/** A program's own response text has no code and is shown unchanged. */
export function describeCallFailure(words: CallFailureTexts, code: string): string {
  const [, word = '', about = ''] = /^([a-z]{1,20})(?::([\s\S]*))?$/.exec(code) ?? []
  return Object.hasOwn(words, word) ? words[word as keyof CallFailureTexts](about) : code
}
