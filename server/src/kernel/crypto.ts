import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { compareBcrypt } from './bcrypt.ts'
import { isAcceptedBcryptHash, parseArgon2idHash } from './password-hash.ts'

const argon = promisify(argon2)
/** OWASP's first choice: 19 MiB, two passes. Runs off the main thread. */
const argon2Cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await argon('argon2id', { ...argon2Cost, message: password, nonce })
  return `argon2id$${argon2Cost.memory}$${argon2Cost.passes}$${nonce.toString('base64url')}$${hash.toString('base64url')}`
}

/** A bcrypt hash of a user imported from another system. The user's next login replaces it with an Argon2 hash. */
export const hasBcryptPrefix = (stored: string): boolean => stored.startsWith('$2')

/**
 * Whether a password matches a stored hash. A hash whose cost is out of bounds matches no password
 * (`password-hash.ts`).
 */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  if (hasBcryptPrefix(stored)) return isAcceptedBcryptHash(stored) && compareBcrypt(password, stored)
  const known = parseArgon2idHash(stored)
  if (!known) return false
  const { hash, nonce, memory, passes } = known
  return isSameBytes(await argon('argon2id', { ...argon2Cost, memory, passes, message: password, nonce }), hash)
}

/**
 * The full length of an authentication tag: without this check a truncated tag, which is easier to forge, would be
 * accepted.
 */
const authTagLength = 16

const isSameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

/** Everything that needs the app secret. Each purpose has a derived key. */
export type Vault = ReturnType<typeof makeVault>

/** Signature keys from before the app secret was changed, by purpose: docs/operate.md. */
export type PreviousHmacKeys = Partial<Record<LongLivedHmacUse, string[]>>
/**
 * Purposes of signatures that live longer than a day. The signed values are not stored, so they cannot be signed again.
 */
export const longLivedHmacUses = ['api-key', 'recovery', 'invitation'] as const
export type LongLivedHmacUse = (typeof longLivedHmacUses)[number]

export function makeVault(appSecret: string, previousKeys: PreviousHmacKeys = {}) {
  const key = (use: string) => Buffer.from(hkdfSync('sha256', appSecret, 'recado', use, 32))
  const sealKey = key('seal')
  const signKeys = new Map<string, Buffer>()
  const signKey = (use: string) => {
    const known = signKeys.get(use)
    if (known) return known
    const made = key(`sign:${use}`)
    signKeys.set(use, made)
    return made
  }
  const signWith = (by: Buffer, text: string) => createHmac('sha256', by).update(text).digest('base64url')
  const sign = (use: string, text: string) => signWith(signKey(use), text)

  return {
    tokenKey: new Uint8Array(key('token')),
    sign,
    /** Every valid signature of a text: with the current secret first, then with earlier ones. */
    candidateSignatures: (use: LongLivedHmacUse, text: string): string[] => [
      sign(use, text),
      ...(previousKeys[use] ?? []).map((by) => signWith(Buffer.from(by, 'base64url'), text)),
    ],
    /** The keys that the next app secret needs to recognise signatures made with this and earlier secrets. */
    exportHmacKeys: (): PreviousHmacKeys =>
      Object.fromEntries(
        longLivedHmacUses.map((use) => [use, [signKey(use).toString('base64url'), ...(previousKeys[use] ?? [])]]),
      ),
    verify: (use: string, text: string, signature: string) =>
      isSameBytes(Buffer.from(sign(use, text)), Buffer.from(signature)),
    /** AES-256-GCM. Stored as nonce, tag and text in one string. */
    seal(plain: string): string {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce, { authTagLength })
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
    unseal(sealed: string): string {
      const all = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, all.subarray(0, 12), { authTagLength })
      decipher.setAuthTag(all.subarray(12, 28))
      return Buffer.concat([decipher.update(all.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
