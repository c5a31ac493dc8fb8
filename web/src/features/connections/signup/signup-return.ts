/** What Meta's dialog returns in our address: a code, or neither if the person cancelled. */
export type SignupReturn = { state: string; code: string }

type SignupMessage = { kind: 'returned'; returned: SignupReturn } | { kind: 'taken'; state: string }

/**
 * Our pages are isolated from windows of other origins (`cross-origin-opener-policy`), so Meta's window has no opener
 * when it comes back to us. Pages of our own origin reach each other by this channel.
 */
const openChannel = () => new BroadcastChannel('recado-line-signup')

/** Reads the address to which Meta's dialog returned; null: it is any other visit. */
export function readSignupReturn(search: string): SignupReturn | null {
  const query = new URLSearchParams(search)
  const state = query.get('state') ?? ''
  return /^[\w-]{43}$/.test(state) && (query.has('code') || query.has('error'))
    ? { state, code: query.get('code') ?? '' }
    : null
}

/** Waits for the return of the signup with this state. Returns a function that stops waiting. */
export function waitForSignupReturn(state: string, onReturn: (returned: SignupReturn) => void): () => void {
  const channel = openChannel()
  channel.onmessage = ({ data }: MessageEvent<SignupMessage>) => {
    if (data.kind !== 'returned' || data.returned.state !== state) return
    channel.postMessage({ kind: 'taken', state } satisfies SignupMessage)
    onReturn(data.returned)
  }
  return () => channel.close()
}

/** A window in the background answers within this time. */
const handOverTimeoutMs = 1500

/** Hands the return over to the window that waits for it. False: no window waits. */
export function handOverSignupReturn(returned: SignupReturn): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = openChannel()
    const end = (isTaken: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(isTaken)
    }
    const timer = setTimeout(() => end(false), handOverTimeoutMs)
    channel.onmessage = ({ data }: MessageEvent<SignupMessage>) => {
      if (data.kind === 'taken' && data.state === returned.state) end(true)
    }
    channel.postMessage({ kind: 'returned', returned } satisfies SignupMessage)
  })
}
