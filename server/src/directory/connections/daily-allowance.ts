import type { PaceReason } from '@recado/contract/connections'

/** What became of the people that a line wrote to first, within the last days. */
export type PaceCounts = {
  written: number
  delivered: number
  read: number
  answered: number
  /** Messages that WhatsApp refused (463), and its locks. */
  refused: number
  /** People who asked to get no more messages. */
  stopped: number
}
export type AllowanceInput = {
  /** Full days since the number was registered at WhatsApp or, if that is not known, linked here. */
  ageDays: number
  counts: PaceCounts
  /** Whether WhatsApp locked the line within the last days. */
  wasLocked: boolean
}
export type DailyAllowance = { people: number; reasons: PaceReason[] }

export const allowanceLimits = {
  /** A number that has proved nothing yet. Numbers that wrote to 15 to 20 strangers on their first day were banned. */
  start: 10,
  /** No line writes to more, however well it goes. */
  max: 200,
  /** No line writes to fewer: without any message it could not prove itself again. */
  min: 3,
}
/** On the n-th day a number is allowed at most `start` times this to the power of n. */
const maxDailyGrowth = 1.3
const perAnswer = 2
const perDelivery = 0.25
/** If at least this share has read the message, nothing is taken off. If nobody has, this share is. */
const unreadWeight = 0.5
/** One refusal or stop weighs as much as this many people. */
const refusalWeight = 5
/** Fewer people than this say too little to take a refusal for a large share. */
const minPeopleJudged = 10

/**
 * How many people a line may write to first today.
 *
 * It begins with `start`, and grows only with deliveries and answers: each delivery adds a quarter, each answer two. It
 * shrinks with the share of people who did not read, down to half, and with the share of refusals and stops, down to
 * `min`. The age of the number only bounds it, together with `max`. After a lock of WhatsApp it is half.
 */
export function computeDailyAllowance({ ageDays, counts, wasLocked }: AllowanceInput): DailyAllowance {
  const { start, max, min } = allowanceLimits
  const { written, delivered, answered, refused, stopped } = counts
  const seenShare = written > 0 ? Math.max(counts.read, answered) / written : 1
  const unreadFactor = Math.min(1, 1 - unreadWeight + seenShare)
  const refusalShare = (refusalWeight * (refused + stopped)) / Math.max(written + refused, minPeopleJudged)
  const refusalFactor = Math.max(0, 1 - refusalShare)
  const earned = (start + perDelivery * delivered + perAnswer * answered) * unreadFactor * refusalFactor
  const ofAge = start * maxDailyGrowth ** Math.max(0, ageDays)
  const usual = Math.min(earned, ofAge, max)
  const people = Math.max(min, Math.floor(wasLocked ? usual / 2 : usual))
  const reasons: [PaceReason, boolean][] = [
    ['locked', wasLocked],
    ['refused', refused > 0],
    ['stopped', stopped > 0],
    ['unread', unreadFactor < 1],
    ['young', ofAge < Math.min(earned, max)],
    ['max', earned >= max && ofAge >= max],
    ['earned', delivered + answered > 0 && earned > start],
    ['unproven', written === 0],
  ]
  return { people, reasons: reasons.filter(([, holds]) => holds).map(([reason]) => reason) }
}
