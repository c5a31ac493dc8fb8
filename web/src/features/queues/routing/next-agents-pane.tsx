import { Button, Loader, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import type { Reply } from '@recado/contract/endpoint'
import { routingApi } from '@recado/contract/routing/live'
import type { NextPerson } from '@recado/contract/routing/next'
import { IconBan, IconPlayerTrackNext } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { displayLanguageName } from '../../../lib/language-name.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { useSkills } from '../../../parts/routing/use-skills.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import type { QueueFormValues } from '../queue-form-values.ts'
import classes from './routing.module.css'
import { routingTexts } from './routing-texts.ts'

const WhatIfPanel = lazy(() =>
  import('../../../parts/routing/what-if-panel.tsx').then((module) => ({ default: module.WhatIfPanel })),
)

/** The delay after the last change before the server is asked again. */
const askDelayMs = 300
/** People come, go and take tickets while the form is open. */
const refreshMs = 10_000

type Props = { id: number; form: UseFormReturnType<QueueFormValues> }

/** Beside the rules of routing: who would get the next ticket by them, and below it the last month (design w-routing, queue). */
export function NextAgentsPane({ id, form }: Props) {
  const words = useTexts(routingTexts)
  const [showsWhatIf, setShowsWhatIf] = useState(false)
  const { routing, capacity } = form.values
  return (
    <aside className={classes.pane} aria-label={words.next}>
      <div className={classes.paneHead}>
        <h3>{words.next}</h3>
        <small>{words.nextNote}</small>
      </div>
      {routing === 'manual' ? (
        <p className={classes.help}>{words.nextManual}</p>
      ) : form.values.userIds.length === 0 ? (
        <p className={classes.help}>{words.nextNoPeople}</p>
      ) : (
        <NextAgents id={id} values={form.values} />
      )}
      {routing !== 'manual' && id > 0 && !showsWhatIf && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={16} stroke={1.75} />}
            onClick={() => setShowsWhatIf(true)}
          >
            {words.whatIf}
          </Button>
        </div>
      )}
      {routing !== 'manual' && showsWhatIf && (
        <div className={classes.whatIf}>
          <Suspense fallback={null}>
            <WhatIfPanel
              key={`${routing} ${capacity}`}
              queueId={id}
              routing={routing}
              capacity={capacity === '' ? null : Number(capacity)}
            />
          </Suspense>
        </div>
      )}
    </aside>
  )
}

function NextAgents({ id, values }: { id: number; values: QueueFormValues }) {
  const words = useTexts(routingTexts)
  const [reader] = useLanguage()
  const { data: skills = [] } = useSkills()
  const [language, setLanguage] = useState('')
  const { routing, capacity, weight, skillIds, asksLanguage, userIds, agentCapacities } = values
  const draft = {
    ...{ queueId: id || null, routing, capacity, weight, skillIds, asksLanguage, language: language || null },
    userIds: userIds.map(Number),
    capacities: userIds.map((userId) => ({ userId: Number(userId), capacity: agentCapacities[Number(userId)] ?? '' })),
  }
  const [asked] = useDebouncedValue(JSON.stringify(draft), askDelayMs)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['routing', 'next', asked],
    queryFn: ({ signal }) => callApi(routingApi.next, { body: JSON.parse(asked) as typeof draft }, { signal }),
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: refreshMs,
  })
  const languages = skills.flatMap((skill) => skill.language ?? [])
  return (
    <>
      {asksLanguage && languages.length > 0 && (
        <NativeSelect
          size="xs"
          label={words.writes}
          className={classes.writes ?? ''}
          data={[
            { value: '', label: words.anyone },
            ...languages.map((code) => ({ value: code, label: words.inLanguage(displayLanguageName(code, reader)) })),
          ]}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        />
      )}
      {data ? (
        <div className={classes.next} aria-busy={isPlaceholderData} aria-live="polite">
          <Ranking next={data} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader size="sm" />
      )}
    </>
  )
}

function Ranking({ next }: { next: Reply<typeof routingApi.next> }) {
  const words = useTexts(routingTexts)
  const rest = next.peopleCount - next.people.length
  return (
    <>
      {next.people.every(({ rank }) => rank === null) && <p className={classes.nobody}>{words.nextNobody}</p>}
      <ol className={classes.ranking}>
        {next.people.map((person) => (
          <RankedPerson key={person.id} person={person} skills={next.skills} />
        ))}
      </ol>
      {rest > 0 && <p className={classes.help}>{words.others(rest)}</p>}
    </>
  )
}

/** With more places than this the segments would not fit. */
const maxSegments = 12

function RankedPerson({ person, skills }: { person: NextPerson; skills: string[] }) {
  const words = useTexts(routingTexts)
  const { id, name, rank, obstacle, places, capacity } = person
  const load = words.load(places, capacity)
  const named = skills.join(', ')
  const line = obstacle
    ? obstacle === 'unskilled' && named
      ? words.lacks(named)
      : obstacle === 'full'
        ? `${words.obstacles.full}, ${load}`
        : words.obstacles[obstacle]
    : [named, load].filter(Boolean).join(', ')
  return (
    <li className={classes.ranked} data-first={rank === 1 || undefined} data-skipped={obstacle !== null || undefined}>
      <span className={classes.rank}>{rank}</span>
      <PersonAvatar
        id={id}
        name={name}
        size={30}
        online={obstacle !== 'offline'}
        availability={obstacle === 'break' || obstacle === 'away' ? obstacle : 'available'}
      />
      <span className={classes.rankedWords}>
        <b title={name}>{name}</b>
        <span>{line}</span>
      </span>
      {obstacle ? (
        <IconBan size={16} stroke={1.75} aria-hidden="true" />
      ) : (
        capacity !== null &&
        capacity <= maxSegments && (
          <span className={classes.segments} aria-hidden="true">
            {Array.from({ length: capacity }, (_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: places are all alike
              <i key={place} data-taken={place < places || undefined} />
            ))}
          </span>
        )
      )}
    </li>
  )
}
