import type { Order } from '../mover.ts'
import { printable } from '../plain-text.ts'
import type { Progress } from '../progress.ts'
import { Report } from '../report.ts'
import { openArchive } from './archive.ts'
import { bringIn } from './bring-in.ts'
import { checkArchive } from './check.ts'
import { readSchema } from './schema.ts'
import type { MovingMeans } from './take-out.ts'

/** `npm run import -- recado FOLDER`: the company that `npm run export` took out of another house. */
export async function importRecado(means: MovingMeans, order: Order, progress: Progress): Promise<Report> {
  const { limits, terms } = order
  const report = new Report(`recado ${order.path}`, order.dryRun)
  const archive = await openArchive(order.path, limits)
  const { manifest } = archive
  const all = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  progress.begin(printable(manifest.company.name, 40), all + manifest.media.files)
  if (order.dryRun) await checkArchive(archive, await readSchema(means.owner), limits)
  const brought = order.dryRun
    ? null
    : await bringIn(means, order.path, { limits, terms, say: (_, done) => progress.add(done) })
  progress.end()
  for (const { name, rows } of [...manifest.tables, { name: 'files', rows: manifest.media.files }]) {
    const tally = report.of(name)
    tally.found = rows
    if (brought?.was === 'there') tally.there = rows
    else tally.written = rows
  }
  if (brought) report.note(`It is company ${brought.companyId} here.`)
  for (const [what, count] of Object.entries(brought?.changed ?? {}))
    report.note(`${count.toLocaleString('en')} ${what}.`)
  report.note(
    'Secrets did not come: lines are linked and started by hand, keys of prompts and integrations typed in again.',
  )
  return report
}
