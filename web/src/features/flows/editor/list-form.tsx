import { Button, Kbd } from '@mantine/core'
import { isSpeaking } from '@recado/contract/flows/flow-steps'
import {
  IconAlertCircle,
  IconChevronDown,
  IconChevronRight,
  IconCornerDownRight,
  IconPlayerPlay,
  IconPlus,
} from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { AddStepMenu } from './add-step-menu.tsx'
import type { NumbersOf } from './canvas-context.ts'
import { aboutStep, kindNameOf, nameOfStep, type StepWords, wayLabelOf } from './describe-node.ts'
import { describeTriggers } from './describe-start.ts'
import { mainWayOf, startSpot } from './edit-graph.ts'
import { describeAtStep, type EditorFinding } from './flow-findings.ts'
import classes from './list-form.module.css'
import { NextToken } from './next-token.tsx'
import { numbersIn, type OutlineRow, outlineOf, type StepRow, visibleRows, type WayRow } from './outline.ts'
import { iconOfStep, type PaletteItem } from './palette-items.ts'
import { StepTile } from './step-tile.tsx'
import type { FlowEditing } from './use-flow-editing.ts'
import { focusPlace, usePlaceKeys } from './use-place-keys.ts'
import type { Place } from './walk-keys.ts'

type Props = {
  editing: FlowEditing
  of: StepWords
  findings: ReadonlyMap<Place, EditorFinding[]>
  numbersOf: NumbersOf
  version: number | null
  onOpenPanel: () => void
}
/** The key of the row of the start. Step ids cannot contain it. */
const startKey = '@start'

