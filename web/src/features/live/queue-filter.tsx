import { Button, MultiSelect, Popover } from '@mantine/core'
import type { Queue } from '@recado/contract/queues'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { IconFilter } from '@tabler/icons-react'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { useQueues } from '../../parts/use-queues.ts'
import { filterSelectOptions, toSelectOptions } from '../../ui/select-options.ts'
import classes from './live.module.css'
import { liveTexts } from './texts.ts'

type Props = { queues: Queue[]; queueIds: number[]; onChange: (queueIds: number[]) => void }

/** The queues that the user leads. */
export function useOwnQueues(): Queue[] {
  const { user } = useSession()
  const { data = [] } = useQueues()
  const isOwn = (id: number) => (user ? canSeeAllTickets(user) || user.queues.some((queue) => queue.id === id) : false)
  return data.filter(({ id }) => isOwn(id))
}

/** Which queues the page shows. */
export function QueueFilter({ queues, queueIds, onChange }: Props) {
  const words = useTexts(liveTexts)
  return (
    <Popover position="bottom-end" width={288} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} stroke={1.75} />}
          data-on={queueIds.length > 0 || undefined}
          className={classes.filterButton ?? ''}
        >
          {queueIds.length > 0 ? words.someQueues(queueIds.length) : words.allQueues}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.filters}>
          <MultiSelect
            label={words.queues}
            data={toSelectOptions(queues)}
            value={queueIds.filter((id) => queues.some((queue) => queue.id === id)).map(String)}
            filter={filterSelectOptions}
            searchable
            clearable
            comboboxProps={{ withinPortal: false }}
            onChange={(chosen) => onChange(chosen.map(Number))}
          />
          <Button variant="default" disabled={queueIds.length === 0} onClick={() => onChange([])}>
            {words.clear}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
