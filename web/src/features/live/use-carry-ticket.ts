import type { LivePerson } from '@recado/contract/routing/live'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { isAway, isFull } from './person-state.ts'
import { type LiveTexts, liveTexts } from './texts.ts'
import type { HeldTicket } from './use-give-ticket.ts'

type CarriedTicket = HeldTicket & { overId: number | null; by: 'pointer' | 'keys' }

/** What would happen if the ticket were given to this person. */
export function describeGiving(person: LivePerson, words: LiveTexts): string {
  if (isAway(person)) return words.isAway(person.name)
  if (person.availability === 'break') return words.isOnBreak
  if (isFull(person)) return words.isFull
  return person.capacity === null
    ? words.wouldHaveOpen(person.open + 1)
    : words.wouldHave(person.places + 1, person.capacity)
}

type CarryOptions = {
  people: LivePerson[]
  /** False while the page is not up to date. */
  isEnabled: boolean
  give: (held: HeldTicket, person: LivePerson) => Promise<void>
  openMoveDialog: (held: HeldTicket) => void
}

/** A card that is being carried to a person, by pointer or by keyboard, and its announcements. */
export function useCarryTicket({ people, isEnabled, give, openMoveDialog }: CarryOptions) {
  const words = useTexts(liveTexts)
  const [carried, setCarried] = useState<CarriedTicket | null>(null)
  const [announcement, setAnnouncement] = useState('')

  const pickUp = (held: HeldTicket, by: CarriedTicket['by']) => {
    if (!isEnabled) return
    setCarried({ ...held, overId: held.holderId, by })
    setAnnouncement(words.taken(held.ticket.contact.name))
  }
  const moveOver = (personId: number | null) => {
    if (!carried || carried.overId === personId) return
    setCarried({ ...carried, overId: personId })
    const person = people.find(({ id }) => id === personId)
    if (person) setAnnouncement(words.over(person.name, describeGiving(person, words)))
  }
  const cancel = () => {
    if (!carried) return
    setCarried(null)
    setAnnouncement(words.back(carried.ticket.contact.name))
  }
  const drop = (personId: number | null) => {
    const person = people.find(({ id }) => id === personId)
    if (!carried || !person || personId === carried.holderId) return cancel()
    setCarried(null)
    setAnnouncement(isAway(person) ? words.isAway(person.name) : words.moved(carried.ticket.contact.name, person.name))
    void give(carried, person)
  }

  /** Space picks up and drops, arrows choose the person, Escape cancels, M opens the list of people. */
  function onKeyDown(event: KeyboardEvent, held: HeldTicket): void {
    const isCarried = carried?.by === 'keys' && carried.ticket.id === held.ticket.id
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (event.key === ' ') isCarried ? drop(carried.overId) : pickUp(held, 'keys')
    else if (event.key.toLowerCase() === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey && isEnabled) {
      cancel()
      openMoveDialog(held)
    } else if (!isCarried) return
    else if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter') drop(carried.overId)
    else if (event.key === 'Tab') {
      cancel()
      return
    } else if (step !== undefined) {
      const present = people.filter((person) => !isAway(person))
      const next = present[present.findIndex(({ id }) => id === carried.overId) + step]
      if (next) moveOver(next.id)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { carried, announcement, pickUp, moveOver, cancel, drop, onKeyDown }
}
export type CarryTicket = ReturnType<typeof useCarryTicket>
