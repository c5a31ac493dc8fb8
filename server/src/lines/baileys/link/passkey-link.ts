import {
  type AuthenticationCreds,
  type BinaryNode,
  buildAckStanza,
  getBinaryNodeChild,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys'
import type { Scope } from '../../../kernel/data/scope.ts'
import { isTransientError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LineRow } from '../../line.ts'
import type { PasskeyEnd } from './connection-end.ts'
import {
  type CodeShown,
  continueWithPhone,
  type PrologueSent,
  parsePasskeyOptions,
  requestPairing,
  startPrologue,
} from './passkey-ceremony.ts'
import {
  beginPasskey,
  deletePasskey,
  findPasskey,
  isPasskeyExpired,
  isPasskeyLinkingEnabled,
  type PasskeyRow,
  showPasskeyCode,
  takePasskeyAssertion,
} from './passkey-store.ts'

/** What the line waits for, as one of the contract's `lineDownReasons`; empty: for the phone, as after a QR code. */
export type PasskeyWait = 'passkey-sign' | 'passkey-compare' | ''

type PasskeyLinkDeps = {
  sock: WASocket
  creds: AuthenticationCreds
  scope: Scope
  row: LineRow
  log: Log
  /** Signals may be lost, and expiry sends none. */
  pollMs: number
  /** WhatsApp waits for a person: no other QR code is shown. */
  onBegin(): void
  onWait(wait: PasskeyWait): void
  end(cause: 'passkey' | PasskeyEnd): void
}

/** How long the phone may take to link the line after a person has confirmed the code. */
const pairingTimeoutMs = 60_000

/** Answers WhatsApp's request for a passkey on one connection, step by step as people do their part. */
export function makePasskeyLink({ sock, creds, scope, row, log, pollMs, ...deps }: PasskeyLinkDeps) {
  let prologue: PrologueSent | undefined
  let shown: CodeShown | undefined
  let hasBegun = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let lastStep: Promise<void> = Promise.resolve()

  /** Steps run one after another: a signal and a poll must not send the same signature twice. */
  function enqueueStep(step: () => Promise<void>): void {
    lastStep = lastStep
      .then(() => (isOver ? undefined : step()))
      .catch((err) => {
        log.warn({ err, line: row.id }, 'linking with a passkey failed')
        finish('passkey-failed')
      })
  }
  function finish(cause: 'passkey' | PasskeyEnd): void {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    deps.end(cause)
  }
  async function query(type: 'get' | 'set', content: BinaryNode): Promise<BinaryNode> {
    const attrs = { to: S_WHATSAPP_NET, type, xmlns: 'md' }
    // The library answers with undefined after its timeout.
    const answer: BinaryNode | undefined = await sock.query({ tag: 'iq', attrs, content: [content] })
    if (!answer) throw new Error(`WhatsApp did not answer <${content.tag}>`)
    return answer
  }
  /** The library acknowledges notifications only if it knows our own address, which a QR code does not bring. */
  async function acknowledge(notification: BinaryNode): Promise<void> {
    if (!creds.me) await sock.sendNode(buildAckStanza(notification))
  }

  async function begin(notification: BinaryNode): Promise<void> {
    if (!(await isPasskeyLinkingEnabled(scope))) return finish('passkey')
    await acknowledge(notification)
    deps.onBegin()
    hasBegun = true
    prologue = undefined
    shown = undefined
    const tag = 'passkey_request_options'
    const content = childBytes(notification, tag) ?? childBytes(await query('get', { tag, attrs: {} }), tag)
    await beginPasskey(scope, row, parsePasskeyOptions(content ?? new Uint8Array()))
    clearInterval(timer)
    timer = setInterval(check, pollMs)
    deps.onWait('passkey-sign')
  }

  async function proceed(): Promise<void> {
    let found: PasskeyRow | undefined
    try {
      found = await findPasskey(scope, row.id)
    } catch (err) {
      // The next poll reads it again.
      if (isTransientError(err)) return
      throw err
    }
    // Another process has taken the line over.
    if (!found || found.fence !== row.fence) return finish('passkey-failed')
    if (isPasskeyExpired(scope, found)) return finish('passkey-expired')
    if (found.stage === 'cancelled') return finish('passkey-cancelled')
    if (found.stage === 'signed' && !prologue) return sendSignature(found)
    if (found.stage === 'confirmed' && shown) return sendPairingRequest(shown)
  }
  const check = () => enqueueStep(proceed)

  async function sendSignature(found: PasskeyRow): Promise<void> {
    const assertion = await takePasskeyAssertion(scope, found)
    if (!assertion) return
    const ref = childBytes(await query('get', { tag: 'ref', attrs: {} }), 'ref')
    if (!ref) throw new Error('WhatsApp sent no reference')
    const { state, request } = startPrologue(Buffer.from(ref).toString('utf8'), assertion)
    prologue = state
    await query('set', request)
  }

  /** The phone has answered: its code is shown, so that a person can compare it. */
  async function receivePhoneKey(notification: BinaryNode): Promise<void> {
    if (!hasBegun) return finish('passkey')
    await acknowledge(notification)
    const identity = childBytes(notification, 'primary_ephemeral_identity')
    // A second key would replace the one whose code a person has compared.
    if (!prologue || !identity || shown) throw new Error('WhatsApp continued in another order')
    const { state, request } = continueWithPhone(prologue, identity)
    shown = state
    await query('set', request)
    await showPasskeyCode(scope, row.id, state.code)
    deps.onWait('passkey-compare')
  }

  async function sendPairingRequest(confirmed: CodeShown): Promise<void> {
    clearInterval(timer)
    const { advSecret, request } = requestPairing(confirmed, {
      noise: creds.noiseKey.public,
      identity: creds.signedIdentityKey.public,
    })
    // The phone's answer is sealed with the new secret, and may arrive before the answer to this request. An attempt that
    // fails here deletes the credentials.
    creds.advSecretKey = advSecret.toString('base64')
    deps.onWait('')
    await query('set', request)
    timer = setTimeout(() => finish('passkey-failed'), pairingTimeoutMs)
  }

  sock.ws.on('CB:notification,type:passkey_prologue_request', (node: BinaryNode) => enqueueStep(() => begin(node)))
  sock.ws.on('CB:notification,type:crsc_continuation', (node: BinaryNode) => enqueueStep(() => receivePhoneKey(node)))

  return {
    /** Looks for what a person has done meanwhile. */
    check(): void {
      if (hasBegun) check()
    },
    /** The connection has ended. */
    async close(): Promise<void> {
      isOver = true
      clearInterval(timer)
      if (hasBegun) await deletePasskey(scope, row)
    },
  }
}
export type PasskeyLink = ReturnType<typeof makePasskeyLink>

function childBytes(parent: BinaryNode, tag: string): Uint8Array | undefined {
  const content = getBinaryNodeChild(parent, tag)?.content
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : undefined
}
