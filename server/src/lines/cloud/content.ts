import { parseForeignJson } from '../../kernel/json/foreign-json.ts'
import type { MessageContent } from '../line.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from './untyped-json.ts'

type ContentReader = (message: JsonObject) => MessageContent

const textContent = (body: string): MessageContent => ({ kind: 'text', body })
const unknownContent = (what: string): MessageContent => ({ kind: 'unknown', what: what.slice(0, 1000) })

const mediaReader =
  (type: string, mediaType: Extract<MessageContent, { kind: 'media' }>['mediaType'], name: string): ContentReader =>
  (message) => {
    const file = asJsonObject(message[type])
    const id = asText(file.id)
    if (!id) return unknownContent(type)
    return {
      kind: 'media',
      mediaType,
      body: asText(file.caption),
      name: asText(file.filename) || name,
      key: { mediaId: id },
    }
  }

const readers: Record<string, ContentReader> = {
  text: (m) => textContent(asText(asJsonObject(m.text).body)),
  image: mediaReader('image', 'image', 'image.jpg'),
  video: mediaReader('video', 'video', 'video.mp4'),
  audio: mediaReader('audio', 'audio', 'audio.ogg'),
  document: mediaReader('document', 'application', 'document'),
  sticker: mediaReader('sticker', 'sticker', 'sticker.webp'),
  location: readLocation,
  contacts: (m) => ({ kind: 'contact', cards: asJsonObjects(m.contacts).map(toVcard) }),
  // The customer pressed the button of a template.
  button: (m) => textContent(asText(asJsonObject(m.button).text) || asText(asJsonObject(m.button).payload)),
  interactive: readInteractive,
  order: readOrder,
  system: (m) => unknownContent(asText(asJsonObject(m.system).body) || 'system'),
  unsupported: (m) => unknownContent(asText(asJsonObjects(m.errors)[0]?.title) || 'unsupported'),
}

/** The content of a message. An unknown kind is shown by its name, not left out. */
export function parseMetaContent(message: JsonObject): MessageContent {
  const type = asText(message.type)
  const content = readers[type]?.(message) ?? unknownContent(type || 'unknown')
  return content.kind === 'text' && !content.body ? unknownContent(type) : content
}

function readLocation(message: JsonObject): MessageContent {
  const { latitude, longitude, name, address } = asJsonObject(message.location)
  const [lat, lon] = [Number(latitude), Number(longitude)]
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) return unknownContent('location')
  const words = [asText(name), asText(address)].filter(Boolean).join(', ')
  return { kind: 'location', latitude: lat, longitude: lon, name: words }
}

/** A choice from our menu carries the option's number; agents read the button's text. */
function readInteractive(message: JsonObject): MessageContent {
  const reply = asJsonObject(message.interactive)
  const form = asJsonObject(reply.nfm_reply)
  if (asText(form.body) || asText(form.name))
    return textContent([asText(form.body), describeFormAnswers(form)].filter(Boolean).join('\n'))
  const { id, title } = asJsonObject(reply.button_reply ?? reply.list_reply)
  const [choice, words] = [asText(id), asText(title)]
  return choice ? { kind: 'text', body: words || choice, choice } : unknownContent('interactive')
}

/** The answers of a WhatsApp Flow form. */
function describeFormAnswers(form: JsonObject): string {
  try {
    const given = Object.entries(asJsonObject(parseForeignJson(asText(form.response_json), { values: 2000 })))
    return given
      .filter(([key]) => key !== 'flow_token')
      .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('\n')
  } catch {
    return ''
  }
}

function readOrder(message: JsonObject): MessageContent {
  const { text: words, product_items } = asJsonObject(message.order)
  const lines = asJsonObjects(product_items).map((item) => {
    const price = [asText(item.item_price), asText(item.currency)].filter(Boolean).join(' ')
    return `${asText(item.quantity) || '1'} × ${asText(item.product_retailer_id)}${price ? ` (${price})` : ''}`
  })
  return textContent(['🛒', ...lines, asText(words)].filter(Boolean).join('\n'))
}

/** A row of a vCard ends at a line break, so a name must not contain one. */
const toSingleLine = (value: string): string => value.replace(/[\r\n]+/g, ' ').trim()

function toVcard(contact: JsonObject): { name: string; vcard: string } {
  const name = toSingleLine(
    asText(asJsonObject(contact.name).formatted_name) || asText(asJsonObject(contact.name).first_name),
  )
  const whole = asText(contact.vcard)
  if (whole.startsWith('BEGIN:VCARD')) return { name, vcard: whole }
  const phones = asJsonObjects(contact.phones).map((phone) => {
    const [number, id] = [toSingleLine(asText(phone.phone)), toSingleLine(asText(phone.wa_id)).replace(/\D/g, '')]
    return `TEL;type=CELL${id ? `;waid=${id}` : ''}:${number || id}`
  })
  const mails = asJsonObjects(contact.emails).map((mail) => `EMAIL:${toSingleLine(asText(mail.email))}`)
  const company = toSingleLine(asText(asJsonObject(contact.org).company))
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${name}`,
    ...(company ? [`ORG:${company}`] : []),
    ...phones,
    ...mails,
  ]
  return { name, vcard: [...lines, 'END:VCARD'].join('\n') }
}
