import { Button, Menu } from '@mantine/core'
import { checkFlow, type FlowFinding } from '@recado/contract/flows/check-flow'
import { type FlowDocument, maxFlowSteps } from '@recado/contract/flows/flow-document'
import type { LineItem } from '@recado/contract/flows/flow-line'
import { repairFlow } from '@recado/contract/flows/repair-flow'
import { IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { StepResultLine } from '../../runs/step-result-line.tsx'
import type { StepResult } from '../../runs/step-results.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import {
  addStep,
  canAdd,
  canMove,
  duplicateStep,
  itemsOf,
  moveStep,
  type RuleStepKind,
  removeStepAt,
  replaceStep,
  ruleStepKinds,
} from '../rule-draft.ts'
import classes from './editor.module.css'
import { Problem } from './problem.tsx'
import { stepIcons } from './step-icons.ts'
import { StepLine } from './step-line.tsx'
import { StepMenu } from './step-menu.tsx'
import { ruleEditorTexts } from './texts.ts'
import { useFocusStep } from './use-focus-step.ts'

type Props = {
  document: FlowDocument
  sentences: Sentences
  /** Whether a line allows only templates after 24 hours. */
  hasReplyWindow: boolean
  /** The customer whose name fills in the messages. */
  customer: string | null
  /** What came of the steps that are as they were published. */
  results: ReadonlyMap<string, StepResult>
  onChange: (document: FlowDocument) => void
}

/** What the rule does, in this order. Alt and the arrow keys move a step, Ctrl D duplicates it. */
export function ThenBlock({ document, sentences, hasReplyWindow, customer, results, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const [told, setTold] = useState('')
  const focus = useFocusStep()
  const items = itemsOf(document)
  const findings = checkFlow(document, hasReplyWindow)
  const isEmpty = items.length === 0
  const add = (kind: RuleStepKind) => {
    const added = addStep(document, kind)
    focus.next(added.id)
    onChange(added.document)
  }
  const move = (index: number, by: number) => {
    if (!canMove(document, index, by)) return
    focus.next(items[index]?.[0]?.id)
    onChange(moveStep(document, index, by))
    setTold(words.moved(index + by + 1))
  }
  const duplicate = (index: number) => {
    const copied = duplicateStep(document, index)
    if (!copied) return
    focus.next(copied.id)
    onChange(copied.document)
    setTold(words.duplicated)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.altKey && by !== 0) move(index, by)
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') duplicate(index)
    else return
    event.preventDefault()
  }
  return (
    <section className={classes.block} aria-labelledby="rule-then">
      <h2 id="rule-then">{words.blocks.steps}</h2>
      <div>
        <p className="rc-sr" aria-live="polite">
          {told}
        </p>
        <ol className={classes.steps} ref={focus.ref}>
          {items.map((item, i) => {
            const [step] = item
            return (
              step && (
                <StepLine
                  key={step.id}
                  step={step}
                  sentences={sentences}
                  customer={customer}
                  findings={findingsOf(item, findings)}
                  onChange={(next) => onChange(replaceStep(document, next))}
                  onRepair={(repair) => onChange(repairFlow(document, repair))}
                  onRemove={() => onChange(removeStepAt(document, i))}
                  onKeyDown={(event) => onKeyDown(event, i)}
                >
                  {(text) => (
                    <>
                      <StepResultLine result={results.get(step.id)} />
                      <StepMenu
                        text={text}
                        canDuplicate={duplicateStep(document, i) !== null}
                        canMoveUp={canMove(document, i, -1)}
                        canMoveDown={canMove(document, i, 1)}
                        onMove={(by) => move(i, by)}
                        onDuplicate={() => duplicate(i)}
                        onRemove={() => onChange(removeStepAt(document, i))}
                      />
                    </>
                  )}
                </StepLine>
              )
            )
          })}
        </ol>
        {isEmpty && document.triggers.length > 0 && <Problem level="error" text={words.findings['dead-end']} />}
        <Menu position="bottom-start" shadow="md">
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={document.steps.length >= maxFlowSteps}
              leftSection={<IconPlus size={14} stroke={2} />}
            >
              {isEmpty ? words.firstStep : words.andThen}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu ?? ''}>
            {ruleStepKinds.map((kind) => {
              const Icon = stepIcons[kind]
              return (
                <Menu.Item
                  key={kind}
                  disabled={!canAdd(document, kind)}
                  title={canAdd(document, kind) ? undefined : words.endsRule}
                  leftSection={<Icon size={16} stroke={1.75} />}
                  onClick={() => add(kind)}
                >
                  {sentences.words.steps[kind].name}
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      </div>
    </section>
  )
}

export const findingsOf = (item: LineItem, findings: FlowFinding[]): FlowFinding[] =>
  findings.filter(({ stepId }) => item.some(({ id }) => id === stepId))
