import type { MetricReading } from '../../kernel/http/metrics.ts'
import type { Switchboard } from '../switchboard.ts'
import type { WebhookDispatcher } from '../webhooks/webhook-dispatcher.ts'
import type { Backlog } from './backlog.ts'

/**
 * Prometheus metrics in addition to the default process metrics. Metrics that begin with `recado_` and do not end with
 * `_total` or `_here` are counted in the database, so they are the same in every process. `deploy/grafana.json` draws them.
 */
export const metricDefinitions = {
  recado_waiting: { help: 'What could go on now, by kind', labels: ['kind'], type: 'gauge' },
  recado_held: { help: 'What waits for its line, its pause or its turn, by kind', labels: ['kind'], type: 'gauge' },
  recado_oldest_seconds: {
    help: 'For how long the first that could go on waits, by kind',
    labels: ['kind'],
    type: 'gauge',
  },
  recado_lines: { help: 'Lines of all companies, by state', labels: ['status'], type: 'gauge' },
  recado_jobs_failed: { help: 'Jobs that are not tried again by themselves', labels: [], type: 'gauge' },
  recado_events_aside: { help: 'Events of lines that were set aside', labels: [], type: 'gauge' },
  recado_webhooks_resting: { help: 'Webhooks that do not answer', labels: [], type: 'gauge' },
  recado_webhook_events_given_up: { help: 'Events that no webhook took', labels: [], type: 'gauge' },
  recado_lines_here: { help: 'Lines that this process runs', labels: [], type: 'gauge' },
  recado_lanes_here: { help: 'Lanes of this process', labels: [], type: 'gauge' },
  recado_lane_backlog_here: { help: 'Events in the memory of this process that wait', labels: [], type: 'gauge' },
  recado_events_total: { help: 'Events of lines that this process handled, by way', labels: ['way'], type: 'counter' },
  recado_sent_total: { help: 'Messages that this process sent, by outcome', labels: ['outcome'], type: 'counter' },
  recado_asked_total: {
    help: 'Questions to models and integrations, by outcome',
    labels: ['outcome'],
    type: 'counter',
  },
  recado_told_total: {
    help: 'Events that this process told webhooks, by outcome',
    labels: ['outcome'],
    type: 'counter',
  },
} as const satisfies Record<string, Omit<MetricReading, 'name' | 'values'>>
export type MetricName = keyof typeof metricDefinitions

type MetricValue = MetricReading['values'][number]
const singleValue = (value: number): MetricValue[] => [{ labels: {}, value }]
const valuesByLabel = (label: string, of: Record<string, number>): MetricValue[] =>
  Object.entries(of).map(([name, value]) => ({ labels: { [label]: name }, value }))

/** Metrics of this process and of the database, which is queried every few seconds at most. */
export function makeMetricsReader(
  waiting: () => Promise<Backlog>,
  { supervisor, inbox, outbox, botRequestRunner: asking }: Switchboard,
  dispatcher: WebhookDispatcher,
  now: () => Date,
): () => Promise<MetricReading[]> {
  const here = (): Partial<Record<MetricName, MetricValue[]>> => ({
    recado_lines_here: singleValue(supervisor.count()),
    recado_lanes_here: singleValue(inbox.laneCount()),
    recado_lane_backlog_here: singleValue(inbox.backlog()),
    recado_events_total: valuesByLabel('way', inbox.tally),
    recado_sent_total: valuesByLabel('outcome', outbox.tally),
    recado_asked_total: valuesByLabel('outcome', asking.tally),
    recado_told_total: valuesByLabel('outcome', dispatcher.tally),
  })
  async function readDatabaseMetrics(): Promise<Partial<Record<MetricName, MetricValue[]>>> {
    const { waits, statuses, failedJobs, aside, restingHooks, givenUp } = await waiting()
    const ages = waits.map(({ kind, oldest }) => [
      kind,
      oldest === null ? 0 : Math.max(0, (now().getTime() - Date.parse(oldest)) / 1000),
    ])
    return {
      recado_waiting: valuesByLabel('kind', Object.fromEntries(waits.map(({ kind, count }) => [kind, count]))),
      recado_held: valuesByLabel('kind', Object.fromEntries(waits.map(({ kind, held }) => [kind, held]))),
      recado_oldest_seconds: valuesByLabel('kind', Object.fromEntries(ages)),
      recado_lines: valuesByLabel('status', Object.fromEntries(statuses.map(({ status, count }) => [status, count]))),
      recado_jobs_failed: singleValue(failedJobs),
      recado_events_aside: singleValue(aside),
      recado_webhooks_resting: singleValue(restingHooks),
      recado_webhook_events_given_up: singleValue(givenUp),
    }
  }
  return async () => {
    // Without the database, the other metrics are still served.
    const values = { ...here(), ...(await readDatabaseMetrics().catch(() => ({}))) }
    return (Object.keys(metricDefinitions) as MetricName[]).map((name) => ({
      name,
      ...metricDefinitions[name],
      values: values[name] ?? [],
    }))
  }
}
