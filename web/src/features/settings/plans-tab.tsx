import { planFlags } from '@recado/contract/kit'
import { topics } from '@recado/contract/live'
import { type Plan, PlanWrite, plansApi } from '@recado/contract/plans'
import { IconPackage } from '@tabler/icons-react'
import { call } from '../../lib/api.ts'
import { money, number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Clip, Named, Quiet } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import type { Field } from '../../records/fields/field.ts'
import { byText, contains } from '../../records/merge.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { type FormSlot, RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { writeRecord } from '../../records/write-record.ts'
import { planTexts } from './plan-texts.ts'

const source = sourceOf(plansApi.list, 'plans', topics.plan, {
  matches: contains<Plan>((plan) => plan.name),
  order: byText<Plan>((plan) => plan.name),
})

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
      remove={(plan) => call(plansApi.remove, { params: { id: plan.id } })}
      consequence={() => words.consequence}
      may={{ create: true, edit: () => true, remove: () => true }}
    />
  )
}

type Values = Omit<Plan, 'id'>
const fresh: Values = {
  name: '',
  users: 0,
  connections: 0,
  queues: 0,
  value: 0,
  useCampaigns: true,
  useKanban: true,
  useOpenAi: true,
  useIntegrations: true,
  useSchedules: true,
  useInternalChat: true,
  useExternalApi: true,
}

function PlanForm(slot: FormSlot<Plan>) {
  const { row } = slot
  const words = useTexts(planTexts)
  const fields: Field<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, span: 'half', maxLength: 50 },
    { kind: 'money', name: 'value', label: words.value, span: 'half' },
    { kind: 'number', name: 'users', label: words.users, span: 'third' },
    { kind: 'number', name: 'connections', label: words.connections, span: 'third' },
    { kind: 'number', name: 'queues', label: words.queues, span: 'third' },
    ...planFlags.map((name): Field<Values> => ({ kind: 'switch', name, label: words[name], span: 'half' })),
  ]
  const { id: _, ...known } = row ?? { id: 0, ...fresh }
  return (
    <RecordForm<Values, Plan>
      {...slot}
      title={row?.name ?? words.words.create}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={PlanWrite}
      initial={known}
      fields={fields}
      codes={{ ERR_PLAN_NAME_ALREADY_EXISTS: 'name' }}
      write={(values, before) => writeRecord(plansApi, values, before)}
    />
  )
}
