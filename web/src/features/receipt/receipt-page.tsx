import { Button, Skeleton } from '@mantine/core'
import { invoicesApi, type Receipt } from '@recado/contract/money/invoices'
import { IconPrinter, IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call } from '../../lib/api.ts'
import { day, dayTime, money } from '../../lib/format.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { texts as moneyTexts } from '../../parts/checkout/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page, PageBody } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './receipt.module.css'

const texts = defineTexts({
  es: {
    title: 'Recibo',
    none: 'Elige una factura paga',
    print: 'Imprimir o guardar como PDF',
    of: (id: number) => `Recibo de la factura #${id}`,
    from: (name: string) => `${name} recibió de`,
    for: 'Por',
    due: 'Vencimiento',
    paid: 'Pagada el',
    by: 'Medio',
    hand: 'A mano',
    reference: 'Identificador del pago',
    document: 'Número fiscal',
    total: 'Total',
  },
  pt: {
    title: 'Recibo',
    none: 'Escolha uma fatura paga',
    print: 'Imprimir ou salvar como PDF',
    of: (id) => `Recibo da fatura #${id}`,
    from: (name) => `${name} recebeu de`,
    for: 'Referente a',
    due: 'Vencimento',
    paid: 'Paga em',
    by: 'Meio',
    hand: 'À mão',
    reference: 'Identificador do pagamento',
    document: 'CPF ou CNPJ',
    total: 'Total',
  },
  en: {
    title: 'Receipt',
    none: 'Choose a paid invoice',
    print: 'Print or save as PDF',
    of: (id) => `Receipt of invoice #${id}`,
    from: (name) => `${name} received from`,
    for: 'For',
    due: 'Due date',
    paid: 'Paid on',
    by: 'By',
    hand: 'By hand',
    reference: 'Identifier of the payment',
    document: 'Tax number',
    total: 'Total',
  },
})

/** One paid invoice on paper. */
export function ReceiptPage() {
  const words = useTexts(texts)
  const { id } = useParams({ strict: false }) as { id?: string }
  const receipt = useQuery({
    queryKey: ['money', 'receipt', id],
    queryFn: () => call(invoicesApi.receipt, { params: { id: Number(id) } }),
    enabled: Boolean(id),
    retry: false,
  })
  return (
    <Page>
      <PageHeader title={words.title}>
        {receipt.data && (
          <Button leftSection={<IconPrinter size={16} stroke={1.75} />} onClick={() => print()}>
            {words.print}
          </Button>
        )}
      </PageHeader>
      <PageBody>
        {!id && <EmptyState icon={<IconReceipt size={26} stroke={1.6} />} title={words.none} />}
        {id && receipt.isPending && <Skeleton height={320} radius="md" m={24} />}
        {receipt.isError && <ErrorState error={receipt.error} onRetry={() => void receipt.refetch()} />}
        {receipt.data && <Paper receipt={receipt.data} />}
      </PageBody>
    </Page>
  )
}

function Paper({ receipt: { invoice, company, platform, reference } }: { receipt: Receipt }) {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const rows: [string, string][] = [
    [words.for, common.detail(invoice.kind, invoice.detail)],
    [words.due, day(invoice.dueDate)],
    [words.paid, dayTime(invoice.paidAt)],
    [words.by, [invoice.paidBy === 'hand' ? words.hand : 'Pix', invoice.note].filter(Boolean).join(' · ')],
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
          <dd>{money(invoice.value)}</dd>
        </div>
      </dl>
    </article>
  )
}
