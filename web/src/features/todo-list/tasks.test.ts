import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findUnsyncedTasks, mirrorTasks, parseTasks } from './tasks.ts'

const task = (text: string, createdAt = '2026-11-15T10:00:00.000Z') => ({ text, createdAt, updatedAt: createdAt })
const store = (tasks: unknown) => localStorage.setItem('tasks', JSON.stringify(tasks))
const stored = () => JSON.parse(localStorage.getItem('tasks') ?? 'null')
beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('returns a list of tasks for any stored value', () => {
  for (const junk of [null, 3, 'x', {}, [null, 1, { no: 1 }]]) expect(parseTasks(junk)).toEqual([])
})

test('imports tasks of an older client once, and not tasks that were deleted on another device', () => {
  store([task('llamar a Rosa'), task(' ')])
  expect(findUnsyncedTasks(1)).toEqual([task('llamar a Rosa')])
  mirrorTasks(1, [task('llamar a Rosa'), task('cotizar')])
  expect(stored()).toEqual([task('llamar a Rosa'), task('cotizar')])
  expect(findUnsyncedTasks(1)).toEqual([])
  store([...stored(), task('de otro cliente')])
  expect(findUnsyncedTasks(1)).toEqual([task('de otro cliente')])
  mirrorTasks(1, [])
  expect([stored(), findUnsyncedTasks(1)]).toEqual([[], []])
})

test('gives no user the tasks of another user of the same browser', () => {
  store([task('de Ana')])
  expect(findUnsyncedTasks(1)).toEqual([task('de Ana')])
  expect(findUnsyncedTasks(2)).toEqual([])
  expect(findUnsyncedTasks(1)).toEqual([task('de Ana')])
})
