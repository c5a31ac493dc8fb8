import { connectionsApi } from '@recado/contract/connections'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { type PlatformStepsState, settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useCan, useIsSuper } from '../../../../lib/can.tsx'
import { useLiveTopic, useRecordNews } from '../../../../lib/live.ts'
import { useSession } from '../../../../lib/session.tsx'
import { toast } from '../../../../lib/toast.ts'

type Stage = 'open' | 'chip' | 'done'
/** The stage chosen since the page was loaded, by company; the settings in the session may be older. */
const chosenStages = new Map<number, Stage>()
const stageListeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  stageListeners.add(listener)
  return () => void stageListeners.delete(listener)
}

const stepsKey = ['first-steps']
/** How often the state is read again, in case an event was missed. */
const refetchIntervalMs = 60_000

/**
 * The onboarding steps of a new company. The card is shown until all three are done or somebody collapses it; then a
 * chip stays until a second person has answered a customer. Each user can hide both for good. `null`: nothing to show;
 * `undefined`: not known yet.
 */
export function useFirstSteps() {
  const { user } = useSession()
  const can = useCan()
  const client = useQueryClient()
  const companyId = user?.companyId ?? 0
  const stored = user?.company.settings.find((one) => one.key === 'firstSteps')?.value as Stage | undefined
  const chosen = useSyncExternalStore(subscribe, () => chosenStages.get(companyId))
  const stage = chosen ?? stored ?? 'open'
  const mine = can('connections-page:addConnection') && can('users-page:manage') && can('settings-page:edit')
  const isActive = mine && stage !== 'done' && !user?.hidesGuide
  const refetch = () => void client.invalidateQueries({ queryKey: stepsKey })
  useRecordNews(usersApi.topic, refetch)
  useRecordNews(queuesApi.topic, refetch)
  useRecordNews(connectionsApi.topic, refetch)
  const { data } = useQuery({
    queryKey: stepsKey,
    queryFn: ({ signal }) => callApi(settingsApi.firstSteps, {}, { signal }),
    enabled: isActive,
    // The steps are done on other pages, where no event reaches this query, so the state is always stale.
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
  })
  /** Saves the stage for the whole company. If saving fails, the next visit tries again. */
  const setStage = (next: Stage) => {
    chosenStages.set(companyId, next)
    for (const listener of stageListeners) listener()
    callApi(settingsApi.update, { params: { key: 'firstSteps' }, body: { value: next } }).catch(() => undefined)
  }
  const areDone = Boolean(data?.line && data.queue && data.people)
  // A colleague's first answer changes the reports; their messages are not published to everyone.
  useLiveTopic(topics.figures, () => areDone && refetch())
  const isOver = isActive && areDone && data?.answered === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the last step is done.
  useEffect(() => {
    if (isOver) setStage('done')
  }, [isOver])
  const shown = !isActive || isOver ? null : data
  return {
    card: shown && (stage === 'chip' || areDone) ? null : shown,
    chip: shown && (stage === 'chip' || areDone) ? shown : null,
    collapse: () => setStage('chip'),
    hideForGood: useHideGuide(),
  }
}

/** The first steps of the super user on a new server; `null`: nothing to show, `undefined`: not known yet. */
export function usePlatformSteps(): PlatformStepsState | null | undefined {
  const { user } = useSession()
  const isActive = useIsSuper() && !user?.hidesGuide
  const { data } = useQuery({
    queryKey: ['platform-steps'],
    queryFn: ({ signal }) => callApi(settingsApi.platformSteps, {}, { signal }),
    enabled: isActive,
    staleTime: 0,
  })
  if (!isActive) return null
  return data && Object.values(data).every(Boolean) ? null : data
}

/** Hides the guide for this user, in every browser. */
export function useHideGuide(): () => void {
  const { user, applyUser } = useSession()
  return () => {
    if (!user) return
    const { id, name, email, profile, active, allTicket } = user
    const body = { name, email, profile, active, allTicket, hidesGuide: true }
    callApi(usersApi.update, { params: { id }, body }).then(
      ({ hidesGuide }) => applyUser({ ...user, hidesGuide }),
      toast.error,
    )
  }
}
