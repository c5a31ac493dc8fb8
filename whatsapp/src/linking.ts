import { randomBytes } from 'node:crypto'
import type { BinaryNode, proto } from 'baileys'
import { notificationStanza } from './account-notifications.ts'
import { type Account, type AccountPasskey, LinkedDevice } from './accounts.ts'
import type { Connection } from './connection.ts'
import type { Directory } from './directory.ts'
import { childNode, createNode, newStanzaId, nodeBytes, SERVER_JID, unixNow } from './nodes.ts'
import { type PairingQr, signDeviceIdentity, verifyDeviceIdentity } from './pairing.ts'
import { PairingCodeExchange } from './pairing-code.ts'
import { PasskeyExchange } from './passkey-exchange.ts'

const QR_REFS = 6

type Registration = proto.ClientPayload.IDevicePairingRegistrationData

/** A client that shows a QR or a code and waits for a phone. */
export type LinkingAttempt = {
  connection: Connection
  noiseKey: Buffer
  registration: Registration
  /** Called with the device identity that the client has countersigned. */
  onCountersigned?: (deviceIdentity: Buffer) => void
  /** Set while the client is linked with a passkey. */
  passkey?: PasskeyExchange
  /** Set when the client requested linking by code. */
  code?: { phoneJid: string; exchange: PairingCodeExchange; finish?: (stage: BinaryNode) => void }
}

/** The service's side of linking a client to an account. */
export class Linking {
  readonly #directory: Directory
  readonly #attempts = new Map<string, LinkingAttempt>()

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Sends the client its references, each valid for one QR. */
  offerQr(connection: Connection, noiseKey: Buffer, registration: Registration): LinkingAttempt {
    const attempt: LinkingAttempt = { connection, noiseKey, registration }
    const refs = Array.from({ length: QR_REFS }, () => `2@${randomBytes(60).toString('base64url')}`)
    for (const ref of refs) this.#attempts.set(ref, attempt)
    const content = refs.map((ref) => createNode('ref', {}, Buffer.from(ref)))
    connection.send(iqSet([createNode('pair-device', {}, content)]))
    return attempt
  }

  /** The phone has signed the identity of the client that showed this QR: links that client. */
  async link(qr: PairingQr, account: Account, sealedIdentity: Uint8Array): Promise<LinkedDevice> {
    const attempt = this.#attempts.get(qr.ref)
    if (!attempt?.connection.isOpen) throw new Error('this QR is unknown or has expired')
    const { registration, noiseKey, connection } = attempt
    const identity = Buffer.from(registration.eIdent ?? [])
    if (!noiseKey.equals(qr.noiseKey) || !identity.equals(qr.identity))
      throw new Error('the keys in the QR are not those of the client')
    const identityToSign = account.passkey
      ? await this.#linkWithPasskey(attempt, account, account.passkey)
      : sealedIdentity

    const deviceId = account.nextDeviceId++
    const countersigned = await new Promise<Buffer>((signed) => {
      attempt.onCountersigned = signed
      connection.send(pairSuccess(account, deviceId, identityToSign))
    })
    if (!verifyDeviceIdentity(countersigned, identity, account.person.signal.identity.public))
      throw new Error('the client countersigned its identity badly')
    const device = new LinkedDevice(account, deviceId, { noiseKey, identity, ...publishedKeys(registration) })
    account.linkedDevices.set(deviceId, device)
    this.#forget(attempt)
    connection.send(createNode('stream:error', { code: 515 }))
    connection.close()
    return device
  }

