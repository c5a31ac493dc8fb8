/** Text formats of locations and contact cards: the server stores them, and screens draw them before the server answers. */

type LocationData = { latitude: number; longitude: number; name: string; thumbnail?: string | undefined }

/** A drawn map with a pin, for a location without a picture: older clients would show a broken image. */
export const placeholderMapImage =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAABgAgMAAADnSZEKAAAADFBMVEXm7OT///8Tf5P///8t3iIbAAABqElEQVR42t3XPU6FQBAA4IWEhv5dglPQ2GPCWHiad4nXU+JYeATv845g4ZoF9ndmFgRjxC0oyJeFzM4PKGUXtIpZzF3oGFf8J1iB+kvwshn2RyB387SQC+7Pw2ozhDwEm5rrcKEcDBMcYKEBvMoQoHOwRBwyEMDCBhEZeAlkt2zotoyLMKS9UrWBIx+JiJon22fTSFReTg6vYmwtfZrhIB9CsR22xj7P8AVy0FwMvBtojotNvSVmDeK7RkQXrgzU+m4h19gdfNX6w0GgqStBQhNIkyAZKYhvWn9OR5MkQZL2bkc+ByXYVVuhSwIGznEMblUSnE4mSvCCgfV81mNSCQULkULaFcogH4/CZdAENVNweesaZFCFVRYGdZ2H5Upt+d6cL+s90Hcztgh3wNo1s6PQDhrfmiUI34TKRof/HtkDG1T7YcHBeoxhWoUEmgTnGoCfcQOdKiKEdEV9z77aDSAP22WGrEA/vRjY0xFHV8eMTLLYwZ6uh6hkBERrS37vLOzljzCPHtPexcGW+3dJYSt9sQkl8xtQKJlTQmHK0D+aDOxPB+ME/wK2F5MUPoDPYQAAAABJRU5ErkJggg=='

/** Formats a location in the three-part format that existing clients read, and as a single text for lists. */
export function formatStoredLocation({ latitude, longitude, name, thumbnail }: LocationData): {
  body: string
  line: string
} {
  const link = `https://maps.google.com/maps?q=${latitude}%2C${longitude}&z=17`
  // The vertical bar separates the three parts.
  const line = name.replaceAll('|', ' ').trim() || `${latitude}, ${longitude}`
  return { body: `${thumbnail ?? ''}|${link}|${line}`, line }
}

/** Parses the stored format; null when it has no coordinates. */
export function parseStoredLocation(body: string): { latitude: number; longitude: number; name: string } | null {
  const [, link = '', ...rest] = body.split('|')
  const found = /[?&]q=(-?[\d.]{1,20})(?:%2C|,)(-?[\d.]{1,20})/i.exec(link.slice(0, 300))
  const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])]
  if (!found || Number.isNaN(latitude) || Number.isNaN(longitude)) return null
  const line = rest.join(' ').trim()
  // A location without a name uses its coordinates as the name.
  return { latitude, longitude, name: line === `${latitude}, ${longitude}` ? '' : line }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const chars = new Map(Object.entries(entities).map(([sign, entity]) => [entity, sign]))

/** The format sent to clients, with the name escaped: customers choose the name, and older clients render it as HTML. */
export function escapeLocation(body: string): string {
  const [image = '', link = '', ...name] = body.split('|')
  const safe = name.join(' ').replace(/[&<>"']/g, (sign) => entities[sign] as string)
  return `${image || placeholderMapImage}|${link}|${safe}`
}
export const unescapeLocationName = (name: string): string =>
  name.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => chars.get(entity) as string)

/** The text of a non-text message in lists: the name of a location, or the people on contact cards. */
export function messagePreviewText(mediaType: string | null, body: string): string {
  if (mediaType === 'locationMessage') return body.split('|').at(-1) ?? ''
  if (mediaType !== 'contactMessage') return body
  return [...body.matchAll(/^(?:[\w-]+\.)?FN[^:\n]*:(.*)$/gim)].map(([, name = '']) => name.trim()).join(', ')
}

/** A contact as a vCard, the format phones exchange. */
export function formatVCard(name: string, number: string): string {
  const digits = number.replace(/\D/g, '')
  const plain = name.replace(/[\r\n;]/g, ' ')
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${plain}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD`
}
