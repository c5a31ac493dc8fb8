import type { ZodType } from 'zod'

type Alias = { name: string; payload: object }

/**
 * Something the server says by itself: the name on the wire and what it carries. Names and keys are those that existing
 * clients of this family listen to. Who hears it is decided where it is said (see the server's live).
 */
export type Topic<P = unknown> = {
  /** Some names say whom or what the news is about. */
  name: (companyId: number, payload?: Record<string, unknown>) => string
  /** The same news under the names and keys that older clients know. Returns null for what would break them. */
  alias?: (companyId: number, payload: Record<string, unknown>) => Alias | Alias[] | null
  /** People of a company that has not paid hear it too, and nothing else. */
  whenExpired?: true
  /** For the compiler only: what it carries. */
  readonly carries?: P
}

/** News of one row in a list: create, update or delete, under the key names of its screen. */
export type RecordTopic<R = unknown> = Topic<Record<string, unknown>> & { one: string; gone: string; row: ZodType<R> }
export type RecordNews<R> = { action: 'create' | 'update'; row: R } | { action: 'delete'; id: number }

/** What differs from the usual: a name made of the entity's, the row under `record`, the id of a deleted one under `id`. */
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
      // The pages behind these aliases break on a delete and read the list again by themselves: they hear none.
      alias: (companyId, news) =>
        news.action === 'delete'
          ? null
          : { name: alias.name(companyId), payload: { action: news.action, [alias.one]: news[one] } },
    }),
  }
}

/** Puts record news into the keys of its topic. */
export const packRecordNews = <R>(of: RecordTopic<R>, news: RecordNews<R>): Record<string, unknown> =>
  news.action === 'delete' ? { action: 'delete', [of.gone]: news.id } : { action: news.action, [of.one]: news.row }

/** And out of them again. */
export function unpackRecordNews<R>(of: RecordTopic<R>, payload: Record<string, unknown>): RecordNews<R> {
  if (payload.action === 'delete') return { action: 'delete', id: Number(payload[of.gone]) }
  return { action: payload.action as 'create' | 'update', row: payload[of.one] as R }
}
