import { toPrintable } from './plain-text.ts'

/** For one kind of row: how many the source has, how many were written, and what happened to the others. */
export type ImportTally = {
  found: number
  written: number
  /** Rows imported by an earlier run. */
  there: number
  /** Rows imported with changes (merged, renamed, closed …), by reason. */
  changed: Record<string, number>
  /** Rows not imported, by reason. */
  skipped: Record<string, number>
}

/** Maximum example rows per reason, by their id in the source: enough to find the cause. */
const maxNamedRows = 10
/** Maximum number of reasons: they may quote a dump, so there could be a million. */
const maxReasons = 100
const maxNotes = 1000
const otherReasons = 'other reasons'

const boundedReason = (counts: Record<string, number>, said: string): string => {
  const reason = toPrintable(said)
  return Object.hasOwn(counts, reason) || Object.keys(counts).length < maxReasons ? reason : otherReasons
}

/** What an import did, or with `dryRun` what it would do. */
export class ImportReport {
  readonly from: string
  readonly dryRun: boolean
  readonly rows = new Map<string, ImportTally>()
  readonly named = new Map<string, string[]>()
  readonly notes: string[] = []

  constructor(from: string, dryRun: boolean) {
    this.from = from
    this.dryRun = dryRun
  }

  tallyOf(kind: string): ImportTally {
    const known = this.rows.get(kind)
    if (known) return known
    const made: ImportTally = { found: 0, written: 0, there: 0, changed: {}, skipped: {} }
    this.rows.set(kind, made)
    return made
  }

  countSkipped(kind: string, said: string, id: unknown): void {
    const { skipped } = this.tallyOf(kind)
    const reason = boundedReason(skipped, said)
    skipped[reason] = (skipped[reason] ?? 0) + 1
    this.#name(`${kind}, ${reason}`, id)
  }

  countChanged(kind: string, said: string, id: unknown): void {
    const { changed } = this.tallyOf(kind)
    const reason = boundedReason(changed, said)
    changed[reason] = (changed[reason] ?? 0) + 1
    this.#name(`${kind}, ${reason}`, id)
  }

  #name(what: string, id: unknown): void {
    const named = this.named.get(what) ?? []
    if (named.length < maxNamedRows) named.push(toPrintable(id, 80))
    this.named.set(what, named)
  }

  addNote(reason: string): void {
    const sentence = toPrintable(reason, 400)
    if (this.notes.length < maxNotes && !this.notes.includes(sentence)) this.notes.push(sentence)
  }

  toJSON() {
    return {
      from: this.from,
      dryRun: this.dryRun,
      rows: Object.fromEntries(this.rows),
      /** The first few rows per reason, by their id in the source. */
      named: Object.fromEntries(this.named),
      notes: this.notes,
    }
  }

  /** The report as rows of text for the terminal. */
  lines(): string[] {
    const n = (v: number) => v.toLocaleString('en').padStart(12)
    const lines = [
      `  ${''.padEnd(22)}${['found', this.dryRun ? 'would come' : 'written', 'there before', 'skipped'].map((h) => h.padStart(14)).join('')}`,
    ]
    for (const [kind, tally] of this.rows) {
      const left = Object.values(tally.skipped).reduce((a, b) => a + b, 0)
      lines.push(
        `  ${kind.padEnd(22)}${[tally.found, tally.written, tally.there, left].map((v) => `  ${n(v)}`).join('')}`,
      )
      for (const [label, reasons] of [
        ['changed', tally.changed],
        ['skipped', tally.skipped],
      ] as const)
        for (const [reason, count] of Object.entries(reasons))
          lines.push(
            `    ${label}: ${reason}: ${count.toLocaleString('en')} (${this.named.get(`${kind}, ${reason}`)?.join(', ')}${count > maxNamedRows ? ', …' : ''})`,
          )
    }
    return [...lines, ...this.notes.map((note) => `  ${note}`)]
  }
}
