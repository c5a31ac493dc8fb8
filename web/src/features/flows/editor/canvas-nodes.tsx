import { type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import { IconAlertCircle, IconDoorExit, IconPlayerPlay, IconPlus, IconUnlink, IconUser } from '@tabler/icons-react'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { AddStepMenu } from './add-step-menu.tsx'
import classes from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { aboutStep, kindNameOf, nameOfStep, namesAfter, wayLabelOf } from './describe-node.ts'
import { describeTriggers } from './describe-start.ts'
import { findStep, type Spot, startSpot } from './edit-graph.ts'
import { describeAtStep } from './flow-findings.ts'
import { startSize, stepSizeOf, stepWidth } from './layout.ts'
import { iconOfStep } from './palette-items.ts'
import { StepTile } from './step-tile.tsx'
import type { Place } from './walk-keys.ts'

/** From this share on it is worth a look that people left. */
export const leftShareToWarn = 0.05

/** `ways`: from left to right. */
export type StepNode = Node<{ step: FlowStep; ways: string[] }, 'step'>
export type StartNode = Node<Record<string, never>, 'start'>
export type OpenEndNode = Node<{ spot: Spot }, 'openEnd'>
export type CanvasNode = StepNode | StartNode | OpenEndNode

/** The size of the invisible areas from which edges are drawn. */
export const handleSize = 10
/** Where the ways of a step begin, from left to right. */
export const handleX = (index: number, count: number, width: number): number => ((index + 1) * width) / (count + 1)

const Source = ({ id, index, count, width }: { id: string; index: number; count: number; width: number }) => (
  <Handle
    type="source"
    id={id}
    position={Position.Bottom}
    className={classes.handle ?? ''}
    style={{ left: handleX(index, count, width) }}
  />
)

type BoxProps = {
  place: Place
  /** What a screen reader says too: where it leads, and what is wrong. */
  more: string[]
  children: ReactNode
}
/** The part of a node that takes the focus. */
function Box({ place, more, children }: BoxProps) {
  const { editing, onKey } = useCanvas()
  const isSelected = editing.selected.includes(place)
  return (
    // The canvas moves it with the pointer, which a button would not allow in every browser.
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div
      role="button"
      className={classes.box}
      data-place={place ?? ''}
      tabIndex={(editing.selected[0] ?? null) === place ? 0 : -1}
      aria-pressed={isSelected}
      onFocus={(event) => {
        if (!isSelected && event.currentTarget.matches(':focus-visible')) editing.select(place)
      }}
      onKeyDown={(event) => onKey(event, place)}
    >
      {children}
      <span className="rc-sr">{more.join(', ')}</span>
    </div>
  )
}

export function StepNodeView({ data: { step, ways } }: NodeProps<StepNode>) {
  const { editing, of, findings, reached, version } = useCanvas()
  const { words } = of
  const found = findings.get(step.id) ?? []
  const worst = found[0]
  const about = aboutStep(step, of)
  const after = namesAfter(editing.document, step, of)
  const more = [
    after.length > 0 ? words.leadsTo(after.join(', ')) : words.leadsNowhere,
    ...found.map((one) => describeAtStep(one, editing.document, of)),
  ]
  return (
    <div
      className={classes.node}
      style={stepSizeOf(version !== null)}
      data-step={step.id}
      data-selected={editing.selected.includes(step.id) || undefined}
      data-level={worst && (worst.kind === 'unreachable' ? 'unreachable' : worst.level)}
      data-reached={reached === step.id || undefined}
    >
      <Handle type="target" id="in" position={Position.Top} className={classes.handle ?? ''} />
      <Box place={step.id} more={more}>
        <span className={classes.head}>
          <StepTile icon={iconOfStep(step)} speaks={isSpeaking(step)} />
          <span className={classes.names}>
            <span className={classes.kind}>{kindNameOf(step, of)}</span>
            <b>{nameOfStep(step, of)}</b>
          </span>
        </span>
        <span className={classes.about}>{about}</span>
        <NodeFoot stepId={step.id} />
      </Box>
      {worst && (
        <span className={classes.problem} data-level={worst.level} aria-hidden="true">
          {worst.kind === 'unreachable' ? (
            <IconUnlink size={14} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconAlertCircle size={14} stroke={1.75} aria-hidden="true" />
          )}
          <span>{describeAtStep(worst, editing.document, of)}</span>
        </span>
      )}
      {ways.map((way, i) => (
        <Source key={way} id={way} index={i} count={ways.length} width={stepWidth} />
      ))}
    </div>
  )
}

function NodeFoot({ stepId }: { stepId: string }) {
  const { numbersOf, version, of } = useCanvas()
  const numbers = numbersOf(stepId)
  if (version === null) return null
  if (!numbers) return <span className={classes.foot}>{of.words.newStep}</span>
  const isWarning = numbers.left > 0 && numbers.left >= numbers.came * leftShareToWarn
  return (
    <span className={classes.foot} title={of.words.numbersOf(version)}>
      <IconUser size={14} stroke={1.75} aria-hidden="true" />
      <b>{formatNumber(numbers.came)}</b>
      {numbers.left > 0 && (
        <span className={classes.left} data-warn={isWarning || undefined}>
          <IconDoorExit size={14} stroke={1.75} aria-hidden="true" />
          {of.words.left(formatNumber(numbers.left))}
        </span>
      )}
    </span>
  )
}

export function StartNodeView() {
  const { editing, of, findings } = useCanvas()
  const { words } = of
  const found = findings.get(null) ?? []
  const first = findStep(editing.document, editing.document.first)
  const said = describeTriggers(editing.document, of)
  const more = [
    first ? words.leadsTo(nameOfStep(first, of)) : words.leadsNowhere,
    ...found.map((one) => describeAtStep(one, editing.document, of)),
  ]
  return (
    <div
      className={classes.node}
      style={{ width: startSize.width, height: startSize.height }}
      data-selected={editing.selected.includes(null) || undefined}
      data-level={found[0]?.level}
    >
      <Box place={null} more={more}>
        <span className={classes.head}>
          <StepTile icon={IconPlayerPlay} speaks={false} />
          <span className={classes.names}>
            <span className={classes.kind}>{words.start}</span>
            <b className={classes.startName}>{said}</b>
          </span>
        </span>
      </Box>
      <Source id={startSpot.way} index={0} count={1} width={startSize.width} />
    </div>
  )
}

export const OpenEndView = ({ data: { spot } }: NodeProps<OpenEndNode>) => (
  <>
    <Handle
      type="target"
      id="in"
      position={Position.Top}
      isConnectable={false}
      className={classes.hiddenHandle ?? ''}
    />
    <PlusButton spot={spot} isOpenEnd />
  </>
)

type PlusProps = { spot: Spot; isOpenEnd?: boolean }
/** Adds a step at a way. Only the ways of the selected step are in the order of Tab. */
export function PlusButton({ spot, isOpenEnd = false }: PlusProps) {
  const { editing, of, adding, setAdding, addAt } = useCanvas()
  const step = findStep(editing.document, spot.stepId)
  const name = step ? nameOfStep(step, of) : of.words.start
  const isOpen = adding?.stepId === spot.stepId && adding.way === spot.way
  const button = (
    <button
      type="button"
      className={`${classes.plus} nodrag nopan`}
      data-open-end={isOpenEnd || undefined}
      data-spot-step={spot.stepId ?? ''}
      data-spot-way={spot.way}
      tabIndex={editing.selected.includes(spot.stepId) ? 0 : -1}
      aria-haspopup="menu"
      aria-label={of.words.addHere(step ? wayLabelOf(step, spot.way, of.words) : '', name)}
      onClick={() => setAdding(isOpen ? null : spot)}
    >
      <IconPlus size={12} stroke={2.5} aria-hidden="true" />
    </button>
  )
  if (!isOpen) return button
  return (
    <AddStepMenu isOpen onToggle={() => setAdding(null)} of={of} onAdd={(item) => addAt(item, spot)}>
      {button}
    </AddStepMenu>
  )
}
