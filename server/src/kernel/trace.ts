import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | undefined>()

/**
 * One id for everything that follows from one thing: `j…` is the journal's number of what a line told, `r…` a call,
 * `t…` what the clock began.
 * Whatever is logged, enqueued, stored to be sent or told to browsers meanwhile carries it.
 */
export const trace = (): string | undefined => current.getStore()

/** Runs `work` under that id; without one under none, whatever called it. */
export const traced = <T>(id: string | null | undefined, work: () => T): T => current.run(id ?? undefined, work)

export const traceOf = ({ journalId }: { journalId: number | string }): string => `j${journalId}`
