import { type ZodType, z } from 'zod'
import { hasHiddenCharacters } from './hidden-characters.ts'
import type { Rule } from './rules.ts'
import { type RecordTopic, recordTopic, type TopicKeys } from './topic.ts'

export const planFlags = [
  'useCampaigns',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
] as const
export type PlanFlag = (typeof planFlags)[number]

/** The scopes of an API key. */
export const keyScopes = ['send', 'messages', 'contacts', 'tickets', 'webhooks'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Who may call an endpoint. The field is required, so that it cannot be forgotten. `session` is any logged-in user. */
export type Access = 'public' | 'session' | 'super' | Rule

type EndpointOptions = {
  /** A one-sentence description for the API page. */
  about: string
  access: Access
  plan?: PlanFlag
  /** The scope that an API key needs for this endpoint. Without it no key can call the endpoint. */
  key?: KeyScope
  /** The token of a connection can also call the endpoint, for that connection. */
  token?: true
  /** The endpoint respects a key's lines. Without this, keys that are bound to lines cannot call it. */
  lines?: true
  /** Available when the company has not paid: what is needed to log out and to pay, and (`read`) to read data. */
  whenExpired?: true | 'read'
  /** The super user may use this endpoint for other companies. */
  across?: true
  params?: ZodType
  query?: ZodType
  body?: ZodType
  /** Maximum bytes of JSON, or of text beside files, if more than the default (`bodyLimitOf`). */
  bytes?: number
  /** The name of the multipart field with the files. */
  upload?: string
  /** The name of a second file field, whose single file accompanies the files of the first field. */
  beside?: string
  reply: ZodType
  /** The header Idempotency-Key identifies a call: a retry with the same key does not repeat the action. */
  idempotent?: true
  /** The success status, if not 200. */
  status?: 201 | 202
  /** The reply is not JSON but a text file or workbook of this name. */
  file?: `${string}.csv` | `${string}.xlsx`
  /** The reply is a file of one of these types, streamed while it is created; the reply also sets its name. */
  stream?: readonly string[]
  /** A valid body: shown on the API page and sent by the generated tests. */
  example?: object
}
export type Endpoint<S extends EndpointOptions = EndpointOptions> = S & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
}

const kb = 1024
/** Body limits for a form, for requests without a session, and for long texts or many parts. */
export const bodyLimitBytes = {
  form: 64 * kb,
  anonymous: 8 * kb,
  longForm: 256 * kb,
  longText: 512 * kb,
  list: 2048 * kb,
} as const

/** The maximum body size of an endpoint, without files. */
export const bodyLimitOf = (e: Pick<Endpoint, 'bytes' | 'access'>): number =>
  e.bytes ?? (e.access === 'public' ? bodyLimitBytes.anonymous : bodyLimitBytes.form)

const endpointFactory =
  (method: Endpoint['method']) =>
  <S extends EndpointOptions>(path: string, shape: S): Endpoint<S> => ({ method, path, ...shape })
export const get = endpointFactory('GET')
export const post = endpointFactory('POST')
export const put = endpointFactory('PUT')
export const del = endpointFactory('DELETE')

type Out<T> = T extends ZodType ? z.output<T> : undefined
type In<T> = T extends ZodType ? z.input<T> : undefined
/** The parsed input that a handler receives. */
export type ParsedInput<E extends Endpoint> = { params: Out<E['params']>; query: Out<E['query']>; body: Out<E['body']> }
/** The input that a caller passes. */
export type EndpointInput<E extends Endpoint> = {
  params?: In<E['params']>
  query?: In<E['query']>
  body?: In<E['body']>
}
/** The reply that a handler returns and a caller receives. */
export type Reply<E extends Endpoint> = z.output<E['reply']>

// ---- inputs. Whaticket-compatible clients send text for numbers, "" and false for "no value", "t" for true.

/** How many open tickets a person may have. Absent: unchanged; empty: no limit. */
export const capacity = z.preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(1).max(1000).nullish())

const maxInt = 2_147_483_647
/** An id of another row. The entity's name lets the generated tests insert another tenant's id. */
export const ref = (entity: string) => z.coerce.number().int().min(1).max(maxInt).meta({ entity })
/** Like `ref`, but "", false, null and absence all mean "no row". */
export const nullableRef = (entity: string) =>
  z.preprocess((v) => (v === '' || v === false || v === undefined ? null : v), ref(entity).nullable()).meta({ entity })
export const idParams = (entity: string) => z.object({ id: ref(entity) })
export const count = z.coerce.number().int().min(0).max(maxInt)
/** For how many seconds a message can be taken back; 0: not at all. */
export const undoSeconds = z.coerce.number().int().min(0).max(20)
/** For lists that page by id: returns the page before this row. */
export const beforeId = z.coerce.number().int().min(1).max(maxInt).optional()
/** true, "true", "t", 1, "1" and "on" mean yes. Any other value means no. */
export const flag = z.preprocess(
  (v) => (v === undefined || typeof v === 'boolean' ? v : ['true', 't', '1', 'on'].includes(String(v))),
  z.boolean(),
)
/** An object or a list, which arrives as text in multipart requests. */
export function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
/** Trimmed text; null and absence become "". */
export const optionalText = (max = 10_000) => z.preprocess((v) => v ?? '', z.string().trim().max(max))
/** Trimmed, required text. */
export const requiredText = (min: number, max: number) => z.string().trim().min(min).max(max)
const hasOnlyVisibleCharacters = (name: string) => !hasHiddenCharacters(name)
/** A name shown to people, which must not contain hidden characters. */
export const requiredName = (min: number, max: number) =>
  requiredText(min, max).refine(hasOnlyVisibleCharacters, { params: { problem: 'Hidden Characters!' } })
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email())
export const color = z
  .string()
  .trim()
  .regex(/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i)
