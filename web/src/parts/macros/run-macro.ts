import { type MacroRun, macrosApi, macroUndoSeconds } from '@recado/contract/macros/macros'
import { ApiError, callApi, type FailureCode } from '../../lib/api.ts'
import { newClientId } from '../../lib/client-id.ts'
import { errorText } from '../../lib/errors.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import type { MacroTray } from './macro-tray-store.ts'
import { macroTexts } from './texts.ts'

/** Runs steps without a message. False: nothing was done, and the steps are still to do. */
export async function runMacro(ticketId: number, { macroId, steps }: MacroTray): Promise<boolean> {
  try {
    const run = await callApi(macrosApi.run, { body: { ticketId, macroId, steps, clientId: newClientId() } })
    reportMacroRun(run)
    return true
  } catch (error) {
    toast.error(error)
    return false
  }
}

/** Why a step is refused. */
export const describeCode = (code: string): string => errorText(new ApiError(code as FailureCode, 409))

const toastId = ({ id }: MacroRun) => `macro-run-${id}`

/** Says what was done and what was refused, with one undo for all of it. */
export function reportMacroRun(run: MacroRun): void {
  const words = currentTexts(macroTexts)
  if (run.state !== 'done') return
  const done = run.steps.filter(({ state }) => state === 'done').length
  const errors = run.steps.flatMap(({ error }) => error ?? [])
  const reasons = [...new Set(errors)].map(describeCode).join(' ')
  const title = [done > 0 && words.ran(done), errors.length > 0 && words.refused(errors.length)]
    .filter(Boolean)
    .join(', ')
  const options = {
    id: toastId(run),
    lasts: run.undoUntil ? macroUndoSeconds * 1000 : 8000,
    ...(run.undoUntil && { action: { label: words.undo, run: () => void undo(run) } }),
  }
  if (errors.length > 0) toast.warn(title, reasons, options)
  else toast.ok(title, undefined, options)
}

async function undo({ id }: MacroRun): Promise<void> {
  try {
    await callApi(macrosApi.undoRun, { params: { id } })
    toast.ok(currentTexts(macroTexts).undone)
  } catch (error) {
    toast.error(error)
  }
}
