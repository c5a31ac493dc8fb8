import { randomBytes } from 'node:crypto'
import { generateSecret, generateSync, generateURI, ScureBase32Plugin, verifySync } from 'otplib'

/** The library's defaults are the settings of all authenticator apps: SHA-1, six digits, 30 seconds. */
const stepSeconds = 30

/** A secret of 160 bits, the length of the hash. */
export const newTotpSecret = (): string => generateSecret()
/** A code of 50 bits, in two groups of five characters. */
export const newRecoveryCode = (): string =>
  new ScureBase32Plugin().encode(randomBytes(7)).slice(0, 10).replace(/^.{5}/, '$&-').toLowerCase()

/** The number of the 30-second step that contains this moment. */
export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds)

export const totpCodeAt = (secret: string, step: number): string => generateSync({ secret, epoch: step * stepSeconds })

/** The step this code belongs to: the current, the previous or the next, because phone clocks differ. */
export function findMatchingStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ strategy: 'totp', secret, token: code, epoch, epochTolerance: stepSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** The otpauth URL for the QR code. */
export const otpauthUrl = (secret: string, issuer: string, account: string): string =>
  generateURI({ secret, issuer, label: account })
