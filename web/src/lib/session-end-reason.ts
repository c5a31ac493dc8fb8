import type { SessionEndReason } from '@recado/contract/live'

/** `over`: the server no longer has the session, and no reason was received. */
export type StoredSessionEndReason = SessionEndReason | 'over'

const key = 'ended'

/** Stores the reason for the login page, in this tab only, until the next login. The first reason is kept. */
export function storeSessionEndReason(why: StoredSessionEndReason): void {
  try {
    if (!sessionStorage.getItem(key) || why !== 'over') sessionStorage.setItem(key, why)
  } catch {
    // Storage may be forbidden; in that case no reason is shown.
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
    // Storage may be forbidden, see `storeSessionEndReason`.
  }
}
