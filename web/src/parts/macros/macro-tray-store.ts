import type { PreparedStep } from '@recado/contract/macros/macro-steps'
import { maxMacroSteps } from '@recado/contract/macros/macro-steps'
import { useSyncExternalStore } from 'react'
import { readStoredJson, readStoredText, removeStored, writeStoredJson } from '../../lib/storage.ts'

/** The prepared steps of a ticket, which wait for its next message. They survive a reload, as the draft does. */
export type MacroTray = { macroId: number | null; steps: PreparedStep[] }

const trayKey = (ticketId: number) => `recado.macro.${readStoredText('userId') ?? ''}.${ticketId}`
const trays = new Map<string, MacroTray | null>()
const listeners = new Set<() => void>()

export function getMacroTray(ticketId: number): MacroTray | null {
  const key = trayKey(ticketId)
  if (!trays.has(key)) trays.set(key, readStoredJson<MacroTray | null>(key, null))
  return trays.get(key) ?? null
}

export function setMacroTray(ticketId: number, tray: MacroTray | null): void {
  const key = trayKey(ticketId)
  trays.set(key, tray)
  if (tray) writeStoredJson(key, tray)
  else removeStored(key)
  for (const listener of listeners) listener()
}

/** Adds prepared steps after those that wait already. */
export function addToMacroTray(ticketId: number, { macroId, steps }: MacroTray): void {
  const before = getMacroTray(ticketId)?.steps ?? []
  setMacroTray(ticketId, { macroId, steps: [...before, ...steps].slice(0, maxMacroSteps) })
}

/** Empties the tray and returns what was in it. */
export function takeMacroTray(ticketId: number): MacroTray | null {
  const tray = getMacroTray(ticketId)
  if (tray) setMacroTray(ticketId, null)
  return tray
}

export function useMacroTray(ticketId: number): MacroTray | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => getMacroTray(ticketId),
  )
}
