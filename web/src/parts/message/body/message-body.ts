import { placeholderMapImage, unescapeLocationName } from '@recado/contract/text/location-and-card'
import { parseSignature } from '@recado/contract/text/signature'
import { stripFormatting } from './rich-text.ts'

export type Coordinates = { latitude: number; longitude: number }
export type MessageLocation = { image: string; link: string; name: string; point: Coordinates | null }

/**
 * Parses a location of the format `image|link|description` (wire 5). Only embedded pictures are shown, so no
 * request is made.
 */
export function parseLocationBody(body: string): MessageLocation {
  const [image = '', link = '', ...name] = body.split('|')
  return {
    image: /^data:image\/(png|jpe?g|webp);base64,/.test(image) && image !== placeholderMapImage ? image : '',
    link: /^https?:\/\//.test(link) ? link : '',
    name: unescapeLocationName(name.join('|')).trim(),
    point: parseCoordinates(link),
  }
}

/** The coordinates in a map URL or in a row of text. */
export function parseCoordinates(text: string): Coordinates | null {
  const found = /(?:^|[?&]q=)(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)\s?(-?\d{1,3}(?:\.\d{1,20})?)/i.exec(text)
  const point = { latitude: Number(found?.[1]), longitude: Number(found?.[2]) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null
}

/** Formats coordinates with centimetre precision, as phones show them. */
export const formatCoordinates = ({ latitude, longitude }: Coordinates): string =>
  `${roundDegrees(latitude)}, ${roundDegrees(longitude)}`
const roundDegrees = (degrees: number) => Number(degrees.toFixed(6))

/** Splits “Obelisco, Av. 9 de Julio” into the name and the address. A street is not separated from its number. */
export function splitNameAndAddress(name: string): [name: string, address: string] {
  const at = name.indexOf(', ')
  const address = at > 0 ? name.slice(at + 2) : ''
  return /\p{L}/u.test(address) ? [name.slice(0, at), address] : [name, '']
}

export type VcardContact = { name: string; number: string; email: string }

/** The people on the contact cards (vCard) of a message. */
export function parseContactCards(body: string): VcardContact[] {
  return body
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/BEGIN:VCARD/i)
    .slice(1)
    .map(parseContactCard)
    .filter((card) => card.name || card.number)
}

function parseContactCard(card: string): VcardContact {
  // An example of a card's row: `item1.TEL;type=CELL;waid=549…:+54 9 …`
  const lines = card.split(/\r?\n/).map((line) => {
    const [, key = '', settings = '', value = ''] = /^(?:item\d+\.)?([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line.trim()) ?? []
    return { key: key.toUpperCase(), settings, value: unescapeVcard(value) }
  })
  const find = (key: string) => lines.find((line) => line.key === key && line.value)
  const phone = lines.find((line) => line.key === 'TEL' && /waid=/i.test(line.settings)) ?? find('TEL')
  const full = find('FN')?.value ?? (find('N')?.value ?? '').split(';').filter(Boolean).reverse().join(' ')
  return { name: full.trim(), number: phone?.value.trim() ?? '', email: find('EMAIL')?.value.trim() ?? '' }
}

const unescapeVcard = (value: string) => value.replaceAll(/\\([,;\\])/g, '$1').replaceAll(/\\n/gi, ' ')

type SummarizedMessage = { body: string; mediaType: string | null; isDeleted: boolean; mediaName?: string | null }
type SummaryTexts = { deleted: string; kinds: Record<string, string> }

/** A one-row summary of a message, for a quote or an announcement. */
export function summarizeMessage(
  { body, mediaType, isDeleted, mediaName }: SummarizedMessage,
  words: SummaryTexts,
): string {
  if (isDeleted) return words.deleted
  const name = words.kinds[mediaType ?? ''] ?? ''
  if (mediaType === 'locationMessage') return parseLocationBody(body).name || name
  if (mediaType === 'contactMessage' || mediaType === 'vcard') return parseContactCards(body)[0]?.name || name
  if (mediaType === 'unknown' || mediaType === 'call_log' || mediaType === 'sticker') return name
  return stripFormatting(parseSignature(body).text).trim() || mediaName || name
}
