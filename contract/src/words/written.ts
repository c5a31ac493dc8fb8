/** How things are written down that are not words: the server stores it so, and a screen draws it until it has. */

type Place = { latitude: number; longitude: number; name: string; thumbnail?: string | undefined }

/** A place, in the three parts that clients of this family read, and in one line for lists. */
export function writtenPlace({ latitude, longitude, name, thumbnail }: Place): { body: string; line: string } {
  const link = `https://maps.google.com/maps?q=${latitude}%2C${longitude}&z=17`
  // The bar parts the three.
  const line = name.replaceAll('|', ' ').trim() || `${latitude}, ${longitude}`
  return { body: `${thumbnail ?? ''}|${link}|${line}`, line }
}

/** What a list says of a message that was written down: of a place its name, of cards whose they are. */
export function readable(mediaType: string | null, body: string): string {
  if (mediaType === 'locationMessage') return body.split('|').at(-1) ?? ''
  if (mediaType !== 'contactMessage') return body
  return [...body.matchAll(/^(?:[\w-]+\.)?FN[^:\n]*:(.*)$/gim)].map(([, name = '']) => name.trim()).join(', ')
}

/** Somebody, as phones hand them on. */
export function writtenCard(name: string, number: string): string {
  const digits = number.replace(/\D/g, '')
  const plain = name.replace(/[\r\n;]/g, ' ')
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${plain}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD`
}
