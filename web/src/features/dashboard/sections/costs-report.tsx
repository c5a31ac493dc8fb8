import type { CostsReport as CostsReportData } from '@recado/contract/dashboard/report-sections'
import type { MessageCost } from '@recado/contract/money/message-prices'
import { formatNumber } from '../../../lib/format.ts'
import { formatCost } from '../../../lib/money/format-cost.ts'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { ReportCard } from '../report-card.tsx'

const texts = defineTexts({
  es: {
    title: 'Costo de los mensajes oficiales',
    line: (total: string) => (total ? `${total} en estas fechas` : 'Sin costo en estas fechas'),
    definition:
      'Lo que Meta cobra por los mensajes entregados, según la lista de precios del día. Los meses son los últimos doce; las plantillas, de estas fechas.',
    month: 'Mes',
    template: 'Plantilla',
    noTemplate: 'Sin plantilla',
    charged: 'Cobrados',
    free: 'Gratis',
    cost: 'Costo',
    unpriced: (n: number) =>
      n === 1 ? '1 mensaje no tiene precio en la lista.' : `${formatNumber(n)} mensajes no tienen precio en la lista.`,
    example: 'Los precios son un ejemplo: quien administra la plataforma todavía no guardó la lista de Meta.',
  },
  pt: {
    title: 'Custo das mensagens oficiais',
    line: (total) => (total ? `${total} nestas datas` : 'Sem custo nestas datas'),
    definition:
      'O que a Meta cobra pelas mensagens entregues, segundo a lista de preços do dia. Os meses são os últimos doze; os modelos, destas datas.',
    month: 'Mês',
    template: 'Modelo',
    noTemplate: 'Sem modelo',
    charged: 'Cobradas',
    free: 'Grátis',
    cost: 'Custo',
    unpriced: (n) =>
      n === 1 ? '1 mensagem não tem preço na lista.' : `${formatNumber(n)} mensagens não têm preço na lista.`,
    example: 'Os preços são um exemplo: quem administra a plataforma ainda não salvou a lista da Meta.',
  },
  en: {
    title: 'Cost of official messages',
    line: (total) => (total ? `${total} on these dates` : 'No cost on these dates'),
    definition:
      "What Meta charges for delivered messages, by the day's price list. Months are the last twelve; templates are for these dates.",
    month: 'Month',
    template: 'Template',
    noTemplate: 'No template',
    charged: 'Charged',
    free: 'Free',
    cost: 'Cost',
    unpriced: (n) =>
      n === 1 ? '1 message has no price in the list.' : `${formatNumber(n)} messages have no price in the list.`,
    example: "Prices are an example: the platform's owner hasn't saved Meta's list yet.",
  },
})

type NamedCost = MessageCost & { name: string }

/** What Meta charges, per month and per template. Hidden for companies that never had such a message. */
export function CostsReport({ report }: { report: CostsReportData }) {
  const words = useTexts(texts)
  const months = report.months.map(({ month, ...cost }) => ({ ...cost, name: month.split('-').reverse().join('/') }))
  const templates = report.templates.map(({ template, ...cost }) => ({ ...cost, name: template || words.noTemplate }))
  if (!months.length) return null
  const { total } = report
  const toRow = ({ name, charged, free, amounts }: NamedCost) => [name, charged, free, formatCost(amounts)]
  const rows = [
    [words.month, words.charged, words.free, words.cost],
    ...months.map(toRow),
    [words.template, words.charged, words.free, words.cost],
    ...templates.map(toRow),
  ]
  return (
    <ReportCard
      title={words.title}
      line={words.line(formatCost(total.amounts))}
      definition={words.definition}
      rows={rows}
    >
      {report.isExample && <p className={cards.quiet}>{words.example}</p>}
      {total.unpriced > 0 && <p className={cards.quiet}>{words.unpriced(total.unpriced)}</p>}
      <CostTable heading={words.month} costs={months} />
      {templates.length > 0 && <CostTable heading={words.template} costs={templates} />}
    </ReportCard>
  )
}

function CostTable({ heading, costs }: { heading: string; costs: NamedCost[] }) {
  const words = useTexts(texts)
  return (
    <div className={cards.scroll}>
      <table className={cards.table} data-stack>
        <thead>
          <tr>
            {[heading, words.charged, words.free, words.cost].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {costs.map((one) => (
            <tr key={one.name}>
              <td>{one.name}</td>
              <td data-label={words.charged}>{formatNumber(one.charged)}</td>
              <td data-label={words.free}>{formatNumber(one.free)}</td>
              <td data-whole data-label={words.cost}>
                {formatCost(one.amounts) || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
