import { Button, Menu } from '@mantine/core'
import { checkFlow } from '@recado/contract/flows/check-flow'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { IconArrowFork, IconFlag2, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { Problem } from '../../rules/editor/problem.tsx'
import { StepMenu } from '../../rules/editor/step-menu.tsx'
import { ruleEditorTexts } from '../../rules/editor/texts.ts'
import { findingsOf } from '../../rules/editor/then-block.tsx'
import { useFocusStep } from '../../rules/editor/use-focus-step.ts'
import { canMove, isEnding, itemsOf, moveStep, removeStepAt, replaceStep } from '../../rules/rule-draft.ts'
import type { StepResult } from '../../runs/step-results.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import {
  type ChangedLine,
  duplicateItem,
  endsWithMessage,
  insertItem,
  type SequenceStepKind,
  splitMessage,
} from '../sequence-draft.ts'
import { AddStep } from './add-step.tsx'
import { LineItemRow } from './line-item.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

type Props = {
  document: FlowDocument
  sentences: Sentences
  hasReplyWindow: boolean
  results: ReadonlyMap<string, StepResult>
  /** The customer whose name fills in the messages. */
  customer: string | null
  onChange: (document: FlowDocument) => void
}

const twoDays = 2 * 24 * 60

/** The steps of a sequence, one below the other. Alt and the arrow keys move a step, Ctrl D duplicates it. */
export function SequenceLine({ document, sentences, hasReplyWindow, results, customer, onChange }: Props) {
  const words = useTexts(sequenceTexts)
  const rule = useTexts(ruleEditorTexts)
  const [announced, setAnnounced] = useState('')
  const focus = useFocusStep()
  const items = itemsOf(document)
  const findings = checkFlow(document, hasReplyWindow)
  const place = (inserted: ChangedLine | null) => {
    if (!inserted) return
    focus.next(inserted.id)
    onChange(inserted.document)
  }
  const add = (index: number, kind: SequenceStepKind) => place(insertItem(document, index, kind))
  const move = (index: number, by: number) => {
    if (!canMove(document, index, by)) return
    focus.next(items[index]?.[0]?.id)
    onChange(moveStep(document, index, by))
    setAnnounced(rule.moved(index + by + 1))
  }
  const duplicate = (index: number) => {
    place(duplicateItem(document, index))
    setAnnounced(rule.duplicated)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.altKey && by !== 0) move(index, by)
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') duplicate(index)
    else return
    event.preventDefault()
  }
  const addWait = () => {
    const { document: added, id } = insertItem(document, items.length, 'wait')
    const wait = added.steps.find((step) => step.id === id)
    if (wait?.kind !== 'wait') return
    const until = { kind: 'time', minutes: twoDays, inOpenHours: false } as const
    place({ document: replaceStep(added, { ...wait, until }), id })
  }
  const plus = (index: number) => (
    <AddStep document={document} sentences={sentences} onAdd={(kind) => add(index, kind)}>
      <button
        type="button"
        className={classes.plus}
        aria-label={index === 0 ? words.addFirst : words.addAfter(index)}
        title={index === 0 ? words.addFirst : words.addAfter(index)}
      >
        <IconPlus size={14} stroke={2} aria-hidden="true" />
      </button>
    </AddStep>
  )
  return (
    <>
      <p className="rc-sr" aria-live="polite">
        {announced}
      </p>
      {items.length > 0 && <div className={classes.gap}>{plus(0)}</div>}
      <ol className={classes.line} ref={focus.ref}>
        {items.map((item, i) => {
          const [step] = item
          return (
            step && (
              <LineItemRow
                key={step.id}
                document={document}
                item={item}
                index={i}
                findings={findingsOf(item, findings)}
                results={results}
                sentences={sentences}
                customer={customer}
                onChange={onChange}
                onKeyDown={(event) => onKeyDown(event, i)}
                menu={(text) => (
                  <>
                    <StepMenu
                      text={text}
                      canDuplicate={!isEnding(item)}
                      canMoveUp={canMove(document, i, -1)}
                      canMoveDown={canMove(document, i, 1)}
                      onMove={(by) => move(i, by)}
                      onDuplicate={() => duplicate(i)}
                      onRemove={() => onChange(removeStepAt(document, i))}
                    >
                      {step.kind === 'say' && (
                        <Menu.Item
                          leftSection={<IconArrowFork size={16} stroke={1.75} />}
                          onClick={() => onChange(splitMessage(document, i))}
                        >
                          {words.toVariants}
                        </Menu.Item>
                      )}
                    </StepMenu>
                    {i < items.length - 1 && plus(i + 1)}
                  </>
                )}
              />
            )
          )
        })}
      </ol>
      {items.length === 0 && document.triggers.length > 0 && <Problem level="error" text={rule.findings['dead-end']} />}
      <div className={classes.end}>
        <AddStep document={document} sentences={sentences} onAdd={(kind) => add(items.length, kind)}>
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} stroke={2} />}>
            {words.add}
          </Button>
        </AddStep>
        <span className={classes.endsHere}>
          <IconFlag2 size={15} stroke={1.75} aria-hidden="true" />
          {words.endsHere}
        </span>
        {endsWithMessage(document) && (
          <p className={classes.hint}>
            {words.lastMessage}{' '}
            <button type="button" className={classes.link} onClick={addWait}>
              {words.waitTwoDays}
            </button>
          </p>
        )}
      </div>
    </>
  )
}
