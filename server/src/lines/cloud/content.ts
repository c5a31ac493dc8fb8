import { parseForeignJson } from '../../kernel/json/foreign.ts'
import type { Content } from '../line.ts'
import { type Loose, loose, looseList, said } from './loose.ts'

type Reader = (message: Loose) => Content

const text = (body: string): Content => ({ kind: 'text', body })
const unknown = (what: string): Content => ({ kind: 'unknown', what: what.slice(0, 1000) })

const media =
  (type: string, mediaType: Extract<Content, { kind: 'media' }>['mediaType'], name: string): Reader =>
  (message) => {
    const file = loose(message[type])
    const id = said(file.id)
    if (!id) return unknown(type)
    return {
      kind: 'media',
      mediaType,
      body: said(file.caption),
      name: said(file.filename) || name,
      key: { mediaId: id },
    }
  }

const readers: Record<string, Reader> = {
  text: (m) => text(said(loose(m.text).body)),
  image: media('image', 'image', 'image.jpg'),
  video: media('video', 'video', 'video.mp4'),
  audio: media('audio', 'audio', 'audio.ogg'),
  document: media('document', 'application', 'document'),
  sticker: media('sticker', 'sticker', 'sticker.webp'),
  location,
  contacts: (m) => ({ kind: 'contact', cards: looseList(m.contacts).map(cardOf) }),
  // What customers press under a template.
  button: (m) => text(said(loose(m.button).text) || said(loose(m.button).payload)),
  interactive,
  order,
  system: (m) => unknown(said(loose(m.system).body) || 'system'),
  unsupported: (m) => unknown(said(looseList(m.errors)[0]?.title) || 'unsupported'),
}

/** What a message is made of. A kind that we do not know yet is shown by its name, not as silence. */
export function contentOf(message: Loose): Content {
  const type = said(message.type)
  const content = readers[type]?.(message) ?? unknown(type || 'unknown')
  return content.kind === 'text' && !content.body ? unknown(type) : content
}

function location(message: Loose): Content {
  const { latitude, longitude, name, address } = loose(message.location)
  const [lat, lon] = [Number(latitude), Number(longitude)]
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) return unknown('location')
  const words = [said(name), said(address)].filter(Boolean).join(', ')
  return { kind: 'location', latitude: lat, longitude: lon, name: words }
}

/** A pick from our menu carries the number of the option; people read what its button said. */
function interactive(message: Loose): Content {
  const reply = loose(message.interactive)
  const form = loose(reply.nfm_reply)
  if (said(form.body) || said(form.name)) return text([said(form.body), answers(form)].filter(Boolean).join('\n'))
  const { id, title } = loose(reply.button_reply ?? reply.list_reply)
  const [choice, words] = [said(id), said(title)]
  return choice ? { kind: 'text', body: words || choice, choice } : unknown('interactive')
}

/** What somebody filled into a form of Meta's. */
function answers(form: Loose): string {
  try {
    const given = Object.entries(loose(parseForeignJson(said(form.response_json), { values: 2000 })))
    return given
      .filter(([key]) => key !== 'flow_token')
      .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('\n')
  } catch {
    return ''
  }
}

function order(message: Loose): Content {
  const { text: words, product_items } = loose(message.order)
  const lines = looseList(product_items).map((item) => {
    const price = [said(item.item_price), said(item.currency)].filter(Boolean).join(' ')
    return `${said(item.quantity) || '1'} × ${said(item.product_retailer_id)}${price ? ` (${price})` : ''}`
  })
  return text(['🛒', ...lines, said(words)].filter(Boolean).join('\n'))
}

/** A line of a card ends at a line break, and nobody's name may begin another one. */
const plain = (value: string): string => value.replace(/[\r\n]+/g, ' ').trim()

function cardOf(contact: Loose): { name: string; vcard: string } {
  const name = plain(said(loose(contact.name).formatted_name) || said(loose(contact.name).first_name))
  const whole = said(contact.vcard)
  if (whole.startsWith('BEGIN:VCARD')) return { name, vcard: whole }
  const phones = looseList(contact.phones).map((phone) => {
    const [number, id] = [plain(said(phone.phone)), plain(said(phone.wa_id)).replace(/\D/g, '')]
    return `TEL;type=CELL${id ? `;waid=${id}` : ''}:${number || id}`
  })
  const mails = looseList(contact.emails).map((mail) => `EMAIL:${plain(said(mail.email))}`)
  const company = plain(said(loose(contact.org).company))
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
