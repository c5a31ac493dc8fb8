import type { FlowFacts } from '../src/flows/flow-conditions.ts'
import type { TextValues } from '../src/flows/flow-variables.ts'

const now = Date.parse('2026-11-19T16:24:00Z')

const contact = { name: 'Lucía Montes', number: '5511987654321', email: '', ownerId: null, extraInfo: [] }

/** A conversation in queue 1 of an agent with the id 7. */
export const flowFacts = (more: Partial<FlowFacts> = {}): FlowFacts => ({
  ticket: {
    status: 'open',
    priority: 'normal',
    queueId: 1,
    userId: 7,
    whatsappId: 1,
    adId: null,
    unreadMessages: 0,
    waitingSince: new Date(now - 45 * 60_000).toISOString(),
    snooze: null,
    closingReason: null,
    tags: [],
    goals: [],
    contact,
  },
  startedBy: null,
  now,
  isOpen: true,
  language: null,
  message: null,
  ...more,
})

export const textValues: TextValues = {
  words: { name: contact.name, number: contact.number },
  moment: { now: new Date(now), zone: 'America/Sao_Paulo', language: 'es' },
}
