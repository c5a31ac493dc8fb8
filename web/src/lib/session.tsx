import type { Plan } from '@recado/contract/plans'
import type { SessionUser } from '@recado/contract/users'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { ApiError, onSessionEnd, onSubscriptionExpired, renewSession } from './api.ts'
import { formatDayIn, setDisplayTimeZone } from './format.ts'
import { createNewsReplay } from './news-replay.ts'
import type { LoginReply } from './session-calls.ts'
import { clearSessionEndReason, storeSessionEndReason } from './session-end-reason.ts'
import { readToken, removeStored, writeStoredJson, writeStoredText } from './storage.ts'
import { hasChosenLanguage, setLanguage } from './texts.ts'

/** Recovery codes, shown only once. */
export type NewRecoveryCodes = { codes: string[]; enter: () => Promise<void> }

export type Session = {
  user: SessionUser | null
  /** The company's plan; null until it is loaded. */
  plan: Plan | null
  /** `lost`: there is a token, but the server could not be reached. */
  status: 'loading' | 'in' | 'out' | 'lost'
  /** When the session began, by the page's clock: no data was loaded before it. */
  since: number
  /** The user logged out: the next login starts at home, not at the last page. */
  left: boolean
  /** If recovery codes are returned, the user must save them first; `enter` then continues the login. */
  login: (email: string, password: string, code?: string) => Promise<NewRecoveryCodes | null>
  /** Logs in with a passkey, which counts as both factors. */
  loginWithPasskey: () => Promise<void>
  logout: () => Promise<void>
  /** Reloads user and plan. */
  reload: () => Promise<void>
  /** Applies a live update of the logged-in user. */
  applyUser: (user: SessionUser) => void
}

const Context = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

const companyZone = ({ company }: SessionUser) => company.settings.find((setting) => setting.key === 'timezone')?.value
/** The last paid day in the company's calendar. */
export const formatPaidUntil = (user: SessionUser): string => formatDayIn(user.company.dueDate, companyZone(user))
/** Like `formatPaidUntil`, for any day at whose end a payment is due. */
export function useFormatDueDay(): (moment: string | null | undefined) => string {
  const { user } = useSession()
  const zone = user ? companyZone(user) : undefined
  return useCallback((moment) => (moment ? formatDayIn(moment, zone) : ''), [zone])
}

type State = Pick<Session, 'user' | 'plan' | 'status' | 'since' | 'left'>
/** Live updates of the user received during a request. */
const sessionUserReplay = createNewsReplay<SessionUser>()
const loggedOutState: State = { user: null, plan: null, status: 'out', since: 0, left: false }

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>(() =>
    readToken() ? { ...loggedOutState, status: 'loading' } : loggedOutState,
  )

  const leave = useCallback(() => {
    removeStored('token', 'companyId', 'userId', 'cshow')
    setState(loggedOutState)
  }, [])

  /** Handles that the server ended the session. After a logout there is no token any more, and no reason is shown. */
  const thrownOut = useCallback(() => {
    if (readToken()) storeSessionEndReason('over')
    leave()
  }, [leave])

  const reload = useCallback(async () => {
    try {
      const now = await sessionUserReplay.runAndApply(
        async () => {
          const since = performance.now()
          return startSession(await renewSession<LoginReply>(), since)
        },
        (state, user) => ({ ...state, user }),
      )
      setState(now)
    } catch (error) {
      // Only the server's response ends a session; a network failure does not.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) thrownOut()
      else setState((before) => (before.user ? before : { ...loggedOutState, status: 'lost' }))
    }
  }, [thrownOut])

  useEffect(() => onSessionEnd(thrownOut), [thrownOut])
  // The last paid day ended while the user worked. If that is already known, do not ask again.
  const expired = state.user?.company.expired ?? false
  useEffect(() => (expired ? undefined : onSubscriptionExpired(() => void reload())), [reload, expired])
  useEffect(() => followOtherTabs(leave), [leave])
  useEffect(() => {
    if (readToken()) void reload()
  }, [reload])

  const session = useMemo<Session>(
    () => ({
      ...state,
      reload,
      login: async (email, password, code) => {
        const entered = await (await loadSessionCalls()).login(email, password, code)
        const goOn = async () => {
          writeStoredJson('token', entered.token)
          setState(await startSession(entered))
        }
        if (entered.recoveryCodes) return { codes: entered.recoveryCodes, enter: goOn }
        await goOn()
        return null
      },
      loginWithPasskey: async () => {
        const { loginWithPasskey } = await import('./passkeys.ts')
        const entered = await loginWithPasskey()
        writeStoredJson('token', entered.token)
        setState(await startSession(entered))
      },
      logout: async () => {
        // A logout always works: without a network the token is deleted in the browser and expires on the server.
        await (await loadSessionCalls()).logout().catch(() => undefined)
        leave()
        clearSessionEndReason()
        setState({ ...loggedOutState, left: true })
      },
      applyUser: (user) => {
        sessionUserReplay.record(user)
        setDisplayTimeZone(ownTimeZone(user))
        setState((before) => ({ ...before, user }))
      },
    }),
    [state, reload, leave],
  )
  return <Context value={session}>{children}</Context>
}

const loadSessionCalls = () => import('./session-calls.ts')

async function startSession({ user }: LoginReply, since = performance.now()): Promise<State> {
  clearSessionEndReason()
  writeStoredText('companyId', String(user.companyId))
  writeStoredText('userId', String(user.id))
  writeStoredText('companyDueDate', formatPaidUntil(user))
  const campaigns = user.company.settings.some((s) => s.key === 'campaignsEnabled' && s.value === 'true')
  if (campaigns) writeStoredText('cshow', 'null')
  else removeStored('cshow')
  if (user.language && !hasChosenLanguage()) setLanguage(user.language)
  setDisplayTimeZone(ownTimeZone(user))
  // The server does not return the plan of an expired company.
  const plan = user.company.expired ? null : await fetchPlanOrNull(user.companyId)
  return { user, plan, status: 'in', since, left: false }
}

const ownTimeZone = ({ hasTimeZone, timeZone }: SessionUser): string | null => (hasTimeZone ? timeZone : null)

/**
 * Loads the plan, or null if that fails. Without a plan the user sees the features of every plan, so a failure locks
 * nobody out.
 */
const fetchPlanOrNull = (companyId: number): Promise<Plan | null> =>
  loadSessionCalls()
    .then(({ fetchPlan: read }) => read(companyId))
    .catch(() => null)

function followOtherTabs(leave: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === 'token' && event.newValue === null) leave()
    if (event.key === 'userId' && event.newValue !== null && event.newValue !== event.oldValue) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
