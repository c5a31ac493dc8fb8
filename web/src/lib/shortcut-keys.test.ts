import { describe, expect, test } from 'vitest'
import { ariaKeys, isPressed, isSingle, keyCaps, type Pressed } from './shortcut-keys.ts'

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('which key is meant', () => {
  test('a letter alone, with caps lock too, and never with anything held', () => {
    expect(isPressed('j', press('j'), false)).toBe(true)
    expect(isPressed('j', press('J'), false)).toBe(true)
    for (const held of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'] as const)
      expect(isPressed('j', press('j', { [held]: true }), false), held).toBe(false)
    expect(isPressed('j', press('k'), false)).toBe(false)
  })

  test('signs stand under Shift on some keyboards and alone on others', () => {
    expect(isPressed('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(isPressed('?', press('?'), false)).toBe(true)
    expect(isPressed('/', press('/', { shiftKey: true }), false)).toBe(true)
    expect(isPressed('/', press('/', { ctrlKey: true }), false)).toBe(false)
  })

  test('keys with a name keep Shift apart', () => {
    expect(isPressed('F6', press('F6'), false)).toBe(true)
    expect(isPressed('F6', press('F6', { shiftKey: true }), false)).toBe(false)
    expect(isPressed('shift+F6', press('F6', { shiftKey: true }), false)).toBe(true)
  })

  test('mod is Ctrl, and the command key on a Mac, where Ctrl K deletes a line', () => {
    const [control, command] = [press('k', { ctrlKey: true }), press('k', { metaKey: true })]
    expect([isPressed('mod+k', control, false), isPressed('mod+k', command, false)]).toEqual([true, false])
    expect([isPressed('mod+k', control, true), isPressed('mod+k', command, true)]).toEqual([false, true])
    expect(isPressed('mod+k', press('k'), false)).toBe(false)
  })
})

test('keys are shown as they are drawn, and told as screen readers want them', () => {
  expect(keyCaps('mod+k', false)).toEqual(['Ctrl', 'K'])
  expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K'])
  expect(keyCaps('shift+F6', false)).toEqual(['Shift', 'F6'])
  expect(keyCaps('?', false)).toEqual(['?'])
  expect(ariaKeys('mod+k', false)).toBe('Control+K')
  expect(ariaKeys('e', false)).toBe('E')
})

test('only single signs can be switched off', () => {
  expect(['j', '?', '/', 'F6', 'mod+k', 'Enter'].filter(isSingle)).toEqual(['j', '?', '/'])
})
