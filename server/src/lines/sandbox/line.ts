import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import { type Means, Scope } from '../../kernel/scope.ts'
import type { Signals } from '../../kernel/signals.ts'
import { backOff } from '../held-line.ts'
import { type Ears, type Line, LineRefusal, type LineRow, type MakeLine, type OutboundMessage } from '../line.ts'
import { change, deskReads, isShown, markDelivered, type Shown, show, waiting } from './chat.ts'
import { eventsOf, jidOf } from './events.ts'
import { misbehave } from './misbehave.ts'
import { chatOf, customersOf, deskTypes, meetCustomer, ownNumber, phoneOf, tellPhone } from './phone.ts'

/** A QR lives a minute and three are shown, as WhatsApp does; `lookMs` is for words that got lost. */
export const usualSandboxPace = { qrMs: 60_000, qrTimes: 3, reconnectMs: 1_000, lookMs: 3_000, gatherMs: 300 }
export type SandboxPace = typeof usualSandboxPace

/** What the line's own server can hand over at once: the journal likes them many. */
const batch = 250

type Given = { means: Means; log: Log; signals: Signals; pace?: Partial<SandboxPace> }

/** The provider `sandbox`: a real line whose WhatsApp is three tables and a screen. */
export function makeSandbox({ means, log, signals, ...given }: Given): MakeLine {
  const pace = { ...usualSandboxPace, ...given.pace }
  const awake = new Map<number, (word: string, about: string) => void>()
  signals.on('sandbox', (said) => {
    const [id, word = '', about = ''] = said.split(' ')
    awake.get(Number(id))?.(word, about)
  })

  return (row, ears) => {
    const scope = new Scope(means, { companyId: row.companyId })
    const link = makeLink(scope, row, ears, log, pace)
    return {
      ...deskSide(scope, row, link),
      async start() {
        awake.set(row.id, link.word)
        await link.open()
      },
      async stop() {
        if (awake.get(row.id) === link.word) awake.delete(row.id)
        await link.close()
      },
    }
  }
}

type Link = ReturnType<typeof makeLink>

/** The connection to the phone: linking, losing it, finding it again, and handing over what the customers did. */
function makeLink(scope: Scope, row: LineRow, ears: Ears, log: Log, pace: SandboxPace) {
  let phase: 'opening' | 'qr' | 'connected' | 'cut' | 'over' = 'opening'
  let drops = 0
  let timer: NodeJS.Timeout | undefined
  let delivering: Promise<void> | undefined
  let more = false
  let turn: Promise<void> = Promise.resolve()
  const ended = new AbortController()
  const looks = setInterval(() => word(''), pace.lookMs)

  /** Steps follow one another; a step that fails is found again by the next look. */
  function next(step: () => Promise<void>): Promise<void> {
    turn = turn
      .then(() => (ended.signal.aborted ? undefined : step()))
      .catch((err) => log.warn({ err, line: row.id }, 'a test line stumbled'))
    return turn
  }
  function after(ms: number, step: () => Promise<void>): void {
    clearTimeout(timer)
    timer = setTimeout(() => void next(step), ms)
  }

  async function showCode(shown: number): Promise<void> {
    if (shown === pace.qrTimes) return giveUp('qr-timeout')
    phase = 'qr'
    const qrcode = `recado-sandbox:${row.id}:${randomBytes(24).toString('base64url')}`
    await ears.state({ status: 'qrcode', qrcode, retries: shown })
    after(pace.qrMs, () => showCode(shown + 1))
  }
  async function connect(): Promise<void> {
    clearTimeout(timer)
    phase = 'connected'
    await ears.state({ status: 'CONNECTED', number: ownNumber(row.id) })
    void deliver()
  }
  async function giveUp(reason: string): Promise<void> {
    clearTimeout(timer)
    phase = 'over'
    await ears.state({ status: 'DISCONNECTED', reason, gaveUp: true })
  }
  async function lose(): Promise<void> {
    if (phase !== 'connected') return
    phase = 'cut'
    await ears.state({ status: 'DISCONNECTED', reason: 'network', retries: ++drops })
    after(backOff(Math.min(drops - 1, 6), pace.reconnectMs), begin)
  }
  async function begin(): Promise<void> {
    phase = 'opening'
    await ears.state({ status: 'OPENING' })
    const { linked } = await phoneOf(scope, row.id)
    await (linked ? connect() : showCode(0))
  }
  async function look(): Promise<void> {
    // Steps follow one another, so this one was left half done.
    if (phase === 'opening') return begin()
    if (phase !== 'qr' && phase !== 'connected') return
    const { linked } = await phoneOf(scope, row.id)
    if (phase === 'connected' && !linked) return giveUp('unlinked')
    if (phase === 'qr' && linked) {
      await ears.state({ status: 'PAIRING' })
      await connect()
    }
  }

  /** One hand-over at a time; a call during one means one more after it. */
  function deliver(): Promise<void> {
    more = true
    delivering ??= (async () => {
      while (more && phase === 'connected' && !ended.signal.aborted) {
        more = false
        await handOver().catch(
          (err) => ended.signal.aborted || log.warn({ err, line: row.id }, 'not handed over, waiting'),
        )
      }
    })().finally(() => {
      delivering = undefined
    })
    return delivering
  }
  async function handOver(): Promise<void> {
    const { linked, behaviour } = await phoneOf(scope, row.id)
    if (!linked) return void next(look)
    // Alone nobody can overtake: wait a moment for somebody to.
    const hold = behaviour.delayMs + (behaviour.reorder ? pace.gatherMs : 0)
    if (hold) await pause(hold, undefined, { signal: ended.signal })
    const rows = await waiting(scope, row.id, batch)
    if (!rows.length || phase !== 'connected') return
    more ||= rows.length === batch
    const { arriving, again } = misbehave(
      rows.flatMap((r) => eventsOf(r, ownNumber(row.id))),
      behaviour,
    )
    await Promise.all([arriving.length && ears.hear(arriving), again.length && ears.hear(again)])
    await markDelivered(
      scope,
      rows.map((r) => r.seq),
    )
    for (const chat of new Set(rows.map((r) => r.chat))) tellPhone(scope, row.id, chat)
  }

  function word(said: string, about = ''): void {
    if (said === 'cut') void next(lose)
    else if (said === 'types' || said === 'rests') ears.typing(jidOf(about), said === 'types')
    else if (phase === 'connected') void deliver()
    else void next(look)
  }

  return {
    word,
    deliver,
    /** Sending through a phone that is not there fails, and may be tried again. */
    async mustBeUp(): Promise<void> {
      const { linked, behaviour } = await phoneOf(scope, row.id)
      if (phase !== 'connected' || !linked || behaviour.failSends === 'network')
        throw new Error('the phone cannot be reached')
      if (behaviour.failSends) throw new LineRefusal(behaviour.failSends)
    },
    async open(): Promise<void> {
      const first = begin()
      turn = first.catch(() => {})
      await first
    },
    async close(): Promise<void> {
      ended.abort()
      clearInterval(looks)
      clearTimeout(timer)
      await Promise.all([turn, delivering])
    },
  }
}

