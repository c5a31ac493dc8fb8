/**
 * How people of a country write a telephone number. `groups`: by number of national digits, the digits of each group
 * and the characters between them. `trunk`: a 0 that is dialled only inside the country.
 */
type PhoneCountry = {
  dial: string
  groups: Record<number, string>
  trunk?: true
  /** A cell phone as dialled inside the country: the area code, and the rest after the digits that abroad are left out. */
  cellPhone?: RegExp
  zones: string[]
}

export const phoneCountries = {
  AR: {
    dial: '54',
    groups: { 10: '## ####-####', 11: '# ## ####-####' },
    trunk: true,
    cellPhone: /^(?=\d{12}$)(11|[23]\d{2,3}?)15(\d+)$/,
    zones: ['America/Argentina', 'America/Buenos_Aires'],
  },
  BO: { dial: '591', groups: { 8: '# ### ####' }, zones: ['America/La_Paz'] },
  BR: {
    dial: '55',
    groups: { 10: '(##) ####-####', 11: '(##) #####-####' },
    trunk: true,
    zones: [
      'America/Sao_Paulo',
      'America/Bahia',
      'America/Fortaleza',
      'America/Manaus',
      'America/Recife',
      'America/Belem',
      'America/Cuiaba',
      'America/Maceio',
      'America/Campo_Grande',
      'America/Porto_Velho',
      'America/Rio_Branco',
      'America/Boa_Vista',
      'America/Araguaina',
    ],
  },
  CL: { dial: '56', groups: { 9: '# #### ####' }, zones: ['America/Santiago', 'America/Punta_Arenas'] },
  CO: { dial: '57', groups: { 10: '### ### ####' }, zones: ['America/Bogota'] },
  CR: { dial: '506', groups: { 8: '#### ####' }, zones: ['America/Costa_Rica'] },
  CU: { dial: '53', groups: { 8: '# ### ####' }, zones: ['America/Havana'] },
  DO: { dial: '1', groups: { 10: '(###) ###-####' }, zones: ['America/Santo_Domingo'] },
  EC: { dial: '593', groups: { 9: '## ### ####' }, trunk: true, zones: ['America/Guayaquil'] },
  ES: { dial: '34', groups: { 9: '### ### ###' }, zones: ['Europe/Madrid', 'Atlantic/Canary'] },
  GT: { dial: '502', groups: { 8: '#### ####' }, zones: ['America/Guatemala'] },
  HN: { dial: '504', groups: { 8: '####-####' }, zones: ['America/Tegucigalpa'] },
  MX: {
    dial: '52',
    groups: { 10: '## #### ####' },
    zones: [
      'America/Mexico_City',
      'America/Monterrey',
      'America/Tijuana',
      'America/Cancun',
      'America/Merida',
      'America/Hermosillo',
      'America/Chihuahua',
      'America/Mazatlan',
    ],
  },
  NI: { dial: '505', groups: { 8: '#### ####' }, zones: ['America/Managua'] },
  PA: { dial: '507', groups: { 8: '####-####' }, zones: ['America/Panama'] },
  PE: { dial: '51', groups: { 9: '### ### ###' }, trunk: true, zones: ['America/Lima'] },
  PR: { dial: '1', groups: { 10: '(###) ###-####' }, zones: ['America/Puerto_Rico'] },
  PT: { dial: '351', groups: { 9: '### ### ###' }, zones: ['Europe/Lisbon', 'Atlantic/Azores', 'Atlantic/Madeira'] },
  PY: { dial: '595', groups: { 9: '### ### ###' }, trunk: true, zones: ['America/Asuncion'] },
  SV: { dial: '503', groups: { 8: '#### ####' }, zones: ['America/El_Salvador'] },
  UY: { dial: '598', groups: { 8: '## ### ###' }, trunk: true, zones: ['America/Montevideo'] },
  VE: { dial: '58', groups: { 10: '###-#######' }, trunk: true, zones: ['America/Caracas'] },
} as const satisfies Record<string, PhoneCountry>
export type CountryCode = keyof typeof phoneCountries

const countryOf = (code: CountryCode): PhoneCountry => phoneCountries[code]
const isCountry = (code: string | undefined): code is CountryCode => code !== undefined && code in phoneCountries

