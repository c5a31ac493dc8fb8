import { AsyncLocalStorage } from 'node:async_hooks'

const traceStorage = new AsyncLocalStorage<string | undefined>()

/**
 * One id for everything that one event causes: `j…` is the journal id of an incoming event, `r…` a call, `t…` a timer. Log
 * entries, jobs, outgoing messages and published events that result from it carry this id.
 */
export const currentTraceId = (): string | undefined => traceStorage.getStore()

/** Runs `work` under this trace id; without an id, under no trace, whatever the caller's trace is. */
export const runWithTrace = <T>(id: string | null | undefined, work: () => T): T =>
  traceStorage.run(id ?? undefined, work)

export const journalTraceId = ({ journalId }: { journalId: number | string }): string => `j${journalId}`
