import type { Order } from '../mover.ts'
import type { Progress } from '../progress.ts'
import { Report } from '../report.ts'
import { bringIn, readManifest } from './bring-in.ts'
import type { MovingMeans } from './take-out.ts'

/** `npm run import -- recado FOLDER`: the company that `npm run export` took out of another house. */
export async function importRecado(means: MovingMeans, order: Order, progress: Progress): Promise<Report> {
  const report = new Report(`recado ${order.path}`, order.dryRun)
  const manifest = await readManifest(order.path)
  const all = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  progress.begin(manifest.company.name, all + manifest.media.files)
  const brought = order.dryRun ? null : await bringIn(means, order.path, (_, done) => progress.add(done))
  progress.end()
  for (const { name, rows } of [...manifest.tables, { name: 'files', rows: manifest.media.files }]) {
    const tally = report.of(name)
    tally.found = rows
    if (brought?.was === 'there') tally.there = rows
    else tally.written = rows
  }
  if (brought) report.note(`It is company ${brought.companyId} here.`)
  report.note(
    'Secrets did not come: lines are linked and started by hand, keys of prompts and integrations typed in again.',
  )
  return report
}
