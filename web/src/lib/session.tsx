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

/** Recovery codes, which are shown once. */
export type NewRecoveryCodes = { codes: string[]; enter: () => Promise<void> }

export type Session = {
  user: SessionUser | null
  /** What the company has bought; null until it is known. */
  plan: Plan | null
  /** `lost`: there is a token, but the server could not be asked. */
  status: 'loading' | 'in' | 'out' | 'lost'
  /** When they came in, by the page's own clock: nothing of theirs was read before. */
  since: number
  /** They pressed "log out": whoever logs in next starts afresh, not where they stopped. */
  left: boolean
  /** Where codes are given they are to be kept first: `enter` goes on. */
  login: (email: string, password: string, code?: string) => Promise<NewRecoveryCodes | null>
  /** Both steps at once. */
  loginByPasskey: () => Promise<void>
  logout: () => Promise<void>
  /** Reads person and plan again. */
  reload: () => Promise<void>
  /** A live update of the person who is logged in. */
  adopt: (user: SessionUser) => void
}

const Context = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

const companyZone = ({ company }: SessionUser) => company.settings.find((setting) => setting.key === 'timezone')?.value
/** The last paid day, as the company's own calendar has it. */
export const formatPaidUntil = (user: SessionUser): string => formatDayIn(user.company.dueDate, companyZone(user))
/** The same of any day at whose end something is due. */
export function useFormatDueDay(): (moment: string | null | undefined) => string {
  const { user } = useSession()
  const zone = user ? companyZone(user) : undefined
  return useCallback((moment) => (moment ? formatDayIn(moment, zone) : ''), [zone])
}

type State = Pick<Session, 'user' | 'plan' | 'status' | 'since' | 'left'>
/** What was told of the person while they were being read. */
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

  /** By the server. Who has left by themselves has no token any more, and needs no word about it. */
  const thrownOut = useCallback(() => {
    if (readToken()) storeSessionEndReason('over')
    leave()
  }, [leave])

  const reload = useCallback(async () => {
    try {
      const now = await sessionUserReplay.during(
        async () => startSession(await renewSession<LoginReply>()),
        (state, user) => ({ ...state, user }),
      )
      setState(now)
    } catch (error) {
      // Only the server's word ends a session; a network that is down does not.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) thrownOut()
      else setState((before) => (before.user ? before : { ...loggedOutState, status: 'lost' }))
    }
  }, [thrownOut])

  useEffect(() => onSessionEnd(thrownOut), [thrownOut])
  // The last paid day ended while somebody worked. Who knows that need not ask again.
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
      loginByPasskey: async () => {
        const { loginWithPasskey } = await import('./passkeys.ts')
        const entered = await loginWithPasskey()
        writeStoredJson('token', entered.token)
        setState(await startSession(entered))
      },
      logout: async () => {
        // Leaving always works: without a network the token is forgotten here and dies by itself there.
        await (await loadSessionCalls()).logout().catch(() => undefined)
        leave()
        clearSessionEndReason()
        setState({ ...loggedOutState, left: true })
      },
      adopt: (user) => {
        sessionUserReplay.hear(user)
        setDisplayTimeZone(ownTimeZone(user))
        setState((before) => ({ ...before, user }))
      },
    }),
    [state, reload, leave],
  )
  return <Context value={session}>{children}</Context>
}

const loadSessionCalls = () => import('./session-calls.ts')

async function startSession({ user }: LoginReply): Promise<State> {
  clearSessionEndReason()
  writeStoredText('companyId', String(user.companyId))
  writeStoredText('userId', String(user.id))
  writeStoredText('companyDueDate', formatPaidUntil(user))
  const campaigns = user.company.settings.some((s) => s.key === 'campaignsEnabled' && s.value === 'true')
  if (campaigns) writeStoredText('cshow', 'null')
  else removeStored('cshow')
  if (user.language && !hasChosenLanguage()) setLanguage(user.language)
  setDisplayTimeZone(ownTimeZone(user))
  // Nobody tells an expired company what its plan allows.
  const plan = user.company.expired ? null : await fetchPlanOrNull(user.companyId)
  return { user, plan, status: 'in', since: performance.now(), left: false }
}

const ownTimeZone = ({ hasTimeZone, timeZone }: SessionUser): string | null => (hasTimeZone ? timeZone : null)

/** Without its plan a company sees what every plan has: a hiccup here must not keep anyone out. */
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
