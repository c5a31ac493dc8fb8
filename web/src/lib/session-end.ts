import type { EndReason } from '@recado/contract/live'

/** `over`: the server no longer knows the session, and nobody was here to hear why. */
export type Ended = EndReason | 'over'

const key = 'ended'

/** Kept for the login page, in this tab alone, until somebody is in again. The first reason is the true one. */
export function noteEnd(why: Ended): void {
  try {
    if (!sessionStorage.getItem(key) || why !== 'over') sessionStorage.setItem(key, why)
  } catch {
    // Storage can be forbidden: then the page says nothing.
  }
}

export function readEnd(): Ended | null {
  try {
    return sessionStorage.getItem(key) as Ended | null
  } catch {
    return null
  }
}

export function forgetEnd(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // See noteEnd.
  }
}
