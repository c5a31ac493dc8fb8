import type { ZodType } from 'zod'

type Alias = { name: string; payload: object }

/**
 * A live event: its name on the wire and its payload. Names and keys are those that existing clients listen to.
 * The publisher decides who receives it (see the server's live).
 */
export type Topic<P = unknown> = {
  /** Some names contain the id of the recipient or of the subject. */
  name: (companyId: number, payload?: Record<string, unknown>) => string
  /** The same event under the names and keys of older clients. Returns null for events that would break them. */
  alias?: (companyId: number, payload: Record<string, unknown>) => Alias | Alias[] | null
  /** Users of a company with an expired subscription receive only events with this flag. */
  whenExpired?: true
  /** For the compiler only: holds the payload type. */
  readonly carries?: P
}

/** A change to one row of a list: create, update or delete, under the keys that its screen reads. */
export type RecordTopic<R = unknown> = Topic<Record<string, unknown>> & { one: string; gone: string; row: ZodType<R> }
export type RecordNews<R> = { action: 'create' | 'update'; row: R } | { action: 'delete'; id: number }

/** Overrides of the defaults: a name derived from the entity, the row under `record`, the id of a deleted row under `id`. */
export type TopicKeys = {
  name?: (companyId: number) => string
  one?: string
  gone?: string
  alias?: { name: (companyId: number) => string; one: string }
}

export const recordTopic = <R>(entity: string, row: ZodType<R>, keys: TopicKeys = {}): RecordTopic<R> => {
  const { name = (c: number) => `company-${c}-${entity}`, one = 'record', gone = 'id', alias } = keys
  return {
    name,
    one,
    gone,
    row,
    ...(alias && {
      // Older pages that listen to these aliases break on a delete and reload the list anyway: they get no deletes.
      alias: (companyId, news) =>
        news.action === 'delete'
          ? null
          : { name: alias.name(companyId), payload: { action: news.action, [alias.one]: news[one] } },
    }),
  }
}

/** Wraps a record event in the keys of its topic. */
export const packRecordNews = <R>(of: RecordTopic<R>, news: RecordNews<R>): Record<string, unknown> =>
  news.action === 'delete' ? { action: 'delete', [of.gone]: news.id } : { action: news.action, [of.one]: news.row }

/** The inverse of `packRecordNews`. */
export function unpackRecordNews<R>(of: RecordTopic<R>, payload: Record<string, unknown>): RecordNews<R> {
  if (payload.action === 'delete') return { action: 'delete', id: Number(payload[of.gone]) }
  return { action: payload.action as 'create' | 'update', row: payload[of.one] as R }
}