/** The flow as a list of equal power: everything that the canvas can do, with rows instead of boxes. */
export function FlowList({ editing, of, findings, numbersOf, version, onOpenPanel }: Props) {
  const { words } = of
  const { document, selected } = editing
  const root = useRef<HTMLDivElement>(null)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string>(selected[0] ?? startKey)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const all = outlineOf(document)
  const numbers = numbersIn(all)
  const rows = visibleRows(all, collapsed)
  const keys = [startKey, ...rows.map(({ key }) => key)]
  const activeKey = keys.includes(active) ? active : startKey
  const rowOf = (key: string) => rows.find((row) => row.key === key)
  const placeOf = (key: string): Place | undefined => {
    const row = rowOf(key)
    if (key === startKey) return null
    return row && row.kind !== 'unreachable' ? row.step.id : undefined
  }
  const runPlaceKey = usePlaceKeys({ editing, of, onAddAfter: () => setMenuOpen(true), onOpen: onOpenPanel })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request moves the focus
  useEffect(() => {
    const place = editing.focusRequest?.place
    if (place === undefined) return
    setActive(place ?? startKey)
    setCollapsed((old) => withoutParents(old, all, place))
    return focusPlace(root.current, place, (element) => element.scrollIntoView({ block: 'nearest' }))
  }, [editing.focusRequest])

  const focusRow = (key: string | undefined) => {
    if (key === undefined) return
    setActive(key)
    const place = placeOf(key)
    if (place !== undefined) editing.select(place)
    root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus()
  }
  const toggle = (key: string, isOpen: boolean) =>
    setCollapsed((old) => {
      const next = new Set(old)
      if (isOpen) next.delete(key)
      else next.add(key)
      return next
    })
  const onArrow = (key: string, rowKey: string): boolean => {
    const row = rowOf(rowKey)
    const isBranching = row?.kind === 'step' && row.branches > 0
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        focusRow(keys[keys.indexOf(rowKey) + (key === 'ArrowDown' ? 1 : -1)])
        return true
      case 'Home':
      case 'End':
        focusRow(keys.at(key === 'Home' ? 0 : -1))
        return true
      case 'ArrowRight':
        if (isBranching && collapsed.has(rowKey)) toggle(rowKey, true)
        else if (isBranching) focusRow(keys[keys.indexOf(rowKey) + 1])
        return true
      case 'ArrowLeft':
        if (isBranching && !collapsed.has(rowKey)) toggle(rowKey, false)
        else focusRow(row?.parent ?? undefined)
        return true
      default:
        return false
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, rowKey: string) => {
    // Keys of a button in the row are its own.
    if (event.target !== event.currentTarget) return
    const place = placeOf(rowKey)
    if (place !== undefined && runPlaceKey(event, place)) return
    if (event.altKey || event.ctrlKey || event.metaKey || !onArrow(event.key, rowKey)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const rowProps = (key: string, level: number) => ({
    'aria-level': level,
    'data-key': key,
    tabIndex: key === activeKey ? 0 : -1,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, key),
    onFocus: () => setActive(key),
    onClick: () => {
      const place = placeOf(key)
      if (place !== undefined) editing.select(place)
      setActive(key)
    },
    style: { '--level': level } as CSSProperties,
  })
  const cell = (row: StepRow) => (
    <StepCells
      {...{ row, editing, of, numbers, numbersOf, version }}
      found={findings.get(row.step.id) ?? []}
      isCollapsed={collapsed.has(row.key)}
      isActive={row.key === activeKey}
      onToggle={(isOpen) => toggle(row.key, isOpen)}
      onOpen={() => {
        editing.select(row.step.id)
        onOpenPanel()
      }}
    />
  )
  const startProblem = findings.get(null)?.[0]
  return (
    <div className={classes.list} ref={root}>
      <div className={classes.tools}>
        <AddStepMenu
          isOpen={isMenuOpen}
          onToggle={setMenuOpen}
          of={of}
          onAdd={(item: PaletteItem) => editing.add(item, { after: selected[0] ?? null }, of)}
        >
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={2} />}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {words.addAfter}
          </Button>
        </AddStepMenu>
        <KeyHints of={of} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroller} aria-label={words.list} tabIndex={0}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table whose rows open */}
        <table role="treegrid" aria-label={words.stepsOfFlow} className={classes.grid}>
          <HeadRow of={of} hasNumbers={version !== null} />
          <tbody>
            <tr
              {...rowProps(startKey, 1)}
              data-place=""
              className={classes.row}
              data-numbers={version !== null || undefined}
              aria-selected={selected.includes(null)}
            >
              <td className={classes.step}>
                <span className={classes.number} />
                <StepTile icon={IconPlayerPlay} speaks={false} />
                <button
                  type="button"
                  tabIndex={-1}
                  className={classes.name}
                  onClick={() => {
                    editing.select(null)
                    onOpenPanel()
                  }}
                >
                  {words.start}
                </button>
              </td>
              <td className={classes.about}>
                {describeTriggers(document, of)}
                {startProblem && (
                  <RowProblem level={startProblem.level}>{describeAtStep(startProblem, document, of)}</RowProblem>
                )}
              </td>
              <td>
                <NextToken {...{ editing, of, numbers }} spot={startSpot} tabIndex={activeKey === startKey ? 0 : -1} />
              </td>
              {version !== null && (
                <>
                  <td />
                  <td />
                </>
              )}
            </tr>
            {rows.map((row) =>
              row.kind === 'step' ? (
                <tr
                  key={row.key}
                  {...rowProps(row.key, row.level)}
                  data-place={row.step.id}
                  className={classes.row}
                  data-numbers={version !== null || undefined}
                  aria-selected={selected.includes(row.step.id)}
                  {...(row.branches > 0 && { 'aria-expanded': !collapsed.has(row.key) })}
                >
                  {cell(row)}
                </tr>
              ) : row.kind === 'way' ? (
                <tr
                  key={row.key}
                  {...rowProps(row.key, row.level)}
                  className={classes.way}
                  data-numbers={version !== null || undefined}
                >
                  <WayCells {...{ row, editing, of, numbers }} isActive={row.key === activeKey} />
                </tr>
              ) : (
                <tr key={row.key} {...rowProps(row.key, 1)} className={classes.unreachable}>
                  <td>{words.unreachable}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function HeadRow({ of: { words }, hasNumbers }: { of: StepWords; hasNumbers: boolean }) {
  const { columns } = words
  return (
    <thead>
      <tr className={classes.head} data-numbers={hasNumbers || undefined}>
        <th>{columns.step}</th>
        <th>{columns.about}</th>
        <th>{columns.next}</th>
        {hasNumbers && (
          <>
            <th data-column="number">{columns.came}</th>
            <th data-column="number">{columns.left}</th>
          </>
        )}
      </tr>
    </thead>
  )
}

/** Opens everything around a step that is inside a collapsed one. */
function withoutParents(
  collapsed: ReadonlySet<string>,
  rows: readonly OutlineRow[],
  place: Place,
): ReadonlySet<string> {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const next = new Set(collapsed)
  for (let key = byKey.get(place ?? '')?.parent ?? null; key !== null; key = byKey.get(key)?.parent ?? null)
    next.delete(key)
  return next
}

type CellProps = {
  row: StepRow
  editing: FlowEditing
  of: StepWords
  numbers: ReadonlyMap<string, string>
  numbersOf: NumbersOf
  version: number | null
  found: EditorFinding[]
  isCollapsed: boolean
  isActive: boolean
  onToggle: (isOpen: boolean) => void
  onOpen: () => void
}
function StepCells(props: CellProps) {
  const { row, editing, of, numbers, numbersOf, version, found, isCollapsed, isActive, onToggle, onOpen } = props
  const { step, number, branches } = row
  const { words } = of
  const name = nameOfStep(step, of)
  const kind = kindNameOf(step, of)
  const counted = numbersOf(step.id)
  const Chevron = isCollapsed ? IconChevronRight : IconChevronDown
  return (
    <>
      <td className={classes.step}>
        {branches > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={classes.chevron}
            aria-label={isCollapsed ? words.expand(name) : words.collapse(name)}
            onClick={() => onToggle(isCollapsed)}
          >
            <Chevron size={16} stroke={2} aria-hidden="true" />
          </button>
        ) : (
          <span className={classes.chevron} />
        )}
        <span className={classes.number}>{number}</span>
        <StepTile icon={iconOfStep(step)} speaks={isSpeaking(step)} />
        {kind !== name && <span className={classes.kind}>{kind}</span>}
        <button type="button" tabIndex={-1} className={classes.name} onClick={onOpen}>
          {name}
        </button>
      </td>
      <td className={classes.about}>
        {aboutStep(step, of)}
        {found[0] && <RowProblem level={found[0].level}>{describeAtStep(found[0], editing.document, of)}</RowProblem>}
      </td>
      <td className={classes.next}>
        <NextCell {...{ row, editing, of, numbers, isActive }} />
      </td>
      {version !== null && (
        <>
          <td className={classes.count}>{counted && formatNumber(counted.came)}</td>
          <td className={classes.count}>{counted && counted.left > 0 && formatNumber(counted.left)}</td>
        </>
      )}
    </>
  )
}

function NextCell({
  row,
  editing,
  of,
  numbers,
  isActive,
}: Pick<CellProps, 'row' | 'editing' | 'of' | 'numbers' | 'isActive'>): ReactNode {
  const { step, branches } = row
  const { words } = of
  const main = mainWayOf(step)
  if (step.kind === 'person') return words.thenPerson
  if (step.kind === 'resolve') return words.thenResolved
  if (step.kind === 'end') return words.thenEnd
  if (main === null) return words.branches(branches)
  return <NextToken {...{ editing, of, numbers }} spot={{ stepId: step.id, way: main }} tabIndex={isActive ? 0 : -1} />
}

type WayProps = Pick<CellProps, 'editing' | 'of' | 'numbers' | 'isActive'> & { row: WayRow }
const WayCells = ({ row: { step, way }, editing, of, numbers, isActive }: WayProps) => (
  <>
    <td className={classes.wayName}>
      <IconCornerDownRight size={16} stroke={1.75} aria-hidden="true" />
      {wayLabelOf(step, way, of.words)}
    </td>
    <td className={classes.next}>
      <NextToken {...{ editing, of, numbers }} spot={{ stepId: step.id, way }} tabIndex={isActive ? 0 : -1} />
    </td>
  </>
)

const RowProblem = ({ level, children }: { level: 'error' | 'warning'; children: string }) => (
  <span className={classes.problem} data-level={level}>
    <IconAlertCircle size={14} stroke={1.75} aria-hidden="true" />
    {children}
  </span>
)

function KeyHints({ of: { words } }: { of: StepWords }) {
  const hints = [
    [['↑', '↓'], words.keyHints.steps],
    [['←', '→'], words.keyHints.branches],
    [['Alt', '↑'], words.keyHints.move],
    [['Ins'], words.keyHints.add],
    [['G'], words.keyHints.next],
  ] as const
  return (
    <p className={classes.hints} aria-hidden="true">
      {hints.map(([keys, text]) => (
        <span key={text}>
          {keys.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}{' '}
          {text}
        </span>
      ))}
    </p>
  )
}
