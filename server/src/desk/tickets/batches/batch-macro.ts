import type { MacroStep, PreparedStep } from '@recado/contract/macros/macro-steps'
import { needsSnoozeTimes, prepareSteps } from '@recado/contract/macros/prepare-steps'
import { renderVariables } from '@recado/contract/text/variables'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { loadCompanyContext } from '../../company-context.ts'
import { performStep, type StartFlow, undoStep, wasHandedOn } from '../../macros/run-steps.ts'
import type { BatchUndo, MacroStepResult } from '../../tables.ts'
import { findVisibleTicket, lockTicket } from '../base/ticket-view.ts'
import { findLastTicketEvent } from '../base/tracking.ts'
import { listSnoozeTimes } from '../snooze-times.ts'

type MacroUndo = Extract<BatchUndo, { steps: unknown }>

/** Runs all steps on one ticket, or none: the first one that is refused refuses the ticket. */
export async function runMacroOnTicket(
  scope: Scope,
  steps: MacroStep[],
  ticketId: number,
  startFlow: StartFlow,
): Promise<MacroUndo | null> {
  await lockTicket(scope, ticketId)
  const prepared = await prepareForTicket(scope, steps, ticketId)
  const results: Extract<MacroStepResult, { undo: unknown }>[] = []
  for (const step of prepared)
    results.push({
      undo: await performStep(scope, step, { ticketId, isHandedOn: wasHandedOn(prepared, results), startFlow }),
    })
  const undos = results.flatMap(({ undo }) => undo ?? [])
  if (!undos.length) return null
  const lastEvent = await findLastTicketEvent(scope, ticketId)
  return { steps: undos, lastEventId: lastEvent?.id ?? null }
}

/** The steps with the real values of the ticket, which a browser gives them for a ticket alone. */
async function prepareForTicket(scope: Scope, steps: MacroStep[], ticketId: number): Promise<PreparedStep[]> {
  const ticket = await findVisibleTicket(scope, ticketId)
  const moment = await loadCompanyContext(scope)
  const words = {
    ...ticket.contact,
    user: scope.person?.name ?? null,
    queue: ticket.queue?.name ?? null,
    ticket: ticket.number,
  }
  return prepareSteps(steps, {
    me: scope.actor.id,
    now: scope.now().getTime(),
    times: needsSnoozeTimes(steps) ? await listSnoozeTimes(scope, ticketId) : null,
    fillVariables: (text) => renderVariables(text, words, moment),
  })
}

/** Undoes all steps on one ticket, the last one first. Refused if somebody has changed the ticket since. */
export async function undoMacroOnTicket(scope: Scope, ticketId: number, undo: MacroUndo): Promise<void> {
  await lockTicket(scope, ticketId)
  const lastEvent = await findLastTicketEvent(scope, ticketId)
  if ((lastEvent?.id ?? null) !== undo.lastEventId) throw new AppError('ERR_UNDO_TOO_LATE')
  for (const step of undo.steps.toReversed()) await undoStep(scope, ticketId, step)
}
