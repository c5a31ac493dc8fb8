import { checkFlow } from '@recado/contract/flows/check-flow'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import { FlowTestWrite, TestScene } from '@recado/contract/flows/flow-tests'
import { simulateFlow } from '@recado/contract/flows/simulate-flow'
import { describe, expect, it } from 'vitest'
import { languages } from '../../../lib/texts.ts'
import { listLibrary } from './library-items.ts'
import { libraryTexts } from './library-texts.ts'

const all = languages.flatMap((language) =>
  listLibrary(libraryTexts[language], language).map((item) => ({ language, ...item })),
)

describe('the library', () => {
  it('has twenty ready ones', () => {
    expect(all).toHaveLength(20 * languages.length)
  })

  it.each(all)('has a valid document: $key in $language', ({ document }) => {
    expect(FlowDocument.parse(document)).toEqual(document)
  })

  it.each(all)('has no errors besides what the company must choose: $key in $language', ({ document, fills }) => {
    const errors = checkFlow(document, false).filter(({ level }) => level === 'error')
    const mustChoose = fills.includes('tag') || fills.includes('address')
    expect(errors.map(({ kind }) => kind)).toEqual(mustChoose ? ['incomplete'] : [])
  })

  it.each(all)('passes its own test: $key in $language', ({ document, test, name }) => {
    const { scene, entries, trace } = FlowTestWrite.parse({ name, ...test })
    expect(simulateFlow(document, TestScene.parse(scene), entries).trace).toEqual(trace)
  })
})
