import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type KeyPair, type proto } from 'baileys'
import type { RawData, WebSocket } from 'ws'
import { encodeFrame, FrameReader } from './frames.ts'
import { NoiseResponder } from './noise.ts'

export type ConnectionHandlers = {
  onAuthenticated(clientStatic: Buffer, payload: proto.ClientPayload): void
  onNode(node: BinaryNode): void
  onClosed(): void
  onError(error: unknown): void
}

/** One WebSocket of a client: Noise handshake, framing and node encoding. It does not interpret the nodes. */
export class Connection {
  readonly #socket: WebSocket
  readonly #noise: NoiseResponder
  readonly #handlers: ConnectionHandlers
  readonly #reader = new FrameReader()
  #stage: 'hello' | 'finish' | 'open' = 'hello'
  #work: Promise<void> = Promise.resolve()
  #dead = false

  constructor(socket: WebSocket, staticKey: KeyPair, certChain: Uint8Array, handlers: ConnectionHandlers) {
    this.#socket = socket
    this.#noise = new NoiseResponder(staticKey, certChain)
    this.#handlers = handlers
    socket.on('message', (data: RawData) => this.#onData(data as Buffer))
    socket.on('close', () => handlers.onClosed())
    socket.on('error', (error) => handlers.onError(error))
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  send(node: BinaryNode): void {
    if (!this.isOpen || this.#dead) return
    this.#socket.send(encodeFrame(this.#noise.encrypt(encodeBinaryNode(node))))
  }

  /** Closes the stream with a closing handshake. */
  close(): void {
    this.#socket.close()
  }

  /** Cuts the TCP connection without a closing handshake. */
  terminate(): void {
    this.#socket.terminate()
  }

  /** Simulates a dead network: from now on the server neither reads nor writes, not even close frames. */
  blackHole(): void {
    this.#dead = true
    this.#socket.pause()
  }

  #onData(data: Buffer): void {
    // Decoding is asynchronous; the promise chain keeps the nodes in order.
    this.#work = this.#work
      .then(() => this.#consume(data))
      .catch((error) => {
        this.#handlers.onError(error)
        this.terminate()
      })
  }

  async #consume(data: Buffer): Promise<void> {
    for (const body of this.#reader.push(data)) {
      if (this.#stage === 'hello') {
        this.#socket.send(encodeFrame(this.#noise.respond(body)))
        this.#stage = 'finish'
      } else if (this.#stage === 'finish') {
        const { clientStatic, payload } = this.#noise.finish(body)
        this.#stage = 'open'
        this.#handlers.onAuthenticated(clientStatic, payload)
      } else {
        this.#handlers.onNode(await decodeBinaryNode(this.#noise.decrypt(body)))
      }
    }
  }
}
