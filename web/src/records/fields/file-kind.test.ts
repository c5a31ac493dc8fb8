import { describe, expect, it } from 'vitest'
import { fileExtensionLabel, fileKindOf, formatFileSize, isAcceptedFile } from './file-kind.ts'

describe('file kinds in a form', () => {
  it('recognizes a file by its extension', () => {
    expect(['foto.PNG', 'voz.ogg', 'clip.mp4', 'lista.pdf', 'LEEME'].map(fileKindOf)).toEqual([
      'image',
      'audio',
      'video',
      'document',
      'document',
    ])
    expect([fileExtensionLabel('lista.pdf'), fileExtensionLabel('LEEME')]).toEqual(['PDF', ''])
  })
  it('formats a file size', () => {
    expect([840, 12_400, 3_400_000].map(formatFileSize)).toEqual(['840 B', '12 kB', '3.4 MB'])
  })
  it('accepts a file by extension or type', () => {
    const png = { name: 'a.PNG', type: 'image/png' }
    expect(isAcceptedFile('.png,.jpg', png)).toBe(true)
    expect(isAcceptedFile('image/*', png)).toBe(true)
    expect(isAcceptedFile('', png)).toBe(true)
    expect(isAcceptedFile('.pdf', png)).toBe(false)
  })
})
