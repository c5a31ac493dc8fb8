import { defineTexts } from '../../lib/texts.ts'

const inParentheses = (about: string) => (about ? ` (${about})` : '')

/** Reasons why a program could not be called, by the server's codes. */
export const callFailureTexts = defineTexts({
  es: {
    timeout: (seconds: string) => `no respondió en ${seconds} segundos`,
    insecure: () => 'la dirección tiene que empezar con https',
    keyended: () => 'la clave que lo creó fue revocada o venció',
    keyscope: () => 'la clave que lo creó no puede leer ese evento',
    forbidden: (about: string) => `esa dirección no está permitida${inParentheses(about)}`,
    unreachable: (about: string) => `no se puede conectar${inParentheses(about)}`,
    resting: () => 'no respondía y está en pausa',
  },
  pt: {
    timeout: (seconds) => `não respondeu em ${seconds} segundos`,
    insecure: () => 'o endereço tem que começar com https',
    keyended: () => 'a chave que o criou foi revogada ou venceu',
    keyscope: () => 'a chave que o criou não pode ler esse evento',
    forbidden: (about) => `esse endereço não é permitido${inParentheses(about)}`,
    unreachable: (about) => `não dá para conectar${inParentheses(about)}`,
    resting: () => 'não respondia e está em pausa',
  },
  en: {
    timeout: (seconds) => `no response within ${seconds} seconds`,
    insecure: () => 'the address must start with https',
    keyended: () => 'the key that created it was revoked or has expired',
    keyscope: () => "the key that created it can't read that event",
    forbidden: (about) => `that address isn't allowed${inParentheses(about)}`,
    unreachable: (about) => `it can't be reached${inParentheses(about)}`,
    resting: () => "it wasn't responding and is paused",
  },
})
type CallFailureTexts = Record<keyof (typeof callFailureTexts)['es'], (about: string) => string>

/** A program's own response text has no code and is shown unchanged. */
export function describeCallFailure(words: CallFailureTexts, code: string): string {
  const [, word = '', about = ''] = /^([a-z]{1,20})(?::([\s\S]*))?$/.exec(code) ?? []
  return Object.hasOwn(words, word) ? words[word as keyof CallFailureTexts](about) : code
}
