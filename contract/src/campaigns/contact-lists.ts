import { z } from 'zod'
import { extractDigits, optionalDay } from '../contacts.ts'
import {
  crud,
  email,
  get,
  idParams,
  isoDateTime,
  listQuery,
  nullableRef,
  optionalText,
  pageReply,
  post,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'

/**
 * A list that is a filter instead of rows: it contains the contacts that match all of these conditions. It is counted
 * live while it is edited, and frozen when a campaign starts.
 */
const contactListQueryShape = {
  /** One of the contact's tickets has one of these tags. */
  tagIds: z.array(ref('tag')).max(50).default([]),
  /** One of the contact's tickets was in one of these queues. */
  queueIds: z.array(ref('queue')).max(50).default([]),
  /** One of the contact's tickets came from one of these ads. */
  adIds: z.array(ref('ad')).max(50).default([]),
  /** The contact wrote between these days, both included, in the company's time zone. */
  wroteFrom: z.preprocess((v) => v || undefined, optionalDay).transform((v) => v ?? null),
  wroteUntil: z.preprocess((v) => v || undefined, optionalDay).transform((v) => v ?? null),
  /** One of the contact's custom fields has this value; accents and case are ignored. */
  field: z
    .preprocess((v) => v ?? null, z.object({ name: requiredText(1, 100), value: optionalText(1000) }).nullable())
    .default(null),
}
export const ContactListQuery = z.object(contactListQueryShape)
export type ContactListQuery = z.output<typeof ContactListQuery>

/** An empty filter would match everybody. */
export const isEmptyContactListQuery = (q: ContactListQuery): boolean =>
  !q.tagIds.length && !q.queueIds.length && !q.adIds?.length && !q.wroteFrom && !q.wroteUntil && !q.field

export const ContactList = z.object({
  id: z.number(),
  name: z.string(),
  /** For a filter: the count when it was saved. */
  contactsCount: z.number(),
  /** For rows: how many numbers are on WhatsApp, and how many are not; the others are not checked yet. */
  validCount: z.number(),
  invalidCount: z.number(),
  question: z
    .object({
      tagIds: z.array(z.number()),
      queueIds: z.array(z.number()),
      /** Lists that were stored before this condition existed have none. */
      adIds: z.array(z.number()).default([]),
      wroteFrom: z.string().nullable(),
      wroteUntil: z.string().nullable(),
      field: z.object({ name: z.string(), value: z.string() }).nullable(),
    })
    .nullable(),
  createdAt: isoDateTime,
})
export type ContactList = z.infer<typeof ContactList>

export const ContactListWrite = z.object({
  name: requiredName(2, 50),
  /** Absent: unchanged. Null: a list of rows. */
  question: ContactListQuery.refine((q) => !isEmptyContactListQuery(q))
    .nullable()
    .optional(),
})
export type ContactListWrite = z.output<typeof ContactListWrite>

export const ContactListItem = z.object({
  id: z.number(),
  companyId: z.number(),
  contactListId: z.number(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  /** Null: unknown. */
  isWhatsappValid: z.boolean().nullable(),
})
export type ContactListItem = z.infer<typeof ContactListItem>

export const ContactListItemWrite = z.object({
  name: requiredName(2, 50),
  number: z.preprocess(extractDigits, z.string().min(8).max(50)),
  email: z
    .preprocess((v) => (typeof v === 'string' ? v.trim() : v) || undefined, email.optional())
    .transform((v) => v ?? ''),
  contactListId: ref('contactList'),
})

/** The columns of the sheet that are used; null: no column. */
export const ImportColumns = z.object({
  name: z.string().max(200).nullable(),
  number: z.string().max(200).nullable(),
  email: z.string().max(200).nullable(),
})
export type ImportColumns = z.output<typeof ImportColumns>

export const importStates = ['preview', 'running', 'done', 'stopped', 'failed'] as const
/** `preview` waits until the columns are confirmed. `error` of a failed import is a code of the catalog. */
const importProgressShape = {
  id: z.number(),
  contactListId: z.number(),
  state: z.enum(importStates),
  error: z.string().nullable(),
  /** The number of rows of the sheet, how many were read so far, and their results. */
  total: z.number(),
  done: z.number(),
  created: z.number(),
  /** Rows whose number is already in the list or a duplicate. */
  doubled: z.number(),
  refused: z.number(),
}
export const ImportProgress = z.object(importProgressShape)
export type ImportProgress = z.infer<typeof ImportProgress>

export const ListImport = z.object({
  ...importProgressShape,
  fileName: z.string(),
  headers: z.array(z.string()),
  columns: ImportColumns,
  /** The first rows, in the order of the headers. */
  samples: z.array(z.array(z.string())),
  /** Errors of the first hundred invalid rows. `message` is a form message (`Too Short!`), `field` the invalid field. */
  errors: z.array(z.object({ row: z.number(), name: z.string(), field: z.string(), message: z.string() })),
  createdAt: isoDateTime,
  endedAt: isoDateTime.nullable(),
})
export type ListImport = z.infer<typeof ListImport>

const path = '/contact-lists'
const plan = 'useCampaigns'
const access = 'campaigns-page:manage'
const params = idParams('contactList')
const importParams = idParams('listImport')

export const contactListsApi = {
  ...crud({
    path,
    entity: 'contactList',
    plural: 'records',
    row: ContactList,
    search: ['name'],
    topic: { name: (c) => `company-${c}-ContactList` },
    write: ContactListWrite,
    example: { name: 'Clientes de mayo' },
    read: access,
    edit: access,
    plan,
  }),
  all: get(`${path}/list`, {
    about: 'Every contact list, id and name only',
    access,
    plan,
    reply: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
  example: get(`${path}/example`, {
    about: 'An example spreadsheet for the import',
    access,
    plan,
    reply: z.string(),
    file: 'contactos.csv',
  }),
  count: post(`${path}/count`, {
    about: 'How many people a filter finds, and the first of them',
    access,
    plan,
    body: ContactListQuery,
    example: { tagIds: [1], queueIds: [], wroteFrom: null, wroteUntil: null, field: null },
    reply: z.object({
      count: z.number(),
      first: z.array(z.object({ id: z.number(), name: z.string(), number: z.string() })),
    }),
  }),
  check: post(`${path}/:id/check`, {
    about: 'Check again the numbers that are unchecked or not on WhatsApp',
    access,
    plan,
    params,
    reply: ContactList,
  }),
  /** As in older clients, the columns are guessed and the import starts at once. */
  upload: post(`${path}/:id/upload`, {
    about: 'Import a spreadsheet (.xlsx, .xls, .csv) with the columns named in its header; runs in the background',
    access,
    plan,
    params,
    upload: 'file',
    reply: ListImport,
  }),
  preview: post(`${path}/:id/imports`, {
    about: 'Upload a spreadsheet and preview it; nothing is imported until it is started',
    access,
    plan,
    params,
    upload: 'file',
    reply: ListImport,
  }),
  imports: get(`${path}/:id/imports`, {
    about: 'The last imports into a list, newest first',
    access,
    plan,
    params,
    reply: z.array(ListImport),
  }),
  start: post(`${path}/imports/:id/start`, {
    about: 'Import the previewed spreadsheet with these columns; runs in the background',
    access,
    plan,
    params: importParams,
    body: ImportColumns,
    example: { name: 'nome', number: 'numero', email: null },
    reply: ListImport,
  }),
  stop: post(`${path}/imports/:id/stop`, {
    about: 'Stop an import; rows already imported stay',
    access,
    plan,
    params: importParams,
    reply: ListImport,
  }),
}

const items = '/contact-list-items'
const plainItems = crud({
  path: items,
  entity: 'contactListItem',
  plural: 'contacts',
  row: ContactListItem,
  search: ['name', 'number'],
  topic: { name: (c) => `company-${c}-ContactListItem` },
  write: ContactListItemWrite,
  example: { name: 'Lucía Campos', number: '5491155550000', email: 'lucia@mail.example', contactListId: 1 },
  read: access,
  edit: access,
  plan,
})
export const contactListItemsApi = {
  ...plainItems,
  list: get(items, {
    about: 'A page of the contacts of a list; without `contactListId`, of all lists',
    access,
    plan,
    query: listQuery.extend({
      contactListId: nullableRef('contactList'),
      valid: z.enum(['true', 'false', 'unknown']).optional().catch(undefined),
    }),
    reply: pageReply('contacts', ContactListItem),
  }),
  remove: { ...plainItems.remove, access: 'contacts-page:deleteContact' as const },
}
