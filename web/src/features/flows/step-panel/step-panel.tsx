import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import type { Flow, StepNumbers } from '@recado/contract/flows/flows'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { kindNameOf } from '../editor/describe-node.ts'
import { describeAtStep, findProblems } from '../editor/flow-findings.ts'
import { iconOfStep } from '../editor/palette-items.ts'
import { StepTile } from '../editor/step-tile.tsx'
import { flowEditorTexts } from '../editor/texts.ts'
import { Problem } from '../rules/editor/problem.tsx'
import type { Sentences } from '../sentence/sentences.ts'
import classes from './panel.module.css'
import { StepFields } from './step-fields.tsx'
import { StepResults } from './step-results.tsx'
import { stepPanelTexts } from './texts.ts'
import { variablesBefore } from './variables-before.ts'

export type StepPanelProps = {
  step: FlowStep
  document: FlowDocument
  flow: Flow
  sentences: Sentences
  /** Of the published version; undefined: the step is not in it. */
  numbers: StepNumbers | undefined
  onChange: (step: FlowStep) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One step of a flow: its name, what it does, what is wrong with it, and what came of it. */
export function StepPanel({
  step,
  document,
  flow,
  sentences,
  numbers,
  onChange,
  onDuplicate,
  onRemove,
}: StepPanelProps) {
  const words = useTexts(stepPanelTexts)
  const editorWords = useTexts(flowEditorTexts)
  const panel = {
    document,
    sentences,
    variables: useMemo(() => variablesBefore(document, step.id), [document, step.id]),
  }
  return (
    <div className={classes.panel} key={step.id}>
      <div className={classes.head}>
        <StepTile icon={iconOfStep(step)} speaks={isSpeaking(step)} />
        <div className={classes.names}>
          <span>{kindNameOf(step, { words: editorWords, sentences })}</span>
          <input
            type="text"
            className={classes.title}
            aria-label={words.title}
            placeholder={words.title}
            maxLength={60}
            value={step.title}
            onChange={(event) => onChange({ ...step, title: event.currentTarget.value })}
          />
        </div>
        <button type="button" className={classes.icon} aria-label={words.duplicate} onClick={onDuplicate}>
          <IconCopy size={18} stroke={1.75} aria-hidden="true" />
        </button>
        <button type="button" className={classes.icon} aria-label={words.remove} onClick={onRemove}>
          <IconTrash size={18} stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      <StepProblems step={step} document={document} sentences={sentences} hasReplyWindow={flow.hasReplyWindow} />
      <StepFields step={step} panel={panel} onChange={onChange} />
      {numbers && flow.version && <StepResults step={step} numbers={numbers} version={flow.version.number} />}
    </div>
  )
}

type ProblemsProps = Pick<StepPanelProps, 'step' | 'document' | 'sentences'> & { hasReplyWindow: boolean }
/** What is wrong at the step. Its repairs are among the checks. */
function StepProblems({ step, document, sentences, hasReplyWindow }: ProblemsProps) {
  const words = useTexts(flowEditorTexts)
  const { nameOf } = sentences
  const findings = useMemo(() => findProblems(document, { hasReplyWindow, nameOf }), [document, hasReplyWindow, nameOf])
  const problems = new Map(
    findings
      .filter(({ stepId }) => stepId === step.id)
      .map((finding) => [describeAtStep(finding, document, { words, sentences }), finding.level]),
  )
  if (problems.size === 0) return null
  return (
    <div className={classes.problems} role="status">
      {[...problems].map(([text, level]) => (
        <Problem key={text} level={level} text={text} />
      ))}
    </div>
  )
}
