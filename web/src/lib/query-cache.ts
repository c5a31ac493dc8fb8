import { type Query, type QueryClient, type QueryKey, type QueryPersister, useQueryClient } from '@tanstack/react-query'

type Change = (data: unknown) => unknown

/** What is on its way at this moment, each with what was told of it since it was asked for. */
const pendingReads = new WeakMap<Query, Set<Change[]>>()

/**
 * Around every reading of the cache (`app/queries.ts`). An answer may be older than what became known while it was on its
 * way: that is put on top of it. And where it was asked for again meanwhile, it is read again after this one; the library
 * forgets that, for a first reading altogether.
 */
export const replayUpdatesPersister: QueryPersister = async (read, context, query) => {
  const all = pendingReads.get(query as Query) ?? new Set()
  const told: Change[] = []
  pendingReads.set(query as Query, all.add(told))
  if (query.state.isInvalidated) query.setState({ isInvalidated: false })
  try {
    const answer = await read(context)
    if (query.state.isInvalidated) setTimeout(() => refetchQuery(context.client, query.queryKey))
    return told.reduce((data: unknown, change) => change(data), answer) as typeof answer
  } finally {
    all.delete(told)
  }
}

function recordUpdate(client: QueryClient, queryKey: QueryKey, change: Change): void {
  const query = client.getQueryCache().find({ queryKey, exact: true })
  for (const told of (query && pendingReads.get(query)) ?? []) told.push(change)
}

/** Changes what is known under a key, and what is on its way there. */
export function updateCachedQuery<T>(client: QueryClient, key: QueryKey, change: (data: T) => T): void {
  recordUpdate(client, key, change as Change)
  client.setQueryData<T>(key, (data) => (data === undefined ? data : change(data)))
}

/** The whole of it, as the server just said it. */
export function setCachedQuery<T>(client: QueryClient, key: QueryKey, data: T): void {
  recordUpdate(client, key, () => data)
  client.setQueryData<T>(key, data)
}

const refetchQuery = (client: QueryClient, queryKey: QueryKey) =>
  void client.invalidateQueries({ queryKey, exact: true })

/** To read it again; an answer that is on its way does not count. */
export function useRefetchQuery(key: QueryKey): () => void {
  const client = useQueryClient()
  return () => refetchQuery(client, key)
}
