import { isDeepStrictEqual } from 'node:util'
import { promptTools } from '@recado/contract/ai/prompts'
import { AuditChange } from '@recado/contract/api-access/audit'
import { CampaignSettings } from '@recado/contract/campaigns/settings'
import { Template } from '@recado/contract/cloud'
import { email, keyScopes } from '@recado/contract/endpoint'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import { FlowTest } from '@recado/contract/flows/flow-tests'
import { hasHiddenCharacters } from '@recado/contract/hidden-characters'
import { Holiday, Hours } from '@recado/contract/hours/hours'
import { MacroStep, maxMacroSteps } from '@recado/contract/macros/macro-steps'
import { messageKinds } from '@recado/contract/messages'
import { goalFields, MenuStep } from '@recado/contract/queues'
import { maxSkills, maxTicketWeight } from '@recado/contract/routing/skills'
import { SandboxFaults } from '@recado/contract/sandbox'
import { Repetition } from '@recado/contract/schedules/repetition-rule'
import { isSettingKey, isTimeZone, isValidSetting, settingDefinitions } from '@recado/contract/settings'
import { TicketEventStep } from '@recado/contract/tickets'
import { maxClosingChoices, maxClosingFields, StoredClosingValue } from '@recado/contract/tickets/closing'
import { TicketConditions } from '@recado/contract/views/ticket-conditions'
import { z } from 'zod'
import { storedFileNamePattern } from '../../src/kernel/files/files.ts'
import { toPrintable } from '../plain-text.ts'
import type { ArchiveRow } from './archive.ts'
import type { SchemaColumn, SchemaTable } from './schema.ts'
import { isSealedColumn, withoutSealedHeaders } from './table-rules.ts'

/**
 * Valid values per column. The type comes from the database. The bounds are defined here, because the contract checks
 * only what users submit, and an archive does not pass through it. A value our own software would not have written is
 * refused.
 */
