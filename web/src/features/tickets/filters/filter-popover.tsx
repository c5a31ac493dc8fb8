import { Popover } from '@mantine/core'
import { type Icon, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { ChoiceList } from '../../../parts/token/choice-list.tsx'
import classes from './filter-popover.module.css'
import { filterTexts } from './texts.ts'

type FilterChoice = { id: number; name: string; color?: string | null }
type Props = {
  /** The accessible name of the button; its visible text is `summary`. */
  label: string
  summary: string
  /** A shorter summary for narrow places. */
  shortSummary?: string | undefined
  icon: Icon
  choices: FilterChoice[]
  selectedIds: number[]
  onChange: (selectedIds: number[]) => void
}

/** A button with a list of checkboxes. Without a checked box nothing is filtered. */
export function FilterPopover({
  label,
  summary,
  shortSummary,
  icon: FilterIcon,
  choices,
  selectedIds,
  onChange,
}: Props) {
  const words = useTexts(filterTexts)
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={264} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={classes.button}
          data-on={selectedIds.length > 0 || undefined}
          aria-label={`${label}: ${summary}`}
          onClick={() => setOpen(!open)}
        >
          <FilterIcon size={15} stroke={1.75} aria-hidden="true" />
          <span className={classes.says} data-long={shortSummary ? true : undefined}>
            {summary}
          </span>
          {shortSummary && <span className={classes.short}>{shortSummary}</span>}
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={label}>
        <ChoiceList
          choices={choices.map(({ id, name, color }) => ({ value: String(id), name, color }))}
          selected={selectedIds.map(String)}
          isMultiple
          onChange={(values) => onChange(values.map(Number))}
        />
        <button
          type="button"
          className={classes.clear}
          disabled={selectedIds.length === 0}
          onClick={() => onChange([])}
        >
          {words.all}
        </button>
      </Popover.Dropdown>
    </Popover>
  )
}
