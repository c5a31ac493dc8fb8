import { createHash } from 'node:crypto'
import { createPasskey, signWithPasskey } from '@recado/whatsapp/passkey'
import { PasskeyExchange } from '@recado/whatsapp/passkey-exchange'
import { aesDecryptGCM, type BinaryNode, Curve, getBinaryNodeChild, hkdf, proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { continueWithPhone, parsePasskeyOptions, requestPairing, startPrologue } from './passkey-ceremony.ts'

const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'whatsapp.com' as const }
const passkey = createPasskey()
const assertion = signWithPasskey(passkey, options)
const bytesOf = (node: BinaryNode | undefined) => Buffer.from((node?.content ?? []) as Uint8Array)
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const phoneIdentity = (publicKey: Uint8Array, nonce: Uint8Array) =>
  proto.PrimaryEphemeralIdentity.encode({ publicKey, nonce }).finish()

describe('linking with a passkey', () => {
  it('accepts only options for WhatsApp, of a bounded size', () => {
    const parse = (json: unknown) => parsePasskeyOptions(Buffer.from(JSON.stringify(json)))
    expect(parse({ ...options, timeout: 600_000, allowCredentials: [], unknown: 1 })).toEqual({
      ...{ ...options, timeout: 600_000, allowCredentials: [] },
    })
    expect(() => parse({ ...options, rpId: 'bank.example' })).toThrow('another shape')
    expect(() => parse({ ...options, challenge: 'not base64url!' })).toThrow('another shape')
    expect(() => parse({ ...options, padding: 'x'.repeat(20_000) })).toThrow('too long')
    expect(() => parsePasskeyOptions(Buffer.from('{'))).toThrow('not JSON')
  })

  it('commits to its nonce before it knows the nonce of the phone, and opens the commitment afterwards', () => {
    const { state, request } = startPrologue('3@ref', assertion)
    expect(bytesOf(getBinaryNodeChild(request, 'credential_id'))).toEqual(passkey.credentialId)
    expect(JSON.parse(bytesOf(getBinaryNodeChild(request, 'webauthn_assertion')).toString())).toEqual(assertion)
    expect(getBinaryNodeChild(request, 'pairing_handoff_proof')).toBeUndefined()
    const payload = proto.ProloguePayload.decode(bytesOf(getBinaryNodeChild(request, 'prologue_payload')))
    const identity = payload.companionEphemeralIdentity as Uint8Array
    expect(proto.CompanionEphemeralIdentity.decode(identity)).toMatchObject({ deviceType: 1, ref: '3@ref' })
    const opened = continueWithPhone(state, phoneIdentity(Curve.generateKeyPair().public, Buffer.alloc(32, 1))).request
    expect(opened.tag).toBe('companion_nonce')
    expect(sha256(identity, bytesOf(opened))).toEqual(Buffer.from(payload.commitment?.hash as Uint8Array))
  })

  it('shows a code that depends on both nonces and on the key of the phone', () => {
    const nonce = Buffer.alloc(32, 7)
    const phoneKey = Buffer.from('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a', 'hex')
    const state = { ...startPrologue('3@ref', assertion).state, nonce }
    const codeFor = (key: Uint8Array, phoneNonce: number, own = nonce) =>
      continueWithPhone({ ...state, nonce: own }, phoneIdentity(key, Buffer.alloc(32, phoneNonce))).state.code
    // The first five bytes of the phone's nonce, xor those of SHA-256(own nonce, phone's key), in WhatsApp's alphabet.
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'
    const mixed = sha256(nonce, phoneKey)
      .subarray(0, 5)
      .map((byte) => byte ^ 9)
    const bits = [...mixed].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const expected = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
    const code = codeFor(phoneKey, 9)
    expect(code).toBe(`${expected.slice(0, 4)}-${expected.slice(4)}`)
    expect(codeFor(phoneKey, 8)).not.toBe(code)
    expect(codeFor(Curve.generateKeyPair().public, 9)).not.toBe(code)
    expect(codeFor(phoneKey, 9, Buffer.alloc(32, 8))).not.toBe(code)
  })

  it('refuses a key of the phone with another length, or of low order', () => {
    const { state } = startPrologue('3@ref', assertion)
    const nonce = Buffer.alloc(32, 1)
    expect(() => continueWithPhone(state, phoneIdentity(Buffer.alloc(31, 1), nonce))).toThrow('another length')
    expect(() => continueWithPhone(state, phoneIdentity(Curve.generateKeyPair().public, Buffer.alloc(4)))).toThrow(
      'another length',
    )
    expect(() => continueWithPhone(state, phoneIdentity(Buffer.alloc(32), nonce))).toThrow()
  })

  it('encrypts its keys for the phone alone, with a new secret each time', () => {
    const phone = Curve.generateKeyPair()
    const { state, request } = startPrologue('3@ref', assertion)
    const payload = proto.ProloguePayload.decode(bytesOf(getBinaryNodeChild(request, 'prologue_payload')))
    const { publicKey } = proto.CompanionEphemeralIdentity.decode(payload.companionEphemeralIdentity as Uint8Array)
    const shown = continueWithPhone(state, phoneIdentity(phone.public, Buffer.alloc(32, 1))).state
    const own = { noise: Buffer.alloc(32, 2), identity: Buffer.alloc(32, 3) }
    const { advSecret, request: pairing } = requestPairing(shown, own)
    const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(bytesOf(pairing))
    const key = hkdf(Curve.sharedKey(phone.private, publicKey as Uint8Array), 32, {
      ...{ salt: Buffer.from('Companion Pairing 1 with ref 3@ref'), info: 'Pairing Information Encryption Key' },
    })
    const opened = aesDecryptGCM(encryptedPayload as Uint8Array, key, iv as Uint8Array, Buffer.alloc(0))
    const { companionPublicKey, companionIdentityKey, advSecret: sent } = proto.PairingRequest.decode(opened)
    expect([companionPublicKey, companionIdentityKey, sent].map((part) => Buffer.from(part as Uint8Array))).toEqual([
      ...[own.noise, own.identity, advSecret],
    ])
    expect(requestPairing(shown, own).advSecret).not.toEqual(advSecret)
  })
})

