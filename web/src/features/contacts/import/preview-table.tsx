import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColumnHead } from '../../../parts/sheet/column-head.tsx'
import classes from '../../../parts/sheet/sheet.module.css'
import { importTexts } from '../../../parts/sheet/texts.ts'
import { useWhy } from '../../../parts/sheet/use-why.ts'
import { type Mapping, remap, targetOf } from './mapping.ts'
import type { Person } from './people.ts'
import { nameOfColumn } from './sheet.ts'
import type { Preview } from './use-import.ts'

/** Enough to see what the columns hold; the whole list comes with the result. */
const shown = 100

type Props = { preview: Preview; people: Person[]; onMapping: (mapping: Mapping) => void }

export function PreviewTable({ preview, people, onMapping }: Props) {
  const words = useTexts(importTexts)
  const { sheet, mapping, headless } = preview
  const first = headless ? 1 : 2
  const drawn = people.slice(0, shown)
  const anyWrong = people.some((person) => person.wrong !== null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroller} tabIndex={0} aria-label={words.preview}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{words.line}</th>
            {anyWrong && <th scope="col">{words.problem}</th>}
            {sheet.columns.map((column, i) => (
              <ColumnHead
                key={column}
                name={nameOfColumn(column) ?? words.column(i + 1)}
                target={targetOf(mapping, i)}
                onChange={(target) => onMapping(remap(mapping, i, target))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((person) => (
            <Row key={person.line} {...{ person, anyWrong, mapping }} cells={sheet.rows[person.line - first] ?? []} />
          ))}
        </tbody>
      </table>
      {people.length > shown && <p className={classes.moreRows}>{words.moreRows(number(people.length - shown))}</p>}
    </section>
  )
}

type RowProps = { person: Person; anyWrong: boolean; mapping: Mapping; cells: string[] }
function Row({ person, anyWrong, mapping, cells }: RowProps) {
  const why = useWhy()
  return (
    <tr data-wrong={person.wrong !== null || undefined}>
      <td className={classes.line}>{number(person.line)}</td>
      {anyWrong && <td className={classes.why}>{person.wrong && why(person.wrong)}</td>}
      {cells.map((cell, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a sheet never move
        <td key={i} data-used={targetOf(mapping, i) !== null || undefined} title={cell}>
          {cell}
        </td>
      ))}
    </tr>
  )
}
