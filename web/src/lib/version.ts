import { useQuery } from '@tanstack/react-query'

/** What the server says of itself. Not an endpoint of the contract: it belongs to the server, as /healthz does. */
type Server = { version: string; uploadLimit: number }

async function readServer(): Promise<Server> {
  const response = await fetch('/version', { headers: { accept: 'application/json' } })
  return (await response.json()) as Server
}

function useServer(): Server | undefined {
  return useQuery({ queryKey: ['version'], queryFn: readServer, staleTime: Number.POSITIVE_INFINITY }).data
}

export const useVersion = (): string | undefined => useServer()?.version

/** Bytes that one file may have. Until it is known everything may be tried, and the server refuses. */
export const useUploadLimit = (): number => useServer()?.uploadLimit ?? Number.POSITIVE_INFINITY
