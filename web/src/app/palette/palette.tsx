import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { useDelayedOpen } from '../../ui/use-delayed-open.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { filterGroups, nextEntryId, type PaletteEntry } from './entries.ts'
import { closeOverlay } from './overlay-state.ts'
import classes from './palette.module.css'
import { PaletteResults } from './results.tsx'
import { paletteTexts } from './texts.ts'
import { takeTypedText } from './type-ahead.ts'
import { useLocalEntries } from './use-local-entries.tsx'
import { useSearchResults } from './use-search-results.tsx'

/** Ctrl K: one field for tickets, people, screens and actions. */
export function Palette({ overlayId, isRequested }: { overlayId: number; isRequested: boolean }) {
  const words = useTexts(paletteTexts)
  const phone = useIsPhone()
  const opened = useDelayedOpen(isRequested)
  const [navigatesAway, setNavigatesAway] = useState(false)
  const close = () => closeOverlay(overlayId)
  const choose = (entry: PaletteEntry) => {
    setNavigatesAway(!entry.staysHere)
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
      // A centered palette would jump whenever the number of results changes.
      centered={false}
      yOffset={phone ? 0 : '12dvh'}
      fullScreen={phone}
      // If the entry navigates, the focus belongs to its target.
      returnFocus={!navigatesAway}
      transitionProps={{ duration: 160, transition: 'fade' }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      attributes={{ content: { 'aria-label': words.search } }}
    >
      <PaletteSearch onChoose={choose} onClose={close} />
    </Modal>
  )
}

function PaletteSearch({ onChoose, onClose }: { onChoose: (entry: PaletteEntry) => void; onClose: () => void }) {
  const words = useTexts(paletteTexts)
  const phone = useIsPhone()
  const list = useId()
  const [query, setQuery] = useState('')
  const [activeId, setActiveId] = useState<string | null>(null)
  const searchResults = useSearchResults(query)
  // Local results come first: the server's results are added below them and move nothing.
  const groups = [...filterGroups(useLocalEntries(), query), ...searchResults.groups]
  const entries = groups.flatMap((group) => group.entries)
  const active = entries.find((entry) => entry.id === activeId) ?? entries[0]
  const optionOf = (id: string) => `${list}-${id}`

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) onChoose(active)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const ids = entries.map((entry) => entry.id)
      setActiveId(nextEntryId(ids, active?.id ?? null, event.key === 'ArrowDown' ? 1 : -1))
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
          onFocus={() => {
            const typed = takeTypedText()
            if (typed) setQuery((text) => text + typed)
          }}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setActiveId(null)
          }}
          onKeyDown={onKeyDown}
        />
        {phone && (
          <button type="button" className={classes.leave} onClick={onClose}>
            {words.leave}
          </button>
        )}
      </div>
      <PaletteResults
        {...{ id: list, label: words.found, groups, active, toOptionId: optionOf, onChoose }}
        onHover={setActiveId}
      />
      <p className={classes.state} role="status" data-quiet={entries.length > 0 || undefined}>
        {entries.length > 0
          ? words.count(entries.length)
          : searchResults.isSearching
            ? words.searching
            : searchResults.hasFailed
              ? words.failed
              : words.nothing}
      </p>
      {entries.length > 0 && searchResults.hasFailed && <p className={classes.failed}>{words.failed}</p>}
      <PaletteFooter />
    </>
  )
}

function PaletteFooter() {
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
