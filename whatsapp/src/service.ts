import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type BinaryNode, Curve, type proto } from 'baileys'
import { type WebSocket, WebSocketServer } from 'ws'
import { notifyReachOutLock } from './account-notifications.ts'
import { Account, type LinkedDevice } from './accounts.ts'
import { CertificateAuthority } from './certificate.ts'
import { Connection } from './connection.ts'
import { type ServiceCredentials, trustService } from './credentials.ts'
import { Directory } from './directory.ts'
import { Group } from './group.ts'
import { sendInitialHistory } from './history.ts'
import { answerIq } from './iq.ts'
import { Linking, type LinkingAttempt } from './linking.ts'
import { MediaServer } from './media.ts'
import { childNode, childNodes, createNode, SERVER_JID, unixNow } from './nodes.ts'
import type { PairingQr } from './pairing.ts'
import { Person, type PersonHost } from './person.ts'
import { routeMessage, routeReceipt } from './routing.ts'

type Session = { connection: Connection; device?: LinkedDevice; attempt?: LinkingAttempt }

export type WhatsAppOptions = {
  /** Called for every stanza in either direction. */
  onStanza?: (direction: 'in' | 'out', stanza: BinaryNode, device: LinkedDevice | undefined) => void
  onError?: (error: unknown) => void
  /** The history that a phone sends to a new companion, in chunks. */
  loadHistory?: (account: Account) => proto.IHistorySync[]
}

/** A local WhatsApp on loopback: accepts real clients, links them, logs them in and routes their messages. */
export class WhatsApp implements PersonHost {
  readonly directory = new Directory()
  readonly groups = new Map<string, Group>()
  readonly authority = new CertificateAuthority()
  readonly media: MediaServer
  /** Requests without a handler, which show what a new version of the client needs. */
  readonly unknownIqs: BinaryNode[] = []
  /** Requests to refuse, by "xmlns type child", with the error code, such as 429 for too many requests. */
  readonly refusedIqs = new Map<string, number>()
  /** If set, messages are refused with this code: 463 for a restricted account, 429 for too many messages. */
  messageRefusalCode: number | undefined
  /** If set, messages get no response at all. */
  ignoreMessages = false
  /** If set, logins are refused with this reason: 403 banned, 405 client too old, 503 try later. */
  loginRefusalReason: number | undefined
  /** Clients with a lower revision (the last number of their version) are refused as too old, with 405. */
  minRevision = 0
  /** If set, the WebSocket is refused with this HTTP status. */
  upgradeRefusalStatus: number | undefined
  /** If set, connections are accepted and never answered, like a dead network from the first byte. */
  isSilent = false
  readonly #options: WhatsAppOptions
  readonly #staticKey = Curve.generateKeyPair()
  readonly #certChain = this.authority.issue(this.#staticKey.public)
  readonly #http: Server = createServer()
  readonly #sessions = new Set<Session>()
  readonly #swallowed = new Set<Socket>()
  readonly #linking = new Linking(this.directory)
  readonly #appState = new Map<Account, Map<string, Uint8Array[]>>()

