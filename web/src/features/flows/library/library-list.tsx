import type { FlowKind } from '@recado/contract/flows/flow-line'
import { fold } from '@recado/contract/text/fold'
import { IconChevronRight, IconMessage2Share, IconRoute2, IconSitemap } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { currentLanguage, useTexts } from '../../../lib/texts.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import classes from './library.module.css'
import { type LibraryItem, type LibraryKey, listLibrary } from './library-items.ts'
import { libraryTexts } from './library-texts.ts'

const icons = { rule: IconRoute2, sequence: IconMessage2Share, flow: IconSitemap }

/** Ready-made rules, sequences and flows, or only those of one kind. One that is clicked opens as a draft. */
export function LibraryList({ kind }: { kind?: FlowKind }) {
  const words = useTexts(libraryTexts)
  const [typed, setTyped] = useState('')
  const items = useMemo(
    () => listLibrary(words, currentLanguage()).filter((item) => kind === undefined || item.kind === kind),
    [words, kind],
  )
  const wanted = fold(typed.trim())
  const shown = items.filter(({ name, line }) => fold(`${name} ${line}`).includes(wanted))
  return (
    <section className={classes.page} aria-label={words.search}>
      <div className={classes.tools}>
        <SearchBox label={words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        <span className={classes.hint}>{words.hint}</span>
      </div>
      {shown.length === 0 && <p className={classes.none}>{words.noMatch}</p>}
      <LibraryCards items={shown} isOfOneKind={kind !== undefined} />
    </section>
  )
}

/** What a company may begin with while it has none: they need nothing but to be published, or one tag. */
const starterKeys: Record<FlowKind, LibraryKey[]> = {
  rule: ['closed', 'complaints', 'badRating'],
  sequence: ['silence', 'afterSale'],
  flow: ['welcome', 'topics', 'lead'],
}

/** A few of the library's items of a kind, for a list that is empty. */
export function LibraryStarters({ kind }: { kind: FlowKind }) {
  const words = useTexts(libraryTexts)
  const items = useMemo(() => listLibrary(words, currentLanguage()), [words])
  return (
    <section className={classes.starters} aria-label={words.startWith[kind]}>
      <h2>{words.startWith[kind]}</h2>
      <LibraryCards items={items.filter(({ key }) => starterKeys[kind].includes(key))} isOfOneKind />
    </section>
  )
}

/** The test is saved with a flow. Rules and sequences are edited without a test phone: nobody could change it there. */
const testOf = ({ kind, test }: LibraryItem) => (kind === 'flow' ? test : undefined)

function LibraryCards({ items, isOfOneKind }: { items: LibraryItem[]; isOfOneKind: boolean }) {
  const { create, isBusy } = useCreateFlow()
  return (
    <ul className={classes.cards}>
      {items.map((item) => (
        <li key={item.key}>
          <button
            type="button"
            className={classes.card}
            disabled={isBusy}
            onClick={() => void create(item.name, item.document, testOf(item))}
          >
            <LibraryCard item={item} hasKind={!isOfOneKind} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function LibraryCard({ item: { kind, name, line, fills }, hasKind }: { item: LibraryItem; hasKind: boolean }) {
  const words = useTexts(libraryTexts)
  const Icon = icons[kind]
  return (
    <>
      <span className={classes.tile}>
        <Icon size={17} stroke={1.75} aria-hidden="true" />
      </span>
      <span className={classes.what}>
        {hasKind && <small>{words.kinds[kind]}</small>}
        <b>{name}</b>
        <span>{line}</span>
        {fills.length > 0 && (
          <em>
            {words.toFill} {fills.map((fill) => words.fills[fill]).join(', ')}
          </em>
        )}
      </span>
      <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
    </>
  )
}
