/** A row of the report: a number and its value in the week before; null if nothing was measured in that week. */
export type ReportLine = { label: string; current: string; previous: string | null }
type ReportList = { title: string; rows: [string, string][] }
type WeeklyPage = {
  language: string
  subject: string
  greeting: string
  intro: string
  reportLines: ReportLine[]
  lists: ReportList[]
}
type WeeklyWords = { formatPrevious: (value: string) => string; openLabel: string; url: string; farewell: string }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)

// Mail clients support inline styles, tables, and little else.
const textColor = '#1b2021'
const mutedColor = '#4a5457'
const borderColor = '#dfe3e1'
const fontStyle = "font-family:Figtree,'Segoe UI',system-ui,-apple-system,Roboto,Arial,sans-serif"
const cellHtml = (style: string, text: string) =>
  `<td style="padding:8px 0;border-top:1px solid ${borderColor};${style}">${text}</td>`
const numberCellStyle = 'padding-left:12px;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums'
const tableHtml = (rows: string[]) =>
  `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse">${rows.join('')}</table>`

/** The HTML version of the mail: it loads nothing, and names in it are escaped. */
export function renderWeeklyHtml(
  { language, subject, greeting: hello, intro: about, reportLines: figures, lists }: WeeklyPage,
  words: WeeklyWords,
): string {
  // The previous value is below the current one, because a phone has no room for a third column.
  const before = (was: string) =>
    `<span style="display:block;font-size:13px;line-height:18px;font-weight:400;color:${mutedColor}">${escapeHtml(words.formatPrevious(was))}</span>`
  const figure = ({ label, current: now, previous: was }: ReportLine) =>
    `<tr>${cellHtml(`color:${mutedColor}`, escapeHtml(label))}${cellHtml(
      `${numberCellStyle};font-weight:700;color:${textColor}`,
      `${escapeHtml(now)}${was === null ? '' : before(was)}`,
    )}</tr>`
  const list = ({ title, rows }: ReportList) =>
    `<h2 style="margin:24px 0 8px;font-size:15px;line-height:20px;color:${textColor}">${escapeHtml(title)}</h2>${tableHtml(
      rows.map(
        ([name, value]) =>
          `<tr>${cellHtml(`color:${textColor}`, escapeHtml(name))}${cellHtml(numberCellStyle, escapeHtml(value))}</tr>`,
      ),
    )}`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f5f6f3;color:${textColor};${fontStyle};font-size:15px;line-height:22px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;background:#ffffff;border:1px solid ${borderColor};border-radius:12px"><tr><td style="padding:24px;text-align:left">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(subject)}</h1>
<p style="margin:0">${escapeHtml(hello)}</p><p style="margin:4px 0 16px">${escapeHtml(about)}</p>
${tableHtml(figures.map(figure))}${lists.map(list).join('')}
<p style="margin:24px 0 0"><a href="${escapeHtml(words.url)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#00677a;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(words.openLabel)}</a></p>
</td></tr></table>
<p style="max-width:560px;margin:12px 0 0;font-size:12px;line-height:18px;color:${mutedColor}">${escapeHtml(words.farewell)}</p>
</td></tr></table></body></html>
`
}
