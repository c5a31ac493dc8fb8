import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 6238 with the settings of all authenticator apps: SHA-1, six digits, 30 seconds. */
const codeDigits = 6
const stepMs = 30_000

/** RFC 4648 without padding, so that people can read and type the secret. */
export function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
export function decodeBase32(text: string): Buffer {
  const bits = [...text].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** 160 bits, the length of the hash. */
export const newTotpSecret = (): string => encodeBase32(randomBytes(20))
/** 50 bits in two groups of five characters. */
export const newRecoveryCode = (): string =>
  encodeBase32(randomBytes(7)).slice(0, 10).replace(/^.{5}/, '$&-').toLowerCase()

/** The number of the 30-second step that contains this moment. */
export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

export function totpCodeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = (hash.at(-1) as number) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** codeDigits).padStart(codeDigits, '0')
}

/** The step this code belongs to: the current, the previous or the next, because phone clocks differ. */
export function findMatchingStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const at = totpStepAt(now)
  return (
    [at, at - 1, at + 1].find((step) => timingSafeEqual(Buffer.from(totpCodeAt(secret, step)), Buffer.from(code))) ??
    null
  )
}

/** The otpauth URL for the QR code. */
export function otpauthUrl(secret: string, issuer: string, account: string): string {
  const name = [issuer, account].map(encodeURIComponent).join(':')
  return `otpauth://totp/${name}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
