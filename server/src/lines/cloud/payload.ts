import { LineRefusedError, type OutboundMessage } from '../line.ts'
import type { CloudSession } from './cloud-link.ts'
import { chooseMetaMediaKind, measureFile, toVoiceNote, uploadFile } from './files.ts'
import { buildInteractive } from './interactive.ts'

/** Meta's own limits. */
const maxTextChars = 4096
const maxCaptionChars = 1024

/** The recipient: a number, or Meta's id of a person with a hidden number. */
export function parseRecipient(chat: string): { to: string } | { recipient: string } {
  const [who = '', kind] = chat.split(/@(?=[^@]*$)/)
  if (kind === 'cloud' && who) return { recipient: who }
  if (kind !== 's.whatsapp.net' || !/^\d{5,20}$/.test(who)) throw new LineRefusedError('unsupported')
  return { to: who }
}

type PayloadDeps = { session: CloudSession; signal: AbortSignal; wamidOf: (wid: string) => Promise<string | null> }

/** A message in Meta's format. Files are uploaded here, so that the rest is one call that happens or not. */
export async function buildPayload(
  message: OutboundMessage,
  { session: up, signal: ended, wamidOf }: PayloadDeps,
): Promise<object> {
  const to = parseRecipient(message.chat)
  const quoted = message.quoted ? await wamidOf(message.quoted.id) : null
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...to,
    ...(quoted && { context: { message_id: quoted } }),
    // Returned with every status: after a crash it tells what Meta had accepted.
    biz_opaque_callback_data: message.id,
    ...(await buildContent(message, { session: up, signal: ended, wamidOf })),
  }
}

async function buildContent(
  message: OutboundMessage,
  { session: up, signal: ended, wamidOf }: PayloadDeps,
): Promise<object> {
  if (message.template) return buildTemplate(message.template, message.media, up, ended)
  if (message.reaction) {
    const { targetId, emoji } = message.reaction
    const message_id = await wamidOf(targetId)
    if (!message_id) throw new LineRefusedError('unsupported')
    return { type: 'reaction', reaction: { message_id, emoji } }
  }
  if (message.media) return buildMedia(message.media, message.body, up, ended)
  if (message.location) return { type: 'location', location: message.location }
  if (message.contact) return { type: 'contacts', contacts: [buildContactCard(message.contact)] }
  const interactive = message.choices ? buildInteractive(message.choices) : null
  if (interactive) return { type: 'interactive', interactive }
  if ([...message.body].length > maxTextChars) throw new LineRefusedError('text-too-long')
  return { type: 'text', text: { body: message.body, preview_url: /https?:\/\//.test(message.body) } }
}

type Media = NonNullable<OutboundMessage['media']>

async function buildTemplate(
  { name, language, components: given }: NonNullable<OutboundMessage['template']>,
  media: Media | undefined,
  up: CloudSession,
  ended: AbortSignal,
): Promise<object> {
  const components = media ? [await buildTemplateHeader(media, up, ended), ...given] : given
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length && { components }) },
  }
}

/** The header file of a template: of the kind that the template was approved with, and of no other. */
async function buildTemplateHeader(media: Media, up: CloudSession, ended: AbortSignal): Promise<object> {
  const size = await measureFile(media)
  const type = chooseMetaMediaKind(media, size, false)
  const id = await uploadFile(up, media, size, ended)
  return {
    type: 'header',
    parameters: [{ type, [type]: { id, ...(type === 'document' && { filename: media.name }) } }],
  }
}

async function buildMedia(given: Media, body: string, up: CloudSession, ended: AbortSignal): Promise<object> {
  const media = given.voice ? await toVoiceNote(given) : given
  const size = await measureFile(media)
  const kind = chooseMetaMediaKind(media, size, body !== '')
  const wordless = kind === 'audio' || kind === 'sticker'
  if (!wordless && [...body].length > maxCaptionChars) throw new LineRefusedError('text-too-long')
  const id = await uploadFile(up, media, size, ended)
  const caption = body && !wordless ? { caption: body } : {}
  const named = kind === 'document' ? { filename: media.name } : {}
  // Shown with a microphone and a waveform; Meta accepts nothing else as a voice note.
  const voice = kind === 'audio' && media.voice && media.mime.startsWith('audio/ogg') ? { voice: true } : {}
  return { type: kind, [kind]: { id, ...caption, ...named, ...voice } }
}

/** Meta's contact format from a vCard: a name, and the numbers. */
function buildContactCard({ name, vcard }: { name: string; vcard: string }): object {
  const lines = vcard.split(/\r?\n/)
  const phones = lines.flatMap((line) => {
    const [head = '', ...rest] = line.split(':')
    if (!/^(?:item\d+\.)?TEL(;|$)/i.test(head)) return []
    const wa_id = /waid=(\d+)/i.exec(head)?.[1]
    return [{ phone: rest.join(':').trim(), type: 'CELL', ...(wa_id && { wa_id }) }]
  })
  return { name: { formatted_name: name || 'Contact', first_name: name || 'Contact' }, phones }
}
