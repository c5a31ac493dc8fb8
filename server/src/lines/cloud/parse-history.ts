import type { InboundEvent, PastMessage } from '../line.ts'
import { vendorTimestampToDate } from '../vendor-timestamp.ts'
import { parseMetaContent } from './content.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from './untyped-json.ts'

/** What the WhatsApp Business app on the same phone had before the number came to the official API. */

/** Messages per event, so that one transaction stays short. */
const maxMessagesPerEvent = 50

/** Ids at Meta have about a hundred characters. */
const maxIdChars = 400

const toChat = (phone: string) => `${phone}@s.whatsapp.net`
const toIsoTime = (timestamp: unknown): string => vendorTimestampToDate(Number(timestamp)).toISOString()
const asPhone = (value: unknown): string => {
  const phone = asText(value).replace(/^\+/, '')
  return /^\d{5,15}$/.test(phone) ? phone : ''
}

/** A part of the history: conversations, then the progress. Files of recent messages follow in a part of their own. */
export function parseHistory(value: JsonObject): InboundEvent[] {
  const business = asPhone(asJsonObject(value.metadata).display_phone_number)
  const files = asJsonObjects(value.messages).flatMap((message) => {
    const other = asPhone(message.to) || asPhone(message.from)
    const past = parsePastMessage(message, other, business)
    return past ? [toPastEvent('past-file', past.chat, [past])] : []
  })
  return [...files, ...asJsonObjects(value.history).flatMap((part) => parsePart(part, business))]
}

function parsePart(part: JsonObject, business: string): InboundEvent[] {
  const { phase, chunk_order, progress } = asJsonObject(part.metadata)
  const events = asJsonObjects(part.threads).flatMap((thread) => parseThread(thread, business))
  const isRefused = asJsonObjects(part.errors).length > 0
  const percent = Math.max(0, Math.min(100, Math.floor(Number(progress)) || 0))
  // The same part may come for another attempt of the owner: then its messages differ.
  const id = ['history', phase, chunk_order, isRefused ? 'refused' : percent, events[0]?.id ?? '']
    .map((one) => String(one ?? '').slice(0, 200))
    .join(':')
  const base = { id, chat: 'history', at: new Date().toISOString() }
  return [...events, { ...base, kind: 'pastProgress', percent: isRefused ? null : percent }]
}

function parseThread(thread: JsonObject, business: string): InboundEvent[] {
  const other = asPhone(thread.id)
  if (!other) return []
  const messages = asJsonObjects(thread.messages).flatMap((message) => parsePastMessage(message, other, business) ?? [])
  const events: InboundEvent[] = []
  for (let at = 0; at < messages.length; at += maxMessagesPerEvent)
    events.push(toPastEvent('past', toChat(other), messages.slice(at, at + maxMessagesPerEvent)))
  return events
}

/** The id is the same when Meta repeats a part. */
const toPastEvent = (prefix: string, chat: string, messages: PastMessage[]): InboundEvent => ({
  kind: 'past',
  id: `${prefix}:${messages[0]?.id ?? ''}:${messages.at(-1)?.id ?? ''}`,
  chat,
  at: messages[0]?.at ?? new Date().toISOString(),
  name: '',
  messages,
})

const ackByStatus: Record<string, 2 | 3 | 4 | 5> = { sent: 2, delivered: 3, read: 4, played: 5 }
const ignoredTypes = ['reaction', 'revoke', 'edit', 'system']

function parsePastMessage(message: JsonObject, other: string, business: string): PastMessage | null {
  const id = asText(message.id)
  const type = asText(message.type)
  if (!id || id.length > maxIdChars || !other || other === business || ignoredTypes.includes(type)) return null
  const context = asJsonObject(message.history_context)
  const fromMe = context.from_me === true || asPhone(message.to) !== '' || asPhone(message.from) !== other
  const ack = ackByStatus[asText(context.status).toLowerCase()]
  return {
    ...{ id, chat: toChat(other), at: toIsoTime(message.timestamp), kind: 'message', fromMe },
    ...{ person: { phone: other }, pushName: '' },
    content: type === 'media_placeholder' ? missingFile : parseMetaContent(message),
    ...(ack && { ack }),
  }
}

/** Meta names a file of the history without its kind; a file of the last two weeks follows under the same message id. */
const missingFile = {
  kind: 'media',
  mediaType: 'application',
  body: '',
  name: 'file',
  key: { placeholder: true },
} satisfies PastMessage['content']

/** A contact that was saved in the phone's address book. Deleting it there deletes nothing here. */
export function parseSavedContact(change: JsonObject): InboundEvent[] {
  const { full_name, first_name, phone_number } = asJsonObject(change.contact)
  const phone = asPhone(phone_number)
  const name = (asText(full_name) || asText(first_name)).trim()
  const isSaved = asText(change.type) === 'contact' && asText(change.action) !== 'remove'
  if (!isSaved || !phone || !name) return []
  const timestamp = asJsonObject(change.metadata).timestamp
  const id = `saved:${phone}:${asText(timestamp)}:${name.slice(0, 100)}`
  return [
    { id, chat: toChat(phone), at: toIsoTime(timestamp), kind: 'contact', person: { phone }, name, isSaved: true },
  ]
}
