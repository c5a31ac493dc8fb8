/**
 * Which stored password hashes this house checks. A hash names its own cost, and whoever brings a company in brings its
 * hashes: one that asks for gigabytes of memory or for seconds of work at each login is none.
 */
const maxMemoryKiB = 65_536
const maxPasses = 4
/** bcrypt doubles its work with each step: 12 is a quarter of a second. */
const bcryptPattern = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/
const argon2idPattern = /^argon2id\$(\d{1,6})\$(\d{1,2})\$([\w-]{11,43})\$([\w-]{43})$/

export type Argon2idHash = { memory: number; passes: number; nonce: Buffer; hash: Buffer }

/** A bcrypt hash, of somebody whose company came from another system. Their next login makes it one of ours. */
export const isAcceptedBcryptHash = (stored: string): boolean => bcryptPattern.test(stored)

export function parseArgon2idHash(stored: string): Argon2idHash | null {
  const [, memory, passes, nonce, hash] = argon2idPattern.exec(stored) ?? []
  if (!nonce || !hash) return null
  const cost = { memory: Number(memory), passes: Number(passes) }
  // Argon2 itself wants eight blocks of memory for each lane.
  if (cost.memory < 8 || cost.memory > maxMemoryKiB || cost.passes < 1 || cost.passes > maxPasses) return null
  return { ...cost, nonce: Buffer.from(nonce, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

/** Whether somebody could log in with it. */
export const isUsablePasswordHash = (stored: string): boolean =>
  isAcceptedBcryptHash(stored) || parseArgon2idHash(stored) !== null
