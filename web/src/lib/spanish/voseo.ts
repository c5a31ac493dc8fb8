/**
 * Spanish texts as said in Argentina and Uruguay: "vos podés" instead of "tú puedes". Only verb forms and pronouns of
 * the second person change, so the texts exist once. `wording.test.ts` checks every Spanish text.
 */

/** Present tense; none of these forms is also another word in the texts. */
const present: Record<string, string> = {
  atiendes: 'atendés',
  cambias: 'cambiás',
  creas: 'creás',
  dejas: 'dejás',
  desactivas: 'desactivás',
  detienes: 'detenés',
  eliges: 'elegís',
  envías: 'enviás',
  eres: 'sos',
  escribes: 'escribís',
  guardas: 'guardás',
  haces: 'hacés',
  pagas: 'pagás',
  pides: 'pedís',
  pierdes: 'perdés',
  puedes: 'podés',
  quieres: 'querés',
  reconoces: 'reconocés',
  recuerdas: 'recordás',
  revocas: 'revocás',
  sabes: 'sabés',
  sigues: 'seguís',
  tienes: 'tenés',
  trabajas: 'trabajás',
  usas: 'usás',
  contigo: 'con vos',
  tú: 'vos',
}

/** Commands at the beginning of a sentence or clause. */
const commands: Record<string, string> = {
  acepta: 'aceptá',
  actualiza: 'actualizá',
  agrega: 'agregá',
  apunta: 'apuntá',
  arrastra: 'arrastrá',
  avisa: 'avisá',
  borra: 'borrá',
  busca: 'buscá',
  cierra: 'cerrá',
  compara: 'compará',
  completa: 'completá',
  conecta: 'conectá',
  confirma: 'confirmá',
  conversa: 'conversá',
  crea: 'creá',
  elige: 'elegí',
  entra: 'entrá',
  escanea: 'escaneá',
  escribe: 'escribí',
  filtra: 'filtrá',
  guarda: 'guardá',
  habla: 'hablá',
  importa: 'importá',
  inicia: 'iniciá',
  instala: 'instalá',
  inventa: 'inventá',
  manda: 'mandá',
  marca: 'marcá',
  mira: 'mirá',
  pega: 'pegá',
  pide: 'pedí',
  presiona: 'presioná',
  protege: 'protegé',
  quita: 'quitá',
  reabre: 'reabrí',
  recarga: 'recargá',
  recupera: 'recuperá',
  renueva: 'renová',
  repite: 'repetí',
  reúne: 'reuní',
  revisa: 'revisá',
  selecciona: 'seleccioná',
  suelta: 'soltá',
  toca: 'tocá',
  usa: 'usá',
  vincula: 'vinculá',
}

/** Commands whose form is often another word ("Espera" is also a noun): only in these phrases. */
const phrases: [RegExp, string][] = [
  [/\b([Pp])rueba (el webhook|el que|Recado|con otra|de nuevo|en un)/g, '$1robá $2'],
  [/\b([Ee])spera (a que se|a que pase|un momento|unos)/g, '$1sperá $2'],
  [/\b([Rr])eintenta\b(?! (sola|lo que))/g, '$1eintentá'],
  [/\bEmpieza con\b/g, 'Empezá con'],
  [/\bResponde (2xx|con)\b/g, 'Respondé $1'],
  [/\b([Aa])ctiva (el borrado|primero)/g, '$1ctivá $2'],
  [/\bCopia lo\b/g, 'Copiá lo'],
  [/\by vuelve a (vincular|intentarlo)/g, 'y volvé a $1'],
  [/\bTermina la vinculación\b/g, 'Terminá la vinculación'],
  [/\bBaja el ritmo\b/g, 'Bajá el ritmo'],
  [/\bCambia tu\b/g, 'Cambiá tu'],
  [/\bEnvía este\b/g, 'Enviá este'],
  [/\bPregunta como\b/g, 'Preguntá como'],
  [/\bIncluye el\b/g, 'Incluí el'],
  [/\b([Aa])bre (WhatsApp|tu|la app|la dirección|el teléfono de prueba(?! con))/g, '$1brí $2'],
  [/\b([Aa])bre (?=[A-ZÁÉÍÓÚ])/g, '$1brí '],
  [/\b([Hh])az\b/g, '$1acé'],
  [/\b([Dd])eja (el|la|siempre)\b/g, '$1ejá $2'],
  [/\b([Cc])opia el\b/g, '$1opiá el'],
  [/\bactiva el resumen\b/g, 'activá el resumen'],
  [/\bTrae (?=contactos)/g, 'Traé '],
  [/\bArma la\b/g, 'Armá la'],
  [/\b([Pp])onle\b/g, '$1onele'],
  [/\bdi quién\b/g, 'decí quién'],
  [/, para la campaña\b/g, ', pará la campaña'],
  [/\brepite la\b/g, 'repetí la'],
  [/\bMantén\b/g, 'Mantené'],
  [/\bponla\b/g, 'ponela'],
  [/\ba ti\b/g, 'a vos'],
  [/^ti$/g, 'vos'],
]

