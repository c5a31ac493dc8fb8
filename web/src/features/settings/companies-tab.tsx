import { type Company, companiesApi } from '@recado/contract/companies'
import { IconAlertTriangle, IconBuilding, IconCalendarRepeat, IconHistory, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts as historyTexts } from '../../parts/company-money/texts.ts'
import { ClippedText, MutedText, TwoLineCell } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { RowAction, TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { type CompanyTexts, companyTexts } from './company-texts.ts'
import { countDaysUntilDue, dueTone, formatDueDay, getDueDay, nextDueDay } from './due-date.ts'
import classes from './settings.module.css'

const loadForm = () => import('./company-form.tsx').then((module) => ({ default: module.CompanyForm }))
const CompanyForm = lazy(loadForm)
const CompanyUsers = lazy(() => import('./company-users.tsx').then((module) => ({ default: module.CompanyUsers })))

const CompanyMoney = lazy(() =>
  import('../../parts/company-money/company-money.tsx').then((module) => ({ default: module.CompanyMoney })),
)

const source = recordSourceOf(companiesApi)

export function CompaniesTab() {
  const words = useTexts(companyTexts)
  const ownCompanyId = useSession().user?.companyId
  const [openCompany, setOpenCompany] = useState<{ company: Company | null; opened: boolean }>({
    company: null,
    opened: false,
  })
  const history = useTexts(historyTexts)
  const [past, setPast] = useState<Company | null>(null)
  const actions: RowAction<Company>[] = [
    {
      key: 'renew',
      label: words.renew,
      icon: <IconCalendarRepeat size={16} stroke={1.75} />,
      run: (company) => void renewCompany(company, words),
      isOffered: (company) => company.id !== ownCompanyId,
    },
    {
      key: 'users',
      label: words.users,
      icon: <IconUsers size={16} stroke={1.75} />,
      run: (company) => setOpenCompany({ company, opened: true }),
    },
    {
      key: 'money',
      label: history.open,
      icon: <IconHistory size={16} stroke={1.75} />,
      run: setPast,
      isOffered: (company) => company.id !== ownCompanyId,
    },
  ]
  return (
    <>
      <RecordsPage
        isEmbedded
        hasTallRows
        source={source}
        words={words.words}
        columns={companyColumns(words)}
        nameOf={(company) => company.name}
        icon={<IconBuilding size={26} stroke={1.6} />}
        form={(slot) => <CompanyForm {...slot} />}
        loadForm={loadForm}
        remove={(company) => callApi(companiesApi.remove, { params: { id: company.id } })}
        consequence={() => words.consequence}
        permissions={{ create: true, edit: () => true, remove: (company) => company.id !== ownCompanyId }}
        actions={actions}
        tone={(company) => dueTone(countDaysUntilDue(company))}
      />
      <Suspense fallback={null}>{past && <CompanyMoney company={past} onClose={() => setPast(null)} />}</Suspense>
      {openCompany.company && (
        <Suspense fallback={null}>
          <CompanyUsers {...openCompany} onClose={() => setOpenCompany((before) => ({ ...before, opened: false }))} />
        </Suspense>
      )}
    </>
  )
}

/** Renews a company. Its row is updated by the live event. */
async function renewCompany(company: Company, words: CompanyTexts): Promise<void> {
  const next = formatDueDay(nextDueDay(company))
  const sure = await openConfirm({
    title: words.renewAsk(company.name),
    consequence: words.renewLine(next, words[company.recurrence ?? 'MENSAL']),
    verb: words.renew,
    kind: 'plain',
  })
  if (!sure) return
  try {
    const renewed = await callApi(companiesApi.renew, { params: { id: company.id } })
    toast.ok(words.renewed, words.renewedLine(formatDueDay(getDueDay(renewed) ?? '')))
  } catch (error) {
    toast.error(error)
  }
}

const companyColumns = (words: CompanyTexts): TableColumn<Company>[] => [
  { key: 'id', head: 'Id', width: 68, isLowPriority: true, cell: (company) => <MutedText>{company.id}</MutedText> },
  {
    key: 'name',
    head: words.name,
    card: 'title',
    cell: ({ name, email }) => <TwoLineCell first={<ClippedText isStrong>{name}</ClippedText>} second={email} />,
  },
  {
    key: 'phone',
    head: words.phone,
    width: 130,
    isLowPriority: true,
    cell: ({ phone }) => <ClippedText>{phone ?? ''}</ClippedText>,
  },
  { key: 'plan', head: words.plan, width: 110, cell: ({ plan }) => <ClippedText>{plan?.name ?? '–'}</ClippedText> },
  {
    key: 'recurrence',
    head: words.recurrence,
    width: 120,
    isLowPriority: true,
    cell: ({ recurrence }) => (recurrence ? words[recurrence] : <MutedText>{words.noRecurrence}</MutedText>),
  },
  {
    key: 'due',
    head: words.dueDate,
    width: 240,
    card: 'end',
    cell: (company) => <DueDateCell company={company} words={words} />,
  },
  {
    key: 'status',
    head: words.status,
    width: 100,
    isLowPriority: true,
    cell: ({ status }) => (status ? words.active : <StatusChip kind="off">{words.inactive}</StatusChip>),
  },
  {
    key: 'createdAt',
    head: words.createdAt,
    width: 110,
    isLowPriority: true,
    cell: (row) => <MutedText>{formatDay(row.createdAt)}</MutedText>,
  },
]

/** The due date, with a note when it is near or past. */
function DueDateCell({ company, words }: { company: Company; words: CompanyTexts }) {
  const phone = useIsPhone()
  const due = getDueDay(company)
  const daysLeft = countDaysUntilDue(company)
  if (!due || daysLeft === null) return <MutedText>{words.never}</MutedText>
  const tone = dueTone(daysLeft)
  return (
    <span className={classes.dueCell}>
      {!(phone && tone) && <span>{formatDueDay(due)}</span>}
      {tone && (
        <StatusChip
          kind={tone === 'danger' ? 'danger' : 'warn'}
          icon={<IconAlertTriangle size={14} stroke={2} aria-hidden="true" />}
        >
          {words.left(daysLeft)}
        </StatusChip>
      )}
    </span>
  )
}
