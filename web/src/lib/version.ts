import { useQuery } from '@tanstack/react-query'

/** Not an endpoint of the contract: it belongs to the server itself, as /healthz does. */
export function useVersion(): string | undefined {
  const { data } = useQuery({ queryKey: ['version'], queryFn: readVersion, staleTime: Number.POSITIVE_INFINITY })
  return data
}

async function readVersion(): Promise<string> {
  const response = await fetch('/version', { headers: { accept: 'application/json' } })
  const { version } = (await response.json()) as { version: string }
  return version
}
