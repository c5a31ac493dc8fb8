import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { countActiveFilters, type ScheduleFilter } from './use-schedule-view.ts'

const ScheduleFilterFields = lazy(() =>
  import('./schedule-filter-fields.tsx').then((module) => ({ default: module.ScheduleFilterFields })),
)

type Props = { filter: ScheduleFilter; onChange: (change: Partial<ScheduleFilter>) => void }

/** Filters by state, author and contact. */
export function ScheduleFilters({ filter, onChange }: Props) {
  const words = useTexts(texts)
  const chosen = countActiveFilters(filter)
  return (
    <Popover position="bottom-start" width={288} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant={chosen ? 'light' : 'default'} leftSection={<IconFilter size={16} stroke={1.75} />}>
          {words.filters(chosen)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <ScheduleFilterFields filter={filter} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
