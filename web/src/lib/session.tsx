import type { Plan } from '@recado/contract/plans'
import type { SessionUser } from '@recado/contract/users'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { ApiError, onExpiry, onSessionEnd, renewSession } from './api.ts'
import { dayIn, readIn } from './format.ts'
import { replay } from './replay.ts'
import type { Entered } from './session-calls.ts'
import { forgetEnd, noteEnd } from './session-end.ts'
import { forget, readToken, writeJson, writeText } from './storage.ts'
import { languageWasChosen, setLanguage } from './texts.ts'

/** Recovery codes, which are shown once. */
export type Given = { codes: string[]; enter: () => Promise<void> }

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
  login: (email: string, password: string, code?: string) => Promise<Given | null>
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
export const paidUntil = (user: SessionUser): string => dayIn(user.company.dueDate, companyZone(user))
/** The same of any day at whose end something is due. */
export function useDueDay(): (moment: string | null | undefined) => string {
  const { user } = useSession()
  const zone = user ? companyZone(user) : undefined
  return useCallback((moment) => (moment ? dayIn(moment, zone) : ''), [zone])
}

type State = Pick<Session, 'user' | 'plan' | 'status' | 'since' | 'left'>
/** What was told of the person while they were being read. */
const adopted = replay<SessionUser>()
const nobody: State = { user: null, plan: null, status: 'out', since: 0, left: false }

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>(() => (readToken() ? { ...nobody, status: 'loading' } : nobody))

  const leave = useCallback(() => {
    forget('token', 'companyId', 'userId', 'cshow')
    setState(nobody)
  }, [])

  /** By the server. Who has left by themselves has no token any more, and needs no word about it. */
  const thrownOut = useCallback(() => {
    if (readToken()) noteEnd('over')
    leave()
  }, [leave])

  const reload = useCallback(async () => {
    try {
      const now = await adopted.during(
        async () => enter(await renewSession<Entered>()),
        (state, user) => ({ ...state, user }),
      )
      setState(now)
    } catch (error) {
      // Only the server's word ends a session; a network that is down does not.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) thrownOut()
      else setState((before) => (before.user ? before : { ...nobody, status: 'lost' }))
    }
  }, [thrownOut])

  useEffect(() => onSessionEnd(thrownOut), [thrownOut])
  // The last paid day ended while somebody worked. Who knows that need not ask again.
  const expired = state.user?.company.expired ?? false
  useEffect(() => (expired ? undefined : onExpiry(() => void reload())), [reload, expired])
  useEffect(() => followOtherTabs(leave), [leave])
  useEffect(() => {
    if (readToken()) void reload()
  }, [reload])

  const session = useMemo<Session>(
    () => ({
      ...state,
      reload,
      login: async (email, password, code) => {
        const entered = await (await calls()).login(email, password, code)
        const goOn = async () => {
          writeJson('token', entered.token)
          setState(await enter(entered))
        }
        if (entered.recoveryCodes) return { codes: entered.recoveryCodes, enter: goOn }
        await goOn()
        return null
      },
      loginByPasskey: async () => {
        const { enterByPasskey } = await import('./passkeys.ts')
        const entered = await enterByPasskey()
        writeJson('token', entered.token)
        setState(await enter(entered))
      },
      logout: async () => {
        // Leaving always works: without a network the token is forgotten here and dies by itself there.
        await (await calls()).logout().catch(() => undefined)
        leave()
        forgetEnd()
        setState({ ...nobody, left: true })
      },
      adopt: (user) => {
        adopted.hear(user)
        readIn(zoneOf(user))
        setState((before) => ({ ...before, user }))
      },
    }),
    [state, reload, leave],
  )
  return <Context value={session}>{children}</Context>
}

const calls = () => import('./session-calls.ts')

async function enter({ user }: Entered): Promise<State> {
  forgetEnd()
  writeText('companyId', String(user.companyId))
  writeText('userId', String(user.id))
  writeText('companyDueDate', paidUntil(user))
  const campaigns = user.company.settings.some((s) => s.key === 'campaignsEnabled' && s.value === 'true')
  if (campaigns) writeText('cshow', 'null')
  else forget('cshow')
  if (user.language && !languageWasChosen()) setLanguage(user.language)
  readIn(zoneOf(user))
  // Nobody tells an expired company what its plan allows.
  const plan = user.company.expired ? null : await readPlan(user.companyId)
  return { user, plan, status: 'in', since: performance.now(), left: false }
}

const zoneOf = ({ hasTimeZone, timeZone }: SessionUser): string | null => (hasTimeZone ? timeZone : null)

/** Without its plan a company sees what every plan has: a hiccup here must not keep anyone out. */
const readPlan = (companyId: number): Promise<Plan | null> =>
  calls()
    .then(({ readPlan: read }) => read(companyId))
    .catch(() => null)

function followOtherTabs(leave: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === 'token' && event.newValue === null) leave()
    if (event.key === 'userId' && event.newValue !== null && event.newValue !== event.oldValue) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
