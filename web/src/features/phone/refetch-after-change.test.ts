import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refetchAfterChange } from './refetch-after-change.ts'

/** A screen that shows a receipt, and a server with controllable responses that reflect its state at request time. */
function observedQuery() {
  const client = new QueryClient()
  let tick = 2
  const asked: (() => void)[] = []
  const queryKey = ['sandbox', 1]
  const queryFn = () => {
    const seen = tick
    return new Promise<number>((resolve) => asked.push(() => resolve(seen)))
  }
  const screen = new QueryObserver(client, { queryKey, queryFn })
  const leave = screen.subscribe(() => undefined)
  return {
    currentData: () => screen.getCurrentResult().data,
    refetch: () => refetchAfterChange(client, queryKey),
    tick: (to: number) => {
      tick = to
    },
    pendingRequests: asked,
    async respond(): Promise<void> {
      asked.shift()?.()
      for (let turns = 0; turns < 20; turns++) await Promise.resolve()
      await new Promise((done) => setTimeout(done))
    },
    unsubscribe: leave,
  }
}

test('does not lose an event that arrives while older data is being loaded', async () => {
  const { currentData: shown, refetch: read, tick, respond, unsubscribe: leave } = observedQuery()
  await respond()
  expect(shown()).toBe(2)
  void read()
  tick(3)
  void read()
  await respond()
  expect(shown()).toBe(2)
  await respond()
  expect(shown()).toBe(3)
  leave()
})

test('loads at most twice for a burst of events, and cancels no request', async () => {
  const {
    currentData: shown,
    refetch: read,
    tick,
    respond,
    pendingRequests: asked,
    unsubscribe: leave,
  } = observedQuery()
  await respond()
  for (let n = 3; n < 30; n++) {
    tick(n)
    void read()
  }
  expect(asked).toHaveLength(1)
  await respond()
  expect(asked).toHaveLength(1)
  await respond()
  expect(asked).toHaveLength(0)
  expect(shown()).toBe(29)
  leave()
})