  static async start(options: WhatsAppOptions = {}): Promise<WhatsApp> {
    const service = new WhatsApp(options, await MediaServer.start())
    service.#http.listen(0, '127.0.0.1')
    await once(service.#http, 'listening')
    return service
  }

  private constructor(options: WhatsAppOptions, media: MediaServer) {
    this.#options = options
    this.media = media
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    this.#http.on('upgrade', (request, socket, head) => {
      if (this.isSilent) return void this.#swallowed.add(socket as Socket)
      if (this.upgradeRefusalStatus) return void socket.end(`HTTP/1.1 ${this.upgradeRefusalStatus} Refused\r\n\r\n`)
      sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client))
    })
  }

  /** The URL for the client's `waWebSocketUrl`. */
  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}/ws/chat`
  }

  get connectionCount(): number {
    return this.#sessions.size
  }

  /**
   * The data that a client needs to trust this service. Another process gets it through its environment: see
   * trust-service.ts.
   */
  get credentials(): ServiceCredentials {
    return {
      root: Buffer.from(this.authority.root.public).toString('hex'),
      ca: this.media.caPem,
      media: this.media.host,
    }
  }

  /** Makes the client library of this process trust the service. */
  trust(): void {
    trustService(this.credentials)
  }

  addPerson(phoneNumber: string, pushName: string): Person {
    const account = new Account(phoneNumber, pushName)
    const person = new Person(account, this)
    account.person = person
    this.directory.add(account)
    return person
  }

  addGroup(subject: string, members: Person[]): Group {
    const group = new Group(
      subject,
      members.map(({ account }) => account),
    )
    this.groups.set(group.jid, group)
    return group
  }

  async close(): Promise<void> {
    for (const { connection } of this.#sessions) connection.terminate()
    for (const socket of this.#swallowed) socket.destroy()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
    await this.media.close()
  }

  /** Ends a device's session with a stream error, for example 503. */
  streamError(device: LinkedDevice, code: number, detail?: BinaryNode): void {
    device.connection?.send(createNode('stream:error', { code }, detail && [detail]))
    device.connection?.close()
  }

  /** Locks an account out of writing to strangers until this moment, or lifts the lock, and tells its devices. */
  lockReachOut(account: Account, ends: Date | undefined): void {
    account.reachOutLockEnds = ends
    notifyReachOutLock(account)
  }

  /** Simulates the phone unlinking a companion. */
  unlink(device: LinkedDevice): void {
    this.streamError(device, 401, createNode('conflict', { type: 'device_removed' }))
    device.account.linkedDevices.delete(device.id)
  }

  link(qr: PairingQr, account: Account, sealedIdentity: Uint8Array): Promise<LinkedDevice> {
    return this.#linking.link(qr, account, sealedIdentity)
  }

  linkByCode(code: string, account: Account): Promise<LinkedDevice> {
    return this.#linking.linkByCode(code, account)
  }

  #accept(socket: WebSocket): void {
    const connection = new Connection(socket, this.#staticKey, this.#certChain, {
      onAuthenticated: (clientStatic, payload) => this.#onLogin(session, clientStatic, payload),
      onNode: (stanza) => this.#onNode(session, stanza),
      onClosed: () => {
        this.#sessions.delete(session)
        session.device?.detach(connection)
        if (session.attempt) this.#linking.onClosed(session.attempt)
      },
      onError: (error) => this.#options.onError?.(error),
    })
    const session: Session = { connection }
    this.#sessions.add(session)
    const { onStanza } = this.#options
    if (!onStanza) return
    const send = connection.send.bind(connection)
    connection.send = (stanza) => {
      onStanza('out', stanza, session.device)
      send(stanza)
    }
  }

  #onLogin(session: Session, clientStatic: Buffer, payload: proto.ClientPayload) {
    const { connection } = session
    if ((payload.userAgent?.appVersion?.tertiary ?? 0) < this.minRevision) return this.#fail(connection, 405)
    if (this.loginRefusalReason) return this.#fail(connection, this.loginRefusalReason)
    const registration = payload.devicePairingData
    if (registration) {
      session.attempt = this.#linking.offerQr(connection, clientStatic, registration)
      return
    }
    const account = this.directory.find(`${payload.username}@s.whatsapp.net`)?.account
    const device = account?.linkedDevices.get(payload.device ?? 0)
    if (!device?.noiseKey.equals(clientStatic)) return this.#fail(connection, 401)
    const previous = device.connection
    if (previous?.isOpen) {
      previous.send(createNode('stream:error', {}, [createNode('conflict', { type: 'replaced' })]))
      previous.close()
    }
    session.device = device
    device.attach(connection)
    const attrs = { t: unixNow(), lid: device.jid('lid'), props: '27', abprops: '3', location: 'local' }
    const registered = device.account.registeredAt && Math.floor(device.account.registeredAt.getTime() / 1000)
    connection.send(createNode('success', { ...attrs, creation: registered ?? unixNow() }))
    const routing = createNode('edge_routing', {}, [createNode('routing_info', {}, Buffer.from('local'))])
    connection.send(createNode('ib', { from: SERVER_JID }, [routing]))
    // Baileys logs in passively and sends `<active/>` when it is ready; other clients are ready at once.
    if (!payload.passive) this.#onActive(device)
  }

  #fail(connection: Connection, reason: number): void {
    connection.send(createNode('failure', { reason, location: 'local' }))
    connection.close()
  }

  #onNode(session: Session, stanza: BinaryNode) {
    const { device, attempt, connection } = session
    this.#options.onStanza?.('in', stanza, device)
    if (stanza.tag === 'iq' && attempt) return this.#linking.onIq(attempt, stanza)
    if (stanza.tag === 'ack' && attempt) return this.#linking.onAck(attempt, stanza)
    if (!device) return
    const { id, to, type } = stanza.attrs
    const ack = (error?: number) =>
      connection.send(createNode('ack', { id, class: stanza.tag, from: to, type, t: unixNow(), error }))
    switch (stanza.tag) {
      case 'iq':
        return this.#onIq(connection, device, stanza)
      case 'message': {
        if (this.ignoreMessages) return
        const refusal = this.messageRefusalCode ?? (this.#isLockedOut(device, to) ? 463 : undefined)
        ack(refusal)
        return refusal ? undefined : routeMessage(this, device, stanza)
      }
      case 'receipt':
        ack()
        return routeReceipt(this, device, stanza)
      case 'ack':
        return device.acknowledge(stanza.attrs.class, id)
      case 'chatstate':
      case 'call':
        if (stanza.tag === 'call') ack()
        return this.#tellPerson(device, stanza)
    }
  }

  #isLockedOut({ account }: LinkedDevice, to: string | undefined): boolean {
    const recipient = this.directory.find(to)?.account
    if (!recipient || recipient === account) return false
    return (account.reachOutLockEnds?.getTime() ?? 0) > Date.now() && !account.writers.has(recipient)
  }

  #tellPerson(device: LinkedDevice, stanza: BinaryNode): void {
    const person = this.directory.find(stanza.attrs.to)?.account.person
    const reject = childNode(stanza, 'reject')
    if (reject) person?.emit('callRejected', { from: device.account, callId: reject.attrs['call-id'] ?? '' })
    else if (stanza.tag === 'chatstate')
      person?.emit('chatstate', { from: device.account, state: childNodes(stanza)[0]?.tag ?? '' })
  }

  #onIq(connection: Connection, device: LinkedDevice, iq: BinaryNode): void {
    if (iq.attrs.type === 'result') return
    const { reply, isKnown: known } = answerIq(iq, {
      device,
      directory: this.directory,
      media: this.media,
      groups: this.groups,
      refusalCodes: this.refusedIqs,
      appState: this.#appStateOf(device.account),
      onActive: () => this.#onActive(device),
      onLogout: () => device.account.linkedDevices.delete(device.id),
    })
    if (!known) this.unknownIqs.push(iq)
    connection.send(reply)
  }

  #onActive(device: LinkedDevice): void {
    device.activate()
    if (device.isBootstrapped) return
    device.isBootstrapped = true
    const chunks = this.#options.loadHistory?.(device.account) ?? []
    sendInitialHistory(device, this.media, chunks).catch((error) => this.#options.onError?.(error))
  }

  #appStateOf(account: Account): Map<string, Uint8Array[]> {
    const found = this.#appState.get(account) ?? new Map<string, Uint8Array[]>()
    this.#appState.set(account, found)
    return found
  }
}
