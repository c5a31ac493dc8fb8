import type { QueryClient } from '@tanstack/react-query'

/**
 * Something changed on the server. What is being read at this moment may have been read before that: it is let finish,
 * since words come in crowds and would cancel each other's readings without end, and then it is read once more.
 */
export async function refetchAfterChange(client: QueryClient, queryKey: unknown[]): Promise<void> {
  const late = client.isFetching({ queryKey }) > 0
  const read = () => client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  await read()
  if (late) await read()
}
