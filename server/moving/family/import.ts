import { stat } from 'node:fs/promises'
import type { Mover } from '../mover.ts'
import { Report } from '../report.ts'

export type Kind = 'ticketz' | 'whaticket'

/** The family is one: Whaticket, the services built on it, and ticketz share their tables, with more or fewer columns. */
export const importFamily =
  (kind: Kind): Mover =>
  async (_means, order, progress) => {
    const report = new Report(`${kind} ${order.path}`, order.dryRun)
    const { size } = await stat(order.path)
    progress.begin('reading', size)
    return report
  }
