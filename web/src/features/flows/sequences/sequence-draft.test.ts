import { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { expect, test } from 'vitest'
import { itemsOf } from '../rules/rule-draft.ts'
import {
  addVariant,
  duplicateItem,
  endsWithMessage,
  insertItem,
  lengthOf,
  newSequence,
  percentagesOf,
  removeVariant,
  setShare,
  splitMessage,
} from './sequence-draft.ts'

const kindsOf = (document: FlowDocument) => itemsOf(document).map((item) => item.map(({ kind }) => kind).join(' '))
const idsOf = (document: FlowDocument, at: number) => itemsOf(document)[at]?.map(({ id }) => id)
const isStorable = (document: FlowDocument) => FlowDocument.safeParse(document).success
const sharesOf = (document: FlowDocument, at: number) => {
  const split = itemsOf(document)[at]?.[0] as Extract<FlowStep, { kind: 'split' }>
  return percentagesOf(split)
}

test('inserts steps at their place, and nothing behind a step that ends the sequence', () => {
  const first = newSequence()
  const withWait = insertItem(first, 1, 'wait').document
  const withEnd = insertItem(withWait, 0, 'person').document
  const full = insertItem(insertItem(withEnd, 9, 'note').document, 0, 'split').document
  expect(kindsOf(full)).toEqual(['split say say', 'say', 'wait', 'note', 'person'])
  expect(isStorable(full)).toBe(true)
  expect(endsWithMessage(first)).toBe(true)
  expect(endsWithMessage(full)).toBe(false)
  expect(lengthOf(full)).toEqual({ steps: 4, minutes: 60 })
  // Nobody waits for anything at the end.
  expect(lengthOf(withWait)).toEqual({ steps: 1, minutes: 0 })
})

test('turns a message into variants and back', () => {
  const two = splitMessage(newSequence(), 0)
  expect(idsOf(two, 0)).toEqual(['split', 'say', 'say-2'])
  expect(sharesOf(two, 0)).toEqual([50, 50])
  const three = addVariant(two, 0)
  expect(sharesOf(setShare(three, 0, 1, 60), 0)).toEqual([20, 60, 20])
  expect(isStorable(three)).toBe(true)
  const back = removeVariant(removeVariant(three, 0, 'say'), 0, 'say-3')
  expect(idsOf(back, 0)).toEqual(['say-2'])
  expect(isStorable(back)).toBe(true)
})

test('copies a message with its variants', () => {
  const copied = duplicateItem(splitMessage(newSequence(), 0), 0)?.document ?? newSequence()
  expect(kindsOf(copied)).toEqual(['split say say', 'split say say'])
  expect(idsOf(copied, 1)).toEqual(['split-2', 'say-3', 'say-4'])
  expect(isStorable(copied)).toBe(true)
  expect(duplicateItem(insertItem(newSequence(), 1, 'resolve').document, 1)).toBeNull()
})
