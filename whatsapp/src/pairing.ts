import { randomInt } from 'node:crypto'
import {
  Curve,
  generateSignalPubKey,
  hmacSign,
  type KeyPair,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from 'baileys'
import { verifySignature } from 'libsignal/src/curve.js'
import { unixNow } from './nodes.ts'

/** The contents of a client's QR. */
export type PairingQr = {
  ref: string
  noiseKey: Buffer
  identity: Buffer
  advSecret: Buffer
}

/**
 * Parses the text of a QR code: `https://wa.me/settings/linked_devices#<ref>,<noise>,<identity>,<adv
 * secret>,<platform>`
 */
export function parseQr(qr: string): PairingQr {
  const [ref, noiseKey, identity, advSecret] = qr.slice(qr.indexOf('#') + 1).split(',')
  if (!ref || !noiseKey || !identity || !advSecret) throw new Error(`not a pairing QR: ${qr}`)
  return {
    ref,
    noiseKey: Buffer.from(noiseKey, 'base64'),
    identity: Buffer.from(identity, 'base64'),
    advSecret: Buffer.from(advSecret, 'base64'),
  }
}

/**
 * The device identity that the phone signs for its new companion, sealed with the QR's secret
 * (encoded `ADVSignedDeviceIdentityHMAC`).
 */
export function signDeviceIdentity(accountKey: KeyPair, qr: PairingQr, keyIndex: number): Uint8Array {
  const details = proto.ADVDeviceIdentity.encode({
    rawId: randomInt(1, 2 ** 31),
    timestamp: unixNow(),
    keyIndex,
    accountType: proto.ADVEncryptionType.E2EE,
    deviceType: proto.ADVEncryptionType.E2EE,
  }).finish()
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: accountKey.public,
    accountSignature: Curve.sign(accountKey.private, Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, qr.identity])),
  }).finish()
  return proto.ADVSignedDeviceIdentityHMAC.encode({
    details: signed,
    hmac: hmacSign(signed, qr.advSecret),
  }).finish()
}

/** The check that every peer makes before it trusts a companion: both signatures over the companion's identity key. */
export function verifyDeviceIdentity(encoded: Uint8Array, identity: Uint8Array, accountKey: Uint8Array): boolean {
  const { details, accountSignature, deviceSignature } = proto.ADVSignedDeviceIdentity.decode(encoded)
  if (!details || !deviceSignature) return false
  const deviceMessage = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, identity, accountKey])
  const accountMessage = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identity])
  return (
    verify(identity, deviceMessage, deviceSignature) &&
    (!accountSignature?.length || verify(accountKey, accountMessage, accountSignature))
  )
}

// `Curve.verify` of Baileys 7.0.0-rc14 discards the result of the check.
function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return Boolean(verifySignature(Buffer.from(generateSignalPubKey(publicKey)), message, Buffer.from(signature)))
}
