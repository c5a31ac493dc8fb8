import { expect, test } from 'vitest'
import { parseStoredView, toTicketFilter } from './ticket-view.ts'

const queue = (id: number) => ({ id, name: `Q${id}`, color: '#111111', UserQueue: { queueId: id } })
const admin = { profile: 'admin' as const, queues: [queue(1), queue(2)] }
const supervisor = { ...admin, profile: 'supervisor' as const }
const agent = { profile: 'user' as const, queues: [queue(1), queue(2)] }

test('restores only valid parts of a stored view', () => {
  expect(parseStoredView(null)).toMatchObject({
    tab: 'open',
    sub: 'open',
    showAll: null,
    order: 'newest',
    queueIds: null,
  })
  expect(parseStoredView({ order: 'waiting', opensNext: true })).toMatchObject({ order: 'waiting', opensNext: true })
  expect(
    parseStoredView({ sub: 'pending', order: 'oldest', queueIds: [1, 'x'], tags: 4, tab: 'closed' }),
  ).toMatchObject({
    tab: 'open',
    sub: 'pending',
    order: 'oldest',
    queueIds: [1],
    tags: [],
  })
})

test('builds the query of each tab', () => {
  const view = { ...parseStoredView({ queueIds: [1, 9], users: [3], tags: [5], order: 'oldest' }), search: 'luz' }
  expect(toTicketFilter(view, 'open', agent)).toMatchObject({
    showAll: false,
    queueIds: [1],
    tags: [],
    users: [],
    search: '',
  })
  expect(toTicketFilter(view, 'open', admin)).toMatchObject({ showAll: true, order: 'oldest' })
  // Supervisors see their own tickets until they choose to see those of their queues.
  expect(toTicketFilter(view, 'open', supervisor)).toMatchObject({ showAll: false })
  expect(toTicketFilter({ ...view, showAll: true }, 'open', supervisor)).toMatchObject({ showAll: true })
  expect(toTicketFilter({ ...view, showAll: true }, 'open', agent)).toMatchObject({ showAll: false })
  expect(toTicketFilter({ ...view, showAll: false }, 'open', admin)).toMatchObject({ showAll: false })
  expect(toTicketFilter(view, null, admin)).toMatchObject({ search: 'luz', tags: [5], users: [3], order: 'newest' })
  expect(toTicketFilter(view, null, agent)).toMatchObject({ users: [], tags: [5] })
  expect(toTicketFilter({ ...view, queueIds: [1, 2] }, 'pending', agent).queueIds).toBeNull()
  expect(toTicketFilter({ ...view, queueIds: [9] }, 'pending', agent).queueIds).toBeNull()
})
