import { Button, MultiSelect } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import { useAllUsers, useTags } from '../../parts/select-option-queries.ts'
import { useQueues } from '../../parts/use-queues.ts'
import { filterSelectOptions, toSelectOptions } from '../../ui/select-options.ts'
import classes from './kanban.module.css'
import type { BoardFilter } from './kanban-board.ts'
import { kanbanTexts } from './texts.ts'

type Props = { filter: BoardFilter; onChange: (change: Partial<BoardFilter>) => void }

/** Filters by queue, agent and tag. Without a selection all tickets are shown. */
export function BoardFilters({ filter, onChange }: Props) {
  const words = useTexts(kanbanTexts)
  const queues = useQueues()
  const people = useAllUsers()
  const tags = useTags()
  const select = (
    label: string,
    all: { id: number; name: string }[] | undefined,
    key: 'queueIds' | 'users' | 'tags',
  ) => (
    <MultiSelect
      label={label}
      data={toSelectOptions(all ?? [])}
      // A selected record that was deleted is left out, because it would be shown as a number.
      value={filter[key].filter((id) => all?.some((one) => one.id === id)).map(String)}
      filter={filterSelectOptions}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
      onChange={(chosen) => onChange({ [key]: chosen.map(Number) })}
    />
  )
  const plain = (tags.data ?? []).filter((tag) => tag.kanban !== 1)
  const none = filter.queueIds.length + filter.users.length + filter.tags.length === 0
  return (
    <div className={classes.filters}>
      {select(words.queues, queues.data, 'queueIds')}
      {select(words.agents, people.data, 'users')}
      {select(words.tags, plain, 'tags')}
      <Button variant="default" disabled={none} onClick={() => onChange({ queueIds: [], users: [], tags: [] })}>
        {words.clear}
      </Button>
    </div>
  )
}
