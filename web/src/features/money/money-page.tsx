import { Button, Tabs } from '@mantine/core'
import { moneyApi } from '@recado/contract/money/platform'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { callApiForFile } from '../../lib/api.ts'
import { downloadFile } from '../../lib/download.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import '../../parts/checkout/money-error-texts.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './money.module.css'
import { texts } from './texts.ts'

const SummaryTab = lazy(() => import('./summary-tab.tsx').then((tab) => ({ default: tab.SummaryTab })))
const InvoicesTab = lazy(() => import('./invoices-tab.tsx').then((tab) => ({ default: tab.InvoicesTab })))
const PaymentSettingsTab = lazy(() =>
  import('./payment-settings-tab.tsx').then((tab) => ({ default: tab.PaymentSettingsTab })),
)
const InvoiceForm = lazy(() => import('./invoice-form.tsx').then((form) => ({ default: form.InvoiceForm })))

/** The export contains the invoices that the list shows; from the other tabs it contains all invoices. */
const noFilter = { searchParam: '', status: '' }

const tabs = ['summary', 'invoices', 'settings'] as const
type Tab = (typeof tabs)[number]

/** The platform's billing: reports, all invoices, incoming payments, and payment settings. */
export function MoneyPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const client = useQueryClient()
  const [writing, setWriting] = useState(false)
  const { tab } = useSearch({ strict: false }) as { tab?: Tab }
  const current = tab && tabs.includes(tab) ? tab : 'summary'
  const [narrowed, setNarrowed] = useState(noFilter)
  const [taking, setTaking] = useState(false)
  const takeAlong = async () => {
    setTaking(true)
    try {
      const { file } = await callApiForFile(moneyApi.file, { query: { ...narrowed, companyId: null } })
      downloadFile(words.file, file)
    } catch (error) {
      toast.error(error)
    } finally {
      setTaking(false)
    }
  }
  return (
    <div className={classes.page}>
      <PageHeader title={words.title}>
        <span className={classes.buttons}>
          <Button
            variant="default"
            loading={taking}
            leftSection={<IconDownload size={16} stroke={1.75} />}
            onClick={() => void takeAlong()}
          >
            {words.export}
          </Button>
          <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setWriting(true)}>
            {words.write}
          </Button>
        </span>
      </PageHeader>
      <Tabs
        className={classes.tabs ?? ''}
        value={current}
        onChange={(next) => void navigate({ to: '/money', search: { tab: next }, replace: true })}
      >
        <Tabs.List className={classes.tabList ?? ''}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {words.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current} className={classes.panel ?? ''}>
          <Suspense fallback={null}>
            {current === 'summary' && <SummaryTab />}
            {current === 'invoices' && <InvoicesTab onFilter={setNarrowed} />}
            {current === 'settings' && <PaymentSettingsTab />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>
        {writing && (
          <InvoiceForm
            onClose={() => setWriting(false)}
            onDone={() => void client.invalidateQueries({ queryKey: ['platform-money'] })}
          />
        )}
      </Suspense>
    </div>
  )
}
