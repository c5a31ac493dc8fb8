import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api.ts'
import { replayUpdatesPersister } from '../lib/query-cache.ts'

/** Whether a failed call is retried: a refusal is final; only network failures and server errors are retried. */
const isWorthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Live events keep lists current; data older than this is reloaded when its screen opens.
      staleTime: 30_000,
      persister: replayUpdatesPersister,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
    },
  },
})
