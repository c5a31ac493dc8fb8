/**
 * Which stored password hashes this house checks. A hash names its own cost, and whoever brings a company in brings its
 * hashes: one that asks for gigabytes of memory or for seconds of work at each login is none.
 */
const mostMemoryKiB = 65_536
const mostPasses = 4
/** bcrypt doubles its work with each step: 12 is a quarter of a second. */
const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/
const argon2id = /^argon2id\$(\d{1,6})\$(\d{1,2})\$([\w-]{11,43})\$([\w-]{43})$/

export type Argon2id = { memory: number; passes: number; nonce: Buffer; hash: Buffer }

/** A bcrypt hash, of somebody whose company came from another system. Their next login makes it one of ours. */
export const isBcrypt = (stored: string): boolean => bcrypt.test(stored)

export function readArgon2id(stored: string): Argon2id | null {
  const [, memory, passes, nonce, hash] = argon2id.exec(stored) ?? []
  if (!nonce || !hash) return null
  const cost = { memory: Number(memory), passes: Number(passes) }
  // Argon2 itself wants eight blocks of memory for each lane.
  if (cost.memory < 8 || cost.memory > mostMemoryKiB || cost.passes < 1 || cost.passes > mostPasses) return null
  return { ...cost, nonce: Buffer.from(nonce, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

/** Whether somebody could log in with it. */
export const isUsableHash = (stored: string): boolean => isBcrypt(stored) || readArgon2id(stored) !== null
