import type { FlowLimits } from '@recado/contract/flows/flow-document'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { describeMinutes } from '../../../../parts/conditions/describe-minutes.ts'
import { conditionTexts } from '../../../../parts/conditions/texts.ts'
import { Token } from '../../../../parts/token/token.tsx'
import classes from './editor.module.css'
import { SentenceTokens } from './sentence-tokens.tsx'
import { ruleEditorTexts } from './texts.ts'
import { SwitchToken } from './value-tokens.tsx'

type Props = {
  limits: FlowLimits
  /** Where only some of the limits can be set. */
  pattern?: string
  onChange: (limits: FlowLimits) => void
}

const hoursPerContact = [1, 6, 12, 24, 72, 168, 720]
const runsPerDay = [10, 20, 50, 100, 200, 500, 1000]
const pauseMinutes = [60, 180, 360, 720, 1440, 2880, 10_080]

/** When the rule does not run although its conditions are met, as one sentence. */
export function LimitsBlock({ limits, pattern, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const durations = useTexts(conditionTexts)
  const number = (
    key: 'hoursPerContact' | 'runsPerDay' | 'pauseMinutes',
    { label, none, offered, say }: { label: string; none: string; offered: number[]; say: (n: number) => string },
  ) => {
    const value = limits[key]
    const all = value === null || offered.includes(value) ? offered : [...offered, value].sort((a, b) => a - b)
    return (
      <Token
        label={label}
        choices={[{ value: '', name: none }, ...all.map((n) => ({ value: String(n), name: say(n) }))]}
        selected={[value === null ? '' : String(value)]}
        onChange={([chosen]) => onChange({ ...limits, [key]: chosen ? Number(chosen) : null })}
      />
    )
  }
  return (
    <section className={classes.block} aria-labelledby="rule-limits" data-last>
      <h2 id="rule-limits">{words.limits}</h2>
      <SentenceTokens
        pattern={pattern ?? words.limitSentence}
        slots={{
          perContact: number('hoursPerContact', {
            label: words.perContact,
            none: words.perContactAny,
            offered: hoursPerContact,
            say: (n) => words.perContactOnce(describeMinutes(n * 60, durations)),
          }),
          perDay: number('runsPerDay', {
            label: words.perDay,
            none: words.perDayAny,
            offered: runsPerDay,
            say: (n) => words.perDayMost(formatNumber(n)),
          }),
          pause: number('pauseMinutes', {
            label: words.pause,
            none: words.pauseNone,
            offered: pauseMinutes,
            say: (n) => words.pauseLong(describeMinutes(n, durations)),
          }),
          person: (
            <SwitchToken
              label={words.person}
              isOn={limits.goesOnWithPerson}
              on={words.personGoesOn}
              off={words.personStops}
              onChange={(goesOnWithPerson) => onChange({ ...limits, goesOnWithPerson })}
            />
          ),
        }}
      />
    </section>
  )
}
