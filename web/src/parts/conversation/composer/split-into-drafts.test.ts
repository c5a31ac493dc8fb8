import { describe, expect, it } from 'vitest'
import type { AttachedFile } from '../../message/composer/attached-file.ts'
import { checkAttachedFiles, maxAttachedFiles } from '../../message/composer/check-attached-files.ts'
import { joinDrafts } from '../../message/composer/drafts.ts'
import { splitIntoDrafts } from './split-into-drafts.ts'

const fileOf = (name: string, type: string, size = 3) => new File(['x'.repeat(size)], name, { type })
const attachedOf = (name: string, type: string, caption = ''): AttachedFile => ({
  id: name,
  name,
  file: fileOf(name, type),
  preview: null,
  caption,
})
const brief = (drafts: ReturnType<typeof splitIntoDrafts>) => drafts.map(({ body, file }) => [body, file?.name ?? null])

describe('messages sent from the composer', () => {
  it('consist of the signed text, and also keep the typed text without the signature', () => {
    expect(splitIntoDrafts('  Hola \n', [], 'Ana')).toEqual([{ text: 'Hola', body: '*Ana:*\nHola', file: null }])
    expect(splitIntoDrafts('Hola', [], null)).toEqual([{ text: 'Hola', body: 'Hola', file: null }])
  })

  it('are an empty list when there is no text and no file', () =>
    expect(splitIntoDrafts(' \n ', [], 'Ana')).toEqual([]))

  it('are one per file, with the text under the first file and each other caption under its own file', () => {
    const tray = [attachedOf('a.png', 'image/png'), attachedOf('b.pdf', 'application/pdf', 'La factura')]
    expect(brief(splitIntoDrafts('Mira', tray, 'Ana'))).toEqual([
      ['*Ana:*\nMira', 'a.png'],
      ['*Ana:*\nLa factura', 'b.pdf'],
    ])
  })

  it('put the text before audio, which cannot have a caption', () => {
    const tray = [attachedOf('a.mp3', 'audio/mpeg'), attachedOf('b.png', 'image/png')]
    expect(brief(splitIntoDrafts('Escucha', tray, 'Ana'))).toEqual([
      ['*Ana:*\nEscucha', null],
      ['', 'a.mp3'],
      ['', 'b.png'],
    ])
  })

  it('keep the caption of a file that became the first when others were removed', () => {
    expect(brief(splitIntoDrafts('Mira', [attachedOf('b.png', 'image/png', 'El frente')], null))).toEqual([
      ['Mira\nEl frente', 'b.png'],
    ])
  })

  it('leave out files that are still loading', () => {
    expect(splitIntoDrafts('', [{ ...attachedOf('a.png', 'image/png'), file: null }], null)).toEqual([])
  })
})

it('append restored text after the existing text', () => {
  expect([joinDrafts('', 'a'), joinDrafts('b ', 'a'), joinDrafts('b', '')]).toEqual(['a', 'b\na', 'b'])
})

it('report beforehand which files can never be sent', () => {
  const largest = 1000
  const good = fileOf('a.png', 'image/png')
  const empty = fileOf('carpeta', '', 0)
  const huge = Object.defineProperty(fileOf('film.mov', 'video/quicktime'), 'size', { value: largest + 1 })
  expect(checkAttachedFiles([good, empty, huge], 0, largest)).toEqual({
    accepted: [good],
    tooLarge: [huge],
    empty: [empty],
    overLimitCount: 0,
  })
  expect(checkAttachedFiles([good, good], maxAttachedFiles - 1, largest)).toMatchObject({
    accepted: [good],
    overLimitCount: 1,
  })
  expect(checkAttachedFiles([good], maxAttachedFiles + 5, largest)).toMatchObject({ accepted: [], overLimitCount: 1 })
})
