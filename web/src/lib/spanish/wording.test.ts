import { expect, test } from 'vitest'
import type { Texts } from '../texts.ts'
import { rewriteText, rewriteWithVos } from './voseo.ts'

const modules = import.meta.glob<Record<string, unknown>>(
  [
    '../../**/*texts.ts',
    '../../**/label.ts',
    '../../features/helps/guides/guides-*.ts',
    '../error-texts/*.ts',
    '!../texts.ts',
    '!../desk-error-texts.ts',
  ],
  { eager: true },
)
const isTexts = (value: unknown): value is Texts<unknown> =>
  typeof value === 'object' && value !== null && 'es' in value && 'pt' in value && 'en' in value

/** The strings of a tree of texts; of a function, the string constants in its source. */
function stringsOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts === 'function')
    return [...String(texts).matchAll(/["'`]([^"'`]{4,})["'`]/g)].map(([, text = '']) =>
      text.replace(/\$\{[^}]*\}/g, '5'),
    )
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(stringsOf) : []
}
const textsIn = (language: 'es' | 'pt' | 'en') =>
  Object.entries(modules).flatMap(([path, module]) =>
    /error-texts\/|guides-/.test(path)
      ? new RegExp(`[/-]${language}\\.ts$`).test(path)
        ? stringsOf(module)
        : []
      : Object.values(module).flatMap((value) => (isTexts(value) ? stringsOf(value[language]) : [])),
  )
const spanish = textsIn('es')

/** Words that read like a translation, or that nobody says at work. */
const wordsToAvoid = {
  es: /agendamiento|agendad[oa]s?\b|\bkanban\b|\bdinero\b|escribir factura|factura escrita|por salir|no salió|descansa|recados de las líneas|\{nome\}|computador\b|añad|\bpulsa\b/i,
  pt: /\btir(ar|e|a|ou|ada)\b|escreva (3|pelo menos|seu e-mail|sua senha|o código)|por sair|\bdinheiro:|^dinheiro$|escrever fatura|se perdem|não saiu|descansa/i,
  en: /\b(somebody|anybody|everybody|whoever runs|e-mail|notices?\b|gave you|did not|could not|cannot|does not|go on\b|goes on\b|to leave\b|those who wait|who wants? no more|make an? (queue|line|account|list|secret)|switched o(n|ff)|road)/i,
}
test.each(['es', 'pt', 'en'] as const)(
  'uses the wording of a native speaker in %s: no word to avoid is left',
  (language) => {
    const texts = textsIn(language)
    expect(texts.length).toBeGreaterThan(2000)
    expect(texts.filter((text) => wordsToAvoid[language].test(text))).toEqual([])
  },
)

test('leaves no form of "tú" in any Spanish text', () => {
  expect(spanish.length).toBeGreaterThan(2000)
  const tuForms =
    /(?<!\p{L})(tú|contigo|puedes|tienes|quieres|eres|sabes|haces|usas|escribes|eliges|envías|pierdes|pides|sigues|dejas|guardas|cambias|creas|detienes|desactivas|reconoces|atiendes|recuerdas)(?!\p{L})|(?<!\p{L})(Elige|Ponle|Trae|Haz|presiona|Abre (?=[A-Z])|Pide|Busca|Suelta|Revisa|Quita|Guarda|Prueba (de|con|en))(?!\p{L})|\p{L}*[áéíóú]\p{L}*[aeio](lo|la|los|las|te|nos)(?!\p{L})/u
  const nouns =
    /título|límite|símbolo|mayúscula|minúscula|círculo|automáticamente|enviármela|está|también|vía|según|código|artículo|teléfono|número|página|pedíselo|enviáselo/giu
  const left = spanish.map(rewriteText).filter((text) => tuForms.test(text.replace(nouns, '')))
  expect(left).toEqual([])
})

test.each([
  ['Elige una cola y escribe tu mensaje', 'Elegí una cola y escribí tu mensaje'],
  ['Si cambias de idea, escribe ALTA.', 'Si cambiás de idea, escribí ALTA.'],
  [
    'Cópialo ahora: no se vuelve a mostrar. Si lo pierdes, crea otro.',
    'Copialo ahora: no se vuelve a mostrar. Si lo perdés, creá otro.',
  ],
  ['Pídeselo a un administrador.', 'Pedíselo a un administrador.'],
  ['¿No fuiste tú? Cambia tu contraseña.', '¿No fuiste vos? Cambiá tu contraseña.'],
])('rewrites "%s" as "%s"', (text, vos) => {
  expect(rewriteText(text)).toBe(vos)
})

test.each([
  'Espera al horario de envío.',
  'Escribe en portugués',
  'Prueba guardada',
  'Activa hasta el 5/3/2031',
  'Reintenta sola cada tanto.',
  'Crea, cambia y borra webhooks, y lee su registro.',
  'Vacía: recibe una invitación y elige la suya.',
])('does not change "%s", which is not a command', (text) => {
  expect(rewriteText(text)).toBe(text)
})

test('does not change the values inside a text, and returns the same object for the same texts', () => {
  const texts = {
    ask: (name: string, days: number) => `Pide a ${name} que espere ${days} días. Puedes cerrar.`,
    list: ['Elige'],
  }
  const vos = rewriteWithVos(texts)
  expect(vos.ask('Elige Tú', 3)).toBe('Pedí a Elige Tú que espere 3 días. Podés cerrar.')
  expect(vos.list).toEqual(['Elegí'])
  expect(rewriteWithVos(texts)).toBe(vos)
})
