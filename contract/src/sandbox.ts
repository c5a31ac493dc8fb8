import { z } from 'zod'
import { extractDigits } from './contacts.ts'
import { bodyLimitBytes, del, get, isoDateTime, messageReply, optionalText, post, put, ref } from './endpoint.ts'
import { TicketEvent } from './tickets.ts'

/** The test phone: a line whose customers are simulated from a screen or a script. */
const line = z.object({ whatsappId: ref('connection') })
/** Id of a message on the phone: any text. */
const phoneMessage = z.string().trim().min(1).max(80).meta({ entity: 'sandboxMessage' })
const number = z.preprocess(extractDigits, z.string().min(8).max(20))
const rule = 'sandbox-page:use' as const

export const SandboxCustomer = z.object({
  number: z.string(),
  name: z.string(),
  isGroup: z.boolean(),
  members: z.array(z.string()),
  unread: z.number(),
  last: z.string(),
  typing: z.boolean(),
  picture: z.string().nullable(),
})
export type SandboxCustomer = z.infer<typeof SandboxCustomer>

/** One message on the customer's phone. `ack`: the delivery state of the customer's message, or whether they read ours. */
export const SandboxPhoneMessage = z.object({
  id: z.string(),
  fromCustomer: z.boolean(),
  /** In a group: the member who wrote. */
  author: z.string().nullable(),
  kind: z.string(),
  body: z.string(),
  mediaUrl: z.string().nullable(),
  mediaName: z.string().nullable(),
  /** For a voice note, as the customer's phone draws it; null for other audio. */
  voice: z.object({ seconds: z.number(), waveform: z.array(z.number()) }).nullable(),
  quotedId: z.string().nullable(),
  reaction: z.string().nullable(),
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
  isForwarded: z.boolean(),
  ack: z.number(),
  at: isoDateTime,
})
export type SandboxPhoneMessage = z.infer<typeof SandboxPhoneMessage>

export const SandboxFaults = z.object({
  /** Share of events that are dropped, 0 to 1. */
  drop: z.coerce.number().min(0).max(1).default(0),
  delayMs: z.coerce.number().int().min(0).max(60_000).default(0),
  duplicate: z.coerce.number().min(0).max(1).default(0),
  reorder: z.coerce.number().min(0).max(1).default(0),
  /** Sends fail with this reason; empty: they succeed. `network` is a transient failure, which is retried. */
  failSends: optionalText(60),
})
export type SandboxFaults = z.output<typeof SandboxFaults>

export const SandboxPhoneWrite = z.object({
  from: number,
  name: optionalText(60).optional(),
  body: optionalText(65_536),
  /** The message id; a duplicate id is the same message. */
  id: z.string().trim().min(1).max(80).optional(),
  kind: z
    .enum(['text', 'location', 'contact', 'reaction', 'edit', 'delete', 'call', 'sticker', 'unknown'])
    .catch('text')
    .default('text'),
  quotedId: phoneMessage.nullish(),
  /** The target of a reaction, an edit or a delete. */
  targetId: phoneMessage.nullish(),
  latitude: z.coerce.number().min(-90).max(90).optional(),
  longitude: z.coerce.number().min(-180).max(180).optional(),
  contactName: optionalText(100).optional(),
  contactNumber: optionalText(30).optional(),
  /** Write into this group instead of the customer's own chat. */
  group: z.string().trim().max(60).nullish(),
  /** The alternative identity that WhatsApp may send with the number or instead of it. */
  lid: z.string().trim().max(40).nullish(),
  onlyLid: z.preprocess((v) => v === true || v === 'true', z.boolean()),
  /** Simulates a message the agent wrote on the linked phone. */
  fromMe: z.preprocess((v) => v === true || v === 'true', z.boolean()),
  /** Timestamp of the sender's clock; the current time when absent. */
  at: z.iso.datetime({ offset: true }).max(40).optional(),
})
export type SandboxPhoneWrite = z.output<typeof SandboxPhoneWrite>

export const sandboxApi = {
  scan: post('/sandbox/:whatsappId/scan', {
    about: 'Scan the QR of a test line',
    access: rule,
    params: line,
    reply: messageReply,
  }),
  unlink: del('/sandbox/:whatsappId/link', {
    about: 'Unlink on the phone, as a user does in WhatsApp',
    access: rule,
    params: line,
    reply: messageReply,
  }),
  customers: get('/sandbox/:whatsappId/customers', {
    about: 'The customers and groups of a test line',
    access: rule,
    params: line,
    reply: z.array(SandboxCustomer),
  }),
  addCustomer: post('/sandbox/:whatsappId/customers', {
    about: 'Create a fake customer, or a group of them',
    access: rule,
    params: line,
    body: z.object({
      number: number.optional(),
      name: optionalText(60),
      isGroup: z.preprocess((v) => v === true, z.boolean()),
      members: z.array(number).max(50).default([]),
    }),
    example: { number: '5491155550001', name: 'Lucía', isGroup: false },
    reply: SandboxCustomer,
  }),
  send: post('/sandbox/:whatsappId/messages', {
    about: 'Write as a customer: text, files (multipart `medias`), location, contact, reaction, edit, delete, call',
    bytes: bodyLimitBytes.longText,
    access: rule,
    params: line,
    upload: 'medias',
    body: SandboxPhoneWrite,
    example: { from: '5491155550001', name: 'Lucía', body: 'Hola' },
    reply: z.object({ id: z.string() }),
  }),
  messages: get('/sandbox/:whatsappId/messages', {
    about: "What that customer's phone shows, with ticks",
    access: rule,
    params: line,
    query: z.object({
      with: z.string().trim().max(60),
      pageNumber: z.coerce.number().int().min(1).max(10_000).default(1),
    }),
    reply: z.object({ messages: z.array(SandboxPhoneMessage), hasMore: z.boolean() }),
  }),
  read: post('/sandbox/:whatsappId/read', {
    about: 'The customer opens the chat: our messages become read',
    access: rule,
    params: line,
    body: z.object({ with: z.string().trim().max(60) }),
    example: { with: '5491155550001' },
    reply: messageReply,
  }),
  typing: post('/sandbox/:whatsappId/typing', {
    about: 'The customer starts or stops typing',
    access: rule,
    params: line,
    body: z.object({ from: number, typing: z.preprocess((v) => v !== false && v !== 'false', z.boolean()) }),
    example: { from: '5491155550001', typing: true },
    reply: messageReply,
  }),
  behaviour: get('/sandbox/:whatsappId/behaviour', {
    about: 'The simulated faults of the test line',
    access: rule,
    params: line,
    reply: SandboxFaults,
  }),
  misbehave: put('/sandbox/:whatsappId/behaviour', {
    about: 'Set the simulated faults of the test line',
    access: rule,
    params: line,
    body: SandboxFaults,
    example: { drop: 0, delayMs: 0, duplicate: 0.5, reorder: 0, failSends: '' },
    reply: SandboxFaults,
  }),
  drop: post('/sandbox/:whatsappId/disconnect', {
    about: 'Cut the connection like a bad network; the line reconnects by itself',
    access: rule,
    params: line,
    reply: messageReply,
  }),
  /** Journal of one customer's chat, newest last. */
  inside: get('/sandbox/:whatsappId/inside', {
    about: 'The trace of processing, each step with its reason',
    access: rule,
    params: line,
    query: z.object({ with: z.string().trim().max(60) }),
    reply: z.array(TicketEvent),
  }),
}
