import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { macroSnoozeTimes } from '@recado/contract/macros/macro-steps'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import type { ReactNode } from 'react'
import { describeMinutes } from '../../../../parts/conditions/describe-minutes.ts'
import { Token } from '../../../../parts/token/token.tsx'
import { slotsOfStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { MessageToken } from './message-token.tsx'
import { TemplateToken } from './template-token.tsx'
import type { RuleEditorWords } from './texts.ts'
import { EntitiesToken, EntityToken, SwitchToken, TextToken } from './value-tokens.tsx'

type Context = {
  step: FlowStep
  sentences: Sentences
  words: RuleEditorWords
  onChange: (step: FlowStep) => void
}

const snoozeHours = [1, 3, 6, 24, 48, 72, 168]
const waitMinutes = [5, 15, 30, 60, 120, 240, 480, 720, 1380, 1440, 2880, 4320, 7200, 10_080, 20_160, 43_200]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** The address up to the path is fixed, see `CallStep`. */
const urlPattern = /^$|^https?:\/\/[^\s/?#{}\\@]{1,253}([/?#]|$)/i

/** The words of a step that can be changed, by the slots of its sentence. */
export function tokensOfStep({ step, sentences, words, onChange }: Context): Record<string, ReactNode> {
  const { words: said, priorities } = sentences
  const texts = slotsOfStep(step, sentences)
  const textOf = (slot: string) => texts[slot]?.text ?? ''
  switch (step.kind) {
    case 'say':
      return {
        text: (
          <MessageToken
            label={words.text}
            text={step.text ? words.text.toLowerCase() : words.messageEmpty}
            value={step.text}
            limit={4096}
            isInvalid={step.text.trim() === '' && step.fileId === null && step.template === null}
            onChange={(text) => onChange({ ...step, text })}
          />
        ),
        template: <TemplateToken step={step} text={textOf('template')} onChange={onChange} />,
      }
    case 'note':
      return {
        text: (
          <MessageToken
            label={words.noteWords}
            text={step.text ? textOf('text') : words.choose}
            value={step.text}
            limit={2000}
            isInvalid={step.text.trim() === ''}
            onChange={(text) => onChange({ ...step, text })}
          />
        ),
      }
    case 'tags':
      return {
        add: (
          <EntitiesToken
            label={words.tagsToAdd}
            text={textOf('add')}
            entity="tag"
            ids={step.add}
            onChange={(add) => onChange({ ...step, add })}
          />
        ),
        remove: (
          <EntitiesToken
            label={words.tagsToRemove}
            text={textOf('remove')}
            entity="tag"
            ids={step.remove}
            onChange={(remove) => onChange({ ...step, remove })}
          />
        ),
      }
    case 'priority':
      return {
        priority: (
          <Token
            isValue
            label={words.priority}
            choices={ticketPriorities.map((value) => ({ value, name: priorities[value].toLowerCase() }))}
            selected={[step.priority]}
            onChange={([value]) => onChange({ ...step, priority: value as typeof step.priority })}
          />
        ),
      }
    case 'queue':
      return {
        queue: (
          <EntityToken
            label={words.queue}
            text={step.queueId === null ? words.choose : textOf('queue')}
            entity="queue"
            id={step.queueId}
            isRequired
            onChange={(value) => onChange({ ...step, queueId: Number(value) || null })}
          />
        ),
      }
    case 'assign':
      return {
        user: (
          <EntityToken
            label={words.user}
            text={step.userId === null ? words.choose : textOf('user')}
            entity="user"
            id={step.userId === 'owner' ? null : step.userId}
            special={[{ value: 'owner', name: said.owner }]}
            selected={step.userId === 'owner' ? 'owner' : undefined}
            isRequired
            onChange={(value) => onChange({ ...step, userId: value === 'owner' ? 'owner' : Number(value) || null })}
          />
        ),
      }
    case 'snooze':
      return snoozeTokens(step, { sentences, words, onChange })
    case 'resolve':
      return {
        reason: (
          <EntityToken
            label={words.reason}
            text={textOf('reason')}
            entity="closingReason"
            id={step.closingReasonId}
            special={[{ value: '', name: said.noReason }]}
            selected={step.closingReasonId === null ? '' : undefined}
            onChange={(value) => onChange({ ...step, closingReasonId: Number(value) || null })}
          />
        ),
      }
    case 'person':
      return {
        queue: (
          <EntityToken
            label={words.queue}
            text={textOf('queue')}
            entity="queue"
            id={step.queueId}
            special={[{ value: '', name: said.ownQueue }]}
            selected={step.queueId === null ? '' : undefined}
            onChange={(value) => onChange({ ...step, queueId: Number(value) || null })}
          />
        ),
        text: (
          <MessageToken
            label={words.text}
            text={step.text ? said.saying(words.text.toLowerCase()) : said.silently}
            value={step.text}
            limit={4096}
            onChange={(text) => onChange({ ...step, text })}
          />
        ),
      }
    case 'wait':
      return { until: waitTokens(step, { sentences, words, onChange }) }
    case 'call':
      return {
        method: (
          <Token
            label={words.method}
            choices={methods.map((value) => ({ value, name: value }))}
            selected={[step.method]}
            onChange={([value]) => onChange({ ...step, method: value as typeof step.method })}
          />
        ),
        url: (
          <>
            <TextToken
              label={words.url}
              text={step.url ? textOf('url') : words.choose}
              value={step.url}
              maxLength={2000}
              help={words.urlHelp}
              isInvalid={step.url === ''}
              problemOf={(url) => (urlPattern.test(url.trim()) ? null : words.urlHelp)}
              onChange={(url) => onChange({ ...step, url: url.trim() })}
            />
            {step.method !== 'GET' && (
              <TextToken
                isLong
                label={words.body}
                text={step.body ? 'JSON' : words.body}
                value={step.body}
                maxLength={10_000}
                help={words.bodyHelp}
                onChange={(body) => onChange({ ...step, body })}
              />
            )}
          </>
        ),
      }
    default:
      return Object.fromEntries(Object.entries(texts).map(([slot, { text }]) => [slot, <b key={slot}>{text}</b>]))
  }
}

type Tools = Omit<Context, 'step'>

function snoozeTokens(
  step: Extract<FlowStep, { kind: 'snooze' }>,
  { sentences: { words: said }, words, onChange }: Tools,
): Record<string, ReactNode> {
  const ready = macroSnoozeTimes
    .filter((time) => time !== 'hours')
    .map((time) => ({ value: time, name: said.snoozeTimes[time] }))
  const choose = (value: string | undefined) => {
    const time = ready.find((one) => one.value === value)
    onChange(time ? { ...step, until: time.value } : { ...step, until: 'hours', hours: Number(value) })
  }
  return {
    until: (
      <Token
        isValue
        label={words.until}
        choices={[
          ...ready,
          ...[...new Set([...snoozeHours, step.hours])].map((n) => ({
            value: String(n),
            name: said.snoozeTimes.hours(n),
          })),
        ]}
        selected={[step.until === 'hours' ? String(step.hours) : step.until]}
        onChange={([value]) => choose(value)}
      />
    ),
    wakes: step.until !== 'message' && (
      <SwitchToken
        label={words.wakes}
        isOn={step.wakesOnMessage}
        on={said.wakes}
        off={said.sleeps}
        onChange={(wakesOnMessage) => onChange({ ...step, wakesOnMessage })}
      />
    ),
  }
}

function waitTokens(
  step: Extract<FlowStep, { kind: 'wait' }>,
  { sentences: { words: said, conditions }, words, onChange }: Tools,
): ReactNode {
  const { until } = step
  const minutes = until.kind === 'opening' ? [] : [until.minutes]
  const times = [...new Set([...waitMinutes, ...minutes])].sort((a, b) => a - b)
  return (
    <>
      <Token
        isValue
        label={words.minutes}
        choices={[
          ...times.map((n) => ({ value: String(n), name: describeMinutes(n, conditions) })),
          { value: 'opening', name: said.untilOpening },
        ]}
        selected={[until.kind === 'opening' ? 'opening' : String(until.minutes)]}
        onChange={([value]) =>
          onChange({
            ...step,
            until:
              value === 'opening'
                ? { kind: 'opening' }
                : { kind: 'time', minutes: Number(value), inOpenHours: until.kind === 'time' && until.inOpenHours },
          })
        }
      />
      {until.kind === 'time' && (
        <SwitchToken
          label={words.hours}
          isOn={until.inOpenHours}
          on={said.inHours}
          off={said.anyHours}
          onChange={(inOpenHours) => onChange({ ...step, until: { ...until, inOpenHours } })}
        />
      )}
    </>
  )
}