const maxInt = { smallint: 32_767, integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER } as const
/** Maximum values of counters, with room to increment: a counter at the maximum of its type could not be increased. */
const maxCount = { smallint: 30_000, integer: 1_000_000_000, bigint: 2 ** 50 } as const
const idColumnPattern = /^(id|seq|about)$|(Id|By|To|Into|Elsewhere)$/
/** Timestamps outside these years, and `infinity`, are refused. */
const allowedYears = { first: 1970, last: 2100 }
const timestampPattern = /^(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/
const dayPattern = /^(\d{4})-\d\d-\d\d$/
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Maximum number of characters. A message has 65,536 at most; names, addresses and marks have far fewer. */
const maxText = { usual: 70_000, name: 1000, long: 8_000_000 }
const longTexts: Record<string, string[]> = {
  knowledge: ['text'],
  knowledgePieces: ['text', 'words'],
  machineCalls: ['asked', 'answered'],
}
const isNameColumn = (column: string): boolean =>
  /(^|[a-z])(name|email|number|phone|color|language|zone|shortcode|title|key|kind|deed|state|status|type|id|wid|chat|word|hint|reader|model|pair|trace|slot|first|held|bot|author|country|city|zipcode|document|hash)$/i.test(
    column,
  )

/** The limit of each column. It is cached, because it is needed for each cell of each row. */
const textLimits = new Map<string, number>()
function maxTextLength(table: string, column: string): number {
  const key = `${table}.${column}`
  const found = textLimits.get(key)
  if (found !== undefined) return found
  const maxLength = longTexts[table]?.includes(column)
    ? maxText.long
    : isNameColumn(column)
      ? maxText.name
      : maxText.usual
  textLimits.set(key, maxLength)
  return maxLength
}

const isMomentInRange = (text: string, pattern: RegExp): boolean => {
  const [, year] = pattern.exec(text) ?? []
  return Number(year) >= allowedYears.first && Number(year) <= allowedYears.last && !Number.isNaN(Date.parse(text))
}
const isStorableText = (value: unknown, maxLength: number): boolean =>
  typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed()

/** Whether the value fits the column's type. */
function fitsColumnType({ type, name }: SchemaColumn, table: string, value: unknown): boolean {
  switch (type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return (
        Number.isSafeInteger(value) &&
        Math.abs(value as number) <= (idColumnPattern.test(name) ? maxInt : maxCount)[type]
      )
    case 'double precision':
      return Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'uuid':
      return typeof value === 'string' && uuidPattern.test(value)
    case 'timestamp with time zone':
      return typeof value === 'string' && isMomentInRange(value, timestampPattern)
    case 'date':
      return typeof value === 'string' && isMomentInRange(value, dayPattern)
    case 'text':
    case 'tsvector':
      return isStorableText(value, maxTextLength(table, name))
    case 'text[]':
      return Array.isArray(value) && value.length <= 10_000 && value.every((one) => isStorableText(one, maxText.name))
    case 'integer[]':
      return (
        Array.isArray(value) &&
        value.length <= 10_000 &&
        value.every((one) => Number.isSafeInteger(one) && Math.abs(one) <= maxInt.integer)
      )
    case 'json':
    case 'jsonb':
      return isStorableJson(value)
    default:
      return false
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates, at any depth of a JSON value. */
const isStorableJson = (value: unknown): boolean => {
  const text = JSON.stringify(value)
  return text.length <= maxText.long && !/\\u0000|\\ud[89a-f][\da-f]{2}/i.test(text.replaceAll('\\\\', ''))
}

/**
 * A schema of the contract normalizes form input (a number sent as text). Stored values are already normalized, so the
 * value must equal the schema's result.
 */
const storedShape = (shape: z.ZodType) =>
  z.unknown().refine((value) => {
    const read = shape.safeParse(value)
    if (!read.success || typeof read.data !== 'object' || read.data === null || typeof value !== 'object')
      return read.success && isDeepStrictEqual(read.data, value)
    const parsed: object = read.data
    return Object.entries(value ?? {}).every(([key, one]) => isDeepStrictEqual(Reflect.get(parsed, key), one))
  })

/** A seal is longer than what may be typed, and nobody can open it here. */
const storedFlow = z.unknown().transform(withoutSealedHeaders).pipe(storedShape(FlowDocument))

const textShape = (maxLength: number) => z.string().max(maxLength)
const idShape = z.number().int().min(-1).max(Number.MAX_SAFE_INTEGER)
const idsShape = z.array(idShape).max(1_000_000)
const fileNameShape = z.string().regex(storedFileNamePattern)
const anyObject = z.record(z.string().max(200), z.unknown())
const File = z.object({ kind: z.enum(messageKinds), size: z.number().min(0), pages: z.number().nullable() })
const SendAs = z.strictObject({
  choices: z
    .object({
      text: textShape(70_000),
      button: textShape(200),
      options: z.array(z.object({ key: textShape(200), title: textShape(500) })).max(100),
    })
    .optional(),
  template: z
    .object({ name: textShape(600), language: textShape(40), components: z.array(anyObject).max(50) })
    .optional(),
  location: z.object({ latitude: z.number(), longitude: z.number(), name: textShape(1000) }).optional(),
  contact: z.object({ name: textShape(1000), vcard: textShape(70_000) }).optional(),
  voice: z
    .object({
      path: fileNameShape,
      seconds: z.number().min(0).max(100_000),
      waveform: z.array(z.number()).max(1000).nullable(),
    })
    .optional(),
  forwarded: z.literal(true).optional(),
  typeMs: z.number().min(0).max(60_000).optional(),
})
const Steps = z.array(TicketEventStep.partial().loose()).max(1000)
const MovedRows = z.object({
  identities: z
    .array(z.object({ kind: textShape(20), value: textShape(200) }))
    .max(1000)
    .optional(),
  ...{
    tickets: idsShape.optional(),
    closed: idsShape.optional(),
    notes: idsShape.optional(),
    fields: idsShape.optional(),
  },
  ...{ senders: idsShape.optional(), alone: idsShape.optional(), schedules: idsShape.optional() },
  ...{ shippings: idsShape.optional(), stops: idsShape.optional(), replacedFields: idsShape.optional() },
  numberBefore: textShape(200).optional(),
  filled: z
    .object({ ownerId: z.object({ was: idShape.nullable(), now: idShape }).optional() })
    .catchall(z.object({ was: textShape(2000).nullable(), now: textShape(2000).nullable() }))
    .optional(),
})
/** The address of an ad as a line keeps it (`makeReferral`): Meta's may be no valid URL. */
const adAddress = z
  .string()
  .max(1000)
  .regex(/^$|^https?:\/\//i)
const webAddress = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)])
const Week = z.array(Hours).max(35)
const goalShape = z.number().int().min(0).max(129_600)
const capacityShape = z.number().int().min(1).max(1000)
const weightShape = z.number().int().min(1).max(maxTicketWeight)
const skillsShape = z.array(idShape).max(maxSkills)
const minutesShape = z.number().int().min(0).max(525_600)
const metaIdShape = z.string().regex(/^\d{0,40}$/)

/**
 * Columns that need more than their type as a bound: every JSON and list column, file names, and numbers that decide
 * how much work this server does. A test fails for each JSON or list column that is missing here.
 */
export const columnShapes: Record<string, Record<string, z.ZodType>> = {
  apiKeys: { scopes: z.array(z.enum(keyScopes)), whatsappIds: idsShape },
  audit: { changes: z.array(AuditChange).max(500) },
  auditContacts: { changes: z.array(AuditChange).max(500) },
  campaigns: {
    file: File,
    template: z.object({
      ...{
        name: textShape(600),
        language: textShape(40),
        variables: z.record(textShape(200), textShape(5000)),
        kept: Template,
      },
    }),
    planned: z.record(z.string().max(40), z.union([z.number(), z.string().max(200), z.array(z.unknown()).max(5000)])),
    counts: z.record(z.string().max(40), z.number()),
    mediaPath: fileNameShape,
  },
  campaignSettings: { key: textShape(60), value: z.unknown() },
  closingFields: { choices: z.array(textShape(1000)).max(maxClosingChoices) },
  chatMessages: {
    mediaPath: fileNameShape,
    mentions: idsShape,
    reactions: z.array(z.object({ userId: idShape, emoji: textShape(40) })).max(10_000),
    mediaType: z.enum(messageKinds),
  },
  cloudLines: { phoneNumberId: metaIdShape, businessAccountId: metaIdShape, templates: z.array(Template).max(5000) },
  companies: {
    // Shown to platform admins next to other names: no invisible or direction-changing characters.
    name: z
      .string()
      .min(1)
      .max(200)
      .refine((text) => toPrintable(text, 200) === text && text.trim() === text && !hasHiddenCharacters(text)),
    schedules: Week,
    holidays: z.array(storedShape(Holiday)).max(400),
    email: z.string().regex(/^[^\s<>"]{0,254}$/),
  },
  // The thread shows the address as a link.
  ads: { url: adAddress, picture: adAddress },
  contactLists: {
    question: z.looseObject({ tagIds: idsShape.optional(), queueIds: idsShape.optional(), adIds: idsShape.optional() }),
  },
  contactMerges: { moved: MovedRows },
  flows: { draft: storedFlow },
  flowVersions: { document: storedFlow },
  flowTests: {
    scene: storedShape(FlowTest.shape.scene),
    entries: storedShape(FlowTest.shape.entries),
    trace: storedShape(FlowTest.shape.trace),
  },
  macros: { steps: storedShape(z.array(MacroStep).max(maxMacroSteps)) },
  ticketViews: { conditions: storedShape(TicketConditions) },
  fileOptions: { mediaPath: fileNameShape },
  journal: { event: anyObject, steps: Steps },
  knowledge: {
    filePath: fileNameShape,
    pairs: z.array(z.object({ question: textShape(70_000), answer: textShape(70_000) })).max(2000),
  },
  listImports: {
    filePath: fileNameShape,
    headers: z.array(textShape(1000)).max(5000),
    columns: z.record(z.string().max(40), textShape(200).nullable()),
    samples: z.array(z.array(textShape(5000)).max(5000)).max(100),
    errors: z.array(anyObject).max(5000),
  },
  menuTests: { steps: z.array(MenuStep).max(200) },
  messages: {
    mediaType: z.enum(messageKinds),
    mediaPath: fileNameShape,
    mediaKey: anyObject,
    reactions: z
      .array(
        z.object({ emoji: textShape(100), fromMe: z.boolean(), name: textShape(1000), from: textShape(300) }).partial(),
      )
      .max(5000),
    sendAs: SendAs,
    ack: z.number().int().min(-1).max(5),
  },
  prompts: {
    tools: z.array(z.enum(promptTools)).max(50),
    baseUrl: webAddress,
    maxTokens: z.number().int().min(1).max(32_000),
    maxMessages: z.number().int().min(1).max(100),
    temperature: z.number().min(0).max(2),
    dailyTokens: z.number().int().min(0).max(1_000_000_000),
  },
  queueIntegrations: {
    urlN8N: webAddress,
    typebotExpires: minutesShape,
    typebotDelayMessage: z.number().int().min(0).max(60_000),
  },
  queueOptions: { option: z.number().int().min(0).max(9999), skillIds: skillsShape },
  queues: {
    schedules: Week,
    ...Object.fromEntries(goalFields.map((field) => [field, goalShape])),
    capacity: capacityShape,
    weight: weightShape,
    skillIds: skillsShape,
    skillTimeoutMinutes: minutesShape,
  },
  quickMessages: { mediaPath: fileNameShape },
  sandboxCustomers: { members: z.array(textShape(200)).max(5000) },
  sandboxMessages: { content: anyObject, mediaPath: fileNameShape },
  sandboxPhones: { behaviour: storedShape(SandboxFaults.partial()) },
  schedules: {
    mediaPath: fileNameShape,
    file: File,
    sendAs: SendAs,
    repeat: storedShape(Repetition),
    nth: z.number().int().min(0).max(100_000),
  },
  tags: { carryHours: z.number().int().min(0).max(100_000), weight: weightShape, skillIds: skillsShape },
  ticketEvents: { steps: Steps },
  ticketTracking: { closingValues: z.array(StoredClosingValue).max(maxClosingFields) },
  ticketGoals: { minutes: goalShape },
  tickets: {
    number: z.number().int().min(1).max(1_000_000_000),
    botSession: z.looseObject({ of: idShape.optional(), upTo: idShape.optional() }),
  },
  users: {
    // The contract trims before it validates: a stored address with blanks would allow a second user with that
    // address.
    email: z.string().refine((text) => text.trim() === text && email.safeParse(text).success),
    timeZone: z.string().refine(isTimeZone),
    capacity: capacityShape,
    skillIds: skillsShape,
    shifts: Week,
  },
  whatsapps: {
    expiresTicket: minutesShape,
    timeToTransfer: minutesShape,
    timeUseBotQueues: minutesShape,
    maxUseBotQueues: minutesShape,
  },
  chats: { pair: z.string().regex(/^\d{1,10}(:\d{1,10}){0,10}$/) },
}

/** The permanent URL of a profile picture: it names the company and is signed by the server that created it. */
export const signedFilePath = /^\/public\/\d{1,10}\/([^/?]{1,60})\/([^/?]{1,500})\?until=\d{1,16}&sig=[\w-]{1,100}$/

/** Checks that need the whole row. Null: the row is valid. */
const rowRules: Record<string, (row: ArchiveRow) => string | null> = {
  settings: ({ key, value }) => {
    const settingKey = String(key)
    if (!isSettingKey(settingKey)) return null
    if ('secret' in settingDefinitions[settingKey]) return `the secret setting ${settingKey}`
    return isValidSetting(settingKey, String(value)) ? null : `a value of ${settingKey} that it cannot have`
  },
  campaignSettings: ({ key, value }) => {
    const settingKey = String(key)
    if (!Object.hasOwn(CampaignSettings.shape, settingKey)) return null
    const shape = CampaignSettings.shape[settingKey as keyof typeof CampaignSettings.shape]
    return storedShape(shape).safeParse(value).success ? null : `a value of ${settingKey} that it cannot have`
  },
  contacts: ({ profilePicUrl }) => {
    if (profilePicUrl === null || profilePicUrl === undefined || profilePicUrl === '') return null
    const address = String(profilePicUrl)
    const [, stored = ''] = signedFilePath.exec(address) ?? []
    return storedFileNamePattern.test(stored) || /^https?:\/\//.test(address)
      ? null
      : 'a picture at an address that is none'
  },
}

/** Why a row does not fit this table, or null. `columns` are the columns listed in the manifest. */
export function findRowFault(table: SchemaTable, columns: SchemaColumn[], row: ArchiveRow): string | null {
  const names = Object.keys(row)
  if (names.length !== columns.length) {
    const extra = names.find((key) => !columns.some((column) => column.name === key))
    if (extra !== undefined) return `a column ${extra} that the manifest does not name`
  }
  for (const column of columns) {
    const { name: key, nullable } = column
    if (!Object.hasOwn(row, key)) return `no ${key}`
    const value = row[key]
    if (value === null) {
      if (!nullable) return `nothing in ${key}`
      continue
    }
    if (isSealedColumn(key) || !fitsColumnType(column, table.name, value))
      return `a value in ${key} that it cannot have`
    if (columnShapes[table.name]?.[key]?.safeParse(value).success === false)
      return `a value in ${key} that it cannot have`
  }
  return rowRules[table.name]?.(row) ?? null
}
