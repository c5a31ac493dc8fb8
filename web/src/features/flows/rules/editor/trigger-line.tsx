import type { FlowTrigger, FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { ReactNode } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { ChoiceList } from '../../../../parts/token/choice-list.tsx'
import { Token, TokenInput, TokenPopover } from '../../../../parts/token/token.tsx'
import { describeDays, slotsOfTrigger } from '../../sentence/describe-trigger.ts'
import { parsePattern } from '../../sentence/pattern.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { emptyTrigger } from '../rule-draft.ts'
import { SentenceTokens } from './sentence-tokens.tsx'
import { type RuleEditorWords, ruleEditorTexts } from './texts.ts'
import { EntitiesToken, MinutesToken, SwitchToken, TimeToken, WordsToken } from './value-tokens.tsx'

type TokenProps = { trigger: FlowTrigger; sentences: Sentences; onChange: (trigger: FlowTrigger) => void }
type Props = TokenProps & { kinds: readonly FlowTriggerKind[] }

/** What starts the rule, as a sentence of tokens. */
export function TriggerLine({ trigger, sentences, kinds, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const said = sentences.words.triggers
  const pattern = said[trigger.kind].says
  const head = parsePattern(pattern).find(({ kind }) => kind === 'head')?.text ?? ''
  return (
    <SentenceTokens
      pattern={pattern}
      head={
        <TokenPopover label={words.triggerKind} text={head} width={280}>
          {(close) => (
            <ChoiceList
              choices={kinds.map((kind) => ({ value: kind, name: said[kind].name }))}
              selected={[trigger.kind]}
              onChange={([kind]) => onChange(emptyTrigger(kind as FlowTrigger['kind']))}
              onChosen={close}
            />
          )}
        </TokenPopover>
      }
      slots={tokensOfTrigger({ trigger, sentences, onChange }, words)}
    />
  )
}

const scores = Array.from({ length: 11 }, (_, n) => ({ value: String(n), name: String(n) }))
const dayOffsets = [-30, -14, -7, -3, -2, -1, 0, 1, 2, 3, 7, 14, 30]

function tokensOfTrigger(
  { trigger, sentences, onChange }: TokenProps,
  words: RuleEditorWords,
): Record<string, ReactNode> {
  const { words: said } = sentences
  const texts = slotsOfTrigger(trigger, sentences)
  const textOf = (slot: string) => texts[slot]?.text ?? ''
  const hours = (inOpenHours: boolean, change: (isOn: boolean) => void) => (
    <SwitchToken label={words.hours} isOn={inOpenHours} on={said.inHours} off={said.anyHours} onChange={change} />
  )
  const time = (value: string, change: (value: string) => void) => (
    <TimeToken label={words.time} time={value} onChange={change} />
  )
  switch (trigger.kind) {
    case 'message':
      return {
        words: (
          <WordsToken
            label={words.wordsIn}
            text={textOf('words')}
            words={trigger.words}
            onChange={(searched) => onChange({ ...trigger, words: searched })}
          />
        ),
        file: (
          <SwitchToken
            label={words.file}
            isOn={trigger.withFile}
            on={said.withFile}
            off={said.anyFile}
            onChange={(withFile) => onChange({ ...trigger, withFile })}
          />
        ),
        first: (
          <SwitchToken
            label={words.first}
            isOn={trigger.first}
            on={said.firstEver}
            off={said.anyMessage}
            onChange={(first) => onChange({ ...trigger, first })}
          />
        ),
      }
    case 'ticketMoved':
      return {
        queues: (
          <EntitiesToken
            label={words.queues}
            text={textOf('queues')}
            entity="queue"
            ids={trigger.queueIds}
            onChange={(queueIds) => onChange({ ...trigger, queueIds })}
          />
        ),
      }
    case 'tagged':
    case 'laneEntered':
      return {
        tags: (
          <EntitiesToken
            label={words.tags}
            text={textOf('tags')}
            entity="tag"
            lanes={trigger.kind === 'laneEntered'}
            ids={trigger.tagIds}
            onChange={(tagIds) => onChange({ ...trigger, tagIds })}
          />
        ),
      }
    case 'resolved':
      return {
        reasons: (
          <EntitiesToken
            label={words.reasons}
            text={textOf('reasons')}
            entity="closingReason"
            ids={trigger.closingReasonIds}
            onChange={(closingReasonIds) => onChange({ ...trigger, closingReasonIds })}
          />
        ),
      }
    case 'campaignAnswered':
      return {
        campaigns: (
          <EntitiesToken
            label={words.campaigns}
            text={textOf('campaigns')}
            entity="campaign"
            ids={trigger.campaignIds}
            onChange={(campaignIds) => onChange({ ...trigger, campaignIds })}
          />
        ),
      }
    case 'rated':
      return {
        from: (
          <Token
            isValue
            label={words.from}
            choices={scores}
            selected={[String(trigger.from)]}
            onChange={([value]) => onChange({ ...trigger, from: Number(value) })}
          />
        ),
        to: (
          <Token
            isValue
            label={words.to}
            choices={scores}
            selected={[String(trigger.to)]}
            onChange={([value]) => onChange({ ...trigger, to: Number(value) })}
          />
        ),
      }
    case 'goalNear':
      return {
        minutes: (
          <MinutesToken
            label={words.minutes}
            minutes={trigger.minutes}
            onChange={(minutes) => onChange({ ...trigger, minutes })}
          />
        ),
      }
    case 'unanswered':
    case 'silent':
      return {
        minutes: (
          <MinutesToken
            label={words.minutes}
            minutes={trigger.minutes}
            onChange={(minutes) => onChange({ ...trigger, minutes })}
          />
        ),
        hours: hours(trigger.inOpenHours, (inOpenHours) => onChange({ ...trigger, inOpenHours })),
      }
    case 'fieldChanged':
      return {
        field: (
          <TokenInput
            label={words.field}
            maxLength={100}
            value={trigger.field}
            onChange={(field) => onChange({ ...trigger, field })}
          />
        ),
        value: (
          <TokenInput
            label={said.anyValue}
            maxLength={200}
            value={trigger.value ?? ''}
            onChange={(value) => onChange({ ...trigger, value: value.trim() ? value : null })}
          />
        ),
      }
    case 'daily':
      return { time: time(trigger.time, (next) => onChange({ ...trigger, time: next })) }
    case 'weekly':
      return {
        time: time(trigger.time, (next) => onChange({ ...trigger, time: next })),
        days: (
          <TokenPopover isValue label={words.days} text={textOf('days')}>
            {() => (
              <ChoiceList
                isMultiple
                choices={said.weekdays.map((name, day) => ({ value: String(day), name }))}
                selected={trigger.days.map(String)}
                onChange={(days) => days.length > 0 && onChange({ ...trigger, days: days.map(Number) })}
              />
            )}
          </TokenPopover>
        ),
      }
    case 'fieldDate':
      return {
        field: (
          <TokenInput
            label={words.field}
            maxLength={100}
            value={trigger.field}
            onChange={(field) => onChange({ ...trigger, field })}
          />
        ),
        days: (
          <Token
            isValue
            label={words.when2}
            choices={[...new Set([...dayOffsets, trigger.days])]
              .sort((a, b) => a - b)
              .map((n) => ({ value: String(n), name: describeDays(n, said) }))}
            selected={[String(trigger.days)]}
            onChange={([value]) => onChange({ ...trigger, days: Number(value) })}
          />
        ),
        time: time(trigger.time, (next) => onChange({ ...trigger, time: next })),
        yearly: (
          <SwitchToken
            label={words.yearly}
            isOn={trigger.yearly}
            on={said.yearly}
            off={said.once}
            onChange={(yearly) => onChange({ ...trigger, yearly })}
          />
        ),
      }
    default:
      return {}
  }
}
