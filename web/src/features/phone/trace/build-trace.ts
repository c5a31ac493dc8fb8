import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import type { TicketEvent, TicketEventStep } from '@recado/contract/tickets'
import type { TraceStepTexts } from './trace-step-texts.ts'

/** One entry of "what happened inside". */
export type TraceEntry = {
  key: string
  /** The step, which decides the icon. */
  step: string
  title: string
  detail?: string
  reason?: string
  ticket?: number
  /** The trace id in the server's log. */
  trace?: string
  /** Whether the step is unusual: ignored, unknown, or without effect. */
  isUnusual?: boolean
}
type TraceText = Omit<TraceEntry, 'key' | 'step'>

type TraceContext = {
  words: TraceStepTexts
  line: string
  time: (at: string) => string
  messages: SandboxPhoneMessage[]
  /** The label of a message without text. */
  kindOf: (kind: string) => string
}

/** The journal as readable entries: each step as text, consecutive receipts joined. */
export function buildTrace(events: TicketEvent[], context: TraceContext): TraceEntry[] {
  const about = matchMessages(events, context.messages)
  const trace: TraceEntry[] = []
  let ticks: { entry: TraceEntry; count: number } | undefined
  for (const event of events) {
    for (const entry of toTraceEntries(event, context, about.get(event.id))) {
      if (entry.step === 'ticked' && ticks && trace.at(-1) === ticks.entry) {
        ticks.count++
        ticks.entry.title = context.words.ticked(ticks.count)
        continue
      }
      trace.push(entry)
      ticks = entry.step === 'ticked' ? { entry, count: 1 } : undefined
    }
  }
  return trace
}

function toTraceEntries(
  event: TicketEvent,
  context: TraceContext,
  message: SandboxPhoneMessage | undefined,
): TraceEntry[] {
  const { words, line, time } = context
  const { id, at, kind, steps } = event
  return steps.flatMap((step, i): TraceEntry[] => {
    const key = `${id}-${i}`
    if (step.step !== 'journalled') return [{ key, step: step.step, ...describeStep(step, event, words) }]
    // For a message the arrival is described first; for an edit or a receipt the step alone is enough.
    const alone = steps.length === 1
    if (kind !== 'message' && kind !== 'call' && !alone) return []
    return [
      {
        key,
        step: kind,
        title: message?.fromCustomer === false ? words.arrivedOwn : (words.arrived[kind] ?? words.something),
        ...(message && { detail: summarizePhoneMessage(message, context) }),
        reason: alone ? words.working : words.through(line, time(at)),
        trace: id,
      },
    ]
  })
}

const lookUp = (table: Record<string, string>, word: unknown): string => table[String(word)] ?? String(word ?? '')
const toText = (value: TicketEventStep['with'][string] | undefined): string => (typeof value === 'string' ? value : '')

