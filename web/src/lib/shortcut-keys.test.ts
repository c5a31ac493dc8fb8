import { describe, expect, test } from 'vitest'
import { formatAriaKeys, formatKeyCaps, isShortcutPressed, isSingleKey, type KeyPress } from './shortcut-keys.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('shortcut matching', () => {
  test('matches a single letter, also with caps lock, but not with a modifier', () => {
    expect(isShortcutPressed('j', press('j'), false)).toBe(true)
    expect(isShortcutPressed('j', press('J'), false)).toBe(true)
    for (const held of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'] as const)
      expect(isShortcutPressed('j', press('j', { [held]: true }), false), held).toBe(false)
    expect(isShortcutPressed('j', press('k'), false)).toBe(false)
  })

  test('matches symbols with or without Shift, depending on the keyboard layout', () => {
    expect(isShortcutPressed('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(isShortcutPressed('?', press('?'), false)).toBe(true)
    expect(isShortcutPressed('/', press('/', { shiftKey: true }), false)).toBe(true)
    expect(isShortcutPressed('/', press('/', { ctrlKey: true }), false)).toBe(false)
  })

  test('distinguishes named keys with and without Shift', () => {
    expect(isShortcutPressed('F6', press('F6'), false)).toBe(true)
    expect(isShortcutPressed('F6', press('F6', { shiftKey: true }), false)).toBe(false)
    expect(isShortcutPressed('shift+F6', press('F6', { shiftKey: true }), false)).toBe(true)
  })

  test('matches a digit with Shift by its place, because Shift makes another character of it', () => {
    const held = { altKey: true, shiftKey: true }
    expect(isShortcutPressed('alt+shift+1', press('!', { ...held, code: 'Digit1' }), false)).toBe(true)
    expect(isShortcutPressed('alt+shift+1', press('"', { ...held, code: 'Digit2' }), false)).toBe(false)
    expect(isShortcutPressed('alt+1', press('!', { ...held, code: 'Digit1' }), false)).toBe(false)
  })

  test('maps mod to Ctrl, and to Command on a Mac, where Ctrl K deletes the rest of a text line', () => {
    const [control, command] = [press('k', { ctrlKey: true }), press('k', { metaKey: true })]
    expect([isShortcutPressed('mod+k', control, false), isShortcutPressed('mod+k', command, false)]).toEqual([
      true,
      false,
    ])
    expect([isShortcutPressed('mod+k', control, true), isShortcutPressed('mod+k', command, true)]).toEqual([
      false,
      true,
    ])
    expect(isShortcutPressed('mod+k', press('k'), false)).toBe(false)
  })
})

test('renders key caps for display and values for screen readers', () => {
  expect(formatKeyCaps('mod+k', false)).toEqual(['Ctrl', 'K'])
  expect(formatKeyCaps('mod+k', true)).toEqual(['⌘', 'K'])
  expect(formatKeyCaps('shift+F6', false)).toEqual(['Shift', 'F6'])
  expect(formatKeyCaps('?', false)).toEqual(['?'])
  expect(formatKeyCaps('mod+ArrowUp', false)).toEqual(['Ctrl', '↑'])
  expect(formatAriaKeys('mod+k', false)).toBe('Control+K')
  expect(formatAriaKeys('e', false)).toBe('E')
  expect(formatAriaKeys('mod+Enter', true)).toBe('Meta+Enter')
})

test('lets users switch off only single-character shortcuts', () => {
  expect(['j', '?', '/', 'F6', 'mod+k', 'Enter'].filter(isSingleKey)).toEqual(['j', '?', '/'])
})
