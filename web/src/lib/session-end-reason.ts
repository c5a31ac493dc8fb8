import type { SessionEndReason } from '@recado/contract/live'

/** `over`: the server no longer knows the session, and nobody was here to hear why. */
export type StoredSessionEndReason = SessionEndReason | 'over'

const key = 'ended'

/** Kept for the login page, in this tab alone, until somebody is in again. The first reason is the true one. */
export function storeSessionEndReason(why: StoredSessionEndReason): void {
  try {
    if (!sessionStorage.getItem(key) || why !== 'over') sessionStorage.setItem(key, why)
  } catch {
    // Storage can be forbidden: then the page says nothing.
  }
}

export function readSessionEndReason(): StoredSessionEndReason | null {
  try {
    return sessionStorage.getItem(key) as StoredSessionEndReason | null
  } catch {
    return null
  }
}

export function clearSessionEndReason(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // See noteEnd.
  }
}
