import { useClickOutside } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import box from '../composer/composer.module.css'
import { type Emoji, loadEmojis, searchEmojis } from './emoji-data.ts'
import classes from './emoji-picker.module.css'
import { readRecentEmojis, rememberEmoji } from './recent-emojis.ts'
import { texts } from './texts.ts'

type Section = { key: string; title: string; emojis: Emoji[] }
type Props = { onPick: (sign: string) => void; onClose: () => void }

/** A search, recently used emoji, then all emoji by group. Arrows move, Enter picks one emoji, Shift picks several. */
export function EmojiPicker({ onPick, onClose }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [query, setQuery] = useState('')
  const { data, isError, refetch } = useQuery({
    queryKey: ['emojis', language],
    queryFn: () => loadEmojis(language),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const root = useClickOutside<HTMLElement>(onClose, ['mousedown', 'touchstart'])
  const sections = useSections(data, useDeferredValue(query))
  const pick = (sign: string, more: boolean) => {
    rememberEmoji(sign)
    onPick(sign)
    if (!more) onClose()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else moveFocus(event)
  }
  return (
    <section ref={root} className={`${box.panel} ${classes.root}`} aria-label={words.picker} onKeyDown={onKeyDown}>
      <label className={classes.search}>
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: opened to look for one
          autoFocus
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = sections[0]?.emojis[0]
            if (event.key === 'Enter' && query.trim() && first) pick(first.sign, event.shiftKey)
          }}
        />
      </label>
      <div className={classes.scroll}>
        {isError && (
          <p className={classes.none}>
            {words.failed}{' '}
            <button type="button" className={box.way} onClick={() => void refetch()}>
              {words.retry}
            </button>
          </p>
        )}
        {data && query.trim() !== '' && sections.length === 0 && <p className={classes.none}>{words.none}</p>}
        <Sections sections={sections} onPick={pick} />
      </div>
    </section>
  )
}

function useSections(all: Emoji[] | undefined, query: string): Section[] {
  const words = useTexts(texts)
  const recent = useRef(readRecentEmojis())
  return useMemo(() => {
    if (!all) return []
    if (query.trim()) {
      const hits = searchEmojis(all, query)
      return hits.length > 0 ? [{ key: 'results', title: words.results, emojis: hits }] : []
    }
    const lately = recent.current.flatMap((sign) => all.find((one) => one.sign === sign) ?? [])
    const groups = Object.entries(words.groups).map(([key, title]) => ({
      key,
      title,
      emojis: all.filter(({ group }) => group === Number(key)),
    }))
    return lately.length > 0 ? [{ key: 'recent', title: words.recent, emojis: lately }, ...groups] : groups
  }, [all, query, words])
}

type SectionsProps = { sections: Section[]; onPick: (sign: string, more: boolean) => void }

/** Rendered once per search, not on every key press: there are two thousand emoji. */
const Sections = memo(
  function Sections({ sections, onPick }: SectionsProps) {
    const id = useId()
    return sections.map(({ key, title, emojis }, s) => (
      <section key={key} className={classes.section} aria-labelledby={`${id}-${key}`}>
        <h3 id={`${id}-${key}`} className={classes.title}>
          {title}
        </h3>
        <div className={classes.grid}>
          {emojis.map(({ sign, name }, i) => (
            <button
              key={sign}
              type="button"
              data-emoji
              // The grid is one tab stop; arrows move within it.
              tabIndex={s === 0 && i === 0 ? 0 : -1}
              className={classes.emoji}
              aria-label={name}
              title={name}
              onClick={(event) => onPick(sign, event.shiftKey)}
            >
              {sign}
            </button>
          ))}
        </div>
      </section>
    ))
  },
  (before, after) => before.sections === after.sections,
)

/** The number of columns must match the grid in the stylesheet. */
const columns = 9
const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }

/** Moves the focus between emoji; from the first row, arrow up moves it to the search. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const inSearch = event.target instanceof HTMLInputElement
  if (!step || (inSearch && event.key !== 'ArrowDown')) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-emoji]')]
  const at = all.indexOf(event.target as HTMLElement)
  const next = inSearch ? 0 : at + step
  if (next < 0) event.currentTarget.querySelector('input')?.focus()
  else (all[Math.min(next, all.length - 1)] as HTMLElement | undefined)?.focus()
}
