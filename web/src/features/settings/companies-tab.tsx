import { type Company, companiesApi } from '@recado/contract/companies'
import { IconAlertTriangle, IconBuilding, IconCalendarRepeat, IconHistory, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../lib/api.ts'
import { day } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts as historyTexts } from '../../parts/company-money/texts.ts'
import { Clip, Quiet, TwoLines } from '../../records/cells.tsx'
import type { Column, RowAction } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { type CompanyWords, companyTexts } from './company-texts.ts'
import { daysLeft, dueDay, renewedDay, toneOf, written } from './due.ts'
import classes from './settings.module.css'

const loadForm = () => import('./company-form.tsx').then((module) => ({ default: module.CompanyForm }))
const CompanyForm = lazy(loadForm)
const CompanyUsers = lazy(() => import('./company-users.tsx').then((module) => ({ default: module.CompanyUsers })))

const CompanyMoney = lazy(() =>
  import('../../parts/company-money/company-money.tsx').then((module) => ({ default: module.CompanyMoney })),
)

const source = sourceOf(companiesApi)

export function CompaniesTab() {
  const words = useTexts(companyTexts)
  const own = useSession().user?.companyId
  const [looked, setLooked] = useState<{ company: Company | null; opened: boolean }>({ company: null, opened: false })
  const history = useTexts(historyTexts)
  const [past, setPast] = useState<Company | null>(null)
  const actions: RowAction<Company>[] = [
    {
      key: 'renew',
      label: words.renew,
      icon: <IconCalendarRepeat size={16} stroke={1.75} />,
      run: (company) => void renew(company, words),
      offered: (company) => company.id !== own,
    },
    {
      key: 'users',
      label: words.users,
      icon: <IconUsers size={16} stroke={1.75} />,
      run: (company) => setLooked({ company, opened: true }),
    },
    {
      key: 'money',
      label: history.open,
      icon: <IconHistory size={16} stroke={1.75} />,
      run: setPast,
      offered: (company) => company.id !== own,
    },
  ]
  return (
    <>
      <RecordsPage
        embedded
        tall
        source={source}
        words={words.words}
        columns={columnsOf(words)}
        nameOf={(company) => company.name}
        icon={<IconBuilding size={26} stroke={1.6} />}
        form={(slot) => <CompanyForm {...slot} />}
        loadForm={loadForm}
        remove={(company) => call(companiesApi.remove, { params: { id: company.id } })}
        consequence={() => words.consequence}
        may={{ create: true, edit: () => true, remove: (company) => company.id !== own }}
        actions={actions}
        tone={(company) => toneOf(daysLeft(company))}
      />
      <Suspense fallback={null}>{past && <CompanyMoney company={past} onClose={() => setPast(null)} />}</Suspense>
      {looked.company && (
        <Suspense fallback={null}>
          <CompanyUsers {...looked} onClose={() => setLooked((before) => ({ ...before, opened: false }))} />
        </Suspense>
      )}
    </>
  )
}

/** The row itself changes by the live news. */
async function renew(company: Company, words: CompanyWords): Promise<void> {
  const next = written(renewedDay(company))
  const sure = await openConfirm({
    title: words.renewAsk(company.name),
    consequence: words.renewLine(next, words[company.recurrence ?? 'MENSAL']),
    verb: words.renew,
    kind: 'plain',
  })
  if (!sure) return
  try {
    const renewed = await call(companiesApi.renew, { params: { id: company.id } })
    toast.ok(words.renewed, words.renewedLine(written(dueDay(renewed) ?? '')))
  } catch (error) {
    toast.error(error)
  }
}

const columnsOf = (words: CompanyWords): Column<Company>[] => [
  { key: 'id', head: 'Id', width: 68, low: true, cell: (company) => <Quiet>{company.id}</Quiet> },
  {
    key: 'name',
    head: words.name,
    card: 'title',
    cell: ({ name, email }) => <TwoLines first={<Clip strong>{name}</Clip>} second={email} />,
  },
  { key: 'phone', head: words.phone, width: 130, low: true, cell: ({ phone }) => <Clip>{phone ?? ''}</Clip> },
  { key: 'plan', head: words.plan, width: 110, cell: ({ plan }) => <Clip>{plan?.name ?? '–'}</Clip> },
  {
    key: 'recurrence',
    head: words.recurrence,
    width: 120,
    low: true,
    cell: ({ recurrence }) => (recurrence ? words[recurrence] : <Quiet>{words.noRecurrence}</Quiet>),
  },
  {
    key: 'due',
    head: words.dueDate,
    width: 240,
    card: 'end',
    cell: (company) => <Due company={company} words={words} />,
  },
  {
    key: 'status',
    head: words.status,
    width: 100,
    low: true,
    cell: ({ status }) => (status ? words.active : <StatusChip kind="off">{words.inactive}</StatusChip>),
  },
  {
    key: 'createdAt',
    head: words.createdAt,
    width: 110,
    low: true,
    cell: (row) => <Quiet>{day(row.createdAt)}</Quiet>,
  },
]

/** The date, and a word when it is near or past. */
function Due({ company, words }: { company: Company; words: CompanyWords }) {
  const phone = usePhone()
  const due = dueDay(company)
  const left = daysLeft(company)
  if (!due || left === null) return <Quiet>{words.never}</Quiet>
  const tone = toneOf(left)
  return (
    <span className={classes.dueCell}>
      {!(phone && tone) && <span>{written(due)}</span>}
      {tone && (
        <StatusChip
          kind={tone === 'danger' ? 'danger' : 'warn'}
          icon={<IconAlertTriangle size={14} stroke={2} aria-hidden="true" />}
        >
          {words.left(left)}
        </StatusChip>
      )}
    </span>
  )
}
