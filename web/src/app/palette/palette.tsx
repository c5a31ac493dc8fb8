import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { useOpening } from '../../ui/use-opening.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { closeAsked } from './asked.ts'
import { type Entry, narrowed, stepped } from './entries.ts'
import classes from './palette.module.css'
import { Results } from './results.tsx'
import { paletteTexts } from './texts.ts'
import { useFound } from './use-found.tsx'
import { useLocal } from './use-local.tsx'

/** Ctrl K: one field for tickets, people, screens and what can be done. */
export function Palette({ turn, wanted }: { turn: number; wanted: boolean }) {
  const words = useTexts(paletteTexts)
  const phone = usePhone()
  const opened = useOpening(wanted)
  const [leaves, setLeaves] = useState(false)
  const close = () => closeAsked(turn)
  const choose = (entry: Entry) => {
    setLeaves(!entry.staysHere)
    close()
    entry.run()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={560}
      padding={0}
      radius="lg"
      withCloseButton={false}
      // In the middle it would jump with every letter that finds less.
      centered={false}
      yOffset={phone ? 0 : '12dvh'}
      fullScreen={phone}
      // Where the entry leads is where the focus belongs.
      returnFocus={!leaves}
      transitionProps={{ duration: 160, transition: 'fade' }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      attributes={{ content: { 'aria-label': words.search } }}
    >
      <Search onChoose={choose} onClose={close} />
    </Modal>
  )
}

function Search({ onChoose, onClose }: { onChoose: (entry: Entry) => void; onClose: () => void }) {
  const words = useTexts(paletteTexts)
  const phone = usePhone()
  const list = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useFound(query)
  // What is known at once stands first: what the server finds comes below it and moves nothing.
  const groups = [...narrowed(useLocal(), query), ...found.groups]
  const entries = groups.flatMap((group) => group.entries)
  const active = entries.find((entry) => entry.id === chosen) ?? entries[0]
  const optionOf = (id: string) => `${list}-${id}`

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) onChoose(active)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const ids = entries.map((entry) => entry.id)
      setChosen(stepped(ids, active?.id ?? null, event.key === 'ArrowDown' ? 1 : -1))
    } else return
    event.preventDefault()
  }
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        <input
          className={classes.input}
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active && optionOf(active.id)}
          aria-label={words.search}
          placeholder={words.search}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          data-autofocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setChosen(null)
          }}
          onKeyDown={onKeyDown}
        />
        {phone && (
          <button type="button" className={classes.leave} onClick={onClose}>
            {words.leave}
          </button>
        )}
      </div>
      <Results {...{ id: list, label: words.found, groups, active, optionOf, onChoose }} onPoint={setChosen} />
      <p className={classes.state} role="status" data-quiet={entries.length > 0 || undefined}>
        {entries.length > 0
          ? words.count(entries.length)
          : found.searching
            ? words.searching
            : found.failed
              ? words.failed
              : words.nothing}
      </p>
      {entries.length > 0 && found.failed && <p className={classes.failed}>{words.failed}</p>}
      <Foot />
    </>
  )
}

function Foot() {
  const words = useTexts(paletteTexts)
  return (
    <div className={classes.foot} aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {words.move}
      </span>
      <span>
        <kbd>Enter</kbd> {words.choose}
      </span>
      <span>
        <kbd>Esc</kbd> {words.leave}
      </span>
    </div>
  )
}
