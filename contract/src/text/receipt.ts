import type { Invoice } from '../money/invoices.ts'
import type { Language } from '../users.ts'

type Kind = Invoice['kind']

/** Texts of a receipt, on screen and in print. Spanish defines the type. */
const es = {
  of: (id: number) => `Recibo de la factura #${id}`,
  from: (name: string) => `${name} recibió de`,
  document: 'Número fiscal',
  company: 'Empresa',
  for: 'Por',
  detail: (kind: Kind, detail: string) =>
    kind === 'plan' ? `Plan ${detail}` : kind === 'change' ? `Cambio a Plan ${detail}` : detail,
  issued: 'Emitida el',
  due: 'Vencimiento',
  paid: 'Pagada el',
  by: 'Medio de pago',
  hand: 'Manual',
  note: 'Nota',
  reference: 'Identificador del pago',
  total: 'Total',
  file: (id: number) => `Recibo ${id}`,
}
const pt: typeof es = {
  of: (id) => `Recibo da fatura #${id}`,
  from: (name) => `${name} recebeu de`,
  document: 'CPF ou CNPJ',
  company: 'Empresa',
  for: 'Referente a',
  detail: (kind, detail) =>
    kind === 'plan' ? `Plano ${detail}` : kind === 'change' ? `Mudança para o Plano ${detail}` : detail,
  issued: 'Emitida em',
  due: 'Vencimento',
  paid: 'Paga em',
  by: 'Meio de pagamento',
  hand: 'Manual',
  note: 'Nota',
  reference: 'Identificador do pagamento',
  total: 'Total',
  file: (id) => `Recibo ${id}`,
}
const en: typeof es = {
  of: (id) => `Receipt for invoice #${id}`,
  from: (name) => `${name} received from`,
  document: 'Tax ID',
  company: 'Company',
  for: 'For',
  detail: (kind, detail) =>
    kind === 'plan' ? `Plan ${detail}` : kind === 'change' ? `Change to Plan ${detail}` : detail,
  issued: 'Issued on',
  due: 'Due date',
  paid: 'Paid on',
  by: 'Payment method',
  hand: 'Manual',
  note: 'Note',
  reference: 'Payment ID',
  total: 'Total',
  file: (id) => `Receipt ${id}`,
}
export const receiptWords: Record<Language, typeof es> = { es, pt, en }
