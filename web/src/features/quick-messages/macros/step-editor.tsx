import { type MacroStep, macroSnoozeTimes } from '@recado/contract/macros/macro-steps'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import { useTexts } from '../../../lib/texts.ts'
import { useAllUsers, useTags } from '../../../parts/select-option-queries.ts'
import { mergeClosingForms, useClosingForms } from '../../../parts/ticket/closing/closing-forms.ts'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { useStartableFlows } from '../../../parts/ticket/use-startable-flows.ts'
import type { Choice } from '../../../parts/token/choice-list.tsx'
import { Token } from '../../../parts/token/token.tsx'
import { useQueues } from '../../../parts/use-queues.ts'
import { encodeVariables, nameVariables } from '../../../parts/variable-names.ts'
import classes from './macro-editor.module.css'
import { macroEditorTexts } from './texts.ts'

type Props = { step: MacroStep; onChange: (step: MacroStep) => void }

/** How many hours a snooze may last; other times are the opening hours of the queue. */
const snoozeHours = [1, 3, 6, 24, 48, 72, 168]

export function emptyStep(kind: MacroStep['kind']): MacroStep {
  switch (kind) {
    case 'tags':
      return { kind, add: [], remove: [] }
    case 'note':
      return { kind, note: '' }
    case 'assign':
      return { kind, userId: 'me' }
    case 'queue':
      return { kind, queueId: 0 }
    case 'priority':
      return { kind, priority: 'high' }
    case 'snooze':
      return { kind, until: 'tomorrow', hours: 24, wakesOnMessage: true, note: '' }
    case 'resolve':
      return { kind }
    case 'flow':
      return { kind, flowId: 0 }
  }
}

/** Whether every value of the step is chosen. */
export function isWholeStep(step: MacroStep): boolean {
  if (step.kind === 'tags') return step.add.length + step.remove.length > 0
  if (step.kind === 'note') return step.note.trim().length > 1
  if (step.kind === 'flow') return step.flowId > 0
  return step.kind !== 'queue' || step.queueId > 0
}

/** A step as a sentence of tokens. */
export function StepEditor({ step, onChange }: Props) {
  const words = useTexts(macroEditorTexts)
  const priorities = useTexts(priorityTexts).names
  return (
    <>
      <span>{words.kinds[step.kind]}</span>
      {step.kind === 'tags' && <TagTokens step={step} onChange={onChange} />}
      {step.kind === 'note' && (
        <textarea
          className={classes.note}
          aria-label={words.noteHint}
          placeholder={words.noteHint}
          maxLength={2000}
          rows={2}
          value={nameVariables(step.note)}
          onChange={(event) => onChange({ ...step, note: encodeVariables(event.currentTarget.value) })}
        />
      )}
      {step.kind === 'assign' && <UserToken step={step} onChange={onChange} />}
      {step.kind === 'queue' && <QueueToken step={step} onChange={onChange} />}
      {step.kind === 'priority' && (
        <Token
          isValue
          label={words.kindNames.priority}
          choices={ticketPriorities.map((value) => ({ value, name: priorities[value] }))}
          selected={[step.priority]}
          onChange={([value]) => onChange({ ...step, priority: value as typeof step.priority })}
        />
      )}
      {step.kind === 'snooze' && <SnoozeTokens step={step} onChange={onChange} />}
      {step.kind === 'resolve' && <ReasonToken step={step} onChange={onChange} />}
      {step.kind === 'flow' && <FlowToken step={step} onChange={onChange} />}
    </>
  )
}

type StepOf<K> = Extract<MacroStep, { kind: K }>
type TokenProps<K> = { step: StepOf<K>; onChange: (step: StepOf<K>) => void }

/** The choices, with one for each chosen id that does not exist any more. */
function useWithGone(choices: Choice[], chosen: number[], isLoaded: boolean): Choice[] {
  const words = useTexts(macroEditorTexts)
  const known = new Set(choices.map(({ value }) => value))
  const gone = isLoaded ? chosen.filter((id) => id > 0 && !known.has(String(id))) : []
  return [...choices, ...gone.map((id) => ({ value: String(id), name: words.gone }))]
}

function TagTokens({ step, onChange }: TokenProps<'tags'>) {
  const words = useTexts(macroEditorTexts)
  const { data: tags } = useTags()
  const plain = (tags ?? []).filter(({ kanban }) => kanban !== 1)
  const choices = useWithGone(
    plain.map(({ id, name, color }) => ({ value: String(id), name, color })),
    [...step.add, ...step.remove],
    tags !== undefined,
  )
  return (
    <>
      <Token
        isValue
        isMultiple
        label={words.tagsToAdd}
        choices={choices}
        selected={step.add.map(String)}
        onChange={(ids) => onChange({ ...step, add: ids.map(Number) })}
      />
      <span>{words.andRemove}</span>
      <Token
        isValue
        isMultiple
        label={words.tagsToRemove}
        choices={choices}
        selected={step.remove.map(String)}
        onChange={(ids) => onChange({ ...step, remove: ids.map(Number) })}
      />
    </>
  )
}

