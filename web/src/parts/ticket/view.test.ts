import { expect, test } from 'vitest'
import { filterOf, restored } from './view.ts'

const queue = (id: number) => ({ id, name: `Q${id}`, color: '#111111', UserQueue: { queueId: id } })
const admin = { profile: 'admin' as const, queues: [queue(1), queue(2)] }
const supervisor = { ...admin, profile: 'supervisor' as const }
const agent = { profile: 'user' as const, queues: [queue(1), queue(2)] }

test('what a browser remembers is taken only as far as it makes sense', () => {
  expect(restored(null)).toMatchObject({ tab: 'open', sub: 'open', showAll: true, order: 'newest', queueIds: null })
  expect(restored({ order: 'waiting', opensNext: true })).toMatchObject({ order: 'waiting', opensNext: true })
  expect(restored({ sub: 'pending', order: 'oldest', queueIds: [1, 'x'], tags: 4, tab: 'closed' })).toMatchObject({
    tab: 'open',
    sub: 'pending',
    order: 'oldest',
    queueIds: [1],
    tags: [],
  })
})

test('each list asks for what its tab means', () => {
  const view = { ...restored({ queueIds: [1, 9], users: [3], tags: [5], order: 'oldest' }), search: 'luz' }
  expect(filterOf(view, 'open', agent)).toMatchObject({
    showAll: false,
    queueIds: [1],
    tags: [],
    users: [],
    search: '',
  })
  expect(filterOf(view, 'open', admin)).toMatchObject({ showAll: true, order: 'oldest' })
  // "Show all" is for admins (spec).
  expect(filterOf(view, 'open', supervisor)).toMatchObject({ showAll: false })
  expect(filterOf(view, null, admin)).toMatchObject({ search: 'luz', tags: [5], users: [3], order: 'newest' })
  expect(filterOf(view, null, agent)).toMatchObject({ users: [], tags: [5] })
  expect(filterOf({ ...view, queueIds: [1, 2] }, 'pending', agent).queueIds).toBeNull()
  expect(filterOf({ ...view, queueIds: [9] }, 'pending', agent).queueIds).toBeNull()
})
