import { Button, Skeleton } from '@mantine/core'
import { invoicesApi, type Receipt } from '@recado/contract/money/invoices'
import { receiptWords } from '@recado/contract/text/receipt'
import { IconDownload, IconPrinter, IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi, callApiForFile } from '../../lib/api.ts'
import { downloadFile } from '../../lib/download.ts'
import { formatDay, formatDayTime, formatIsoDay } from '../../lib/format.ts'
import { formatMoneyWithCode } from '../../lib/money/format-money.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page, PageBody } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './receipt.module.css'

const texts = defineTexts({
  es: { title: 'Recibo', none: 'Elige una factura paga', print: 'Imprimir', keep: 'Descargar PDF' },
  pt: { title: 'Recibo', none: 'Escolha uma fatura paga', print: 'Imprimir', keep: 'Baixar PDF' },
  en: { title: 'Receipt', none: 'Choose a paid invoice', print: 'Print', keep: 'Download PDF' },
})
const paperTexts = defineTexts(receiptWords)

/** A printable receipt of a paid invoice. */
export function ReceiptPage() {
  const words = useTexts(texts)
  const { id } = useParams({ strict: false }) as { id?: string }
  const receipt = useQuery({
    queryKey: ['money', 'receipt', id],
    queryFn: () => callApi(invoicesApi.receipt, { params: { id: Number(id) } }),
    enabled: Boolean(id),
    retry: false,
  })
  return (
    <Page>
      <PageHeader title={words.title}>
        {receipt.data && (
          <>
            <Button variant="default" leftSection={<IconPrinter size={16} stroke={1.75} />} onClick={() => print()}>
              {words.print}
            </Button>
            <DownloadPdfButton id={receipt.data.invoice.id} />
          </>
        )}
      </PageHeader>
      <PageBody>
        {!id && <EmptyState icon={<IconReceipt size={26} stroke={1.6} />} title={words.none} />}
        {id && receipt.isPending && <Skeleton height={320} radius="md" m={24} />}
        {receipt.isError && <ErrorState error={receipt.error} onRetry={() => void receipt.refetch()} />}
        {receipt.data && <ReceiptPaper receipt={receipt.data} />}
      </PageBody>
    </Page>
  )
}

/** The server renders the PDF, so that it is the same on every machine. */
function DownloadPdfButton({ id }: { id: number }) {
  const words = useTexts(texts)
  const paper = useTexts(paperTexts)
  const [busy, setBusy] = useState(false)
  const savePdf = async () => {
    setBusy(true)
    try {
      const { file } = await callApiForFile(invoicesApi.receiptFile, { params: { id } })
      downloadFile(`${paper.file(id)}.pdf`, file, 'application/pdf')
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={busy} leftSection={<IconDownload size={16} stroke={1.75} />} onClick={() => void savePdf()}>
      {words.keep}
    </Button>
  )
}

function ReceiptPaper({ receipt: { invoice, issuedAt, company, platform, reference } }: { receipt: Receipt }) {
  const words = useTexts(paperTexts)
  const rows: [string, string][] = [
    [words.company, company.billingName && company.billingName !== company.name ? company.name : ''],
    [words.for, words.detail(invoice.kind, invoice.detail)],
    [words.issued, formatDay(issuedAt)],
    [words.due, formatIsoDay(invoice.dueDay)],
    [words.paid, formatDayTime(invoice.paidAt)],
    [words.by, invoice.paidBy === 'hand' ? words.hand : 'Pix'],
    [words.note, invoice.note],
    [words.reference, reference],
  ]
  return (
    <article className={classes.paper}>
      <h2>{words.of(invoice.id)}</h2>
      <p>{words.from(platform)}</p>
      <address>
        <strong>{company.billingName || company.name}</strong>
        {company.billingDocument && (
          <span>
            {words.document}: {company.billingDocument}
          </span>
        )}
        {company.address && <span>{company.address}</span>}
      </address>
      <dl>
        {rows
          .filter(([, what]) => what)
          .map(([term, what]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        <div data-total>
          <dt>{words.total}</dt>
          <dd>{formatMoneyWithCode(invoice.value, invoice.currency)}</dd>
        </div>
      </dl>
    </article>
  )
}
