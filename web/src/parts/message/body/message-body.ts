import { signed } from '@recado/contract/words/signature'
import { drawnPlace, nameOfSent } from '@recado/contract/words/written'
import { plainText } from './rich-text.ts'

export type Point = { latitude: number; longitude: number }
export type Place = { image: string; link: string; name: string; point: Point | null }

/** A place travels as `image|link|description` (wire 5). Only pictures that came with it are shown: nobody is asked. */
export function placeOf(body: string): Place {
  const [image = '', link = '', ...name] = body.split('|')
  return {
    image: /^data:image\/(png|jpe?g|webp);base64,/.test(image) && image !== drawnPlace ? image : '',
    link: /^https?:\/\//.test(link) ? link : '',
    name: nameOfSent(name.join('|')).trim(),
    point: pointIn(link),
  }
}

/** The two numbers that a map's address, or a line of text, carries. */
export function pointIn(text: string): Point | null {
  const found = /(?:^|[?&]q=)(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)\s?(-?\d{1,3}(?:\.\d{1,20})?)/i.exec(text)
  const point = { latitude: Number(found?.[1]), longitude: Number(found?.[2]) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null
}

/** Centimetres are enough, and what a phone shows. */
export const writePoint = ({ latitude, longitude }: Point): string => `${rounded(latitude)}, ${rounded(longitude)}`
const rounded = (degrees: number) => Number(degrees.toFixed(6))

/** “Obelisco, Av. 9 de Julio”: what it is called, and where that is. A street with its number stays in one piece. */
export function nameAndAddress(name: string): [name: string, address: string] {
  const at = name.indexOf(', ')
  const address = at > 0 ? name.slice(at + 2) : ''
  return /\p{L}/u.test(address) ? [name.slice(0, at), address] : [name, '']
}

export type Card = { name: string; number: string; email: string }

/** Who is on the cards (vCard) of a message. */
export function cardsOf(body: string): Card[] {
  return body
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/BEGIN:VCARD/i)
    .slice(1)
    .map(cardOf)
    .filter((card) => card.name || card.number)
}

function cardOf(card: string): Card {
  // `item1.TEL;type=CELL;waid=549…:+54 9 …`
  const lines = card.split(/\r?\n/).map((line) => {
    const [, key = '', settings = '', value = ''] = /^(?:item\d+\.)?([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line.trim()) ?? []
    return { key: key.toUpperCase(), settings, value: unescaped(value) }
  })
  const find = (key: string) => lines.find((line) => line.key === key && line.value)
  const phone = lines.find((line) => line.key === 'TEL' && /waid=/i.test(line.settings)) ?? find('TEL')
  const full = find('FN')?.value ?? (find('N')?.value ?? '').split(';').filter(Boolean).reverse().join(' ')
  return { name: full.trim(), number: phone?.value.trim() ?? '', email: find('EMAIL')?.value.trim() ?? '' }
}

const unescaped = (value: string) => value.replaceAll(/\\([,;\\])/g, '$1').replaceAll(/\\n/gi, ' ')

type Summed = { body: string; mediaType: string | null; isDeleted: boolean; mediaName?: string | null }
type Names = { deleted: string; kinds: Record<string, string> }

/** One line that stands for a message: in a quote, in an announcement. */
export function summaryOf({ body, mediaType, isDeleted, mediaName }: Summed, words: Names): string {
  if (isDeleted) return words.deleted
  const name = words.kinds[mediaType ?? ''] ?? ''
  if (mediaType === 'locationMessage') return placeOf(body).name || name
  if (mediaType === 'contactMessage' || mediaType === 'vcard') return cardsOf(body)[0]?.name || name
  if (mediaType === 'unknown' || mediaType === 'call_log' || mediaType === 'sticker') return name
  return plainText(signed(body).text).trim() || mediaName || name
}

/** Spec 2: on a narrow screen a long name is cut to ten letters. */
export const shortName = (name: string): string => {
  const letters = [...name]
  return letters.length > 10 ? `${letters.slice(0, 10).join('').trimEnd()}…` : name
}
