import { type Integration, integrationsApi } from '@recado/contract/integrations/integrations'
import { IconAffiliate, IconDeviceMobile, IconPlayerPlay } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { explainInUse, isInUse, useUsageTexts } from '../../parts/integrations/usage-texts.ts'
import { ClippedText, MutedText, TwoLineCell } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CallsPerHourBars, IntegrationHealthCell } from './integration-health-cell.tsx'
import { IntegrationIcon } from './integration-icon.tsx'
import classes from './integrations.module.css'
import { texts } from './texts.ts'

const loadForm = () => import('./integration-form.tsx').then((module) => ({ default: module.IntegrationForm }))
const IntegrationForm = lazy(loadForm)
const source = recordSourceOf(integrationsApi)

export function IntegrationsPage() {
  const words = useTexts(texts)
  const used = useUsageTexts()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={useColumns()}
      nameOf={(integration) => integration.name}
      icon={<IconAffiliate size={26} stroke={1.6} />}
      form={(slot) => <IntegrationForm {...slot} />}
      loadForm={loadForm}
      remove={({ id, usedBy }) => explainInUse(usedBy, () => callApi(integrationsApi.remove, { params: { id } }))}
      consequence={({ usedBy }) => (isInUse(usedBy) ? used.first(usedBy) : words.consequence)}
      permissions={{ create: true, edit: () => true, remove: () => true }}
      actions={[
        {
          key: 'test',
          label: words.test,
          icon: <IconPlayerPlay size={17} stroke={1.75} />,
          // The form's code is loaded on request, because the list does not need it.
          run: (row) =>
            void import('./test-integration.ts').then(({ testStoredIntegration }) => testStoredIntegration(row)),
          direct: words.testNamed,
        },
      ]}
      mark={({ type }) => <IntegrationIcon type={type} size={32} />}
      hint={words.lastHours}
      hasTallRows
    />
  )
}

function useColumns(): TableColumn<Integration>[] {
  const words = useTexts(texts)
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ id, name, type }) => (
        <span className={classes.named}>
          <span className={classes.inTable}>
            <IntegrationIcon type={type} />
          </span>
          <TwoLineCell first={<ClippedText isStrong>{name}</ClippedText>} second={words.typed(words.types[type], id)} />
        </span>
      ),
    },
    { key: 'usedBy', head: words.usedBy, width: 230, isLowPriority: true, cell: (row) => <UsageCell row={row} /> },
    {
      key: 'calls',
      head: words.callsHead,
      width: 130,
      isLowPriority: true,
      cell: ({ health }) => <CallsPerHourBars health={health} />,
    },
    {
      key: 'health',
      head: words.health,
      width: 220,
      card: 'end',
      cell: ({ health }) => <IntegrationHealthCell health={health} />,
    },
    {
      key: 'last',
      head: words.last,
      width: 150,
      card: 'line',
      cell: ({ health }) => (health.lastAt ? formatDayTime(health.lastAt) : <MutedText>{words.never}</MutedText>),
    },
  ]
}

function UsageCell({ row: { usedBy } }: { row: Integration }) {
  const words = useTexts(texts)
  if (!isInUse(usedBy)) return <MutedText>{words.unusedYet}</MutedText>
  return (
    <span className={classes.places}>
      {usedBy.queues.map(({ id, name, color }) => (
        <span key={`queue-${id}`} className={classes.place}>
          <ColorDot color={color} />
          {name}
        </span>
      ))}
      {usedBy.lines.map(({ id, name }) => (
        <span key={`line-${id}`} className={classes.place}>
          <IconDeviceMobile size={14} stroke={1.75} aria-hidden="true" />
          {name}
        </span>
      ))}
    </span>
  )
}
