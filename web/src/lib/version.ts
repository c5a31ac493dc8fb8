import type { Reply } from '@recado/contract/endpoint'
import type { serverApi } from '@recado/contract/server'
import { useQuery } from '@tanstack/react-query'

type Server = Reply<typeof serverApi.version>

// `callApi` is not used: the login page shows the version and renders before the contract is loaded.
async function fetchServerVersion(): Promise<Server> {
  const response = await fetch('/version', { headers: { accept: 'application/json' } })
  return (await response.json()) as Server
}

function useServerVersion(): Server | undefined {
  return useQuery({ queryKey: ['version'], queryFn: fetchServerVersion, staleTime: Number.POSITIVE_INFINITY }).data
}

export const useVersion = (): string | undefined => useServerVersion()?.version

/** Maximum bytes per file. Until the limit is known the browser accepts every size, and the server refuses. */
export const useUploadLimit = (): number => useServerVersion()?.uploadLimit ?? Number.POSITIVE_INFINITY
