import { planFlags } from '@recado/contract/endpoint'
import { type Plan, plansApi } from '@recado/contract/plans'
import { IconPackage } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { formatMoneyWithCode } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { MutedText, NameWithMark } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { planTexts } from './plan-texts.ts'
import classes from './settings.module.css'

const loadForm = () => import('./plan-form.tsx').then((module) => ({ default: module.PlanForm }))
const PlanForm = lazy(loadForm)

const source = recordSourceOf(plansApi)

export function PlansTab() {
  const words = useTexts(planTexts)
  const included = (plan: Plan) => planFlags.filter((flag) => plan[flag]).map((flag) => words[flag])
  const amount = (key: 'users' | 'connections' | 'queues'): TableColumn<Plan> => ({
    key,
    head: words[key],
    width: 96,
    alignRight: true,
    cell: (plan) => formatNumber(plan[key]),
  })
  const columns: TableColumn<Plan>[] = [
    {
      key: 'name',
      head: words.name,
      width: 220,
      card: 'title',
      cell: (plan) => <NameWithMark>{plan.name}</NameWithMark>,
    },
    amount('users'),
    amount('connections'),
    amount('queues'),
    {
      key: 'value',
      head: words.value,
      width: 150,
      alignRight: true,
      card: 'end',
      cell: ({ value, currency, prices }) => (
        <span className={classes.planPrices}>
          {[{ value, currency }, ...prices].map((price) => (
            <span key={price.currency}>{formatMoneyWithCode(price.value, price.currency)}</span>
          ))}
        </span>
      ),
    },
    {
      key: 'features',
      head: words.features,
      isLowPriority: true,
      card: 'line',
      cell: (plan) => {
        const names = included(plan).join(', ') || words.none
        return (
          <span className={classes.planFeatures} title={names}>
            {names}
          </span>
        )
      },
    },
    { key: 'id', head: 'Id', width: 64, isLowPriority: true, cell: (plan) => <MutedText>{plan.id}</MutedText> },
  ]
  return (
    <RecordsPage
      isEmbedded
      hasTallRows
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(plan) => plan.name}
      icon={<IconPackage size={26} stroke={1.6} />}
      form={(slot) => <PlanForm {...slot} />}
      loadForm={loadForm}
      remove={(plan) => callApi(plansApi.remove, { params: { id: plan.id } })}
      consequence={() => words.consequence}
      permissions={{ create: true, edit: () => true, remove: () => true }}
    />
  )
}