function UserToken({ step, onChange }: TokenProps<'assign'>) {
  const words = useTexts(macroEditorTexts)
  const { data: users } = useAllUsers()
  const chosen = step.userId === 'me' ? [] : [step.userId]
  const choices = useWithGone(
    (users ?? []).map(({ id, name }) => ({ value: String(id), name })),
    chosen,
    users !== undefined,
  )
  return (
    <Token
      isValue
      label={words.assignee}
      choices={[{ value: 'me', name: words.whoever }, ...choices]}
      selected={[String(step.userId)]}
      onChange={([value]) => onChange({ ...step, userId: value === 'me' ? 'me' : Number(value) })}
    />
  )
}

function QueueToken({ step, onChange }: TokenProps<'queue'>) {
  const words = useTexts(macroEditorTexts)
  const { data: queues } = useQueues()
  const choices = useWithGone(
    (queues ?? []).map(({ id, name, color }) => ({ value: String(id), name, color })),
    [step.queueId],
    queues !== undefined,
  )
  return (
    <>
      <Token
        isValue
        label={words.queue}
        choices={choices}
        selected={step.queueId ? [String(step.queueId)] : []}
        onChange={([value]) => onChange({ ...step, queueId: Number(value) })}
      />
      <span>{words.queueAfter}</span>
    </>
  )
}

function FlowToken({ step, onChange }: TokenProps<'flow'>) {
  const words = useTexts(macroEditorTexts)
  const { data: flows } = useStartableFlows()
  const choices = useWithGone(
    (flows ?? []).map(({ id, name }) => ({ value: String(id), name })),
    [step.flowId],
    flows !== undefined,
  )
  return (
    <Token
      isValue
      label={words.flow}
      choices={choices}
      selected={step.flowId ? [String(step.flowId)] : []}
      onChange={([value]) => onChange({ ...step, flowId: Number(value) })}
    />
  )
}

/** The reasons of all queues by name: each ticket gets the one of its own queue. */
function ReasonToken({ step, onChange }: TokenProps<'resolve'>) {
  const words = useTexts(macroEditorTexts)
  const forms = useClosingForms()
  const { reasons } = mergeClosingForms(forms)
  const chosen = forms.flatMap((form) => form.reasons).find(({ id }) => id === step.closingReasonId)
  const same = reasons.find(({ name }) => name.toLowerCase() === chosen?.name.toLowerCase())
  if (reasons.length === 0 && !step.closingReasonId) return null
  return (
    <Token
      isValue
      label={words.reason}
      choices={[
        { value: '', name: words.noReason },
        ...reasons.map(({ id, name }) => ({ value: String(id), name })),
        ...(step.closingReasonId && !same ? [{ value: String(step.closingReasonId), name: words.gone }] : []),
      ]}
      selected={[String(same?.id ?? step.closingReasonId ?? '')]}
      onChange={([value]) => onChange({ ...step, closingReasonId: Number(value) || null })}
    />
  )
}

function SnoozeTokens({ step, onChange }: TokenProps<'snooze'>) {
  const words = useTexts(macroEditorTexts)
  const ready = macroSnoozeTimes
    .filter((time) => time !== 'hours')
    .map((time) => ({ value: time, name: words.times[time] }))
  const hours = snoozeHours.map((n) => ({ value: String(n), name: words.times.hours(n) }))
  const choose = (value: string | undefined) => {
    const time = ready.find((one) => one.value === value)
    onChange(time ? { ...step, until: time.value } : { ...step, until: 'hours', hours: Number(value) })
  }
  return (
    <>
      <Token
        isValue
        label={words.until}
        choices={[...ready, ...hours]}
        selected={[step.until === 'hours' ? String(step.hours) : step.until]}
        onChange={([value]) => choose(value)}
      />
      {step.until !== 'message' && (
        <Token
          label={words.wakes}
          choices={[
            { value: 'yes', name: words.wakesYes },
            { value: 'no', name: words.wakesNo },
          ]}
          selected={[step.wakesOnMessage ? 'yes' : 'no']}
          onChange={([value]) => onChange({ ...step, wakesOnMessage: value === 'yes' })}
        />
      )}
    </>
  )
}
