import { LineRefusal, type OutboundMessage } from '../line.ts'
import { kindFor, sizeOf, spoken, uploadFile } from './files.ts'
import { interactiveOf } from './interactive.ts'
import type { Up } from './link.ts'

/** Meta's own limits. */
const textMost = 4096
const captionMost = 1024

/** To whom: a number, or the id that Meta has for somebody whose number it keeps to itself. */
export function addressee(chat: string): { to: string } | { recipient: string } {
  const [who = '', kind] = chat.split(/@(?=[^@]*$)/)
  if (kind === 'cloud' && who) return { recipient: who }
  if (kind !== 's.whatsapp.net' || !/^\d{5,20}$/.test(who)) throw new LineRefusal('unsupported')
  return { to: who }
}

type Ids = { up: Up; ended: AbortSignal; wamidOf: (wid: string) => Promise<string | null> }

/** A message as Meta takes it. Files are handed over here, so that what remains is one call that happens or not. */
export async function payloadOf(message: OutboundMessage, { up, ended, wamidOf }: Ids): Promise<object> {
  const to = addressee(message.chat)
  const quoted = message.quoted ? await wamidOf(message.quoted.id) : null
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...to,
    ...(quoted && { context: { message_id: quoted } }),
    // Comes back with every status: after a crash it tells us what Meta had taken.
    biz_opaque_callback_data: message.id,
    ...(await contentOf(message, { up, ended, wamidOf })),
  }
}

async function contentOf(message: OutboundMessage, { up, ended, wamidOf }: Ids): Promise<object> {
  if (message.template) return templateOf(message.template, message.media, up, ended)
  if (message.reaction) {
    const { targetId, emoji } = message.reaction
    const message_id = await wamidOf(targetId)
    if (!message_id) throw new LineRefusal('unsupported')
    return { type: 'reaction', reaction: { message_id, emoji } }
  }
  if (message.media) return mediaOf(message.media, message.body, up, ended)
  if (message.location) return { type: 'location', location: message.location }
  if (message.contact) return { type: 'contacts', contacts: [cardOf(message.contact)] }
  const interactive = message.choices ? interactiveOf(message.choices) : null
  if (interactive) return { type: 'interactive', interactive }
  if ([...message.body].length > textMost) throw new LineRefusal('text-too-long')
  return { type: 'text', text: { body: message.body, preview_url: /https?:\/\//.test(message.body) } }
}

type Media = NonNullable<OutboundMessage['media']>

async function templateOf(
  { name, language, components: given }: NonNullable<OutboundMessage['template']>,
  media: Media | undefined,
  up: Up,
  ended: AbortSignal,
): Promise<object> {
  const components = media ? [await headerOf(media, up, ended), ...given] : given
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length && { components }) },
  }
}

/** The file on top of a template: of the kind that the template was approved with, and of no other. */
async function headerOf(media: Media, up: Up, ended: AbortSignal): Promise<object> {
  const size = await sizeOf(media)
  const type = kindFor(media, size, false)
  const id = await uploadFile(up, media, size, ended)
  return {
    type: 'header',
    parameters: [{ type, [type]: { id, ...(type === 'document' && { filename: media.name }) } }],
  }
}

async function mediaOf(given: Media, body: string, up: Up, ended: AbortSignal): Promise<object> {
  const media = given.voice ? await spoken(given) : given
  const size = await sizeOf(media)
  const kind = kindFor(media, size, body !== '')
  const wordless = kind === 'audio' || kind === 'sticker'
  if (!wordless && [...body].length > captionMost) throw new LineRefusal('text-too-long')
  const id = await uploadFile(up, media, size, ended)
  const caption = body && !wordless ? { caption: body } : {}
  const named = kind === 'document' ? { filename: media.name } : {}
  // Shown with a microphone and a wave; Meta takes nothing else as one.
  const voice = kind === 'audio' && media.voice && media.mime.startsWith('audio/ogg') ? { voice: true } : {}
  return { type: kind, [kind]: { id, ...caption, ...named, ...voice } }
}

/** Out of a card what Meta wants of one: a name, and the numbers. */
function cardOf({ name, vcard }: { name: string; vcard: string }): object {
  const lines = vcard.split(/\r?\n/)
  const phones = lines.flatMap((line) => {
    const [head = '', ...rest] = line.split(':')
    if (!/^(?:item\d+\.)?TEL(;|$)/i.test(head)) return []
    const wa_id = /waid=(\d+)/i.exec(head)?.[1]
    return [{ phone: rest.join(':').trim(), type: 'CELL', ...(wa_id && { wa_id }) }]
  })
  return { name: { formatted_name: name || 'Contact', first_name: name || 'Contact' }, phones }
}
