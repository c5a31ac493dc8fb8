import { Modal } from '@mantine/core'
import { type Connection, connectionsApi, type LinePace, type PaceReason } from '@recado/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './line-pace.module.css'
import { linePaceTexts } from './line-pace-texts.ts'
import { PaceChart } from './pace-chart.tsx'

type Props = { line: Connection | undefined; opened: boolean; onClose: () => void }

/** How many people a linked line may write to first, why, what would make it more, and the last days. */
export function LinePaceDialog({ line, opened, onClose }: Props) {
  const words = useTexts(linePaceTexts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened && line !== undefined}
      onClose={onClose}
      size={600}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
      title={line && words.title(line.name)}
    >
      {line && <PaceOfLine line={line} />}
    </Modal>
  )
}

function PaceOfLine({ line }: { line: Connection }) {
  const words = useTexts(linePaceTexts)
  const query = useQuery({
    // The limit and the used share are part of the key: when they change, the chart is out of date.
    queryKey: ['line-pace', line.id, line.pacing?.dailyCap, line.pacing?.sentToday],
    queryFn: ({ signal }) => callApi(connectionsApi.pace, { params: { id: line.id } }, { signal }),
    placeholderData: (before) => before,
  })
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <p className={classes.quiet}>{words.loading}</p>
  const { data: pace } = query
  const growth = growthHints(pace)
  return (
    <div className={classes.dialog}>
      <PaceFacts pace={pace} />
      <PaceChart days={pace.days} />
      <section>
        <h3 className={classes.heading}>{words.why}</h3>
        <ul className={classes.list}>
          {pace.mode === 'own' && <li>{words.ownMode}</li>}
          {pace.mode === 'off' && <li>{words.offMode}</li>}
          {pace.reasons.map((reason) => (
            <li key={reason}>{words.reasons[reason]}</li>
          ))}
        </ul>
      </section>
      {growth.length > 0 && (
        <section>
          <h3 className={classes.heading}>{words.grow}</h3>
          <ul className={classes.list}>
            {growth.map((hint) => (
              <li key={hint}>{words.growth[hint]}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function PaceFacts({ pace: { allowed, sentToday, age, counts } }: { pace: LinePace }) {
  const words = useTexts(linePaceTexts)
  const { written, delivered, read, answered } = counts
  const week = written
    ? words.weekLine(formatNumber(written), formatNumber(delivered), formatNumber(read), formatNumber(answered))
    : words.weekNobody
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{words.today}</dt>
        <dd>{allowed === null ? words.noLimit : words.people(allowed, formatNumber(allowed))}</dd>
      </div>
      <div>
        <dt>{words.used}</dt>
        <dd>{formatNumber(sentToday)}</dd>
      </div>
      <div>
        <dt>{words.age}</dt>
        <dd>{words.days(age, formatNumber(age))}</dd>
      </div>
      <div className={classes.wide}>
        <dt>{words.week}</dt>
        <dd>{week}</dd>
      </div>
    </dl>
  )
}

type GrowthHint = 'answers' | 'read' | 'stops' | 'refusals' | 'wait'

/** What would raise the limit. A young number has to wait; beyond the maximum nothing helps. */
function growthHints({ mode, reasons }: LinePace): GrowthHint[] {
  if (mode !== 'auto') return []
  const has = (reason: PaceReason) => reasons.includes(reason)
  const hints: [GrowthHint, boolean][] = [
    ['answers', !has('max') && !has('young')],
    ['read', has('unread')],
    ['stops', has('stopped')],
    ['refusals', has('refused') || has('locked')],
    ['wait', has('young')],
  ]
  return hints.filter(([, helps]) => helps).map(([hint]) => hint)
}
