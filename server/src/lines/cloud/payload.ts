import { LineRefusedError, type OutboundMessage } from '../line.ts'
import type { CloudSession } from './cloud-link.ts'
import { chooseMetaMediaKind, measureFile, toVoiceNote, uploadFile } from './files.ts'
import { buildInteractive } from './interactive.ts'

/** Meta's own limits. */
const maxTextChars = 4096
const maxCaptionChars = 1024

/** The recipient: a number, or Meta's id of a person with a hidden number. */
export function parseRecipient(chat: string): { to: string } | { recipient: string } {
  const [address = '', kind] = chat.split(/@(?=[^@]*$)/)
  if (kind === 'cloud' && address) return { recipient: address }
  if (kind !== 's.whatsapp.net' || !/^\d{5,20}$/.test(address)) throw new LineRefusedError('unsupported')
  return { to: address }
}

type PayloadDeps = { session: CloudSession; signal: AbortSignal; wamidOf: (wid: string) => Promise<string | null> }

/**
 * Builds a message in Meta's format. Files are uploaded before, so that sending is a single call that succeeds or
 * fails.
 */
export async function buildPayload(
  message: OutboundMessage,
  { session, signal, wamidOf }: PayloadDeps,
): Promise<object> {
  const to = parseRecipient(message.chat)
  const quoted = message.quoted ? await wamidOf(message.quoted.id) : null
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...to,
    ...(quoted && { context: { message_id: quoted } }),
    // Meta returns this id with every status: after a crash it shows which messages Meta had accepted.
    biz_opaque_callback_data: message.id,
    ...(await buildContent(message, { session: session, signal: signal, wamidOf })),
  }
}

async function buildContent(message: OutboundMessage, { session, signal, wamidOf }: PayloadDeps): Promise<object> {
  if (message.template) return buildTemplate(message.template, message.media, session, signal)
  if (message.reaction) {
    const { targetId, emoji } = message.reaction
    const message_id = await wamidOf(targetId)
    if (!message_id) throw new LineRefusedError('unsupported')
    return { type: 'reaction', reaction: { message_id, emoji } }
  }
  if (message.media) return buildMedia(message.media, message.body, session, signal)
  if (message.location) return { type: 'location', location: message.location }
  if (message.contact) return { type: 'contacts', contacts: [buildContactCard(message.contact)] }
  const interactive = message.choices ? buildInteractive(message.choices) : null
  if (interactive) return { type: 'interactive', interactive }
  if ([...message.body].length > maxTextChars) throw new LineRefusedError('text-too-long')
  return { type: 'text', text: { body: message.body, preview_url: /https?:\/\//.test(message.body) } }
}

type Media = NonNullable<OutboundMessage['media']>

async function buildTemplate(
  { name, language, components: input }: NonNullable<OutboundMessage['template']>,
  media: Media | undefined,
  session: CloudSession,
  signal: AbortSignal,
): Promise<object> {
  const components = media ? [await buildTemplateHeader(media, session, signal), ...input] : input
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length && { components }) },
  }
}

/** The header file of a template. It must be of the kind with which the template was approved. */
async function buildTemplateHeader(media: Media, session: CloudSession, signal: AbortSignal): Promise<object> {
  const size = await measureFile(media)
  const type = chooseMetaMediaKind(media, size, false)
  const id = await uploadFile(session, media, size, signal)
  return {
    type: 'header',
    parameters: [{ type, [type]: { id, ...(type === 'document' && { filename: media.name }) } }],
  }
}

async function buildMedia(input: Media, body: string, session: CloudSession, signal: AbortSignal): Promise<object> {
  const media = input.voice ? await toVoiceNote(input) : input
  const size = await measureFile(media)
  const kind = chooseMetaMediaKind(media, size, body !== '')
  const hasNoCaption = kind === 'audio' || kind === 'sticker'
  if (!hasNoCaption && [...body].length > maxCaptionChars) throw new LineRefusedError('text-too-long')
  const id = await uploadFile(session, media, size, signal)
  const caption = body && !hasNoCaption ? { caption: body } : {}
  const filenamePart = kind === 'document' ? { filename: media.name } : {}
  // `voice` shows a microphone and a waveform; Meta accepts only ogg as a voice note.
  const voice = kind === 'audio' && media.voice && media.mime.startsWith('audio/ogg') ? { voice: true } : {}
  return { type: kind, [kind]: { id, ...caption, ...filenamePart, ...voice } }
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
