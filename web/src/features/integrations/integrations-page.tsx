import { type Integration, integrationsApi } from '@recado/contract/machines/integrations'
import { IconAffiliate, IconDeviceMobile, IconPlayerPlay } from '@tabler/icons-react'
import { lazy } from 'react'
import { call } from '../../lib/api.ts'
import { dayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { isUsed, orWhere, useUsedBy } from '../../parts/machines/used-by.ts'
import { Clip, Quiet, TwoLines } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { Bars, HealthCell } from './health-cell.tsx'
import classes from './integrations.module.css'
import { Mark } from './mark.tsx'
import { texts } from './texts.ts'

const loadForm = () => import('./integration-form.tsx').then((module) => ({ default: module.IntegrationForm }))
const IntegrationForm = lazy(loadForm)
const source = sourceOf(integrationsApi)

export function IntegrationsPage() {
  const words = useTexts(texts)
  const used = useUsedBy()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={useColumns()}
      nameOf={(integration) => integration.name}
      icon={<IconAffiliate size={26} stroke={1.6} />}
      form={(slot) => <IntegrationForm {...slot} />}
      loadForm={loadForm}
      remove={({ id, usedBy }) => orWhere(usedBy, () => call(integrationsApi.remove, { params: { id } }))}
      consequence={({ usedBy }) => (isUsed(usedBy) ? used.first(usedBy) : words.consequence)}
      may={{ create: true, edit: () => true, remove: () => true }}
      actions={[
        {
          key: 'test',
          label: words.test,
          icon: <IconPlayerPlay size={17} stroke={1.75} />,
          // The form comes with what it is made of; a list needs none of it.
          run: (row) => void import('./test-call.ts').then(({ testStored }) => testStored(row)),
          direct: words.testNamed,
        },
      ]}
      mark={({ type }) => <Mark type={type} size={32} />}
      hint={words.lastHours}
      tall
    />
  )
}

function useColumns(): Column<Integration>[] {
  const words = useTexts(texts)
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ id, name, type }) => (
        <span className={classes.named}>
          <span className={classes.inTable}>
            <Mark type={type} />
          </span>
          <TwoLines first={<Clip strong>{name}</Clip>} second={words.typed(words.types[type], id)} />
        </span>
      ),
    },
    { key: 'usedBy', head: words.usedBy, width: 230, low: true, cell: (row) => <Places row={row} /> },
    { key: 'calls', head: words.callsHead, width: 130, low: true, cell: ({ health }) => <Bars health={health} /> },
    {
      key: 'health',
      head: words.health,
      width: 220,
      card: 'end',
      cell: ({ health }) => <HealthCell health={health} />,
    },
    {
      key: 'last',
      head: words.last,
      width: 150,
      card: 'line',
      cell: ({ health }) => (health.lastAt ? dayTime(health.lastAt) : <Quiet>{words.never}</Quiet>),
    },
  ]
}

function Places({ row: { usedBy } }: { row: Integration }) {
  const words = useTexts(texts)
  if (!isUsed(usedBy)) return <Quiet>{words.unusedYet}</Quiet>
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
