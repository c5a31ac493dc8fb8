import { topics } from '@recado/contract/live'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveTopic } from '../../lib/live.ts'
import { detectLostTickets } from './lost-tickets.ts'

/** Called for each ticket that is no longer visible to this user. */
export function useLostTickets(onLeft: (ticketId: number) => void): void {
  const left = useEffectEvent(onLeft)
  const heard = useRef<ReturnType<typeof detectLostTickets>>(undefined)
  useEffect(() => {
    const listening = detectLostTickets((ticketId) => left(ticketId))
    heard.current = listening
    return () => listening.end()
  }, [])
  useLiveTopic(topics.ticket, (news) => heard.current?.receive(news))
}
