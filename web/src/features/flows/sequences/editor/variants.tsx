import { Button } from '@mantine/core'
import type { SayStep, SplitStep } from '@recado/contract/flows/flow-steps'
import { IconPlus, IconTrophy, IconX } from '@tabler/icons-react'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { findSignificantWinner } from '../../../../parts/significance.ts'
import { Token } from '../../../../parts/token/token.tsx'
import { StatusChip } from '../../../../ui/status-chip.tsx'
import { formatShare } from '../../runs/format-share.ts'
import type { StepResult } from '../../runs/step-results.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { maxVariants, percentagesOf } from '../sequence-draft.ts'
import { MessageBody } from './message-body.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

const offeredShares = [10, 20, 30, 40, 50, 60, 70, 80, 90]

type Props = {
  split: SplitStep
  variants: SayStep[]
  results: ReadonlyMap<string, StepResult>
  sentences: Sentences
  customer: string | null
  onChange: (variant: SayStep) => void
  onShare: (variant: number, percent: number) => void
  onAdd: () => void
  onRemove: (id: string) => void
}

const letterOf = (index: number): string => String.fromCharCode(65 + index)

/** The variants of a message side by side, with the share that each gets. */
export function Variants(props: Props) {
  const { split, variants, results, sentences, customer, onChange, onShare, onAdd, onRemove } = props
  const words = useTexts(sequenceTexts)
  const percentages = percentagesOf(split)
  const winnerId = findWinner(variants, results)
  const answered = variants.reduce((sum, { id }) => sum + (results.get(id)?.answered ?? 0), 0)
  // Answers that were counted for no variant say nothing about one.
  const areAnswersKnown = answered === (results.get(split.id)?.answered ?? 0)
  return (
    <>
      <ul className={classes.variants}>
        {variants.map((variant, i) => {
          const letter = letterOf(i)
          const percent = percentages[i] ?? 0
          const result = results.get(variant.id)
          return (
            <li key={variant.id} data-wins={variant.id === winnerId || undefined}>
              <span className={classes.variantHead}>
                <b>{letter}</b>
                <Token
                  label={words.shareOf(letter)}
                  choices={[...new Set([...offeredShares, percent])]
                    .sort((a, b) => a - b)
                    .map((n) => ({ value: String(n), name: words.share(n) }))}
                  selected={[String(percent)]}
                  onChange={([value]) => onShare(i, Number(value))}
                />
                <span className={classes.rest} />
                {variant.id === winnerId && (
                  <StatusChip kind="ok" icon={<IconTrophy size={14} stroke={2} aria-hidden="true" />}>
                    {words.wins}
                  </StatusChip>
                )}
                <button
                  type="button"
                  className={classes.icon}
                  aria-label={words.removeVariant(letter)}
                  onClick={() => onRemove(variant.id)}
                >
                  <IconX size={15} stroke={1.75} aria-hidden="true" />
                </button>
              </span>
              <MessageBody
                step={variant}
                label={words.textOf(letter)}
                sentences={sentences}
                customer={customer}
                onChange={onChange}
              />
              <VariantResult letter={letter} result={result} areAnswersKnown={areAnswersKnown} />
            </li>
          )
        })}
      </ul>
      {variants.length < maxVariants && (
        <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} stroke={2} />} onClick={onAdd}>
          {words.addVariant}
        </Button>
      )}
    </>
  )
}

/** The variant whose share of answers is higher with 95 % confidence, as in campaigns. */
function findWinner(variants: SayStep[], results: Props['results']): string | null {
  const counted = variants.map(({ id }) => {
    const { came = 0, answered = 0 } = results.get(id) ?? {}
    return { id, sent: came, answered, share: came > 0 ? answered / came : 0 }
  })
  return findSignificantWinner(counted.toSorted((a, b) => b.share - a.share))?.id ?? null
}

type ResultProps = { letter: string; result: StepResult | undefined; areAnswersKnown: boolean }
function VariantResult({ letter, result, areAnswersKnown }: ResultProps) {
  const words = useTexts(sequenceTexts)
  if (!result || result.came === 0) return null
  const { came, answered } = result
  const percent = formatShare(answered, came)
  return (
    <span className={classes.variantResult}>
      <small>
        {formatNumber(came)} {words.came(came)}
      </small>
      {areAnswersKnown && (
        <>
          <span className={classes.meter} role="img" aria-label={words.answeredOf(letter, percent)}>
            <span style={{ width: `${Math.min(100, (answered / came) * 100)}%` }} />
          </span>
          <b aria-hidden="true">{percent}</b>
        </>
      )}
    </span>
  )
}