/** Texts in which such a form is not a command: "Escribe en portugués" describes what a customer does. */
const statements =
  /^Escribe (a cualquier|por la línea|en |[A-ZÁÉÍÓÚÑ])|^Crea, cambia|^Lee y cambia|^Entra con un código de su|invitación y elige|copia y pega|y escribe por esa/

/** Commands with a pronoun lose the accent of the stem: "cámbialo" becomes "cambialo". */
const withPronoun: Record<string, string> = {
  divíde: 'dividí',
  envía: 'enviá',
  escríbe: 'escribí',
  suscríbe: 'suscribí',
  permíte: 'permití',
  elíge: 'elegí',
  píde: 'pedí',
  reábre: 'reabrí',
  transfiére: 'transferí',
  muéve: 'mové',
  suélta: 'soltá',
  pruéba: 'probá',
  compruéba: 'comprobá',
  renuéva: 'renová',
}
const pronounForm = /(?<![a-záéíóúñ])([a-zñ]{0,20}[áéíóú][a-zñ]{0,20}?[aeio])(l[aeo]s?|te|nos|selo)(?![a-záéíóúñ])/gi
const notCommands = /^(título|límite|símbolo|mayúscula|minúscula|círculo|automáticamente|enviármela|cuále|miércole)/i

const plainVowels: Record<string, string> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' }
const withoutAccents = (word: string) => word.replace(/[áéíóú]/g, (vowel) => plainVowels[vowel] ?? vowel)
const likeCase = (model: string, word: string) =>
  model[0] === model[0]?.toLowerCase() ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`

const anyOf = (words: Record<string, string>) => Object.keys(words).join('|')
const presentForm = new RegExp(`(?<![\\p{L}])(${anyOf(present)})(?![\\p{L}])`, 'giu')
const commandForm = new RegExp(`(^\\s*|[.:;,?»)] |\\b[yo] )(${anyOf(commands)})(?![\\p{L}])`, 'giu')

export function rewriteText(spanish: string): string {
  let text = spanish
  for (const [form, vos] of phrases) text = text.replace(form, vos)
  text = text.replace(presentForm, (form) => likeCase(form, present[form.toLowerCase()] ?? form))
  text = text.replace(pronounForm, (form, stem: string, pronoun: string) => {
    if (notCommands.test(form)) return form
    const changed = withPronoun[stem.toLowerCase()] ?? stem
    return likeCase(
      form,
      pronoun === 'selo' ? changed.toLowerCase() + pronoun : withoutAccents(changed.toLowerCase()) + pronoun,
    )
  })
  if (statements.test(spanish)) return text
  return text.replace(
    commandForm,
    (_, before: string, form: string) => before + likeCase(form, commands[form.toLowerCase()] ?? form),
  )
}

const cache = new WeakMap<object, unknown>()

/** The same texts with "vos". Names and numbers that a screen puts into a text stay as they are. */
export function rewriteWithVos<T>(spanish: T): T {
  if (typeof spanish === 'string') return rewriteText(spanish) as T
  if (spanish === null || (typeof spanish !== 'object' && typeof spanish !== 'function')) return spanish
  const known = cache.get(spanish)
  if (known) return known as T
  const made = typeof spanish === 'function' ? rewriteResult(spanish as TextFunction) : rewriteEach(spanish)
  cache.set(spanish, made)
  return made as T
}

type TextFunction = (...values: unknown[]) => unknown
const rewriteEach = (texts: object) =>
  Array.isArray(texts)
    ? texts.map(rewriteWithVos)
    : Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, rewriteWithVos(text)]))

const rewriteResult =
  (write: TextFunction): TextFunction =>
  (...values) => {
    const text = write(...values)
    if (typeof text !== 'string') return text
    const names = values.filter((value): value is string => typeof value === 'string' && value.trim().length > 1)
    return names.length ? rewriteAround(text, names) : rewriteText(text)
  }

/** Rewrites the text around its values: each value is replaced by a character that no text contains, and put back. */
function rewriteAround(text: string, values: string[]): string {
  const signs = values.map((_, i) => String.fromCharCode(0xe000 + i))
  const hidden = values.reduce((all, value, i) => all.replaceAll(value, signs[i] ?? value), text)
  return values.reduce((all, value, i) => all.replaceAll(signs[i] ?? value, value), rewriteText(hidden))
}