  /** Requests the account's passkey; resolves with the identity that the phone sealed with the client's new secret. */
  async #linkWithPasskey(attempt: LinkingAttempt, account: Account, passkey: AccountPasskey): Promise<Uint8Array> {
    const { connection, noiseKey, registration } = attempt
    const identity = Buffer.from(registration.eIdent ?? [])
    const { person } = account
    const exchange = new PasskeyExchange(
      passkey,
      (stanza) => connection.send(stanza),
      (code) => person.emit('passkeyCode', code),
    )
    attempt.passkey = exchange
    exchange.begin({ withOptions: !account.withholdsPasskeyOptions })
    const keys = await exchange.companionKeys
    if (!noiseKey.equals(keys.noiseKey) || !identity.equals(keys.identity))
      throw new Error('the keys in the pairing request are not those of the client')
    const { advSecret } = keys
    return signDeviceIdentity(person.signal.identity, { ref: '', noiseKey, identity, advSecret }, account.nextDeviceId)
  }

  /** The owner typed the code that the client shows: links that client. */
  async linkByCode(code: string, account: Account): Promise<LinkedDevice> {
    const openAttempts = [...this.#attempts].filter(([, attempt]) => attempt.connection.isOpen)
    const matching = openAttempts.find(
      ([, { code: codeRequest }]) => this.#directory.find(codeRequest?.phoneJid)?.account === account,
    )
    const [ref, attempt] = matching ?? []
    if (!ref || !attempt?.code) throw new Error('no client asked to be linked to this number')
    const { connection, noiseKey, registration, code: codeRequest } = attempt
    const hello = await codeRequest.exchange.primaryHello(code)
    const finished = await new Promise<BinaryNode>((finish) => {
      codeRequest.finish = finish
      const content = [createNode('link_code_companion_reg', { stage: 'primary_hello' }, hello)]
      connection.send(notificationStanza(SERVER_JID, 'link_code_companion_reg', content))
    })
    const advSecret = codeRequest.exchange.advSecret(finished)
    return account.person.link({ ref, noiseKey, identity: Buffer.from(registration.eIdent ?? []), advSecret })
  }

  /** Handles a request of a client that is not linked yet. */
  onIq(attempt: LinkingAttempt, iq: BinaryNode): void {
    if (childNode(iq, 'ping')) attempt.connection.send(pong(iq))
    if (attempt.passkey?.onIq(iq)) return
    const signed = childNode(childNode(iq, 'pair-device-sign'), 'device-identity')
    if (signed) attempt.onCountersigned?.(nodeBytes(signed))
    const stage = childNode(iq, 'link_code_companion_reg')
    if (stage) this.#onCodeStage(attempt, iq, stage)
  }

  onAck(attempt: LinkingAttempt, ack: BinaryNode): void {
    attempt.passkey?.onAck(ack)
  }

  /** The client is gone, linked or not. */
  onClosed(attempt: LinkingAttempt): void {
    attempt.passkey?.abandon()
  }

  #onCodeStage(attempt: LinkingAttempt, iq: BinaryNode, stage: BinaryNode) {
    const reply = (content?: BinaryNode[]) =>
      attempt.connection.send(createNode('iq', { id: iq.attrs.id, from: SERVER_JID, type: 'result' }, content))
    if (stage.attrs.stage === 'companion_finish') {
      reply()
      return attempt.code?.finish?.(stage)
    }
    const phoneJid = stage.attrs.jid ?? ''
    const account = this.#directory.find(phoneJid)?.account
    if (!account) return
    const ref = randomBytes(16)
    const wrappedEphemeral = nodeBytes(childNode(stage, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
    const exchange = new PairingCodeExchange({ phoneJid, ref, wrappedEphemeral }, account.person.signal.identity)
    attempt.code = { phoneJid, exchange }
    reply([
      createNode('link_code_companion_reg', { stage: 'companion_hello' }, [
        createNode('link_code_pairing_ref', {}, ref),
      ]),
    ])
    account.person.emit('codeAsked', { phoneJid })
  }

  #forget(attempt: LinkingAttempt): void {
    for (const [ref, other] of this.#attempts) if (other === attempt) this.#attempts.delete(ref)
  }
}

const iqSet = (content: BinaryNode[]): BinaryNode =>
  createNode('iq', { id: newStanzaId(), from: SERVER_JID, type: 'set', xmlns: 'md', t: unixNow() }, content)

const pong = (iq: BinaryNode): BinaryNode =>
  createNode('iq', { id: iq.attrs.id, from: SERVER_JID, type: 'result', t: unixNow() })

function pairSuccess(account: Account, deviceId: number, sealedIdentity: Uint8Array): BinaryNode {
  return iqSet([
    createNode('pair-success', {}, [
      createNode('device-identity', {}, sealedIdentity),
      createNode('platform', { name: 'android' }),
      createNode('device', { jid: account.jid('pn', deviceId), lid: account.jid('lid', deviceId) }),
      ...(account.businessName ? [createNode('biz', { name: account.businessName })] : []),
    ]),
  ])
}

function publishedKeys({ eRegid, eSkeyId, eSkeyVal, eSkeySig }: Registration) {
  if (!eRegid || !eSkeyId || !eSkeyVal || !eSkeySig) throw new Error('the client registered without its keys')
  const signedPreKey = { id: Buffer.from(eSkeyId).readUIntBE(0, 3), publicKey: eSkeyVal, signature: eSkeySig }
  return { registrationId: Buffer.from(eRegid).readUInt32BE(), signedPreKey }
}
