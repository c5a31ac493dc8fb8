import { planFlags } from '@recado/contract/kit'
import { type Plan, plansApi } from '@recado/contract/plans'
import { IconPackage } from '@tabler/icons-react'
import { lazy } from 'react'
import { call } from '../../lib/api.ts'
import { money, number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Clip, Named, Quiet } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { planTexts } from './plan-texts.ts'

const loadForm = () => import('./plan-form.tsx').then((module) => ({ default: module.PlanForm }))
const PlanForm = lazy(loadForm)

const source = sourceOf(plansApi)

export function PlansTab() {
  const words = useTexts(planTexts)
  const included = (plan: Plan) => planFlags.filter((flag) => plan[flag]).map((flag) => words[flag])
  const amount = (key: 'users' | 'connections' | 'queues'): Column<Plan> => ({
    key,
    head: words[key],
    width: 96,
    right: true,
    cell: (plan) => number(plan[key]),
  })
  const columns: Column<Plan>[] = [
    { key: 'name', head: words.name, width: 220, card: 'title', cell: (plan) => <Named>{plan.name}</Named> },
    amount('users'),
    amount('connections'),
    amount('queues'),
    { key: 'value', head: words.value, width: 130, right: true, card: 'end', cell: (plan) => money(plan.value) },
    {
      key: 'features',
      head: words.features,
      low: true,
      card: 'line',
      cell: (plan) => <Clip>{included(plan).join(', ') || words.none}</Clip>,
    },
    { key: 'id', head: 'Id', width: 64, low: true, cell: (plan) => <Quiet>{plan.id}</Quiet> },
  ]
  return (
    <RecordsPage
      embedded
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(plan) => plan.name}
      icon={<IconPackage size={26} stroke={1.6} />}
      form={(slot) => <PlanForm {...slot} />}
      loadForm={loadForm}
      remove={(plan) => call(plansApi.remove, { params: { id: plan.id } })}
      consequence={() => words.consequence}
      may={{ create: true, edit: () => true, remove: () => true }}
    />
  )
}
