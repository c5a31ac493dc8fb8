import { describe, expect, it } from 'vitest'
import { hashPassword, passwordMatches } from './crypto.ts'
import { isUsablePasswordHash } from './password-hash.ts'

const nonce = 'A'.repeat(22)
const hash = 'A'.repeat(43)

describe('a stored password hash', () => {
  it('is accepted if it has our own format, or is bcrypt with a limited cost', async () => {
    const ours = await hashPassword('una clave')
    expect(isUsablePasswordHash(ours)).toBe(true)
    expect(await passwordMatches('una clave', ours)).toBe(true)
    expect(await passwordMatches('otra clave', ours)).toBe(false)
    expect(isUsablePasswordHash(`$2b$10$${'a'.repeat(53)}`)).toBe(true)
  })

  it('matches no password, and is not computed, if its cost is out of bounds', async () => {
    const costly = [
      `argon2id$4194304$2$${nonce}$${hash}`,
      `argon2id$19456$1000$${nonce}$${hash}`,
      `argon2id$-1$2$${nonce}$${hash}`,
      `argon2id$1e9$2$${nonce}$${hash}`,
      `argon2id$19456$0$${nonce}$${hash}`,
      `argon2id$19456$2$$${hash}`,
      `argon2id$19456$2$${nonce}$AAAA`,
      `argon2i$19456$2$${nonce}$${hash}`,
      `$2b$31$${'a'.repeat(53)}`,
      '$2b$10$short',
      'plain text',
      '',
    ]
    const began = performance.now()
    for (const stored of costly) {
      expect(isUsablePasswordHash(stored), stored).toBe(false)
      expect(await passwordMatches('una clave', stored), stored).toBe(false)
    }
    expect(performance.now() - began).toBeLessThan(1000)
  })
})
