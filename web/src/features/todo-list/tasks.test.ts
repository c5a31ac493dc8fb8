import { expect, test } from 'vitest'
import { addTask, editTask, parseTasks, removeTask, restoreTask } from './tasks.ts'

const then = new Date('2026-11-15T10:00:00Z')
const later = new Date('2026-11-15T11:00:00Z')

test('adds, edits and deletes a task, and undoes the deletion', () => {
  const one = addTask([], ' llamar a Rosa ', then)
  expect(one).toEqual([{ text: 'llamar a Rosa', createdAt: then.toISOString(), updatedAt: then.toISOString() }])
  const two = editTask(addTask(one, 'cotizar', then), 0, 'llamar a Rosa Elena', later)
  expect(two[0]).toEqual({ text: 'llamar a Rosa Elena', createdAt: then.toISOString(), updatedAt: later.toISOString() })
  const first = two[0]
  if (!first) throw new Error('lost')
  expect(restoreTask(removeTask(two, 0), 0, first)).toEqual(two)
})

test('ignores empty text', () => {
  const one = addTask([], 'x', then)
  expect(addTask(one, '   ', later)).toBe(one)
  expect(editTask(one, 0, ' ', later)).toBe(one)
})

test('returns a list for any stored value', () => {
  for (const junk of [null, 3, 'x', {}, [null, 1, { no: 1 }]]) expect(parseTasks(junk)).toEqual([])
})
