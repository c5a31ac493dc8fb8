import { describe, expect, it } from 'vitest'
import { accepts, endingOf, kindOf, sizeOf } from './file-kind.ts'

describe('files in a form', () => {
  it('are known by their ending', () => {
    expect(['foto.PNG', 'voz.ogg', 'clip.mp4', 'lista.pdf', 'LEEME'].map(kindOf)).toEqual([
      'image',
      'audio',
      'video',
      'document',
      'document',
    ])
    expect([endingOf('lista.pdf'), endingOf('LEEME')]).toEqual(['PDF', ''])
  })
  it('say their size', () => {
    expect([840, 12_400, 3_400_000].map(sizeOf)).toEqual(['840 B', '12 kB', '3.4 MB'])
  })
  it('are let in by ending or type', () => {
    const png = { name: 'a.PNG', type: 'image/png' }
    expect(accepts('.png,.jpg', png)).toBe(true)
    expect(accepts('image/*', png)).toBe(true)
    expect(accepts('', png)).toBe(true)
    expect(accepts('.pdf', png)).toBe(false)
  })
})