/** What the desk does, as the customer's phone shows it. */
function deskSide(scope: Scope, row: LineRow, link: Link): Omit<Line, 'start' | 'stop'> {
  const changed = (chat: string | undefined) => void (chat && tellPhone(scope, row.id, chat))
  return {
    cannot: ['profilePicture'],
    async send(message) {
      await link.mustBeUp()
      if (message.reaction) {
        const { targetId, emoji } = message.reaction
        return changed(await change(scope, row.id, targetId, { reaction: emoji || null }))
      }
      const chat = await chatOf(scope, row.id, message.chat)
      if (!isNumber(chat)) throw new LineRefusal('no-whatsapp')
      if (!(await isShown(scope, row.id, message.id))) {
        await meetCustomer(scope, row.id, { number: chat })
        await show(scope, row.id, { ...shownAs(message), chat, media: await ownCopy(scope, message), at: scope.now() })
        changed(chat)
      }
      void link.deliver()
    },
    async edit(_chat, id, body) {
      await link.mustBeUp()
      changed(await change(scope, row.id, id, { body, isEdited: true }))
    },
    async revoke(_chat, id) {
      await link.mustBeUp()
      changed(await change(scope, row.id, id, { isDeleted: true }))
    },
    async markRead(address, ids) {
      const chat = await chatOf(scope, row.id, address)
      await deskReads(scope, row.id, chat, ids)
      changed(chat)
    },
    typing: async (address, on) => deskTypes(scope, row.id, await chatOf(scope, row.id, address), on),
    checkNumber: async (number) => (isNumber(number) && /^\d{8,15}$/.test(number) ? number : null),
    profilePicture: async () => null,
    async fetchMedia({ mediaPath, mediaName }) {
      if (typeof mediaPath !== 'string') throw new LineRefusal('media-missing')
      return { stream: scope.means.files.read(row.companyId, mediaPath), name: String(mediaName ?? 'file') }
    },
    contacts: () => customersOf(scope, row.id),
  }
}

/** Everybody has a telephone here, except numbers that begin with 000. */
const isNumber = (number: string) => !number.startsWith('000')

function shownAs(message: OutboundMessage): Pick<Shown, 'id' | 'kind' | 'body' | 'extra' | 'quotedId'> {
  const base = { id: message.id, body: message.body, extra: {}, quotedId: message.quoted?.id ?? null }
  if (message.media) return { ...base, kind: message.media.type }
  if (message.location) {
    const { latitude, longitude, name } = message.location
    return { ...base, kind: 'location', body: name, extra: { latitude, longitude } }
  }
  if (message.contact) return { ...base, kind: 'contact', extra: { cards: [message.contact] } }
  return { ...base, kind: 'text' }
}

/** The phone keeps its own file: the desk may delete the one it sent. */
async function ownCopy(scope: Scope, { media }: OutboundMessage): Promise<Shown['media']> {
  if (!media) return null
  const { files } = scope.means
  return files.keep(scope.companyId, await files.receive(await media.open(), media.name))
}