/** The maximum length of a number in any country (E.164). */
const maxPhoneDigits = 15
const keepDigits = (typed: string) => typed.replace(/\D/g, '').slice(0, maxPhoneDigits)

/** The reader's country: that of the time zone, else the region of the browser's language. */
export function guessCountry(languages: readonly string[], timeZone: string): CountryCode {
  const codes = Object.keys(phoneCountries) as CountryCode[]
  const near = codes.find((code) => countryOf(code).zones.some((zone) => timeZone.startsWith(zone)))
  const regions = languages.map((language) => /-([A-Z]{2})\b/.exec(language)?.[1])
  return near ?? regions.find(isCountry) ?? (languages[0]?.startsWith('pt') ? 'BR' : 'AR')
}

/** Writes digits into a pattern as far as they go, without separators after the last digit. */
function fillPattern(pattern: string, digits: string): string {
  let used = 0
  let text = ''
  for (const sign of pattern) {
    if (used >= digits.length) break
    text += sign === '#' ? digits[used++] : sign
  }
  return text + digits.slice(used)
}

/** The shortest pattern of the country that the digits fit; a number that is too long stays as typed. */
function patternFor({ groups }: PhoneCountry, length: number): string | undefined {
  const sizes = Object.keys(groups)
    .map(Number)
    .sort((a, b) => a - b)
  const size = sizes.find((one) => length <= one)
  return size === undefined ? undefined : groups[size]
}

/**
 * Formats a typed number as in that country. A number with a plus keeps its own separators, because it can be of any
 * country.
 */
export function formatPhoneTyped(typed: string, code: CountryCode): string {
  if (typed.trim().startsWith('+')) return formatForeignPhone(typed)
  const country = countryOf(code)
  const digits = keepDigits(typed)
  const hasTrunk = country.trunk === true && digits.startsWith('0')
  const national = hasTrunk ? digits.slice(1) : digits
  const pattern = patternFor(country, national.length)
  return `${hasTrunk ? '0' : ''}${pattern ? fillPattern(pattern, national) : national}`
}

/**
 * Formats a number of another country: characters between the digits stay, because countries group numbers differently.
 */
function formatForeignPhone(typed: string): string {
  let left = maxPhoneDigits
  const kept = [...typed.trimStart().slice(1, 40)].filter((sign) =>
    /\d/.test(sign) ? left-- > 0 : /[ ()-]/.test(sign),
  )
  return `+${kept.join('')}`
}

/** The whole number with a plus, as it is stored; empty if nothing was typed. */
export function parsePhoneTyped(typed: string, code: CountryCode): string {
  const digits = keepDigits(typed)
  if (typed.trim().startsWith('+') || digits === '') return digits && `+${digits}`
  const { dial, trunk, cellPhone } = countryOf(code)
  const national = trunk ? digits.replace(/^0/, '') : digits
  return `+${dial}${cellPhone ? national.replace(cellPhone, '9$1$2') : national}`
}

/** The countries by dialling code, longest codes first, because a short code may be the beginning of a longer one. */
const byDial = (Object.values(phoneCountries) as PhoneCountry[]).toSorted((a, b) => b.dial.length - a.dial.length)

/** A stored number as people read it: `5491155551234` is `+54 9 11 5555-1234`. Other ids stay as they are. */
export function formatPhoneNumber(number: string): string {
  if (!/^\d{5,15}$/.test(number)) return number
  for (const { dial, groups } of byDial) {
    const pattern = number.startsWith(dial) ? groups[number.length - dial.length] : undefined
    if (pattern) return `+${dial} ${fillPattern(pattern, number.slice(dial.length)).replace(/[()]/g, '')}`
  }
  const dialLength = shortDials.exec(number)?.[0].length ?? 3
  return `+${number.slice(0, dialLength)} ${groupByThree(number.slice(dialLength))}`
}

/** The dialling codes of one and two digits; all others have three (ITU-T E.164). */
const shortDials = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** Groups of three digits, the last of two to four. */
const groupByThree = (digits: string): string => digits.replace(/\d{3}(?=\d{2})/g, '$& ')
