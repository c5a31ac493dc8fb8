import { useEffect, useRef } from 'react'
import { formatKeyCaps, isSingleKey } from '../../lib/shortcut-keys.ts'
import { useShortcutsEnabled } from '../../lib/shortcuts.ts'
import type { PaletteEntry, PaletteGroup } from './entries.ts'
import classes from './palette.module.css'

type Props = {
  id: string
  label: string
  groups: PaletteGroup[]
  active: PaletteEntry | undefined
  toOptionId: (id: string) => string
  onChoose: (entry: PaletteEntry) => void
  onHover: (id: string) => void
}

/** The list of results. The focus stays in the search field, which references the active option. */
export function PaletteResults({ id, label, groups, active, toOptionId, onChoose, onHover }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const activeId = active?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is meant has to be seen.
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div ref={box} id={id} role="listbox" className={classes.list} aria-label={label} tabIndex={-1}>
      {groups.map(({ name, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, these are options.
        <div key={name} role="group" aria-label={name}>
          <div className={classes.heading} aria-hidden="true">
            {name}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={toOptionId(entry.id)}
              entry={entry}
              selected={entry === active}
              onChoose={() => onChoose(entry)}
              onHover={() => onHover(entry.id)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; entry: PaletteEntry; selected: boolean; onChoose: () => void; onHover: () => void }

function Option({ id, entry, selected, onChoose, onHover }: OptionProps) {
  const [on] = useShortcutsEnabled()
  const keyCaps = entry.keys && (on || !isSingleKey(entry.keys)) ? formatKeyCaps(entry.keys) : []
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names this one.
    // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are heard by the field.
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className={classes.option}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={selected ? undefined : onHover}
      onClick={onChoose}
    >
      <span className={classes.icon}>{entry.icon}</span>
      <span className={classes.label}>{entry.label}</span>
      {entry.aside && <span className={classes.aside}>{entry.aside}</span>}
      {keyCaps.map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </div>
  )
}
