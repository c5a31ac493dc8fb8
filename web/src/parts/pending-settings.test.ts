import type { Setting } from '@recado/contract/settings'
import { expect, it } from 'vitest'
import { createPendingSettings } from './pending-settings.ts'

const of = (value: string) => ({ key: 'timezone', value }) as Setting

it('keeps the local choice when an earlier choice by others arrives', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const show = ({ value }: Setting) => void shown.push(value)
  const choice = under.begin('timezone', 'mine', of('old'))
  expect(under.receive(of('theirs'))).toBe(true)
  choice.end(show, of('mine'))
  expect(shown).toEqual(['mine'])
  expect(under.receive(of('next'))).toBe(false)
})

it('keeps a later choice by others, although the response arrives after it', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const choice = under.begin('timezone', 'mine', of('old'))
  under.receive(of('mine'))
  under.receive(of('theirs'))
  choice.end(({ value }) => void shown.push(value), of('mine'))
  expect(shown).toEqual(['theirs'])
})

it('lets the last of several choices decide, and after a refusal shows the server’s latest value', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const show = ({ value }: Setting) => void shown.push(value)
  const first = under.begin('timezone', 'one', of('old'))
  const second = under.begin('timezone', 'two', of('one'))
  under.receive(of('one'))
  first.end(show, of('one'))
  expect(shown).toEqual([])
  second.end(show)
  expect(shown).toEqual(['one'])
})
