import { type Query, type QueryClient, type QueryKey, type QueryPersister, useQueryClient } from '@tanstack/react-query'

type Change = (data: unknown) => unknown

/** Running requests, each with the changes received since it started. */
const pendingReads = new WeakMap<Query, Set<Change[]>>()

/**
 * Wraps every query function (`app/query-client.ts`). A response may be older than changes received during the request, so
 * these changes are applied on top of it. If the query was invalidated during the request, it is loaded again
 * afterwards: the library drops such an invalidation, and for a first request always.
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

/** Changes the cached data of a key, and the results of its running requests. */
export function updateCachedQuery<T>(client: QueryClient, key: QueryKey, change: (data: T) => T): void {
  recordUpdate(client, key, change as Change)
  client.setQueryData<T>(key, (data) => (data === undefined ? data : change(data)))
}

/** Replaces the data with a complete response of the server. */
export function setCachedQuery<T>(client: QueryClient, key: QueryKey, data: T): void {
  recordUpdate(client, key, () => data)
  client.setQueryData<T>(key, data)
}

const refetchQuery = (client: QueryClient, queryKey: QueryKey) =>
  void client.invalidateQueries({ queryKey, exact: true })

/** Reloads the query; the response of a request that is already running is not used. */
export function useRefetchQuery(key: QueryKey): () => void {
  const client = useQueryClient()
  return () => refetchQuery(client, key)
}