/** An object of values by key, with a maximum number of keys. */
export const dictionary = <K extends z.core.$ZodRecordKey, V extends ZodType>(maxKeys: number, key: K, value: V) =>
  z
    .record(key, value)
    .refine((given) => Object.keys(given).length <= maxKeys)
    .meta({ maxProperties: maxKeys })
/** Any JSON, limited only by the size and structure of the body; the code that uses it validates it. */
export const anyJson = z.unknown().meta({ description: 'Any JSON' })
export const listQuery = z.object({
  searchParam: z.string().trim().max(200).default(''),
  pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
})

// ---- replies

export const isoDateTime = z.string().meta({ format: 'date-time' })
export const messageReply = z.object({ message: z.string() })

/** One page of a list under the name its screen reads. */
export const pageReply = <K extends string, R extends ZodType>(plural: K, row: R) =>
  z.object({ [plural]: z.array(row), count: z.number(), hasMore: z.boolean() } as { [P in K]: z.ZodArray<R> } & {
    count: z.ZodNumber
    hasMore: z.ZodBoolean
  })

/** The definition of a table's records, shared by server and web. */
export type RecordDefinition<Missing extends string = string> = {
  entity: string
  /** The searched columns; the first one also orders the list. */
  search: readonly [string, ...string[]]
  /** Sorts by newest first instead of by the first search column. */
  newestFirst: boolean
  /** The error code that is returned if the row does not exist. */
  missing: Missing
}

type RecordOptions<E extends string, R extends ZodType, T extends ZodType, M extends string> = {
  entity: E
  row: R
  search: readonly [keyof z.output<R> & string, ...(keyof z.output<R> & string)[]]
  newestFirst?: true
  /** For records whose events have an unusual name or key, or contain more than the row of the list. */
  topic?: TopicKeys & { row?: T }
  /** For records with an unusual error code. */
  missing?: M
}
type DefaultNotFoundCode<E extends string> = `ERR_NO_${Uppercase<E>}_FOUND`

/** The topic and the definition of a record whose endpoints are not the five plain ones. */
export const defineRecord = <
  const E extends string,
  R extends ZodType,
  T extends ZodType = R,
  const M extends string = DefaultNotFoundCode<E>,
>(
  o: RecordOptions<E, R, T, M>,
): { topic: RecordTopic<z.output<T>>; record: RecordDefinition<M> } => ({
  topic: recordTopic(o.entity, (o.topic?.row ?? o.row) as ZodType<z.output<T>>, o.topic),
  record: {
    entity: o.entity,
    search: o.search,
    newestFirst: o.newestFirst ?? false,
    missing: o.missing ?? (`ERR_NO_${o.entity.toUpperCase()}_FOUND` as M),
  },
})

/** The five endpoints of every plain record, its topic and its definition. Spread it and override what differs. */
export const crud = <
  const E extends string,
  const K extends string,
  R extends ZodType,
  W extends ZodType,
  T extends ZodType = R,
  const M extends string = DefaultNotFoundCode<E>,
>(
  o: RecordOptions<E, R, T, M> & {
    path: string
    plural: K
    write: W
    example: z.input<W> & object
    read: Access
    edit: Access
    plan?: PlanFlag
    key?: KeyScope
    across?: true
    /** The body limit of create and update. */
    bytes?: number
  },
) => {
  const params = idParams(o.entity)
  const base = { ...(o.plan && { plan: o.plan }), ...(o.key && { key: o.key }), ...(o.across && { across: o.across }) }
  const written = { ...base, ...(o.bytes && { bytes: o.bytes }) }
  const { topic, record } = defineRecord(o)
  return {
    topic,
    record: { ...record, plural: o.plural },
    list: get(o.path, {
      ...base,
      about: `A page of ${o.plural}`,
      access: o.read,
      query: listQuery,
      reply: pageReply(o.plural, o.row),
    }),
    show: get(`${o.path}/:id`, { ...base, about: `One ${o.entity}`, access: o.read, params, reply: o.row }),
    create: post(o.path, {
      ...written,
      about: `Create a ${o.entity}`,
      access: o.edit,
      body: o.write,
      example: o.example,
      reply: o.row,
    }),
    update: put(`${o.path}/:id`, {
      ...written,
      // Forms of older clients send back the whole row with its related rows.
      bytes: o.bytes ?? bodyLimitBytes.longForm,
      about: `Change a ${o.entity}`,
      access: o.edit,
      params,
      body: o.write,
      example: o.example,
      reply: o.row,
    }),
    remove: del(`${o.path}/:id`, {
      ...base,
      about: `Delete a ${o.entity}`,
      access: o.edit,
      params,
      reply: messageReply,
    }),
  }
}

/** Attach and detach one file. */
export const mediaEndpoints = (path: string, entity: string, access: Access) => ({
  upload: post(`${path}/:id/media-upload`, {
    about: `Attach a file to a ${entity}`,
    access,
    params: idParams(entity),
    upload: 'file',
    reply: z.object({ mensagem: z.string() }),
  }),
  detach: del(`${path}/:id/media-upload`, {
    about: `Remove the file of a ${entity}`,
    access,
    params: idParams(entity),
    reply: z.object({ mensagem: z.string() }),
  }),
})
