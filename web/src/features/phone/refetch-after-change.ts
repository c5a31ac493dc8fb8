import type { QueryClient } from '@tanstack/react-query'

/**
 * Loads data that changed on the server. A running request may have read the state before the change. It is allowed
 * to finish, because events come in bursts and would cancel each other's requests endlessly; afterwards the data is
 * loaded once more.
 */
export async function refetchAfterChange(client: QueryClient, queryKey: unknown[]): Promise<void> {
  const late = client.isFetching({ queryKey }) > 0
  const read = () => client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  await read()
  if (late) await read()
}
