import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import type { SearchedWords } from '@recado/contract/flows/flow-conditions'
import { useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { describeMinutes } from '../../../../parts/conditions/describe-minutes.ts'
import { conditionTexts } from '../../../../parts/conditions/texts.ts'
import { type Choice, ChoiceList, keepEscape } from '../../../../parts/token/choice-list.tsx'
import { Token, TokenPopover } from '../../../../parts/token/token.tsx'
import { sentenceTexts } from '../../sentence/texts.ts'
import classes from './editor.module.css'
import { ruleEditorTexts } from './texts.ts'
import { type ChosenEntity, useChoices } from './use-choices.ts'

type EntityProps = {
  label: string
  /** What the sentence says. */
  text: string
  entity: ChosenEntity
  ids: number[]
  lanes?: boolean
  onChange: (ids: number[]) => void
}

/** Any number of what exists; none means all of them. What was deleted stays until it is removed here. */
export function EntitiesToken({ label, text, entity, ids, lanes, onChange }: EntityProps) {
  const { gone } = useTexts(sentenceTexts)
  const choices = useChoices(entity, { lanes })
  const known = new Set(choices?.map(({ value }) => value))
  const missing = choices ? ids.filter((id) => !known.has(String(id))) : []
  return (
    <TokenPopover isValue label={label} text={text} isInvalid={missing.length > 0}>
      {() => (
        <ChoiceList
          isMultiple
          choices={[...(choices ?? []), ...missing.map((id) => ({ value: String(id), name: gone }))]}
          selected={ids.map(String)}
          onChange={(selected) => onChange(selected.map(Number))}
        />
      )}
    </TokenPopover>
  )
}

type OneProps = Omit<EntityProps, 'ids' | 'onChange' | 'lanes'> & {
  id: number | null
  /** Choices before those that exist, such as "no reason". */
  special?: Choice[]
  selected?: string | undefined
  isRequired?: boolean
  onChange: (value: string) => void
}

/** One of what exists. */
export function EntityToken({ label, text, entity, id, special = [], selected, isRequired, onChange }: OneProps) {
  const { gone } = useTexts(sentenceTexts)
  const choices = useChoices(entity)
  const isMissing = id !== null && choices !== undefined && !choices.some(({ value }) => value === String(id))
  const isEmpty = isRequired === true && id === null && selected === undefined
  return (
    <TokenPopover isValue label={label} text={text} isInvalid={isMissing || isEmpty}>
      {(close) => (
        <ChoiceList
          choices={[...special, ...(choices ?? []), ...(isMissing ? [{ value: String(id), name: gone }] : [])]}
          selected={selected !== undefined ? [selected] : id === null ? [] : [String(id)]}
          onChange={([value = '']) => onChange(value)}
          onChosen={close}
        />
      )}
    </TokenPopover>
  )
}

const minuteChoices = [5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1200, 1380, 1440, 2880, 4320, 7200, 10_080]

type MinutesProps = { label: string; minutes: number; onChange: (minutes: number) => void }
export function MinutesToken({ label, minutes, onChange }: MinutesProps) {
  const words = useTexts(conditionTexts)
  const all = minuteChoices.includes(minutes) ? minuteChoices : [...minuteChoices, minutes].sort((a, b) => a - b)
  return (
    <Token
      isValue
      label={label}
      choices={all.map((one) => ({ value: String(one), name: describeMinutes(one, words) }))}
      selected={[String(minutes)]}
      onChange={([value]) => onChange(Number(value))}
    />
  )
}

type SwitchProps = { label: string; isOn: boolean; on: string; off: string; onChange: (isOn: boolean) => void }
/** One of two sayings. */
export const SwitchToken = ({ label, isOn, on, off, onChange }: SwitchProps) => (
  <Token
    label={label}
    choices={[
      { value: 'off', name: off },
      { value: 'on', name: on },
    ]}
    selected={[isOn ? 'on' : 'off']}
    onChange={([value]) => onChange(value === 'on')}
  />
)

type TimeProps = { label: string; time: string; onChange: (time: string) => void }
export const TimeToken = ({ label, time, onChange }: TimeProps) => (
  <input
    type="time"
    className={classes.time}
    aria-label={label}
    value={time}
    onChange={(event) => event.currentTarget.value && onChange(event.currentTarget.value)}
  />
)

type WordsProps = {
  label: string
  text: string
  words: SearchedWords | null
  isInvalid?: boolean
  onChange: (words: SearchedWords | null) => void
}
const maxWords = 30
const maxWordLength = 60

/** Words of a message, one per line. */
export function WordsToken({ label, text, words, isInvalid, onChange }: WordsProps) {
  const said = useTexts(ruleEditorTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const mode = words?.mode ?? 'any'
  const write = (next: string, nextMode = mode) => {
    setTyped(next)
    const lines = next.split('\n').map((line) => line.trim().slice(0, maxWordLength))
    const filled = [...new Set(lines.filter((line) => line !== ''))].slice(0, maxWords)
    onChange(filled.length > 0 ? { mode: nextMode, words: filled } : null)
  }
  const shown = typed ?? words?.words.join('\n') ?? ''
  return (
    <TokenPopover isValue label={label} text={text} isInvalid={isInvalid} width={300}>
      {(close) => (
        <div className={classes.popover}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={said.comparison}
            value={mode}
            data={[
              { value: 'any', label: said.anyWord },
              { value: 'all', label: said.allWords },
            ]}
            onChange={(value) => write(shown, value === 'all' ? 'all' : 'any')}
          />
          <Textarea
            data-autofocus
            {...keepEscape}
            label={said.words}
            description={said.wordsHelp}
            autosize
            minRows={3}
            maxRows={8}
            value={shown}
            onChange={(event) => write(event.currentTarget.value)}
          />
          <Button size="xs" variant="light" onClick={close}>
            {said.done}
          </Button>
        </div>
      )}
    </TokenPopover>
  )
}

type TextProps = {
  label: string
  text: string
  value: string
  maxLength: number
  help?: string
  isLong?: boolean
  isInvalid?: boolean
  /** The problem of what was typed; such text is not taken over. */
  problemOf?: (text: string) => string | null
  onChange: (value: string) => void
}

/** A text that is too long to be typed inside the sentence. */
export function TextToken({ label, text, value, maxLength, help, isLong, isInvalid, problemOf, onChange }: TextProps) {
  const said = useTexts(ruleEditorTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const write = (next: string) => {
    setTyped(next)
    if (!problemOf?.(next)) onChange(next)
  }
  const props = {
    ...{ label, maxLength, value: shown, description: help, error: problemOf?.(shown) ?? null },
    ...keepEscape,
  }
  return (
    <TokenPopover isValue label={label} text={text} isInvalid={isInvalid} width={340}>
      {(close) => (
        <div className={classes.popover}>
          {isLong ? (
            <Textarea
              {...props}
              autosize
              minRows={3}
              maxRows={10}
              onChange={(event) => write(event.currentTarget.value)}
            />
          ) : (
            <TextInput {...props} onChange={(event) => write(event.currentTarget.value)} />
          )}
          <Button size="xs" variant="light" onClick={close}>
            {said.done}
          </Button>
        </div>
      )}
    </TokenPopover>
  )
}
