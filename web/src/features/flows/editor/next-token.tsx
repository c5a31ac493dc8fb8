import { ChoiceList } from '../../../parts/token/choice-list.tsx'
import { TokenPopover } from '../../../parts/token/token.tsx'
import { nameOfStep, type StepWords, wayNameOf } from './describe-node.ts'
import { findStep, type Spot, startSpot, waysFrom } from './edit-graph.ts'
import type { FlowEditing } from './use-flow-editing.ts'

type Props = {
  editing: FlowEditing
  of: StepWords
  spot: Spot
  /** Such as 2.3.1, by the id of the step. */
  numbers: ReadonlyMap<string, string>
  tabIndex?: number
}

/** Where a way goes on, as a word that can be changed. */
export function NextToken({ editing, of, spot, numbers, tabIndex = 0 }: Props) {
  const { document } = editing
  const { words } = of
  const to = waysFrom(document, spot.stepId).find(({ way }) => way === spot.way)?.to ?? null
  const step = findStep(document, spot.stepId)
  const target = findStep(document, to)
  const nameOf = (id: string) => {
    const one = findStep(document, id)
    return `${numbers.get(id) ?? ''} ${one ? nameOfStep(one, of) : ''}`.trim()
  }
  const choices = [
    { value: '', name: words.nowhere },
    ...[...numbers.keys()].map((id) => ({ value: id, name: nameOf(id) })),
  ]
  const isStart = spot.way === startSpot.way && spot.stepId === null
  return (
    <TokenPopover
      label={words.nextOf(
        step ? nameOfStep(step, of) : words.start,
        step && !isStart ? wayNameOf(step, spot.way, words) : '',
      )}
      text={target ? nameOf(target.id) : words.choose}
      isInvalid={to === null}
      width={280}
      tabIndex={tabIndex}
    >
      {(close) => (
        <ChoiceList
          choices={choices}
          selected={[to ?? '']}
          onChange={([chosen]) => editing.connect(spot, chosen || null, of)}
          onChosen={close}
        />
      )}
    </TokenPopover>
  )
}
