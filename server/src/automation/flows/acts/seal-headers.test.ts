import { FlowDocument } from '@recado/contract/flows/flow-document'
import { secretMask } from '@recado/contract/settings'
import { describe, expect, it } from 'vitest'
import { makeVault } from '../../../kernel/crypto.ts'
import { maskCallHeaders, openHeadersOfStep, sealCallHeaders } from './seal-headers.ts'

const deps = { vault: makeVault('a secret of the operator') }
const makeDocument = (value: string, over: object = {}) =>
  FlowDocument.parse({
    kind: 'flow',
    triggers: [{ kind: 'ticketOpened' }],
    first: 'call',
    steps: [
      {
        ...{ kind: 'call', id: 'call', url: 'https://crm.example/orders', next: 'end', otherwise: 'end' },
        headers: [{ name: 'Authorization', value }],
        ...over,
      },
      { kind: 'end', id: 'end' },
    ],
  })
const openDocument = (document: FlowDocument, given = deps): FlowDocument => ({
  ...document,
  steps: document.steps.map((step) => (step.kind === 'call' ? openHeadersOfStep(given, step) : step)),
})
const valueIn = (document: FlowDocument): string | undefined => {
  const [step] = document.steps
  return step?.kind === 'call' ? step.headers[0]?.value : undefined
}

describe('the headers of a call', () => {
  it('are unreadable where they are stored, and readable when the call is sent', () => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer {{token}}'), null)
    expect(JSON.stringify(stored)).not.toContain('Bearer')
    expect(openDocument(stored)).toEqual(makeDocument('Bearer {{token}}'))
    expect(maskCallHeaders(stored)).toEqual(makeDocument(secretMask))
  })

  it('stay as they are when they come back masked', () => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer one'), null)
    const shown = maskCallHeaders(stored)
    expect(sealCallHeaders(deps, shown, stored)).toEqual(stored)
    const renamed = makeDocument(secretMask, { headers: [{ name: 'authorization', value: secretMask }] })
    expect(valueIn(sealCallHeaders(deps, renamed, stored))).toBe(valueIn(stored))
    // The draft has lost the step, and the published document still has it.
    const emptied = makeDocument('', { headers: [] })
    expect(valueIn(sealCallHeaders(deps, shown, [emptied, stored]))).toBe(valueIn(stored))
  })

  it('have the same stored text when the same value is typed again', () => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer one'), null)
    expect(sealCallHeaders(deps, makeDocument('Bearer one'), stored)).toEqual(stored)
    const changed = sealCallHeaders(deps, makeDocument('Bearer two'), stored)
    expect(valueIn(changed)).not.toBe(valueIn(stored))
    expect(valueIn(openDocument(changed))).toBe('Bearer two')
  })

  it.each([
    ['no document before', {}, false],
    ['another server', { url: 'https://crm.example.org/orders' }, true],
    ['another step', { id: 'copy' }, true],
    ['another header', { headers: [{ name: 'X-Key', value: secretMask }] }, true],
  ])('are refused masked for %s', (_, over, hasBefore) => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer one'), null)
    const given = { ...makeDocument(secretMask, { ...over, id: 'call' }) }
    const steps = given.steps.map((step) => ('id' in over && step.kind === 'call' ? { ...step, ...over } : step))
    expect(() => sealCallHeaders(deps, { ...given, steps }, hasBefore ? stored : null)).toThrow(
      expect.objectContaining({ code: 'ERR_VALIDATION', fields: { headers: 'Required' } }),
    )
  })

  it('cannot be opened by typing what a sealed value looks like', () => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer one'), null)
    const typed = makeDocument(valueIn(stored) as string, { url: 'https://thief.example/' })
    const again = sealCallHeaders(deps, typed, stored)
    expect(valueIn(openDocument(again))).toBe(valueIn(stored))
  })

  it('are sent empty after the secret of the server was changed', () => {
    const stored = sealCallHeaders(deps, makeDocument('Bearer one'), null)
    expect(valueIn(openDocument(stored, { vault: makeVault('another secret') }))).toBe('')
  })
})
