import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import { chosenIn, type Filter } from './use-view.ts'

const Choices = lazy(() => import('./filter-choices.tsx').then((module) => ({ default: module.Choices })))

type Props = { filter: Filter; onChange: (change: Partial<Filter>) => void }

/** In which state, of whom, for whom. */
export function Filters({ filter, onChange }: Props) {
  const words = useTexts(texts)
  const chosen = chosenIn(filter)
  return (
    <Popover position="bottom-start" width={288} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant={chosen ? 'light' : 'default'} leftSection={<IconFilter size={16} stroke={1.75} />}>
          {words.filters(chosen)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <Choices filter={filter} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