const stepDescribers: Record<string, (step: TicketEventStep, words: TraceStepTexts, event: TicketEvent) => TraceText> =
  {
    contact: ({ why, with: w }, words) => ({
      title: lookUp(words.contact, why),
      detail: toText(w.name),
      reason: why === 'merged' ? words.mergedBy : lookUp(why === 'new' ? words.newBy : words.knownBy, w.by),
    }),
    ticket: ({ why, with: w }, words) => ({
      title: words.ticket(`#${w.number ?? w.ticket}`, lookUp(words.ticketStatus, w.status)),
      reason: lookUp(words.ticketWhy, why),
      ticket: Number(w.ticket),
    }),
    media: ({ with: w }, words) => ({ title: words.media, detail: toText(w.name), reason: words.mediaWhy }),
    unknown: ({ with: w }, words) => ({
      title: words.unknown,
      detail: toText(w.what),
      reason: words.unknownWhy,
      isUnusual: true,
    }),
    ignored: ({ why }, words) => ({ title: words.ignored, reason: lookUp(words.ignoredWhy, why), isUnusual: true }),
    duplicate: ({ why }, words) => ({
      title: words.duplicate,
      reason: lookUp(words.duplicateWhy, why),
      isUnusual: true,
    }),
    told: ({ with: w }, words) => describeAudience(w, words),
    ticked: (_, words) => ({ title: words.ticked(1), reason: words.tickedWhy }),
    edited: (_, words) => ({ title: words.edited, reason: words.changedWhy }),
    deleted: (_, words) => ({ title: words.deleted, reason: words.changedWhy }),
    reacted: (_, words) => ({ title: words.reacted, reason: words.changedWhy }),
    call: ({ why }, words) => ({
      title: lookUp(words.call, why),
      reason: lookUp(words.callWhy, why),
      isUnusual: why === 'calls-are-off',
    }),
    accepted: ({ why, with: w }, words, { actor }) => ({
      title: words.accepted(toText(w.user)),
      reason: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
    }),
    renumbered: ({ with: w }, words, { actor }) => ({
      title: words.renumbered(toText(w.from), toText(w.to)),
      reason: words.byWhom(actor?.name ?? ''),
    }),
    snoozed: describeDone('snoozed'),
    'offer-declined': ({ with: w }, words) => ({ title: words.offerDeclined(toText(w.user)), reason: words.offerWhy }),
    'offer-missed': ({ with: w }, words) => ({ title: words.offerMissed(toText(w.user)), reason: words.offerWhy }),
    'returned-to-inbox': ({ why }, words, { actor }) => ({
      title: words.returnedToInbox,
      reason: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
    }),
    prioritized: describeDone('prioritized'),
    transferred: ({ why, with: w }, words, { actor }) => ({
      title: words.transferred([toText(w.queue), toText(w.user)].filter(Boolean).join(' · ')),
      reason: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
    }),
    'goal-missed': ({ why, with: w }, words) => ({
      title: lookUp(words.missed, why),
      reason: words.missedWhy(Number(w.minutes)),
      isUnusual: true,
    }),
    menu: ({ why }, words) => ({
      title: lookUp(words.menu, why),
      reason: lookUp(words.menuWhy, why),
      isUnusual: isUnusualMenuReason(why),
    }),
    hours: ({ why }, words) => ({ title: lookUp(words.hours, why), reason: lookUp(words.hoursWhy, why) }),
    rating: ({ why, with: w }, words) => ({
      title: lookUp(words.rating, why),
      ...(typeof w.rate === 'number' && { detail: `${w.rate} / ${typeof w.scale === 'number' ? w.scale : 3}` }),
      reason: lookUp(words.ratingWhy, why),
    }),
    greeting: ({ why }, words) => ({ title: words.greeted, reason: lookUp(words.greetedWhy, why) }),
    asked: ({ why, with: w }, words) => ({
      title: words.asked(isTooLate(why)),
      ...(toText(w.error) && { detail: toText(w.error) }),
      reason: lookUp(words.askedWhy, why),
      isUnusual: why === 'nobody-answered',
    }),
    prompt: ({ why, with: w }, words) => ({
      title: words.prompt[why] ?? words.promptToPeople,
      detail: [toText(w.prompt), toText(w.tools)].filter(Boolean).join(' · '),
      reason: toText(w.sources) ? words.promptFrom(toText(w.sources)) : lookUp(words.promptWhy, why),
      isUnusual: !(why in words.prompt),
    }),
    integration: ({ why, with: w }, words) => ({
      title: words.integration[why] ?? words.integrationToPeople,
      // References to records outside of this company are shown beside the name.
      detail: [toText(w.name), toText(w.refused) && `✕ ${toText(w.refused)}`].filter(Boolean).join(' · '),
      reason: lookUp(words.integrationWhy, why),
      isUnusual: why === 'not-understood',
    }),
    flow: ({ why, with: w }, words) => ({
      title: lookUp(words.flow, why),
      detail: describeFlowStep(w, words),
      reason: words.flowWhy(toText(w.flow)),
      isUnusual: unusualFlowSteps.includes(why),
    }),
    silent: (_, words) => ({ title: words.silent, reason: words.silentWhy }),
    returned: describeDone('returned'),
    resolved: describeDone('resolved'),
    reopened: describeDone('reopened'),
    opened: describeDone('opened'),
    undone: describeDone('undone'),
    nothing: ({ why }, words) => ({ title: words.nothing, reason: lookUp(words.nothingWhy, why), isUnusual: true }),
    'set-aside': ({ why, with: w }, words) => ({
      title: words.setAside,
      detail: toText(w.error),
      reason: lookUp(words.setAsideWhy, why),
      isUnusual: true,
    }),
  }

