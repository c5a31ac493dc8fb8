import { z } from 'zod'
import {
  anyJson,
  bodyLimitBytes,
  crud,
  del,
  dictionary,
  email,
  flag,
  get,
  isoDateTime,
  messageReply,
  nullableRef,
  optionalText,
  pageReply,
  post,
  ref,
  requiredText,
} from './endpoint.ts'
import { removeHiddenCharacters } from './hidden-characters.ts'
import { languageCode } from './routing/skills.ts'
import { ticketStatuses } from './ticket-statuses.ts'

export const ExtraInfo = z.object({ id: z.number(), name: z.string(), value: z.string() })

export const Contact = z.object({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  profilePicUrl: z.string().nullable(),
  isGroup: z.boolean(),
  disableBot: z.boolean(),
  /** The language in which the contact writes, as ISO 639 code: set by a person, or detected by an AI. */
  language: z.string().nullable(),
  /** The user who looks after the contact; routing asks them first. */
  ownerId: z.number().nullable(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Contact = z.infer<typeof Contact>

export const ContactDetail = Contact.extend({
  extraInfo: z.array(ExtraInfo),
  whatsapp: z.object({ name: z.string() }).nullable(),
})
export type ContactDetail = z.infer<typeof ContactDetail>

/** Only the digits of a number count. */
export const extractDigits = (v: unknown) => String(v ?? '').replace(/\D/g, '')

const number = z.string().min(8).max(50)
const ExtraInfoWrite = z.object({ name: requiredText(1, 100), value: optionalText(1000) })
/** A custom field that was added to the form and left blank is ignored. */
const isBlank = (row: unknown) =>
  row !== null &&
  typeof row === 'object' &&
  ['name', 'value'].every((key) => !String(Reflect.get(row, key) ?? '').trim())
const extraInfoList = <T extends z.ZodType>(row: T) =>
  z.preprocess((v) => (Array.isArray(v) ? v.filter((one) => !isBlank(one)) : v), z.array(row).max(100).optional())

export const ContactWrite = z.object({
  /** The name is often copied from a customer's phone: hidden characters are removed instead of refused. */
  name: z.string().max(500).transform(removeHiddenCharacters).pipe(requiredText(2, 50)),
  number: z.preprocess(extractDigits, number),
  email: z
    .preprocess((v) => (typeof v === 'string' ? v.trim() : v) || undefined, email.optional())
    .transform((v) => v ?? ''),
  extraInfo: extraInfoList(ExtraInfoWrite),
  disableBot: z.preprocess((v) => (v === undefined ? undefined : Boolean(v)), z.boolean().optional()),
  /** Absent: unchanged. */
  language: z.preprocess((v) => (v === '' ? null : v), languageCode.nullish()),
  ownerId: nullableRef('user').optional(),
})
export type ContactWrite = z.output<typeof ContactWrite>

/**
 * The whole contact as a form sends it back. A contact may have no phone number: an empty number leaves it unchanged.
 * Fields with an id are kept, those without are new, absent ones are removed.
 */
export const ContactUpdate = ContactWrite.extend({
  number: z.preprocess(extractDigits, z.union([z.literal(''), number])),
  extraInfo: extraInfoList(
    ExtraInfoWrite.extend({ id: z.preprocess((v) => v || undefined, ref('extraInfo').optional()) }),
  ),
  /**
   * Required to change the number while the contact has an open or pending ticket, because the next answer goes to the
   * new number. Without it the reply is 409 `ERR_CONTACT_NUMBER_CONFIRM` and nothing is changed.
   */
  confirmNumber: flag.default(false),
})
export type ContactUpdate = z.output<typeof ContactUpdate>

/** A day (`yyyy-MM-dd`) in the company's time zone; an invalid one counts as absent. */
export const optionalDay = z
  .string()
  .regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/)
  .transform((v) => v.slice(0, 10))
  // The pattern alone would accept the 31st of February.
  .pipe(z.iso.date())
  .optional()
  .catch(undefined)

/** Filters of a contact list. Every search word is looked up in name, number and email address. */
const contactFilters = {
  searchParam: z.string().trim().max(200).default(''),
  date: optionalDay,
  dateStart: optionalDay,
  dateEnd: optionalDay,
  kind: z.enum(['person', 'group']).optional().catch(undefined),
}

const ContactMedia = z.object({
  id: z.string(),
  ticketId: z.number().nullable(),
  fromMe: z.boolean(),
  mediaType: z.string(),
  mediaUrl: z.string(),
  mediaName: z.string().nullable(),
  createdAt: isoDateTime,
})
export type ContactMedia = z.infer<typeof ContactMedia>

const PastTicket = z.object({
  id: z.number(),
  number: z.number(),
  uuid: z.string(),
  status: z.enum(ticketStatuses),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type PastTicket = z.infer<typeof PastTicket>

/** How long a deleted contact can be restored. */
export const deletedContactDays = 30

export const DeletedContact = z.object({
  id: z.number(),
  contactId: z.number(),
  name: z.string(),
  number: z.string(),
  isGroup: z.boolean(),
  tickets: z.number(),
  messages: z.number(),
  /** Who deleted the contact, with which API key, and when; the name stays when the user is deleted. */
  by: z.object({ id: z.number(), name: z.string() }),
  key: z.string().nullable(),
  deletedAt: isoDateTime,
  /** Until when the contact can be restored. */
  until: isoDateTime,
})
export type DeletedContact = z.infer<typeof DeletedContact>

const plain = crud({
  bytes: bodyLimitBytes.longText,
  path: '/contacts',
  entity: 'contact',
  plural: 'contacts',
  row: Contact,
  search: ['name', 'number', 'email'],
  // Forms of older clients save the row of this event, so the event always contains the complete row.
  topic: { one: 'contact', gone: 'contactId', row: ContactDetail },
  write: ContactWrite,
  example: { name: 'Lucía Campos', number: '5491155550000', email: 'lucia@mail.example', extraInfo: [] },
  read: 'session',
  edit: 'session',
  key: 'contacts',
})

export const contactsApi = {
  ...plain,
  list: get('/contacts', {
    about:
      'A page of contacts, by name or newest first. The count of a search stops at 2,000, that of a filter at 100,000: then `isLowerBound` is set',
    access: 'session',
    key: 'contacts',
    query: z.object({
      ...contactFilters,
      pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
      sortBy: z.enum(['name', 'newest']).default('name').catch('name'),
    }),
    reply: pageReply('contacts', Contact).extend({ isLowerBound: z.boolean() }),
  }),
  all: get('/contacts/list', {
    about: 'Every contact, name and number only; at most the first 20,000 by name',
    access: 'session',
    key: 'contacts',
    query: z.object({ name: z.string().trim().max(200).default('') }),
    reply: z.array(z.object({ id: z.number(), name: z.string(), number: z.string() })),
  }),
  export: get('/contacts/export', {
    about: 'Every contact, or those a search finds, as a spreadsheet file; `X-Total-Count` is the number of rows',
    access: 'session',
    key: 'contacts',
    query: z.object(contactFilters),
    reply: z.string(),
    file: 'contatos.csv',
  }),
  show: { ...plain.show, reply: ContactDetail },
  create: { ...plain.create, reply: ContactDetail },
  update: {
    ...plain.update,
    about:
      'Change a contact. Changing the number needs `confirmNumber` while a ticket is open, and access to all of its conversations',
    body: ContactUpdate,
    example: { ...plain.update.example, number: '', extraInfo: [{ name: 'CUIT', value: '27-12345678-9' }] },
    reply: ContactDetail,
  },
  remove: {
    ...plain.remove,
    about:
      'Delete a contact with its conversations; needs access to all of them. An admin can restore it for 30 days (`GET /contacts/deleted`)',
    access: 'contacts-page:deleteContact' as const,
  },
  deleted: get('/contacts/deleted', {
    about: 'A page of deleted contacts that can still be restored, newest first',
    access: 'contacts-page:restore',
    query: z.object({
      searchParam: z.string().trim().max(200).default(''),
      pageNumber: z.coerce.number().int().min(1).max(10_000).default(1),
    }),
    reply: z.object({ deleted: z.array(DeletedContact), count: z.number(), hasMore: z.boolean() }),
  }),
  restore: post('/contacts/deleted/:id/restore', {
    about:
      'Restore a deleted contact with its conversations. If the person has written since, it is merged into their current contact',
    access: 'contacts-page:restore',
    params: z.object({ id: ref('deletedContact') }),
    reply: ContactDetail,
  }),
  purge: del('/contacts/deleted/:id', {
    about: 'Delete a deleted contact permanently, with its conversations and files',
    access: 'contacts-page:restore',
    params: z.object({ id: ref('deletedContact') }),
    reply: messageReply,
  }),
  import: post('/contacts/import', {
    about: "Import the address book of the default line's phone",
    access: 'session',
    reply: z.object({ imported: z.number() }),
  }),
  upload: post('/contacts/upload', {
    about: 'Create contacts from the rows of a spreadsheet; a bare array, keys are the header cells',
    access: 'session',
    body: z.array(dictionary(2000, z.string().max(200), anyJson)).max(10_000),
    bytes: 10 * 1024 * 1024,
    example: [{ Nome: 'Lucía Campos', Telefone: 5491155550000 }],
    reply: z.object({
      newContacts: z.array(z.object({ contactId: z.number(), contactName: z.string() })),
      /** `message` is an error code or a form message (`Too Short!`) with its `field`. */
      errorBag: z.array(
        z.object({
          contactName: z.string(),
          /** The index of the sent row, from 1. */
          row: z.number(),
          error: z.object({ message: z.string(), field: z.string() }),
        }),
      ),
    }),
  }),
  /** The same import from an uploaded file: the server parses it in a worker, with limits. */
  uploadSheet: post('/contacts/upload-file', {
    about: 'Read a spreadsheet (.xlsx, .xls, .csv): its rows as POST /contacts/upload takes them',
    access: 'session',
    upload: 'file',
    reply: z.object({ rows: z.array(z.record(z.string(), z.unknown())) }),
  }),
  media: get('/contacts/:id/media', {
    about: 'Pictures, videos, audio and documents of the conversations with a contact, newest first',
    access: 'session',
    key: 'messages',
    params: z.object({ id: ref('contact') }),
    query: z.object({ pageNumber: z.coerce.number().int().min(1).max(10_000).default(1) }),
    reply: z.object({ media: z.array(ContactMedia), hasMore: z.boolean() }),
  }),
  tickets: get('/contacts/:id/tickets', {
    about: 'Past and present conversations with a contact that the caller may see, newest first',
    access: 'session',
    key: 'tickets',
    params: z.object({ id: ref('contact') }),
    query: z.object({ pageNumber: z.coerce.number().int().min(1).max(10_000).default(1) }),
    reply: z.object({ tickets: z.array(PastTicket), hasMore: z.boolean() }),
  }),
  merges: get('/contacts/:id/merges', {
    about: 'Contacts that were merged into this one and can be separated again',
    access: 'session',
    params: z.object({ id: ref('contact') }),
    reply: z.array(
      z.object({ id: z.number(), name: z.string(), number: z.string(), reason: z.string(), at: isoDateTime }),
    ),
  }),
  unmerge: post('/contacts/merges/:id/undo', {
    about: 'Separate two merged contacts',
    access: 'contacts-page:deleteContact',
    params: z.object({ id: ref('contactMerge') }),
    reply: ContactDetail,
  }),
}
