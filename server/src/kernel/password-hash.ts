/**
 * Which stored password hashes are checked. A hash names its own cost, and an imported company brings its own hashes: a
 * hash that requires gigabytes of memory or seconds of work at each login is rejected.
 */
const maxMemoryKiB = 65_536
const maxPasses = 4
/** Each step of bcrypt's cost doubles its work: cost 12 takes a quarter of a second. */
const bcryptPattern = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/
const argon2idPattern = /^argon2id\$(\d{1,6})\$(\d{1,2})\$([\w-]{11,43})\$([\w-]{43})$/

export type Argon2idHash = { memory: number; passes: number; nonce: Buffer; hash: Buffer }

/** A bcrypt hash of a user imported from another system. The user's next login replaces it with an Argon2 hash. */
export const isAcceptedBcryptHash = (stored: string): boolean => bcryptPattern.test(stored)

export function parseArgon2idHash(stored: string): Argon2idHash | null {
  const [, memory, passes, nonce, hash] = argon2idPattern.exec(stored) ?? []
  if (!nonce || !hash) return null
  const cost = { memory: Number(memory), passes: Number(passes) }
  // Argon2 requires at least eight blocks of memory for each lane.
  if (cost.memory < 8 || cost.memory > maxMemoryKiB || cost.passes < 1 || cost.passes > maxPasses) return null
  return { ...cost, nonce: Buffer.from(nonce, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

/** Whether a login with this hash is possible. */
export const isUsablePasswordHash = (stored: string): boolean =>
  isAcceptedBcryptHash(stored) || parseArgon2idHash(stored) !== null