describe('our own WhatsApp server', () => {
  /** Runs the exchange up to the signature; `change` spoils one part of it. */
  async function sendPrologue(change: (sent: { assertion: typeof assertion; nodes: BinaryNode[] }) => void) {
    const stanzas: BinaryNode[] = []
    const exchange = new PasskeyExchange(
      passkey,
      (stanza) => stanzas.push(stanza),
      () => {},
    )
    exchange.begin({ withOptions: true })
    exchange.onAck({ tag: 'ack', attrs: { class: 'notification', type: 'passkey_prologue_request' } })
    const iq = (type: string, content: BinaryNode) =>
      exchange.onIq({ tag: 'iq', attrs: { id: '1', type, xmlns: 'md' }, content: [content] })
    iq('get', { tag: 'ref', attrs: {} })
    const ref = bytesOf(getBinaryNodeChild(stanzas.at(-1), 'ref')).toString()
    const asked = parsePasskeyOptions(bytesOf(getBinaryNodeChild(stanzas[0], 'passkey_request_options')))
    const sent = { assertion: signWithPasskey(passkey, asked), nodes: [] as BinaryNode[] }
    change(sent)
    const { request } = startPrologue(ref, sent.assertion)
    iq('set', { ...request, content: [...(request.content as BinaryNode[]), ...sent.nodes] })
    return { exchange, stanzas }
  }
  const refusalOf = async (change: Parameters<typeof sendPrologue>[0]) => {
    const { exchange, stanzas } = await sendPrologue(change)
    expect(stanzas.at(-1)?.attrs.type).toBe('error')
    return exchange.companionKeys.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }

  it('continues after a good signature, and refuses every other one', async () => {
    const { stanzas } = await sendPrologue(() => {})
    expect(stanzas.at(-1)?.attrs.type).toBe('crsc_continuation')
    const other = createPasskey()
    expect(await refusalOf((sent) => (sent.assertion = signWithPasskey(other, options)))).toContain('another passkey')
    expect(await refusalOf((sent) => (sent.assertion = signWithPasskey(passkey, options)))).toContain('challenge')
    expect(
      await refusalOf(({ assertion: { response } }) => {
        response.signature = Buffer.alloc(70, 1).toString('base64url')
      }),
    ).toContain('signature is wrong')
    expect(
      await refusalOf(({ nodes }) => {
        nodes.push({ tag: 'pairing_handoff_proof', attrs: {}, content: Buffer.alloc(32) })
      }),
    ).toContain('no earlier link')
  })
})
