import type { QueryClient } from '@tanstack/react-query'

/**
 * The server's data changed. A running request may have read the state before that: it is allowed to finish,
 * since events come in bursts and would cancel each other's requests endlessly, and then the data is loaded once
 * more.
 */
export async function refetchAfterChange(client: QueryClient, queryKey: unknown[]): Promise<void> {
  const late = client.isFetching({ queryKey }) > 0
  const read = () => client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  await read()
  if (late) await read()
}
