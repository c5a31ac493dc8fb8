import type { PhoneMessage } from '@recado/contract/sandbox'
import type { Happening, Step } from '@recado/contract/tickets'
import type { StepTexts } from './step-texts.ts'

/** One line of "what happened inside". */
export type Entry = {
  key: string
  /** What it is about: chooses the icon. */
  step: string
  title: string
  detail?: string
  why?: string
  ticket?: number
  /** By which the server's log knows it. */
  trace?: string
  /** Worth a second look: ignored, unknown, nothing to change. */
  odd?: boolean
}
type Told = Omit<Entry, 'key' | 'step'>

type Scene = {
  words: StepTexts
  line: string
  time: (at: string) => string
  messages: PhoneMessage[]
  /** What a message without words is called. */
  kindOf: (kind: string) => string
}

/** Happenings as a story: each step in words, ticks that follow one another as one. */
export function storyOf(happenings: Happening[], scene: Scene): Entry[] {
  const about = messagesOf(happenings, scene.messages)
  const story: Entry[] = []
  let ticks: { entry: Entry; count: number } | undefined
  for (const happening of happenings) {
    for (const entry of entriesOf(happening, scene, about.get(happening.id))) {
      if (entry.step === 'ticked' && ticks && story.at(-1) === ticks.entry) {
        ticks.count++
        ticks.entry.title = scene.words.ticked(ticks.count)
        continue
      }
      story.push(entry)
      ticks = entry.step === 'ticked' ? { entry, count: 1 } : undefined
    }
  }
  return story
}

function entriesOf(happening: Happening, scene: Scene, message: PhoneMessage | undefined): Entry[] {
  const { words, line, time } = scene
  const { id, at, kind, steps } = happening
  return steps.flatMap((step, i): Entry[] => {
    const key = `${id}-${i}`
    if (step.step !== 'journalled') return [{ key, step: step.step, ...tell(step, happening, words) }]
    // Of what a message brings the arrival is told first; of an edit or a tick the step itself says it.
    const alone = steps.length === 1
    if (kind !== 'message' && kind !== 'call' && !alone) return []
    return [
      {
        key,
        step: kind,
        title: message?.fromCustomer === false ? words.arrivedOwn : (words.arrived[kind] ?? words.something),
        ...(message && { detail: summaryOf(message, scene) }),
        why: alone ? words.working : words.through(line, time(at)),
        trace: id,
      },
    ]
  })
}

const by = (table: Record<string, string>, word: unknown): string => table[String(word)] ?? String(word ?? '')
const text = (value: Step['with'][string] | undefined): string => (typeof value === 'string' ? value : '')

