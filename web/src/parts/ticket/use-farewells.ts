import { topics } from '@recado/contract/live'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLive } from '../../lib/live.ts'
import { farewells } from './farewell.ts'

/** Called for each ticket that leaves this person's sight. */
export function useFarewells(onLeft: (ticketId: number) => void): void {
  const left = useEffectEvent(onLeft)
  const heard = useRef<ReturnType<typeof farewells>>(undefined)
  useEffect(() => {
    const listening = farewells((ticketId) => left(ticketId))
    heard.current = listening
    return () => listening.end()
  }, [])
  useLive(topics.ticket, (news) => heard.current?.hear(news))
}
