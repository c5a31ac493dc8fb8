/** Actions of people, and injected faults. Their targets are numbers, which mean the same in every run. */
export type ChaosAction =
  /** A customer writes this many texts in a row. */
  | { do: 'write'; customer: number; texts: number }
  | { do: 'choose'; customer: number; option: 1 | 2 }
  | { do: 'send-file'; customer: number }
  /** A customer starts the survey, which is a flow that asks and waits. */
  | { do: 'start-survey'; customer: number }
  /** The pauses of flows are over. */
  | { do: 'end-pauses' }
  /** An agent acts on a ticket; `pick` selects one of the tickets on the agent's screen. */
  | {
      do: 'accept' | 'answer' | 'answer-file' | 'transfer' | 'return' | 'resolve' | 'schedule'
      agent: number
      pick: number
    }
  | { do: 'campaign'; people: number }
export type InjectedFault =
  | { do: 'kill'; process: number; downMs: number }
  /** Kills the whole database server, or one of its backend processes. */
  | { do: 'kill-database'; whole: boolean }
  /** The connection between a process and the database is cut, delayed or silent. */
  | { do: 'cut' | 'slow' | 'silence'; process: number; ms: number }
  /** A process hangs for longer than its lease: another process takes its lines, and then the first continues. */
  | { do: 'hang'; process: number; ms: number }
  /** The machine's clock jumps by this much. */
  | { do: 'clock'; ms: number }
  /** Meta aborts this many calls. */
  | { do: 'flap'; times: number }
  /** Meta sends events twice, or out of order. */
  | { do: 'double' | 'reorder'; ms: number }
  | { do: 'full-files' | 'full-database'; ms: number }
  /** WhatsApp drops the connection of the linked line. */
  | { do: 'drop-phone' }
/** `after`: milliseconds after the previous step. */
export type PlanStep = { after: number } & (ChaosAction | InjectedFault)
export type ChaosPlan = { seed: number; processes: number; customers: number; agents: number; steps: PlanStep[] }

export const injectedFaultKinds = [
  'kill',
  'kill-database',
  'cut',
  'slow',
  'silence',
  'hang',
  'clock',
  'flap',
  'double',
  'reorder',
  'full-files',
  'full-database',
  'drop-phone',
] as const satisfies InjectedFault['do'][]
export const isInjectedFault = (step: ChaosAction | InjectedFault): step is InjectedFault =>
  (injectedFaultKinds as readonly string[]).includes(step.do)

/** A seeded random generator, which returns the same numbers on every machine. */
export function makeSeededRandom(seed: number) {
  let state = seed >>> 0
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(roll() * n)
  return {
    below,
    between: (from: number, to: number) => from + below(to - from + 1),
    pick: <T>(all: readonly T[]): T => all[below(all.length)] as T,
    shuffled: <T>(all: readonly T[]): T[] => {
      const left = [...all]
      return Array.from(all, () => left.splice(below(left.length), 1)[0] as T)
    },
  }
}
type Random = ReturnType<typeof makeSeededRandom>

const planSizes = { processes: 2, customers: 14, agents: 3 }
/** One fault per this many steps: with at most `maxStepPauseMs` between steps, about one fault every two seconds. */
const stepsPerFault = 9
const maxStepPauseMs = 430

/** The fewest steps in which every fault occurs once. */
export const minStepsForAllFaults = stepsPerFault * injectedFaultKinds.length

/** The number of steps for this many minutes. */
export const stepsForMinutes = (minutes: number): number =>
  Math.max(4, Math.round((minutes * 60_000) / (maxStepPauseMs / 2)))

/** Makes a plan of this many steps. Faults are dealt like cards: none occurs again before all others have occurred. */
export function makeChaosPlan(seed: number, length: number): ChaosPlan {
  const d = makeSeededRandom(seed)
  let cards: InjectedFault['do'][] = []
  const steps = Array.from({ length }, (_, n): PlanStep => {
    const after = d.below(maxStepPauseMs)
    // The first steps are actions that open conversations, so that the faults have something to disturb.
    if (n % stepsPerFault !== stepsPerFault - 1) return { after, ...makeAction(d) }
    if (!cards.length) cards = d.shuffled(injectedFaultKinds)
    return { after, ...makeFault(cards.pop() as InjectedFault['do'], d) }
  })
  return { seed, ...planSizes, steps }
}

const agentActions = [
  'accept',
  'accept',
  'answer',
  'answer',
  'answer',
  'answer-file',
  'transfer',
  'return',
  'resolve',
] as const

function makeAction(d: Random): ChaosAction {
  const customer = d.below(planSizes.customers)
  const at = d.below(100)
  if (at < 34) return { do: 'write', customer, texts: d.between(1, 4) }
  if (at < 42) return { do: 'choose', customer, option: d.pick([1, 2] as const) }
  if (at < 47) return { do: 'send-file', customer }
  if (at < 49) return { do: 'campaign', people: d.between(2, 5) }
  if (at < 57) return { do: 'start-survey', customer }
  if (at < 60) return { do: 'end-pauses' }
  const who = { agent: d.below(planSizes.agents), pick: d.below(1000) }
  return at < 66 ? { do: 'schedule', ...who } : { do: d.pick(agentActions), ...who }
}

function makeFault(kind: InjectedFault['do'], d: Random): InjectedFault {
  const process = d.below(planSizes.processes)
  switch (kind) {
    case 'kill':
      return { do: kind, process, downMs: d.between(0, 2000) }
    case 'kill-database':
      return { do: kind, whole: d.below(3) > 0 }
    case 'hang':
      return { do: kind, process, ms: d.between(3500, 5000) }
    case 'clock':
      return { do: kind, ms: d.between(-20, 20) * 1000 }
    case 'flap':
      return { do: kind, times: d.between(1, 3) }
    case 'drop-phone':
      return { do: kind }
    case 'double':
    case 'reorder':
      return { do: kind, ms: d.between(2000, 6000) }
    case 'full-files':
    case 'full-database':
      return { do: kind, ms: d.between(500, 2500) }
    default:
      return { do: kind, process, ms: d.between(300, 3000) }
  }
}

/** Every second customer writes to the linked line, the others to the official one. */
export const isLinkedCustomer = (customer: number): boolean => customer % 2 === 1

/** Counts the steps by kind, only faults or all. */
export function countSteps(steps: PlanStep[], which: 'misfortunes' | 'all' = 'all'): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const step of steps) if (which === 'all' || isInjectedFault(step)) counts[step.do] = (counts[step.do] ?? 0) + 1
  return counts
}