const tellers: Record<string, (step: Step, words: StepTexts, happening: Happening) => Told> = {
  contact: ({ why, with: w }, words) => ({
    title: by(words.contact, why),
    detail: text(w.name),
    why: why === 'merged' ? words.mergedBy : by(why === 'new' ? words.newBy : words.knownBy, w.by),
  }),
  ticket: ({ why, with: w }, words) => ({
    title: words.ticket(`#${w.number ?? w.ticket}`, by(words.ticketStatus, w.status)),
    why: by(words.ticketWhy, why),
    ticket: Number(w.ticket),
  }),
  media: ({ with: w }, words) => ({ title: words.media, detail: text(w.name), why: words.mediaWhy }),
  unknown: ({ with: w }, words) => ({ title: words.unknown, detail: text(w.what), why: words.unknownWhy, odd: true }),
  ignored: ({ why }, words) => ({ title: words.ignored, why: by(words.ignoredWhy, why), odd: true }),
  duplicate: ({ why }, words) => ({ title: words.duplicate, why: by(words.duplicateWhy, why), odd: true }),
  told: ({ with: w }, words) => toldTo(w, words),
  ticked: (_, words) => ({ title: words.ticked(1), why: words.tickedWhy }),
  edited: (_, words) => ({ title: words.edited, why: words.changedWhy }),
  deleted: (_, words) => ({ title: words.deleted, why: words.changedWhy }),
  reacted: (_, words) => ({ title: words.reacted, why: words.changedWhy }),
  call: ({ why }, words) => ({
    title: by(words.call, why),
    why: by(words.callWhy, why),
    odd: why === 'calls-are-off',
  }),
  accepted: ({ with: w }, words, { actor }) => ({
    title: words.accepted(text(w.user)),
    why: words.byWhom(actor?.name ?? ''),
  }),
  renumbered: ({ with: w }, words, { actor }) => ({
    title: words.renumbered(text(w.from), text(w.to)),
    why: words.byWhom(actor?.name ?? ''),
  }),
  transferred: ({ why, with: w }, words, { actor }) => ({
    title: words.transferred([text(w.queue), text(w.user)].filter(Boolean).join(' · ')),
    why: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
  }),
  'goal-missed': ({ why, with: w }, words) => ({
    title: by(words.missed, why),
    why: words.missedWhy(Number(w.minutes)),
    odd: true,
  }),
  menu: ({ why }, words) => ({ title: by(words.menu, why), why: by(words.menuWhy, why), odd: isOdd(why) }),
  hours: ({ why }, words) => ({ title: by(words.hours, why), why: by(words.hoursWhy, why) }),
  rating: ({ why, with: w }, words) => ({
    title: by(words.rating, why),
    ...(typeof w.rate === 'number' && { detail: `${w.rate} / 3` }),
    why: by(words.ratingWhy, why),
  }),
  greeting: ({ why }, words) => ({ title: words.greeted, why: by(words.greetedWhy, why) }),
  asked: ({ why, with: w }, words) => ({
    title: words.asked(isLate(why)),
    ...(text(w.error) && { detail: text(w.error) }),
    why: by(words.askedWhy, why),
    odd: why === 'nobody-answered',
  }),
  prompt: ({ why, with: w }, words) => ({
    title: words.prompt[why] ?? words.promptToPeople,
    detail: [text(w.prompt), text(w.tools)].filter(Boolean).join(' · '),
    why: text(w.sources) ? words.promptFrom(text(w.sources)) : by(words.promptWhy, why),
    odd: !(why in words.prompt),
  }),
  integration: ({ why, with: w }, words) => ({
    title: words.integration[why] ?? words.integrationToPeople,
    // What it named that is none of this company's stands beside it.
    detail: [text(w.name), text(w.refused) && `✕ ${text(w.refused)}`].filter(Boolean).join(' · '),
    why: by(words.integrationWhy, why),
    odd: why === 'not-understood',
  }),
  silent: (_, words) => ({ title: words.silent, why: words.silentWhy }),
  returned: done('returned'),
  resolved: done('resolved'),
  reopened: done('reopened'),
  opened: done('opened'),
  nothing: ({ why }, words) => ({ title: words.nothing, why: by(words.nothingWhy, why), odd: true }),
  'set-aside': ({ why, with: w }, words) => ({
    title: words.setAside,
    detail: text(w.error),
    why: by(words.setAsideWhy, why),
    odd: true,
  }),
}

/** What a bot was told came too late to be said. */
const isLate = (why: string) => !['asked-anew', 'nothing-to-say', 'nobody-answered'].includes(why)

/** The menu had to give up, or had nothing to answer. */
const isOdd = (why: string) =>
  ['wrong-answer', 'too-many-wrong-answers', 'menu-sent-too-often', 'menu-is-gone', 'resting'].includes(why)

function done(what: 'returned' | 'resolved' | 'reopened' | 'opened') {
  return ({ why }: Step, words: StepTexts, { actor }: Happening): Told => ({
    title: words[what],
    why: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
  })
}

/** A word this screen does not know yet is shown as it is: it still says more than silence. */
function tell(step: Step, happening: Happening, words: StepTexts): Told {
  const teller = tellers[step.step]
  return teller ? teller(step, words, happening) : { title: step.step, why: step.why }
}

/** Who sees the ticket in the state it was in (the server's own rule, in words). */
function toldTo(w: Step['with'], words: StepTexts): Told {
  const [user, queue] = [text(w.user), text(w.queue)]
  const waiting = w.status !== 'open'
  const who = [
    user,
    queue && (waiting ? words.agentsOf(queue) : words.supervisorsOf(queue)),
    !queue && w.status === 'pending' ? words.looseAgents : '',
    w.admins ? words.admins : '',
  ].filter(Boolean)
  return {
    title: words.told,
    detail: capital(words.toldTo(who)),
    why: words.toldWhy[user ? 'user' : queue ? 'queue' : 'nobody'],
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What somebody wrote in their words; anything else by its name. */
function summaryOf({ kind, body }: PhoneMessage, { words, kindOf }: Scene): string {
  if (kind === 'text' || (body && ['image', 'video', 'audio', 'application'].includes(kind))) return words.quoted(body)
  return kindOf(kind)
}

/** Which message on the phone a happening is about. What was lost on the way has none. */
export function messagesOf(happenings: Happening[], messages: PhoneMessage[]): Map<string, PhoneMessage> {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const found = new Map<string, PhoneMessage>()
  for (const { id, kind, phoneId } of happenings) {
    const message = kind === 'message' && phoneId ? byId.get(phoneId) : undefined
    if (message) found.set(id, message)
  }
  return found
}
