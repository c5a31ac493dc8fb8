import { Popover } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'
import { type Icon, IconChevronDown } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import list from '../../../parts/token/choice-list.module.css'
import { choiceTexts } from '../../../parts/token/texts.ts'
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

/** From this many options on there is a search box. */
const minChoicesForSearch = 9

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
  const choiceWords = useTexts(choiceTexts)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const matchingChoices = choices.filter((choice) => fold(choice.name).includes(fold(typed.trim())))
  const toggleChoice = (id: number) =>
    onChange(selectedIds.includes(id) ? selectedIds.filter((one) => one !== id) : [...selectedIds, id])
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
        {choices.length >= minChoicesForSearch && (
          <input
            type="text"
            className={list.search}
            aria-label={choiceWords.findHere}
            placeholder={choiceWords.findHere}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div className={list.choices}>
          {matchingChoices.map((choice) => (
            <label key={choice.id} className={list.choice}>
              <input
                type="checkbox"
                checked={selectedIds.includes(choice.id)}
                onChange={() => toggleChoice(choice.id)}
              />
              {choice.color && (
                <span className={`${list.dot} rc-dot`} style={{ '--c': choice.color } as CSSProperties} />
              )}
              <span className={list.name}>{choice.name}</span>
            </label>
          ))}
          {matchingChoices.length === 0 && (
            <p className={list.none}>{typed ? choiceWords.nothingHere : choiceWords.nothingYet}</p>
          )}
        </div>
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
