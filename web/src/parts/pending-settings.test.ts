import type { Setting } from '@recado/contract/settings'
import { expect, it } from 'vitest'
import { createPendingSettings } from './pending-settings.ts'

const timezoneSetting = (value: string) => ({ key: 'timezone', value }) as Setting

it('keeps the local choice when an earlier choice by another user arrives', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const show = ({ value }: Setting) => void shown.push(value)
  const choice = under.begin('timezone', 'mine', timezoneSetting('old'))
  expect(under.receive(timezoneSetting('theirs'))).toBe(true)
  choice.end(show, timezoneSetting('mine'))
  expect(shown).toEqual(['mine'])
  expect(under.receive(timezoneSetting('next'))).toBe(false)
})

it('keeps a later choice by another user, although the response arrives after it', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const choice = under.begin('timezone', 'mine', timezoneSetting('old'))
  under.receive(timezoneSetting('mine'))
  under.receive(timezoneSetting('theirs'))
  choice.end(({ value }) => void shown.push(value), timezoneSetting('mine'))
  expect(shown).toEqual(['theirs'])
})

it('lets the last of several choices decide, and after a refusal shows the server’s latest value', () => {
  const under = createPendingSettings()
  const shown: string[] = []
  const show = ({ value }: Setting) => void shown.push(value)
  const first = under.begin('timezone', 'one', timezoneSetting('old'))
  const second = under.begin('timezone', 'two', timezoneSetting('one'))
  under.receive(timezoneSetting('one'))
  first.end(show, timezoneSetting('one'))
  expect(shown).toEqual([])
  second.end(show)
  expect(shown).toEqual(['one'])
})
