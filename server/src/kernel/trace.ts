import { AsyncLocalStorage } from 'node:async_hooks'

const traceStorage = new AsyncLocalStorage<string | undefined>()

/**
 * One id for everything that follows from one thing: `j…` is the journal's number of what a line told, `r…` a call,
 * `t…` what the clock began.
 * Whatever is logged, enqueued, stored to be sent or told to browsers meanwhile carries it.
 */
export const currentTraceId = (): string | undefined => traceStorage.getStore()

/** Runs `work` under that id; without one under none, whatever called it. */
export const runWithTrace = <T>(id: string | null | undefined, work: () => T): T =>
  traceStorage.run(id ?? undefined, work)

export const journalTraceId = ({ journalId }: { journalId: number | string }): string => `j${journalId}`
