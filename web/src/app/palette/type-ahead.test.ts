import { expect, test } from 'vitest'
import { typeKey } from './type-ahead.ts'

const press = (key: string, held: Partial<Parameters<typeof typeKey>[1]> = {}, modifiers: string[] = []) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...held },
  getModifierState: (modifier: string) => modifiers.includes(modifier),
})

test('keeps characters, also those typed with AltGr', () => {
  expect(typeKey('urge', press('n'))).toBe('urgen')
  expect(typeKey('ana', press('@', { ctrlKey: true, altKey: true }, ['AltGraph']))).toBe('ana@')
  expect(typeKey('urgen', press('Backspace'))).toBe('urge')
  expect(typeKey('urgen', press('Enter'))).toBe('urgen')
})

test('leaves shortcuts, other keys and unfinished compositions to the page', () => {
  for (const event of [
    ...[press('k', { ctrlKey: true }), press('k', { metaKey: true }), press('1', { altKey: true })],
    ...[press('F6'), press('Tab'), press('Dead'), press('a', { isComposing: true })],
  ])
    expect(typeKey('urgen', event), event.key).toBe(null)
})
