import { AsyncLocalStorage } from 'node:async_hooks'

const traceStorage = new AsyncLocalStorage<string | undefined>()

/**
 * One id for everything caused by one event: `j…` is the journal id of an incoming event, `r…` a call, `t…` a
 * timer. Everything logged, enqueued, stored for sending or published meanwhile carries it.
 */
export const currentTraceId = (): string | undefined => traceStorage.getStore()

/** Runs `work` under that id; without one, under none, whatever the caller's trace. */
export const runWithTrace = <T>(id: string | null | undefined, work: () => T): T =>
  traceStorage.run(id ?? undefined, work)

export const journalTraceId = ({ journalId }: { journalId: number | string }): string => `j${journalId}`
