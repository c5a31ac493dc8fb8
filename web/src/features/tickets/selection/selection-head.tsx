import type { Ticket } from '@recado/contract/tickets'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import type { TicketFilter } from '../../../parts/ticket/ticket-filter.ts'
import { checkAll, checkWholeList, clearChecked, setPaneOpen, useCheckedTickets } from './checked-tickets.ts'
import classes from './selection-head.module.css'
import { selectionHeadTexts } from './selection-head-texts.ts'

type Props = {
  rows: Ticket[]
  filter: TicketFilter
  /** How many tickets the list has, if more than are loaded can be checked. */
  count: number | string | undefined
  hasMore: boolean
}

/** Takes the place of the list's options while tickets are checked. */
export function SelectionHead({ rows, filter, count, hasMore }: Props) {
  const words = useTexts(selectionHeadTexts)
  const { tickets, wholeList } = useCheckedTickets()
  const isAll = wholeList !== null || (!hasMore && rows.every(({ id }) => tickets.has(id)))
  const chooseAll = () => (hasMore && count !== undefined ? checkWholeList({ filter, count }) : checkAll(rows))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend.
    <div className={classes.root} role="group" aria-label={words.label}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={words.allShown}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll
        }}
        onChange={() => (isAll ? clearChecked() : checkAll(rows))}
      />
      <button type="button" className={classes.count} onClick={() => setPaneOpen(true)}>
        {words.count(wholeList?.count ?? tickets.size)}
      </button>
      {!isAll && (
        <button type="button" className={classes.all} onClick={chooseAll}>
          {words.all(hasMore ? (count ?? rows.length) : rows.length)}
        </button>
      )}
      <span className={classes.gap} />
      <button
        type="button"
        className={classes.clear}
        aria-label={words.clear}
        title={words.clear}
        onClick={clearChecked}
      >
        <IconX size={18} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}
