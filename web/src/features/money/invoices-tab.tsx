import { Select } from '@mantine/core'
import { invoiceFilterStatuses, moneyApi, type PlatformInvoice } from '@recado/contract/money/platform'
import { IconBan, IconCashBanknote, IconCreditCard, IconHistory, IconReceipt } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatIsoDay } from '../../lib/format.ts'
import { formatMoneyWithCode } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { InvoiceStatusChip } from '../../parts/checkout/invoice-status-chip.tsx'
import { texts as moneyTexts } from '../../parts/checkout/texts.ts'
import { texts as historyTexts } from '../../parts/company-money/texts.ts'
import { RecordCards } from '../../records/record-cards.tsx'
import { RecordsFrame } from '../../records/records-frame.tsx'
import { RecordsTable } from '../../records/records-table.tsx'
import type { RowCommands, TableColumn } from '../../records/table-column.ts'
import { usePagedRecords } from '../../records/use-paged-records.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './money.module.css'
import { ReasonDialog } from './reason-dialog.tsx'
import { texts } from './texts.ts'

const CompanyMoney = lazy(() =>
  import('../../parts/company-money/company-money.tsx').then((module) => ({ default: module.CompanyMoney })),
)

type AskedAction = { action: 'paid' | 'cancel'; invoice: PlatformInvoice } | null

type InvoiceFilter = { searchParam: string; status: string }

/** All invoices of the platform. `onFilter` is called with the current filter, and with an empty filter on leaving. */
export function InvoicesTab({ onFilter }: { onFilter: (by: InvoiceFilter) => void }) {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const small = useIsPhone()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [status, setStatus] = useState('')
  const history = useTexts(historyTexts)
  const [pendingAction, setPendingAction] = useState<AskedAction>(null)
  const [openCompany, setOpenCompany] = useState<PlatformInvoice['company'] | null>(null)
  const records = usePagedRecords<PlatformInvoice>(['platform-money', 'invoices', status], async (query, signal) => {
    const reply = await callApi(moneyApi.invoices, { query: { ...query, status, companyId: null } }, { signal })
    return { rows: reply.invoices, count: reply.count, hasMore: reply.hasMore }
  })
  const { typed } = records
  useEffect(() => {
    onFilter({ searchParam: typed.trim(), status })
    return () => onFilter({ searchParam: '', status: '' })
  }, [onFilter, typed, status])
  const columns: TableColumn<PlatformInvoice>[] = [
    { key: 'id', head: words.id, width: 100, cell: ({ id }) => `#${id}` },
    {
      key: 'company',
      head: words.company,
      card: 'title',
      cell: ({ company }) => <strong className={classes.strong}>{company.name}</strong>,
    },
    { key: 'detail', head: words.detail, isLowPriority: true, cell: ({ kind, detail }) => common.detail(kind, detail) },
    { key: 'due', head: words.due, width: 120, card: 'line', cell: ({ dueDay }) => formatIsoDay(dueDay) },
    {
      key: 'value',
      head: words.value,
      width: 130,
      alignRight: true,
      card: 'line',
      cell: ({ value, currency }) => formatMoneyWithCode(value, currency),
    },
    { key: 'status', head: words.state, width: 130, card: 'end', cell: (row) => <InvoiceStatusChip invoice={row} /> },
    {
      key: 'note',
      head: words.note,
      isLowPriority: true,
      cell: ({ note, claimedAt, status: now }) => (
        <span className={classes.quiet}>{now === 'open' && claimedAt ? words.claimed : note}</span>
      ),
    },
  ]
  const offer = (row: PlatformInvoice): RowCommands => {
    const name = common.invoice(row.id)
    const icon = { size: 18, stroke: 1.75 }
    const extraCommands: RowCommands['more'] =
      row.status === 'open'
        ? [
            {
              key: 'paid',
              label: words.markPaid,
              icon: <IconCashBanknote {...icon} />,
              run: () => setPendingAction({ action: 'paid', invoice: row }),
              direct: `${words.markPaid}: ${name}`,
            },
            {
              key: 'cancel',
              label: words.cancel,
              icon: <IconBan {...icon} />,
              run: () => setPendingAction({ action: 'cancel', invoice: row }),
              direct: `${words.cancel}: ${name}`,
            },
          ]
        : row.status === 'paid'
          ? [
              {
                key: 'receipt',
                label: words.receipt,
                icon: <IconReceipt {...icon} />,
                run: () => void navigate({ to: `/receipt/${row.id}` }),
                direct: `${words.receipt}: ${name}`,
              },
            ]
          : []
    const past = {
      key: 'history',
      label: history.open,
      icon: <IconHistory {...icon} />,
      run: () => setOpenCompany(row.company),
      direct: history.openNamed(row.company.name),
    }
    return { name, edit: null, remove: null, more: [...extraCommands, past] }
  }
  const act = async (note: string) => {
    if (!pendingAction) return
    await callApi(moneyApi[pendingAction.action], { params: { id: pendingAction.invoice.id }, body: { note } })
    await client.invalidateQueries({ queryKey: ['platform-money'] })
  }
  const Rows = small ? RecordCards : RecordsTable
  return (
    <>
      <RecordsFrame
        isEmbedded
        words={words.list}
        records={records}
        icon={<IconCreditCard size={26} stroke={1.6} />}
        filters={{
          isActive: status !== '',
          clear: () => setStatus(''),
          content: (
            <Select
              aria-label={words.state}
              value={status}
              allowDeselect={false}
              onChange={(next) => setStatus(next ?? '')}
              data={[
                { value: '', label: words.all },
                ...invoiceFilterStatuses.map((one) => ({ value: one, label: words.states[one] })),
              ]}
            />
          ),
        }}
      >
        {(scrollRef) => (
          <Rows {...{ rows: records.rows, columns, offer, scrollRef: scrollRef, label: words.list.title }} />
        )}
      </RecordsFrame>
      <Suspense fallback={null}>
        {openCompany && <CompanyMoney company={openCompany} onClose={() => setOpenCompany(null)} />}
      </Suspense>
      {pendingAction && (
        <ReasonDialog
          title={pendingAction.action === 'paid' ? words.markPaid : words.cancel}
          line={pendingAction.action === 'paid' ? words.markPaidLine : words.cancelLine}
          hint={pendingAction.action === 'paid' ? words.markHint : ''}
          doneText={words.done}
          onClose={() => setPendingAction(null)}
          onConfirm={act}
        />
      )}
    </>
  )
}
