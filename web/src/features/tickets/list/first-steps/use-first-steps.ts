import { settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useCan } from '../../../../lib/can.tsx'
import { useRecordNews } from '../../../../lib/live.ts'
import { useSession } from '../../../../lib/session.tsx'
import { useLines } from '../../../../parts/line/use-lines.ts'
import { useQueues } from '../../../../parts/use-queues.ts'

/** Companies whose steps were dismissed since the page was loaded; the session data may be older. */
const finishedCompanies = new Set<number>()
const userCountKey = ['users', 'how-many']

/**
 * The remaining onboarding steps of a new company. `null`: no steps are left, or this user cannot do them;
 * `undefined`: not known yet.
 */
export function useFirstSteps() {
  const { user } = useSession()
  const can = useCan()
  const companyId = user?.companyId ?? 0
  const mine = can('connections-page:addConnection') && can('users-page:manage') && can('settings-page:edit')
  const over = user?.company.settings.some((one) => one.key === 'firstSteps' && one.value === 'done')
  const [hidden, setHidden] = useState(() => finishedCompanies.has(companyId))
  const open = mine && !over && !hidden
  const lines = useLines(open).data
  const queues = useQueues(open).data
  const people = useUserCount(open)
  const steps =
    lines && queues && people !== undefined
      ? {
          lines,
          line: lines.some((line) => line.status === 'CONNECTED' || line.number !== ''),
          queue: queues.length > 0,
          people: people > 1,
        }
      : undefined
  const finished = Boolean(steps?.line && steps.queue && steps.people)
  /** Hides the steps permanently, for the whole company. If saving fails, the next visit tries again. */
  const hide = () => {
    finishedCompanies.add(companyId)
    setHidden(true)
    callApi(settingsApi.update, { params: { key: 'firstSteps' }, body: { value: 'done' } }).catch(() => undefined)
  }
  const settle = finished && open
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the last step is done.
  useEffect(() => {
    if (settle) hide()
  }, [settle])
  return { steps: !open || finished ? null : steps, hide }
}

/** The number of users of the company. */
function useUserCount(enabled: boolean): number | undefined {
  const client = useQueryClient()
  useRecordNews(usersApi.topic, () => void client.invalidateQueries({ queryKey: userCountKey }))
  const query = useQuery({
    queryKey: userCountKey,
    queryFn: async ({ signal }) => (await callApi(usersApi.list, { query: { pageNumber: 1 } }, { signal })).count,
    enabled,
  })
  return query.data
}
