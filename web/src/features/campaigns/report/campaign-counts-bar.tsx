import type { Campaign, CampaignCounts } from '@recado/contract/campaigns/campaigns'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import type { PeopleSelection } from './people-selection.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'

type Props = { campaign: Campaign; selection: PeopleSelection; onSelect: (selection: PeopleSelection) => void }

const defaultCounts = ['valid', 'sent', 'delivered', 'read', 'answered', 'failed', 'stopped'] as const
const confirmationCounts = [
  'valid',
  'asked',
  'confirmed',
  'sent',
  'delivered',
  'read',
  'answered',
  'failed',
  'stopped',
] as const

/** Each count with its share of the recipients; selecting a count shows its people. */
export function CampaignCountsBar({ campaign: { counts, confirmation }, selection, onSelect }: Props) {
  const words = useTexts(texts)
  return (
    <fieldset className={classes.figures}>
      <legend className={classes.unseen}>{words.numbers}</legend>
      {(confirmation ? confirmationCounts : defaultCounts).map((group) => (
        <button
          key={group}
          type="button"
          className={classes.figure}
          aria-pressed={selection.group === group && !selection.reason}
          data-kind={group}
          onClick={() => onSelect({ group })}
        >
          <span>{words.groups[group]}</span>
          <span className={classes.value}>
            <b>{formatNumber(counts[group])}</b>
            {group !== 'valid' && counts.valid > 0 && <small>{percentOfValid(counts, group)}</small>}
          </span>
          <span className={classes.track} aria-hidden="true">
            <i style={{ width: `${counts.valid > 0 ? Math.min(100, (counts[group] / counts.valid) * 100) : 0}%` }} />
          </span>
        </button>
      ))}
    </fieldset>
  )
}

const percentOfValid = (counts: CampaignCounts, group: keyof CampaignCounts): string => {
  const percent = (counts[group] / counts.valid) * 100
  return `${formatNumber(percent > 0 && percent < 1 ? Math.round(percent * 10) / 10 : Math.round(percent))} %`
}