const unusualFlowSteps = ['not-said', 'not-started-other', 'step-failed', 'given-up']

/** The names and values of a step. */
function describeFlowStep(w: TicketEventStep['with'], words: TraceStepTexts): string {
  const [added, removed, field] = [toText(w.added), toText(w.removed), toText(w.field)]
  return [
    added && `+ ${added}`,
    removed && `− ${removed}`,
    field && `${field}: ${toText(w.value)}`,
    ...[w.user, w.queue, w.other, w.others, w.step, w.error].map(toText),
    toText(w.reason) && lookUp(words.flowDetail, w.reason),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Whether a bot's answer arrived too late to be sent. */
const isTooLate = (why: string) => !['asked-anew', 'nothing-to-say', 'nobody-answered'].includes(why)

/** Whether the menu gave up or had no answer. */
const isUnusualMenuReason = (why: string) =>
  ['wrong-answer', 'too-many-wrong-answers', 'menu-sent-too-often', 'menu-is-gone', 'resting'].includes(why)

function describeDone(what: 'returned' | 'resolved' | 'reopened' | 'opened' | 'undone' | 'snoozed' | 'prioritized') {
  return ({ why }: TicketEventStep, words: TraceStepTexts, { actor }: TicketEvent): TraceText => ({
    title: words[what],
    reason: words.doneWhy[why] ?? words.byWhom(actor?.name ?? ''),
  })
}

/** Describes a step. A step without a text is shown by its code. */
function describeStep(step: TicketEventStep, event: TicketEvent, words: TraceStepTexts): TraceText {
  const dispatcher = stepDescribers[step.step]
  return dispatcher ? dispatcher(step, words, event) : { title: step.step, reason: step.why }
}

/** Who could see the ticket in its state at that time (the server's rule as text). */
function describeAudience(w: TicketEventStep['with'], words: TraceStepTexts): TraceText {
  const [user, queue] = [toText(w.user), toText(w.queue)]
  const waiting = w.status !== 'open'
  const who = [
    user,
    queue && (waiting ? words.agentsOf(queue) : words.supervisorsOf(queue)),
    !queue && w.status === 'pending' ? words.looseAgents : '',
    w.admins ? words.admins : '',
  ].filter(Boolean)
  return {
    title: words.told,
    detail: capitalize(words.toldTo(who)),
    reason: words.toldWhy[user ? 'user' : queue ? 'queue' : 'nobody'],
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The text of a message, or the label of its kind if it has no text. */
function summarizePhoneMessage({ kind, body }: SandboxPhoneMessage, { words, kindOf }: TraceContext): string {
  if (kind === 'text' || (body && ['image', 'video', 'audio', 'application'].includes(kind))) return words.quoted(body)
  return kindOf(kind)
}

/** The phone message of each journal event. Lost messages have no event. */
export function matchMessages(
  events: TicketEvent[],
  messages: SandboxPhoneMessage[],
): Map<string, SandboxPhoneMessage> {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const found = new Map<string, SandboxPhoneMessage>()
  for (const { id, kind, phoneId } of events) {
    const message = kind === 'message' && phoneId ? byId.get(phoneId) : undefined
    if (message) found.set(id, message)
  }
  return found
}
