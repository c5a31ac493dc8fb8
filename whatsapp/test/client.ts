import { EventEmitter, once } from 'node:events'
import makeWASocket, {
  type AuthenticationState,
  type BaileysEventMap,
  Browsers,
  type ConnectionState,
  DisconnectReason,
  initAuthCreds,
  type SignalDataTypeMap,
  type UserFacingSocketConfig,
  type WASocket,
} from 'baileys'
import { pino } from 'pino'

/** Credentials and keys that are kept only in memory. */
export function memoryAuth(): AuthenticationState {
  const data = new Map<string, unknown>()
  return {
    creds: initAuthCreds(),
    keys: {
      get: async (type, ids) => {
        const out: Record<string, never> = {}
        for (const id of ids) {
          const value = data.get(`${type}/${id}`)
          if (value !== undefined) out[id] = value as never
        }
        return out
      },
      set: async (update) => {
        for (const type of Object.keys(update) as (keyof SignalDataTypeMap)[]) {
          for (const [id, value] of Object.entries(update[type] ?? {})) {
            if (value === null || value === undefined) data.delete(`${type}/${id}`)
            else data.set(`${type}/${id}`, value)
          }
        }
      },
    },
  }
}

type Refusal = { output?: { statusCode?: number } }
type Events = {
  qr: [string]
  open: []
  closed: [number | undefined]
}

/** The real Baileys client with a minimal wrapper. */
export class Client extends EventEmitter<Events> {
  readonly auth: AuthenticationState
  socket!: WASocket
  readonly #url: string
  readonly #config: Partial<UserFacingSocketConfig>
  readonly #listeners = new Set<[keyof BaileysEventMap, (payload: never) => void]>()

  constructor(url: string, config: Partial<UserFacingSocketConfig> = {}, auth: AuthenticationState = memoryAuth()) {
    super()
    this.setMaxListeners(0)
    this.#url = url
    this.#config = config
    this.auth = auth
  }

  /** Adds a listener that survives reconnects, unlike `socket.ev.on`. Returns a function that removes it. */
  listen<T extends keyof BaileysEventMap>(event: T, listener: (payload: BaileysEventMap[T]) => void): () => void {
    const entry: [T, (payload: BaileysEventMap[T]) => void] = [event, listener]
    this.#listeners.add(entry as never)
    this.socket?.ev.on(event, listener)
    return () => {
      this.#listeners.delete(entry as never)
      this.socket?.ev.off(event, listener)
    }
  }

  /** Resolves with the first result of `pick` that is not undefined, for the payloads of `event`. */
  next<T extends keyof BaileysEventMap, R>(
    event: T,
    pick: (payload: BaileysEventMap[T]) => R | undefined,
    ms = 10_000,
  ): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const stop = this.listen(event, (payload) => {
        const picked = pick(payload)
        if (picked === undefined) return
        clearTimeout(timer)
        stop()
        resolve(picked)
      })
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`no matching ${event} within ${ms} ms`))
      }, ms)
    })
  }

  connect(): void {
    const socket = makeWASocket({
      auth: this.auth,
      logger: pino({ level: 'silent' }),
      waWebSocketUrl: this.#url,
      browser: Browsers.ubuntu('Chrome'),
      ...this.#config,
    })
    this.socket = socket
    for (const [event, listener] of this.#listeners) socket.ev.on(event, listener as never)
    socket.ev.on('connection.update', (update) => this.#onUpdate(update))
    // Baileys forwards this event of `ws` without a handler, so a refused upgrade would stay connecting forever.
    socket.ws.on('unexpected-response', (_request: unknown, response: { statusCode?: number }) => {
      void socket.end(Object.assign(new Error('upgrade refused'), { output: { statusCode: response.statusCode } }))
    })
  }

  async open(): Promise<void> {
    const opened = once(this, 'open')
    this.connect()
    await opened
  }

  async end(): Promise<void> {
    await this.socket.end(undefined)
  }

  #onUpdate({ qr, connection, lastDisconnect }: Partial<ConnectionState>): void {
    if (qr) this.emit('qr', qr)
    if (connection === 'open') this.emit('open')
    if (connection === 'close') {
      const code = (lastDisconnect?.error as Refusal | undefined)?.output?.statusCode
      this.emit('closed', code)
      if (code === DisconnectReason.restartRequired) this.connect() // The client connects again, as WhatsApp requires after every linking.
    }
  }
}
