import { hash } from 'bcryptjs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { machineSlowness } from '../../test/event-loop-block.ts'
import { hashPassword, makeVault, passwordMatches } from './crypto.ts'

const vault = makeVault('a secret of at least thirty-two characters')

describe('an encrypted text', () => {
  it('decrypts to the original text, whatever the text was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const sealed = vault.seal(text)
        expect(sealed).toMatch(/^[\w-]+$/)
        expect(vault.unseal(sealed)).toBe(text)
        if (text.length > 3) expect(sealed).not.toContain(text)
      }),
    )
  })

  it('is different every time', () => {
    expect(vault.seal('same')).not.toBe(vault.seal('same'))
  })

  it('does not decrypt after a change of a single bit, or with another secret', () => {
    const sealed = Buffer.from(vault.seal('the api key'), 'base64url')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const tampered = Buffer.from(sealed)
      tampered[bit >> 3] = (tampered[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => vault.unseal(tampered.toString('base64url')), `bit ${bit}`).toThrow()
    }
    for (const length of [0, 5, 12, 27, 28, sealed.length - 1])
      expect(() => vault.unseal(sealed.subarray(0, length).toString('base64url')), `${length} bytes`).toThrow()
    const other = makeVault('another secret of at least 32 characters')
    expect(() => other.unseal(sealed.toString('base64url'))).toThrow()
  })
})

describe('a signature', () => {
  it('is valid only for the text and the purpose it was made for', () => {
    const signature = vault.sign('file', '1/a.png')
    expect(vault.verify('file', '1/a.png', signature)).toBe(true)
    expect(vault.verify('refresh', '1/a.png', signature)).toBe(false)
    expect(vault.verify('file', '2/a.png', signature)).toBe(false)
    for (const wrong of [
      '',
      signature.slice(1),
      `${signature}A`,
      signature.replace(/./, (c) => (c === 'A' ? 'B' : 'A')),
    ])
      expect(vault.verify('file', '1/a.png', wrong)).toBe(false)
  })
})

describe('a password', () => {
  it('does not block the event loop while an expensive bcrypt hash is compared', async () => {
    const brought = `$2b$12$${'a'.repeat(53)}`
    expect(await passwordMatches('warms up', brought)).toBe(false)
    // CPU time of this thread only: other work on the machine does not count. A collection of garbage may fall into one
    // attempt; a comparison on this thread would take a quarter of a second in each.
    const attempts: number[] = []
    while (attempts.length < 3) {
      const before = process.threadCpuUsage()
      const answers = await Promise.all(['one', 'two'].map((guess) => passwordMatches(guess, brought)))
      const { user, system } = process.threadCpuUsage(before)
      expect(answers).toEqual([false, false])
      attempts.push((user + system) / 1000)
    }
    expect(Math.min(...attempts) / machineSlowness()).toBeLessThan(50)
  })

  it('is stored as a slow salted hash that only the password itself matches', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^argon2id\$19456\$2\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
    expect(await passwordMatches('correct horse', one)).toBe(true)
    expect(await passwordMatches('correct horse ', one)).toBe(false)
    expect(await passwordMatches('', one)).toBe(false)
    for (const junk of ['', 'x', 'argon2id$1$1', '$2b$10$abcdefghijklmnopqrstuv', 'argon2id$19456$2$$'])
      expect(await passwordMatches('x', junk), junk).toBe(false)
  })

  it('imported from another system is matched against its original hash', async () => {
    for (const kind of ['$2a$', '$2b$', '$2y$']) {
      const brought = (await hash('correct horse', 4)).replace(/^\$2.\$/, kind)
      expect(await passwordMatches('correct horse', brought)).toBe(true)
      expect(await passwordMatches('correct horse ', brought)).toBe(false)
    }
  })
})
