import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api.ts'
import { replayUpdatesPersister } from '../lib/query-cache.ts'

/** A refusal stays a refusal; only silence and the server's own faults are worth a second try. */
const isWorthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Live news keeps lists current; what is older than this is read again when its screen opens.
      staleTime: 30_000,
      persister: replayUpdatesPersister,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
    },
  },
})
